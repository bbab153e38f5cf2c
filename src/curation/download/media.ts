import { readdir } from 'node:fs/promises';
import { ArtworkError, codeOf } from '../../errors.ts';
import { groupedBy } from '../../grouped-by.ts';
import { nameKey } from '../../machine.ts';
import { readText } from '../../model/names/name.ts';
import { keyOfText } from '../../model/names/words.ts';
import type { ArtworkSet } from '../../model/set.ts';
import type { WorkTarget } from '../../model/target.ts';
import { type DownloadRoot, enterFolder } from './download-root.ts';
import { createWorkNames, type Likeness, type WorkNames } from './names-of-work.ts';

/** Folders below the root, the outermost first. */
export type Way = readonly string[];

export interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** A video as its folder has it. */
export interface Video {
  readonly folder: Way;
  /** Its name without the extension. */
  readonly stem: string;
}

/** Where the files of a work lie. */
export type WorkPlace =
  | { readonly is: 'there'; readonly folder: Way }
  /** A film that lies among others, without a folder of its own; several are versions of it. */
  | { readonly is: 'flat'; readonly folder: Way; readonly videos: readonly string[] }
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
/** Folders that are looked into for one download; a bound, since libraries have any size. */
const mostLookedInto = 400;

export type Media = ReturnType<typeof createMedia>;

/**
 * Looks at the media that lies below the folder of a download: artwork goes beside what it is for.
 * @param folders below the root, as the caller named them
 * @param alsoCalled other names of a work that a person has confirmed
 */
export function createMedia(
  root: DownloadRoot,
  folders: Way,
  alsoCalled: (work: WorkTarget) => Promise<readonly string[]>,
) {
  const listed = new Map<string, Promise<readonly Entry[]>>();
  const list = (way: Way): Promise<readonly Entry[]> => {
    const key = JSON.stringify(way);
    const known = listed.get(key) ?? entriesOf(root, way);
    listed.set(key, known);
    return known;
  };
  const foldersIn = async (way: Way) =>
    (await list(way)).filter(({ isFolder, name }) => isFolder && !extras.test(name)).map(({ name }) => name);
  const videosIn = async (way: Way): Promise<string[]> =>
    (await list(way))
      .filter(({ isFolder, name }) => !isFolder && videoEnd.test(name))
      .map(({ name }) => name.replace(videoEnd, ''))
      .filter((stem) => !isSample.test(stem));

  const places = new Map<string, Promise<WorkPlace>>();
  const finder = { foldersIn, videosIn };

  /** All videos in a folder and those in it. */
  const videosBelow = async (way: Way, depth = 2): Promise<Video[]> => {
    const own = (await videosIn(way)).map((stem): Video => ({ folder: way, stem }));
    if (depth === 0) return own;
    const inner: Video[] = [];
    for (const name of await foldersIn(way)) inner.push(...(await videosBelow([...way, name], depth - 1)));
    return [...own, ...inner];
  };
  const videosOf = new Map<string, Promise<readonly Video[]>>();

  return {
    list,
    videosIn,
    /** The folder of a work, as it lies below the caller's. */
    place(work: WorkTarget, set: ArtworkSet): Promise<WorkPlace> {
      const key = `${work.kind} ${work.id} ${set.edition ?? ''}`;
      const known =
        places.get(key) ??
        alsoCalled(work).then((names) =>
          findWork(createWorkNames(work, names), set.edition, folders, finder),
        );
      places.set(key, known);
      return known;
    },
    /** The videos in a work's folder, at any depth that readers look at. */
    videos(folder: Way): Promise<readonly Video[]> {
      const key = JSON.stringify(folder);
      const known = videosOf.get(key) ?? videosBelow(folder);
      videosOf.set(key, known);
      return known;
    },
  };
}

interface Finder {
  foldersIn(way: Way): Promise<readonly string[]>;
  videosIn(way: Way): Promise<readonly string[]>;
}

interface Candidate {
  readonly way: Way;
  readonly like: Likeness;
}

async function findWork(
  names: WorkNames,
  edition: string | null,
  folders: Way,
  finder: Finder,
): Promise<WorkPlace> {
  if (await isItself(names, folders, finder)) return { is: 'there', folder: folders };
  const near: Candidate[] = [];
  let level: Way[] = [folders];
  let lookedInto = 0;
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    const found: Candidate[] = [];
    const shelves: Way[] = [];
    for (const way of level) {
      if (lookedInto >= mostLookedInto) break;
      lookedInto += 1;
      for (const name of await finder.foldersIn(way)) {
        const like = names.like(name);
        const inner = [...way, name];
        if (like !== 'other') found.push({ way: inner, like });
        // A folder with a year or an id is that of a work, and no shelf.
        else if (depth < deepest && names.mayBeShelf(name)) shelves.push(inner);
      }
    }
    const flat = names.work.kind === 'movie' ? await flatFilms(names, level, finder) : null;
    const meant = await chosen(
      names,
      edition,
      found.filter(({ like }) => like === 'same'),
      finder,
    );
    if (meant !== null && flat === null) return meant;
    if (flat !== null && meant === null) return flat;
    if (flat !== null && meant !== null) {
      // A folder without a video beside its film is one that a download made, or an empty one.
      return meant.is === 'there' && (await finder.videosIn(meant.folder)).length === 0 ? flat : meant;
    }
    near.push(...found.filter(({ like }) => like === 'near'));
    level = shelves;
  }
  return near.length === 0 ? { is: 'missing' } : unclear(near);
}

/** Whether the caller's folder is the work's own: it is called so, or its files lie in it. */
async function isItself(names: WorkNames, folders: Way, { foldersIn, videosIn }: Finder): Promise<boolean> {
  const name = folders.at(-1);
  if (name === undefined) return false;
  const like = names.like(name);
  if (like === 'other') return false;
  if (like === 'same') return true;
  // A person who names a folder whose name is nearly the work's means it, if it is no shelf of works.
  const inner = await foldersIn(folders);
  const isOfSeasons = inner.some((one) => readText(one).seasons.length > 0);
  return inner.length === 0 || isOfSeasons || (await videosIn(folders)).length > 0;
}

async function flatFilms(
  names: WorkNames,
  level: readonly Way[],
  { videosIn }: Finder,
): Promise<WorkPlace | null> {
  const found: { folder: Way; videos: string[] }[] = [];
  for (const folder of level) {
    const videos = (await videosIn(folder)).filter((stem) => names.like(stem) === 'same');
    // Alone in a folder of another name it is that folder's film all the same.
    if (videos.length > 0) found.push({ folder, videos });
  }
  const [first, ...others] = found;
  if (first === undefined) return null;
  if (others.length === 0) return { is: 'flat', ...first };
  return unclear(found.map(({ folder }) => ({ way: folder, like: 'same' })));
}

/** The one that is meant of those that are called as the work. Null: there is none. */
async function chosen(
  names: WorkNames,
  edition: string | null,
  found: readonly Candidate[],
  finder: Finder,
): Promise<WorkPlace | null> {
  const fitting: Candidate[] = [];
  for (const one of found) if (await isOfKind(names, one.way, finder)) fitting.push(one);
  const [first] = fitting;
  if (first === undefined) return null;
  if (fitting.length === 1) {
    const other = editionOf(first.way);
    // The folder of another edition takes the Set of that edition.
    if (edition !== null && keyOfEdition(edition) !== '' && other !== '' && other !== keyOfEdition(edition)) {
      return unclear(fitting);
    }
    return { is: 'there', folder: first.way };
  }
  const wanted = keyOfEdition(edition ?? '');
  const ofEdition = fitting.filter(({ way }) => editionOf(way) === wanted);
  const named = ofEdition.length > 0 ? ofEdition : fitting.filter(({ way }) => editionOf(way) === '');
  const [meant] = named;
  if (meant !== undefined && named.length === 1) return { is: 'there', folder: meant.way };
  const exact = named.filter(({ way }) => nameKey(way.at(-1) ?? '') === nameKey(names.folderName));
  const withVideos: Candidate[] = [];
  for (const one of named) if (await hasMedia(one.way, finder)) withVideos.push(one);
  const [only] =
    withVideos.length === 1 ? withVideos : withVideos.length === 0 && exact.length === 1 ? exact : [];
  return only === undefined ? unclear(fitting) : { is: 'there', folder: only.way };
}

/** A show's folder has seasons or episodes, a film's has neither: where the year does not tell them apart. */
async function isOfKind({ work, tellsYear }: WorkNames, way: Way, finder: Finder): Promise<boolean> {
  if (work.kind !== 'movie' && work.kind !== 'show') return true;
  if (tellsYear(way.at(-1) ?? '')) return true;
  const videos = await finder.videosIn(way);
  const inner = await finder.foldersIn(way);
  const isShow =
    inner.some((name) => readText(name).seasons.length > 0) ||
    videos.some((stem) => readText(stem).codes.length > 0);
  if (videos.length === 0 && inner.length === 0) return true;
  return work.kind === 'show' ? isShow || videos.length !== 1 : !isShow;
}

async function hasMedia(way: Way, { foldersIn, videosIn }: Finder): Promise<boolean> {
  if ((await videosIn(way)).length > 0) return true;
  return (await foldersIn(way)).length > 0;
}

/** Empty: none. */
function editionOf(way: Way): string {
  return keyOfEdition(readText(way.at(-1) ?? '').editions[0]?.name ?? '');
}

function keyOfEdition(edition: string): string {
  return keyOfText(edition.replace(/[\s._-]+(?:cut|edition|version)$/i, ''));
}

function unclear(found: readonly Candidate[]): WorkPlace {
  return { is: 'unclear', candidates: found.map(({ way }) => way.join('/')) };
}

/** What can't be looked into holds nothing that names could be taken from. */
async function entriesOf(root: DownloadRoot, folders: Way): Promise<readonly Entry[]> {
  try {
    const folder = await enterFolder(root, folders, false);
    const found = folder === null ? [] : await readdir(folder.path, { withFileTypes: true });
    return found
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() || entry.isSymbolicLink() }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (error instanceof ArtworkError || codeOf(error) !== null) return [];
    throw error;
  }
}

/** The videos of each episode, by the numbers that their names and folders tell: `1 2` is S01E02. */
export function videosByEpisode(videos: readonly Video[]): ReadonlyMap<string, readonly EpisodeVideo[]> {
  const found = videos.flatMap((video): { key: string; video: EpisodeVideo }[] => {
    const numbers = numbersOf(video);
    return numbers.episodes.map((episode) => ({
      key: `${numbers.season} ${episode}`,
      video: { ...video, episodes: numbers.episodes },
    }));
  });
  return new Map(
    [...groupedBy(found, ({ key }) => key)].map(([key, all]) => [key, all.map(({ video }) => video)]),
  );
}

export interface EpisodeVideo extends Video {
  /** All that it holds, by number. */
  readonly episodes: readonly number[];
}

function numbersOf({ folder, stem }: Video): { season: number | null; episodes: readonly number[] } {
  const { codes, episodes } = readText(stem);
  const code = codes.find((one) => one.season !== null && one.episodes.length > 0);
  if (code !== undefined) return { season: code.season, episodes: code.episodes };
  const season = readText(folder.at(-1) ?? '').seasons[0]?.season ?? null;
  if (season === null) return { season, episodes: [] };
  const [one] = episodes;
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
