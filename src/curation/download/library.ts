import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf } from '../../errors.ts';
import { groupedBy } from '../../grouped-by.ts';
import { nameKey } from '../../machine.ts';
import { likeness } from '../../model/names/likeness.ts';
import { explain, readName, readText } from '../../model/names/name.ts';
import { titleForms } from '../../model/names/titles.ts';
import { keyOfText, wordsOf } from '../../model/names/words.ts';
import type { WorkTarget } from '../../model/target.ts';
import { workName } from './names.ts';
import { type DownloadRoot, enterFolder } from './root.ts';

/** Folders below the root, the outermost first. */
export type Way = readonly string[];

export interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** A video as its folder has it. */
interface Video {
  readonly folder: Way;
  /** Its name without the extension. */
  readonly stem: string;
}

export interface EpisodeVideo extends Video {
  /** All that it holds, by number. */
  readonly episodes: readonly number[];
}

/** Where the files of a work lie. */
type WorkPlace =
  | { readonly is: 'there'; readonly folder: Way }
  /** A film that lies among others, without a folder of its own; several are versions of it. */
  | { readonly is: 'loose'; readonly folder: Way; readonly videos: readonly string[] }
  | { readonly is: 'missing' }
  /** Which of them is meant only a person knows. Paths below the root. */
  | { readonly is: 'unclear'; readonly candidates: readonly string[] };

const videoEnd = /\.(mkv|mp4|m4v|avi|ts|m2ts|mov|wmv|webm|mpe?g|iso|strm|ogm|flv|vob|divx)$/i;
/** Folders of a show or film whose videos are no episodes and no films. */
const extras =
  /^(?:extras?|featurettes?|behind the scenes|deleted scenes|interviews?|scenes|shorts|trailers?|other|samples?|subs?|subtitles|backdrops|theme-music|bonus|extrafanart|extrathumbs|\..*|@eadir|#recycle)$/i;
const isSample = /(?:^|[ ._-])(?:sample|trailer)$/i;

/** How deep below the caller's folder a work's folder is looked for: people sort by letter, genre or disk. */
const deepest = 2;
/** Folders that are looked into for one work; a bound, since libraries have any size. */
const mostLookedInto = 400;
/** Links of one folder whose targets are looked at together. */
const fewLinks = 32;

/** A library of media as it lies below a folder of the root. Each folder is read once. */
export type Library = ReturnType<typeof openLibrary>;

/**
 * @param folders below the root, as the caller named them
 * @param alsoCalled other names of a work that a person has confirmed
 */
export function openLibrary(
  root: DownloadRoot,
  folders: Way,
  alsoCalled: (work: WorkTarget) => Promise<readonly string[]>,
) {
  const listed = new Map<string, Promise<readonly Entry[]>>();
  const places = new Map<string, Promise<WorkPlace>>();
  const list = (way: Way): Promise<readonly Entry[]> =>
    remembered(listed, JSON.stringify(way), () => entriesOf(root, way));
  const foldersIn = async (way: Way): Promise<string[]> =>
    (await list(way)).filter(({ isFolder, name }) => isFolder && !extras.test(name)).map(({ name }) => name);
  const videosIn = async (way: Way): Promise<string[]> =>
    (await list(way))
      .filter(({ isFolder, name }) => !isFolder && videoEnd.test(name))
      .map(({ name }) => name.replace(videoEnd, ''))
      .filter((stem) => !isSample.test(stem));
  const videosBelow = async (way: Way, depth = 2): Promise<Video[]> => {
    const own = (await videosIn(way)).map((stem): Video => ({ folder: way, stem }));
    if (depth === 0) return own;
    for (const name of await foldersIn(way)) own.push(...(await videosBelow([...way, name], depth - 1)));
    return own;
  };
  return {
    list,
    videosIn,
    /** All videos in a work's folder, at any depth that readers look at. */
    videosBelow,
    /** A folder in another one, under the name that it has there, whatever its case; null where it is not there. */
    async folderCalled(way: Way, name: string): Promise<string | null> {
      const found = (await list(way)).find((one) => one.isFolder && nameKey(one.name) === nameKey(name));
      return found?.name ?? null;
    },
    isCalledAs: async (work: WorkTarget, name: string): Promise<boolean> =>
      namesOf(work, await alsoCalled(work)).like(name) === 'same',
    /** Where a work lies. @param edition of the Set whose pictures are for it */
    place: (work: WorkTarget, edition: string | null): Promise<WorkPlace> =>
      remembered(places, `${work.kind} ${work.id} ${edition ?? ''}`, async () =>
        findWork(namesOf(work, await alsoCalled(work)), edition, folders, { foldersIn, videosIn }),
      ),
  };
}

function remembered<Value>(known: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>) {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}

/**
 * What lies in a folder. A link counts as what it leads to, and is called by its own name. What can't be looked into
 * holds nothing that names could be taken from.
 */
async function entriesOf(root: DownloadRoot, folders: Way): Promise<readonly Entry[]> {
  try {
    const folder = await enterFolder(root, folders, false);
    const found = folder === null ? [] : await readdir(folder, { withFileTypes: true });
    const entries: Entry[] = [];
    for (let at = 0; at < found.length; at += fewLinks) {
      const some = found.slice(at, at + fewLinks).map(async (entry): Promise<Entry> => {
        const isLink = entry.isSymbolicLink() && folder !== null;
        const isFolder = isLink ? await leadsToFolder(path.join(folder, entry.name)) : entry.isDirectory();
        return { name: entry.name, isFolder };
      });
      entries.push(...(await Promise.all(some)));
    }
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (error instanceof ArtworkError || codeOf(error) !== null) return [];
    throw error;
  }
}

/** Where the disk behind a link is away, its name alone says what it is. */
async function leadsToFolder(link: string): Promise<boolean> {
  return stat(link).then(
    (target) => target.isDirectory(),
    (error: unknown) => {
      if (codeOf(error) !== null) return !videoEnd.test(link);
      throw error;
    },
  );
}

/** Whether a folder or file is called as a work: surely, perhaps, or not. */
type Likeness = 'same' | 'near' | 'other';

interface WorkNames {
  readonly work: WorkTarget;
  like(name: string): Likeness;
}

/** As alike as a title with a letter wrong. */
const nearly = 0.8;

/** Tells names of a work from others, whatever their spelling, tags and release words: as plan_set reads names. */
function namesOf(work: WorkTarget, alsoCalled: readonly string[]): WorkNames {
  const own = work.kind === 'collection' ? [`${work.title} Collection`] : [];
  const forms = titleForms(work.title, [...alsoCalled, ...own]);
  const isMisspelt = (key: string) => [...forms.whole].some((one) => likeness(key, one) >= nearly);
  return {
    work,
    like(name) {
      const reading = readText(name);
      if (reading.titleWithYear !== null && forms.whole.has(keyOfText(reading.titleWithYear))) return 'same';
      const key = keyOfText(reading.title);
      if (key === '' || forms.whole.size === 0) return 'other';
      const isWhole = forms.whole.has(key) || isNamedIn(name, forms);
      const apart = reading.year === null || work.year === null ? null : Math.abs(reading.year - work.year);
      if (isWhole && (apart === null || apart === 0)) return 'same';
      if (apart === null) return isMisspelt(key) ? 'near' : 'other';
      // The year of a festival, or of another country.
      if (isWhole) return apart === 1 ? 'near' : 'other';
      if (apart > 0) return 'other';
      const isPart =
        forms.part.has(key) || [...forms.whole].some((one) => one.length > 3 && key.startsWith(one));
      return isPart || isMisspelt(key) ? 'near' : 'other';
    },
  };
}

/** Whether a name holds the title whole, and all its other words say something else than what it is of. */
function isNamedIn(raw: string, forms: ReturnType<typeof titleForms>): boolean {
  const name = readName(raw, forms);
  if (name.title !== 'whole') return false;
  const { seasons, codes } = readText(raw);
  const words = wordsOf(name.rest);
  return explain(words, name.text).roles.every((role, at) => {
    const word = words[at];
    if (role !== null || word === undefined) return true;
    return [...seasons, ...codes].some(({ start, end }) => word.start >= start && word.end <= end);
  });
}

interface Finder {
  foldersIn(way: Way): Promise<readonly string[]>;
  videosIn(way: Way): Promise<readonly string[]>;
}

async function findWork(
  names: WorkNames,
  edition: string | null,
  folders: Way,
  finder: Finder,
): Promise<WorkPlace> {
  if (await isItself(names, folders, finder)) return { is: 'there', folder: folders };
  const near: Way[] = [];
  let level: Way[] = [folders];
  let lookedInto = 0;
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    const same: Way[] = [];
    const nearHere: Way[] = [];
    const shelves: Way[] = [];
    const films: { folder: Way; videos: string[] }[] = [];
    for (const way of level) {
      if (lookedInto >= mostLookedInto) break;
      lookedInto += 1;
      for (const name of await finder.foldersIn(way)) {
        const like = names.like(name);
        if (like === 'same') same.push([...way, name]);
        else if (like === 'near') nearHere.push([...way, name]);
        else if (depth < deepest && mayBeShelf(name)) shelves.push([...way, name]);
      }
      if (names.work.kind !== 'movie') continue;
      // Alone in a folder of another name it is that folder's film all the same.
      const videos = (await finder.videosIn(way)).filter((stem) => names.like(stem) === 'same');
      if (videos.length > 0) films.push({ folder: way, videos });
    }
    const meant = await chosen(names, edition, same, finder);
    const [film, ...others] = films;
    const loose: WorkPlace | null =
      film === undefined
        ? null
        : others.length === 0
          ? { is: 'loose', ...film }
          : unclear(films.map(({ folder }) => folder));
    if (meant !== null && loose !== null) {
      // A folder without a video beside its film is one that a download made, or an empty one.
      return meant.is === 'there' && (await finder.videosIn(meant.folder)).length === 0 ? loose : meant;
    }
    if (meant !== null || loose !== null) return meant ?? loose ?? { is: 'missing' };
    near.push(...nearHere);
    level = shelves;
  }
  return near.length === 0 ? { is: 'missing' } : unclear(near);
}

/** Whether works may lie in a folder of this name: with a year or an id it is that of a work. */
function mayBeShelf(name: string): boolean {
  const { year, ids, seasons, codes } = readText(name);
  return year === null && ids.length === 0 && seasons.length === 0 && codes.length === 0;
}

/** Whether the caller's folder is the work's own: it is called so, or its files lie in it. */
async function isItself(names: WorkNames, folders: Way, { foldersIn, videosIn }: Finder): Promise<boolean> {
  const like = names.like(folders.at(-1) ?? '');
  if (folders.length === 0 || like === 'other') return false;
  if (like === 'same') return true;
  // A person who names a folder whose name is nearly the work's means it, if it is no shelf of works.
  const inner = await foldersIn(folders);
  const isOfSeasons = inner.some((one) => readText(one).seasons.length > 0);
  return inner.length === 0 || isOfSeasons || (await videosIn(folders)).length > 0;
}

/** The one that is meant of those that are called as the work. Null: there is none. */
async function chosen(
  names: WorkNames,
  edition: string | null,
  found: readonly Way[],
  finder: Finder,
): Promise<WorkPlace | null> {
  const fitting: Way[] = [];
  for (const way of found) if (await isOfKind(names.work, way, finder)) fitting.push(way);
  const [first] = fitting;
  if (first === undefined) return null;
  const wanted = keyOfEdition(edition ?? '');
  if (fitting.length === 1) {
    // The folder of another edition takes the Set of that edition.
    const isOther = wanted !== '' && editionOf(first) !== '' && editionOf(first) !== wanted;
    return isOther ? unclear(fitting) : { is: 'there', folder: first };
  }
  const ofEdition = fitting.filter((way) => editionOf(way) === wanted);
  const named = ofEdition.length > 0 ? ofEdition : fitting.filter((way) => editionOf(way) === '');
  const withMedia: Way[] = [];
  for (const way of named) {
    const holds = (await finder.videosIn(way)).length + (await finder.foldersIn(way)).length;
    if (holds > 0) withMedia.push(way);
  }
  const own = nameKey(workName(names.work));
  const exact = named.filter((way) => nameKey(way.at(-1) ?? '') === own);
  const [only, ...others] = named.length === 1 ? named : withMedia.length > 0 ? withMedia : exact;
  return only === undefined || others.length > 0 ? unclear(fitting) : { is: 'there', folder: only };
}

/** A show's folder has seasons or episodes, a film's has neither: where the year does not tell them apart. */
async function isOfKind({ kind, year }: WorkTarget, way: Way, finder: Finder): Promise<boolean> {
  if (kind !== 'movie' && kind !== 'show') return true;
  if (year !== null && readText(way.at(-1) ?? '').year !== null) return true;
  const videos = await finder.videosIn(way);
  const inner = await finder.foldersIn(way);
  if (videos.length === 0 && inner.length === 0) return true;
  const isShow =
    inner.some((name) => readText(name).seasons.length > 0) ||
    videos.some((stem) => readText(stem).codes.length > 0);
  return kind === 'show' ? isShow || videos.length !== 1 : !isShow;
}

/** Empty: none. */
function editionOf(way: Way): string {
  return keyOfEdition(readText(way.at(-1) ?? '').editions[0]?.name ?? '');
}

function keyOfEdition(edition: string): string {
  return keyOfText(edition.replace(/[\s._-]+(?:cut|edition|version)$/i, ''));
}

function unclear(found: readonly Way[]): WorkPlace {
  return { is: 'unclear', candidates: found.map((way) => way.join('/')) };
}

/** The videos of each episode, by the numbers that their names and folders tell: `1 2` is S01E02. */
export function videosByEpisode(videos: readonly Video[]): ReadonlyMap<string, readonly EpisodeVideo[]> {
  const found = videos.flatMap((video) => {
    const { season, episodes } = numbersOf(video);
    return episodes.map((episode) => ({ key: `${season} ${episode}`, video: { ...video, episodes } }));
  });
  const groups = [...groupedBy(found, ({ key }) => key)];
  return new Map(groups.map(([key, all]) => [key, all.map(({ video }) => video)]));
}

function numbersOf({ folder, stem }: Video): { season: number | null; episodes: readonly number[] } {
  const { codes, episodes } = readText(stem);
  const code = codes.find((one) => one.season !== null && one.episodes.length > 0);
  if (code !== undefined) return { season: code.season, episodes: code.episodes };
  const season = readText(folder.at(-1) ?? '').seasons[0]?.season ?? null;
  const [one] = episodes;
  if (season === null) return { season, episodes: [] };
  if (one !== undefined && (one.season === null || one.season === season)) {
    return { season, episodes: one.episodes };
  }
  // 05 - Pilot; 105 in the folder of season 1.
  const [, leading] = /^(\d{1,3})(?!\d)(?!p)/i.exec(stem) ?? [];
  if (leading === undefined) return { season, episodes: [] };
  const number = Number(leading);
  const isJoined = leading.length === 3 && Math.floor(number / 100) === season;
  return { season, episodes: [isJoined ? number % 100 : number] };
}
