import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf } from '../../errors.ts';
import { groupedBy } from '../../grouped-by.ts';
import { nameKey } from '../../machine.ts';
import { mapLimit } from '../../map-limit.ts';
import { likeness } from '../../model/names/likeness.ts';
import { explain, readName, readText, unknownIn } from '../../model/names/name.ts';
import { titleForms } from '../../model/names/titles.ts';
import { keyOfText, wordsOf } from '../../model/names/words.ts';
import type { WorkTarget } from '../../model/target.ts';
import { workName } from './names.ts';
import { type DownloadRoot, enterFolder } from './root.ts';

/** Folders below the root, the outermost first. */
export type Way = readonly string[];

/** What lies in a folder; videos without their endings. */
interface Held {
  readonly folders: readonly string[];
  readonly videos: readonly string[];
}

interface Video {
  readonly folder: Way;
  readonly stem: string;
  /** All episodes that it holds, by number. */
  readonly episodes: readonly number[];
}

/** Where the files of a work lie. */
type WorkPlace =
  | { readonly is: 'there'; readonly folder: Way }
  /** A film that lies among others, without a folder of its own; several are versions of it. */
  | { readonly is: 'loose'; readonly folder: Way; readonly videos: readonly string[] }
  | { readonly is: 'missing' }
  /** Only a person knows which of them is meant. Paths below the root. */
  | { readonly is: 'unclear'; readonly candidates: readonly string[] };

const videoEnd = /\.(mkv|mp4|m4v|avi|ts|m2ts|mov|wmv|webm|mpe?g|iso|strm|ogm|flv|vob|divx)$/i;
/** Folders whose videos are no episodes and no films. */
const extras =
  /^(?:extras?|featurettes?|behind the scenes|deleted scenes|interviews?|scenes|shorts|trailers?|other|samples?|subs?|subtitles|backdrops|theme-music|bonus|extrafanart|extrathumbs|\..*|@eadir|#recycle)$/i;
const isSample = /(?:^|[ ._-])(?:sample|trailer)$/i;
/** How deep below the caller's folder a work's folder is looked for: people sort by letter, genre or disk. */
const deepest = 2;
/** Folders of one depth that are looked into for a work, and links of one that are followed together. */
const mostLookedInto = 400;
const fewLinks = 32;

export type Library = ReturnType<typeof openLibrary>;

/**
 * A library of media below the root. Each folder is read once.
 * @param alsoCalled other names of a work that a person has confirmed
 */
export function openLibrary(
  root: DownloadRoot,
  alsoCalled: (work: WorkTarget) => Promise<readonly string[]>,
) {
  const look = remembered(pathOf, (way) => heldBy(root, way));
  return {
    /** @param from where it is looked for: the folder that the caller named */
    find: async (work: WorkTarget, from: Way) =>
      findWork(work, likenessTo(work, await alsoCalled(work)), from, look),
    showIn: remembered(pathOf, (way) => showIn(way, look)),
    /** A folder in another one under the name that it has there, whatever its case; null where there is none. */
    folderCalled: async (way: Way, name: string) =>
      (await look(way)).folders.find((one) => nameKey(one) === nameKey(name)) ?? null,
  };
}

/** Does `work` once for each key. */
export function remembered<Asked, Found>(
  keyOf: (asked: Asked) => string,
  work: (asked: Asked) => Promise<Found>,
): (asked: Asked) => Promise<Found> {
  const known = new Map<string, Promise<Found>>();
  return (asked) => {
    const found = known.get(keyOf(asked)) ?? work(asked);
    known.set(keyOf(asked), found);
    return found;
  };
}

function pathOf(way: Way): string {
  return way.join('/');
}

/** A link counts as what it leads to, and is called by its own name. What can't be looked into holds nothing. */
async function heldBy(root: DownloadRoot, way: Way): Promise<Held> {
  try {
    const folder = await enterFolder(root, way, false);
    const entries = folder === null ? [] : await readdir(folder, { withFileTypes: true });
    const isFolder = await mapLimit(entries, fewLinks, async (one) =>
      one.isSymbolicLink() ? leadsToFolder(path.join(one.parentPath, one.name)) : one.isDirectory(),
    );
    const names = (folders: boolean) =>
      entries.flatMap(({ name }, at) => (isFolder[at] === folders ? [name] : [])).sort();
    const videos = names(false).filter((name) => videoEnd.test(name));
    const stems = videos.map((name) => name.replace(videoEnd, ''));
    return { folders: names(true), videos: stems.filter((stem) => !isSample.test(stem)) };
  } catch (error) {
    if (error instanceof ArtworkError || codeOf(error) !== null) return { folders: [], videos: [] };
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

type Look = (way: Way) => Promise<Held>;
type Like = (name: string) => 'same' | 'near' | 'other';

/** Tells names of a work from others, whatever their spelling, tags and release words: as plan_set reads names. */
function likenessTo(work: WorkTarget, alsoCalled: readonly string[]): Like {
  const own = work.kind === 'collection' ? [`${work.title} Collection`] : [];
  const forms = titleForms(work.title, [...alsoCalled, ...own]);
  const { whole, part } = forms;
  return (name) => {
    const { title, titleWithYear, year } = readText(name);
    if (titleWithYear !== null && whole.has(keyOfText(titleWithYear))) return 'same';
    const key = keyOfText(title);
    if (key === '') return 'other';
    const named = readName(name, forms);
    const hasMore = unknownIn(explain(wordsOf(named.rest), named.text)).length > 0;
    const isWhole = whole.has(key) || (named.title === 'whole' && !hasMore);
    const apart = year === null || work.year === null ? null : Math.abs(year - work.year);
    // The year of a festival, or of another country, may be one off.
    if (isWhole) return apart === null || apart === 0 ? 'same' : apart === 1 ? 'near' : 'other';
    if (apart !== null && apart > 0) return 'other';
    // As alike as a title with a letter wrong.
    const isMisspelt = [...whole].some((one) => likeness(key, one) >= 0.8);
    const isPart = part.has(key) || [...whole].some((one) => one.length > 3 && key.startsWith(one));
    return isMisspelt || (apart === 0 && isPart) ? 'near' : 'other';
  };
}

async function findWork(work: WorkTarget, like: Like, from: Way, look: Look): Promise<WorkPlace> {
  if (await isItself(like, from, look)) return { is: 'there', folder: from };
  const near: Way[] = [];
  let level: Way[] = [from];
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    const found = { same: [] as Way[], near: [] as Way[], other: [] as Way[] };
    const films: { folder: Way; videos: readonly string[] }[] = [];
    for (const folder of level.slice(0, mostLookedInto)) {
      const { folders, videos } = await look(folder);
      for (const name of folders) if (!extras.test(name)) found[like(name)].push([...folder, name]);
      // Alone in a folder of another name it is that folder's film all the same.
      const own = work.kind === 'movie' ? videos.filter((stem) => like(stem) === 'same') : [];
      if (own.length > 0) films.push({ folder, videos: own });
    }
    const [film, ...others] = films;
    const meant = await chosen(work, found.same, look);
    // A folder without a video beside its film is one that a download made, or an empty one.
    const isEmpty = meant?.is === 'there' && (await look(meant.folder)).videos.length === 0;
    if (meant !== null && (film === undefined || !isEmpty)) return meant;
    if (others.length > 0) return unclear(films.map(({ folder }) => folder));
    if (film !== undefined) return { is: 'loose', ...film };
    near.push(...found.near);
    level = found.other.filter(mayBeShelf);
  }
  return near.length === 0 ? { is: 'missing' } : unclear(near);
}

/** Whether works may lie in a folder: with a year or an id it is that of a work. */
function mayBeShelf(way: Way): boolean {
  const { year, ids, seasons, codes } = readText(way.at(-1) ?? '');
  return year === null && ids.length + seasons.length + codes.length === 0;
}

/** Whether the caller's folder is the work's own: it is called so, or its files lie in it. */
async function isItself(like: Like, from: Way, look: Look): Promise<boolean> {
  const found = from.length === 0 ? 'other' : like(from.at(-1) ?? '');
  if (found !== 'near') return found === 'same';
  // A person who names a folder whose name is nearly the work's means it, if it is no shelf of works.
  const { folders, videos } = await look(from);
  const isOfSeasons = folders.some((one) => readText(one).seasons.length > 0);
  return folders.every((one) => extras.test(one)) || isOfSeasons || videos.length > 0;
}

/** The one that is meant of those that are called as the work. Null: there is none. */
async function chosen(work: WorkTarget, named: readonly Way[], look: Look): Promise<WorkPlace | null> {
  const held = await mapLimit(named, 1, async (way) => ({ way, ...(await look(way)) }));
  const fitting = held.filter((one) => isOfKind(work, one.way, one));
  if (fitting.length === 0) return null;
  const withMedia = fitting.filter(({ folders, videos }) => folders.length + videos.length > 0);
  const exact = fitting.filter(({ way }) => nameKey(way.at(-1) ?? '') === nameKey(workName(work)));
  const [only, ...others] = fitting.length === 1 ? fitting : withMedia.length > 0 ? withMedia : exact;
  if (only === undefined || others.length > 0) return unclear(fitting.map(({ way }) => way));
  return { is: 'there', folder: only.way };
}

/** A show's folder has seasons or episodes, a film's has neither: where the year does not tell them apart. */
function isOfKind({ kind, year }: WorkTarget, way: Way, { folders, videos }: Held): boolean {
  if (kind !== 'movie' && kind !== 'show') return true;
  if (year !== null && readText(way.at(-1) ?? '').year !== null) return true;
  if (folders.length + videos.length === 0) return true;
  const isShow =
    folders.some((name) => readText(name).seasons.length > 0) ||
    videos.some((stem) => readText(stem).codes.length > 0);
  return kind === 'show' ? isShow || videos.length !== 1 : !isShow;
}

function unclear(found: readonly Way[]): WorkPlace {
  return { is: 'unclear', candidates: found.map(pathOf) };
}

/** The videos in a show's folder by what they hold (`1 2` is S01E02), and the folders of its seasons by number. */
async function showIn(way: Way, look: Look) {
  const videos = await videosBelow(way, look);
  const numbered = videos.flatMap(({ season, ...video }) =>
    video.episodes.map((episode) => ({ key: `${season} ${episode}`, video })),
  );
  const groups = [...groupedBy(numbered, ({ key }) => key)];
  const seasons = (await look(way)).folders.flatMap((name): [number, string][] => {
    const [season, ...others] = readText(name).seasons;
    return season?.season == null || others.length > 0 ? [] : [[season.season, name]];
  });
  return {
    hasVideos: videos.length > 0,
    byEpisode: new Map(groups.map(([key, all]) => [key, all.map(({ video }) => video)])),
    seasons: new Map(seasons),
  };
}

/** As deep as readers look. */
async function videosBelow(
  folder: Way,
  look: Look,
  depth = 2,
): Promise<(Video & { season: number | null })[]> {
  const { folders, videos } = await look(folder);
  const found = videos.map((stem) => ({ folder, stem, ...numbersOf(folder, stem) }));
  for (const name of depth === 0 ? [] : folders.filter((one) => !extras.test(one)))
    found.push(...(await videosBelow([...folder, name], look, depth - 1)));
  return found;
}

/** What a video holds, by its name and its folder's. */
function numbersOf(folder: Way, stem: string): { season: number | null; episodes: readonly number[] } {
  const { codes, episodes } = readText(stem);
  const code = codes.find((one) => one.season !== null && one.episodes.length > 0);
  if (code !== undefined) return { season: code.season, episodes: code.episodes };
  const season = readText(folder.at(-1) ?? '').seasons[0]?.season ?? null;
  if (season === null) return { season, episodes: [] };
  const [one] = episodes;
  if (one !== undefined && (one.season ?? season) === season) return { season, episodes: one.episodes };
  // 05 - Pilot; 105 in the folder of season 1.
  const [leading] = /^\d{1,3}(?!\d)(?!p)/i.exec(stem) ?? [];
  if (leading === undefined) return { season, episodes: [] };
  const number = Number(leading);
  const isJoined = leading.length === 3 && Math.floor(number / 100) === season;
  return { season, episodes: [isJoined ? number % 100 : number] };
}
