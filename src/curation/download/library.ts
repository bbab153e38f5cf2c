import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf } from '../../errors.ts';
import { nameKey } from '../../machine.ts';
import { likeness } from '../../model/names/likeness.ts';
import { explain, numbersIn, readName, unknownIn } from '../../model/names/name.ts';
import { titleForms } from '../../model/names/titles.ts';
import { wordKey, wordsOf } from '../../model/names/words.ts';
import { numberCode, type WorkTarget } from '../../model/target.ts';
import { type DownloadRoot, enterFolder } from './root.ts';

/** Names of folders below the root, the outermost first. */
export type Folders = readonly string[];

/** Where the files of a work lie. */
type Found =
  /** `loose`: the videos of a film among others, without a folder of its own; several are versions of it. Else null. */
  | { readonly is: 'there'; readonly folder: Folders; readonly loose: readonly string[] | null }
  /** Only a person knows which is meant. Paths below the root. */
  | { readonly is: 'unclear'; readonly candidates: readonly string[] }
  | { readonly is: 'missing' };

/** A video of a show. */
export interface Video {
  readonly folder: Folders;
  /** Its name without the ending. */
  readonly stem: string;
  /** The episodes that it holds, by number: `S01E02`. None where its name has no number. */
  readonly codes: readonly string[];
}

interface Held {
  readonly folders: readonly string[];
  /** Without their endings. */
  readonly videos: readonly string[];
}

const videoEnding = /\.(mkv|mp4|m4v|avi|ts|m2ts|mov|wmv|webm|mpe?g|iso|strm|ogm|flv|vob|divx)$/i;
/** Folders whose videos are no episodes and no films. */
const extras =
  /^(?:extras?|featurettes?|behind the scenes|deleted scenes|interviews?|scenes|shorts|trailers?|other|samples?|subs?|subtitles|backdrops|theme-music|bonus|extrafanart|extrathumbs|\..*|@eadir|#recycle)$/i;
const isSample = /(?:^|[ ._-])(?:sample|trailer)$/i;
/** So deep a work's folder is looked for below the caller's: people sort by letter, genre or disk. */
const deepestShelf = 2;
/** As deep as programs look for episodes below the folder of a show. */
const deepestVideo = 2;

export type Library = ReturnType<typeof openLibrary>;

/** A library as it lies below the root. Each folder is read once, when it is first asked for. */
export function openLibrary(root: DownloadRoot) {
  const look = remembered((folder: Folders) => readHeld(root, folder));
  return {
    /** @param from where it is looked for: the folder that the caller named */
    find: (work: WorkTarget, from: Folders) => findWork(work, likenessTo(work), from, look),
    /** The videos in the folder of a show, and in those within it. */
    videosIn: remembered((show: Folders) => videosBelow(show, look)),
    /** The folder of a season within that of its show, where that alone is called so; null where there is none. */
    async seasonFolder(show: Folders, season: number): Promise<string | null> {
      const { folders } = await look(show);
      const seasonsIn = (name: string) => numbersIn(name).seasons.map((one) => one.season);
      return folders.findLast((name) => seasonsIn(name).join() === String(season)) ?? null;
    },
    /** A folder within others, under the names that they have there, whatever their case; and whether it is there. */
    async asThere(shelf: Folders, names: readonly string[]) {
      let found = { path: shelf, isThere: true };
      for (const name of names) {
        const there = (await look(found.path)).folders.find((one) => nameKey(one) === nameKey(name));
        found = { path: [...found.path, there ?? name], isThere: there !== undefined };
      }
      return found;
    },
  };
}

type Look = (folder: Folders) => Promise<Held>;

/** Does `work` once for each folder. */
function remembered<Answer>(work: (folder: Folders) => Promise<Answer>) {
  const known = new Map<string, Promise<Answer>>();
  return (folder: Folders): Promise<Answer> => {
    const answer = known.get(folder.join('/')) ?? work(folder);
    known.set(folder.join('/'), answer);
    return answer;
  };
}

/** A link counts as what it leads to, and is called by its own name. What can't be looked into holds nothing. */
async function readHeld(root: DownloadRoot, folder: Folders): Promise<Held> {
  try {
    const at = await enterFolder(root, folder, false);
    const entries = at === null ? [] : await readdir(at, { withFileTypes: true });
    const isFolder = await Promise.all(
      entries.map((entry) =>
        entry.isSymbolicLink() ? leadsToFolder(path.join(entry.parentPath, entry.name)) : entry.isDirectory(),
      ),
    );
    const names = (folders: boolean) =>
      entries.flatMap(({ name }, at) => (isFolder[at] === folders ? [name] : [])).sort();
    const videos = names(false).filter((name) => videoEnding.test(name));
    const stems = videos.map((name) => name.replace(videoEnding, ''));
    return { folders: names(true), videos: stems.filter((stem) => !isSample.test(stem)) };
  } catch (error) {
    if (error instanceof ArtworkError || codeOf(error) !== null) return { folders: [], videos: [] };
    throw error;
  }
}

/** Where the disk behind a link is away, its name alone says what it is. */
async function leadsToFolder(link: string): Promise<boolean> {
  try {
    return (await stat(link)).isDirectory();
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return !videoEnding.test(link);
  }
}

type Like = (name: string) => 'same' | 'near' | 'other';

/** Tells names of a work from others, whatever their spelling, tags and release words: as plan_set reads names. */
function likenessTo(work: WorkTarget): Like {
  const forms = titleForms(work.title);
  return (name) => {
    const { title, year, rest, text } = readName(name)(forms);
    // Square brackets and braces hold tags.
    const unknown = unknownIn(explain(wordsOf(rest), text)).filter(({ within }) => !/[[{]/.test(within));
    const apart = year === null || work.year === null ? null : Math.abs(year - work.year);
    // The year of a festival, or of another country, may be one off.
    if (title === 'whole' && unknown.length === 0)
      return apart === null || apart === 0 ? 'same' : apart === 1 ? 'near' : 'other';
    const key = wordKey(unknown);
    // A part of the title with a number is another work: its sequel.
    if ((apart !== null && apart > 0) || (title === 'part' && /\d/.test(key))) return 'other';
    // As alike as a title with a letter wrong.
    if (title === null && [...forms.whole].some((one) => likeness(key, one) >= 0.8)) return 'near';
    return apart === 0 && title !== null ? 'near' : 'other';
  };
}

/** Looks at the caller's folder, then at those in it, one depth after the other. */
async function findWork(work: WorkTarget, like: Like, from: Folders, look: Look): Promise<Found> {
  const itself = from.length === 0 ? 'other' : like(from.at(-1) ?? '');
  // A shelf may be called nearly as a work on it.
  const isShelf = async () => (await look(from)).folders.some((name) => like(name) === 'same');
  if (itself === 'same' || (itself === 'near' && !(await isShelf())))
    return { is: 'there', folder: from, loose: null };
  const near: Folders[] = [];
  let level: Folders[] = [from];
  for (let depth = 0; depth <= deepestShelf && level.length > 0; depth += 1) {
    const same: Folders[] = [];
    const shelves: Folders[] = [];
    const found: { folder: Folders; loose: readonly string[] | null; isEmpty: boolean }[] = [];
    for (const folder of level) {
      const { folders, videos } = await look(folder);
      for (const name of folders.filter((one) => !extras.test(one))) {
        const is = like(name);
        const list = is === 'same' ? same : is === 'near' ? near : mayBeShelf(name) ? shelves : [];
        list.push([...folder, name]);
      }
      // Alone in a folder of another name it is that folder's film all the same.
      const loose = work.kind === 'movie' ? videos.filter((stem) => like(stem) === 'same') : [];
      if (loose.length > 0) found.push({ folder, loose, isEmpty: false });
    }
    for (const folder of same) {
      const held = await look(folder);
      const isEmpty = held.folders.length + held.videos.length === 0;
      if (isEmpty || isOfKind(work, folder, held)) found.push({ folder, loose: null, isEmpty });
    }
    // Beside another an empty folder is one that a download made.
    const withMedia = found.filter(({ isEmpty }) => !isEmpty);
    const meant = withMedia.length > 0 ? withMedia : found;
    const [only, ...others] = meant;
    if (others.length > 0) return unclear(meant.map(({ folder }) => folder));
    if (only !== undefined) return { is: 'there', folder: only.folder, loose: only.loose };
    level = shelves;
  }
  return near.length === 0 ? { is: 'missing' } : unclear(near);
}

/** Whether works may lie in a folder: with a year or a number it is that of a work, or within one. */
function mayBeShelf(name: string): boolean {
  const { year, seasons, codes } = numbersIn(name);
  return year === null && seasons.length + codes.length === 0;
}

/** A show's folder has seasons or episodes, a film's has neither: where no year tells them apart. */
function isOfKind({ kind, year }: WorkTarget, folder: Folders, { folders, videos }: Held): boolean {
  if (year !== null && numbersIn(folder.at(-1) ?? '').year !== null) return true;
  const isShow = folders.some(isOfSeason) || videos.some((stem) => numbersIn(stem).codes.length > 0);
  return kind === 'show' ? isShow || videos.length !== 1 : !isShow;
}

function isOfSeason(name: string): boolean {
  return numbersIn(name).seasons.length > 0;
}

function unclear(candidates: readonly Folders[]): Found {
  return { is: 'unclear', candidates: candidates.map((folder) => folder.join('/')) };
}

async function videosBelow(folder: Folders, look: Look, depth = deepestVideo): Promise<Video[]> {
  const { folders, videos } = await look(folder);
  const found = videos.map((stem): Video => ({ folder, stem, codes: codesOf(folder, stem) }));
  for (const name of depth === 0 ? [] : folders.filter((one) => !extras.test(one)))
    found.push(...(await videosBelow([...folder, name], look, depth - 1)));
  return found;
}

/** What a video holds, by its name and its folder's. */
function codesOf(folder: Folders, stem: string): string[] {
  const { codes, episodes } = numbersIn(stem);
  const of = (season: number | null, numbers: readonly number[]) =>
    [...numbers]
      .sort((one, other) => one - other)
      .map((one) => numberCode('S', season) + numberCode('E', one));
  const code = codes.find((one) => one.season !== null && one.episodes.length > 0);
  if (code !== undefined) return of(code.season, code.episodes);
  const season = numbersIn(folder.at(-1) ?? '').seasons[0]?.season ?? null;
  if (season === null) return [];
  const [named] = episodes;
  if (named !== undefined && (named.season ?? season) === season) return of(season, named.episodes);
  // 05 - Pilot; 105 in the folder of season 1.
  const [leading] = /^\d{1,3}(?!\d)(?!p)/i.exec(stem) ?? [];
  if (leading === undefined) return [];
  const isJoined = leading.length === 3 && Math.floor(Number(leading) / 100) === season;
  return of(season, [isJoined ? Number(leading) % 100 : Number(leading)]);
}
