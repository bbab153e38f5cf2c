import { readdir } from 'node:fs/promises';
import { ArtworkError, codeOf } from '../../errors.ts';
import { nameKey } from '../../machine.ts';
import { groupedBy } from '../../grouped-by.ts';
import { fileOfSlot } from '../../model/slots.ts';
import { keyOfTarget, shortLabelOf } from '../../model/target.ts';
import { type DownloadRoot, inFolder } from './download-root.ts';
import type { Layout } from './layouts/layout.ts';
import type { Picture } from './picture.ts';
import { type FilePlace, placeIn } from './place-in.ts';

/** A picture and where it goes. */
export interface DownloadFile extends FilePlace {
  readonly picture: Picture;
  /** It is to be called as a video, and none was found whose name it could take. */
  readonly lacksVideo?: boolean;
}

/** A picture that gets no file, and why, as words that end a sentence. */
export interface LeftOut {
  readonly picture: Picture;
  readonly state: 'no_place' | 'ambiguous' | 'too_many';
  readonly why: string;
}

export interface FilePlan {
  readonly files: readonly DownloadFile[];
  readonly leftOut: readonly LeftOut[];
}

/** Pictures that one download looks after; a bound, because they come from answers. */
const mostPictures = 10_000;
/** Pictures of one name that are told. */
const mostNamed = 8;

/**
 * Where each picture goes. Two pictures never go to one name: which of them is meant only a person knows, and the
 * wrong one on a work is worse than none. Files that are kept as they are get their ids into their names instead.
 */
export async function planFiles(
  pictures: readonly Picture[],
  layout: Layout,
  media: MediaFolders,
): Promise<FilePlan> {
  const leftOut: LeftOut[] = [];
  const placed: DownloadFile[] = [];
  for (const picture of pictures.slice(mostPictures))
    leftOut.push({ picture, state: 'too_many', why: tooMany });
  for (const picture of pictures.slice(0, mostPictures)) {
    const placing = placeIn(layout, picture);
    if ('without' in placing) leftOut.push({ picture, state: 'no_place', why: placing.without });
    else placed.push({ picture, ...(await besideMedia(placing.place, picture, layout, media)) });
  }
  const told = layout.reader === null ? withIds(placed) : placed;
  const files: DownloadFile[] = [];
  for (const group of byPlace(told)) {
    const [first, ...others] = group;
    if (first === undefined) continue;
    if (others.every(({ picture }) => picture.path === first.picture.path)) files.push(first);
    else {
      const why = whyAmbiguous(first.picture, group);
      for (const { picture } of group) leftOut.push({ picture, state: 'ambiguous', why });
    }
  }
  return { files, leftOut };
}

async function besideMedia(
  { folders, stem }: FilePlace,
  { target, slot, set }: Picture,
  layout: Layout,
  media: MediaFolders,
): Promise<FilePlace & Pick<DownloadFile, 'lacksVideo'>> {
  const [work, season] = folders;
  if (layout.reader === null || work === undefined || set.kind === 'boxset') return { folders, stem };
  const ofWork = await media.work(work);
  if (season === undefined || (target.kind !== 'season' && target.kind !== 'episode')) {
    return { folders: [ofWork, ...folders.slice(1)], stem };
  }
  const ofSeason = target.season === null ? season : await media.season(ofWork, target.season, season);
  const place = { folders: [ofWork, ofSeason], stem };
  if (target.kind === 'season' || target.season === null || target.episode === null) return place;
  const video = await media.video(ofWork, ofSeason, target.season, target.episode);
  if (video === null) return { ...place, lacksVideo: true };
  return { ...place, stem: (fileOfSlot(layout.reader, slot, target.kind) ?? '*').replace('*', () => video) };
}

function byPlace(files: readonly DownloadFile[]): readonly (readonly DownloadFile[])[] {
  const places = groupedBy(files, ({ folders, stem }) => [...folders, stem].map(nameKey).join('/'));
  return [...places.values()];
}

function withIds(files: readonly DownloadFile[]): DownloadFile[] {
  return byPlace(files).flatMap((group) => {
    const refs = new Set(group.map(({ picture }) => picture.path));
    if (refs.size === 1) return group;
    return group.map((file) => ({ ...file, stem: `${file.stem} (${keyOfTarget(file.picture.target)})` }));
  });
}

const tooMany = `only the first ${mostPictures} pictures of a download are taken: ask for some slots, or for one Set at a time`;

/** One text for all of a group: each of its own would grow with the square of their number. */
function whyAmbiguous(first: Picture, group: readonly DownloadFile[]): string {
  const sets = new Set(group.map((one) => keyOfTarget(one.picture.set)));
  const which = group.map((one) => keyOfTarget(one.picture.target));
  return sets.size > 1
    ? `several Sets have one for ${shortLabelOf(first.target)}: ${some([...sets])}; download the one that is meant by itself`
    : `several of this Set would get this name: ${some(which)}; layout original keeps them all`;
}

function some(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const videoEnd = /\.(mkv|mp4|m4v|avi|ts|m2ts|mov|wmv|webm|mpe?g|iso|strm)$/i;
const episodeNumbers = /(?<![a-z0-9])s(\d{1,4})[ ._-]?e(\d{1,4})(?!\d)/i;
const seasonName = /^(?:season|staffel|saison|temporada|stagione)[ ._-]*0*(\d{1,4})$/i;

type MediaFolders = ReturnType<typeof createMediaFolders>;

/**
 * Finds the folders of films and shows, and their videos, below the folder for downloads: artwork goes beside the media
 * that it is for.
 * @param folders below the root, as the caller named them
 */
export function createMediaFolders(root: DownloadRoot, folders: readonly string[]) {
  const listed = new Map<string, Promise<readonly Entry[]>>();
  const videos = new Map<string, Promise<ReadonlyMap<string, readonly string[]>>>();
  const list = (...below: string[]) => {
    const key = JSON.stringify(below);
    const known = listed.get(key) ?? entriesOf(root, [...folders, ...below]);
    listed.set(key, known);
    return known;
  };
  const foldersIn = async (...below: string[]) =>
    (await list(...below)).filter(({ isFolder }) => isFolder).map(({ name }) => name);

  return {
    /** The folder of a work: one of its name, or the only one whose name goes on in tags, such as `{tvdb-81189}`. */
    async work(name: string): Promise<string> {
      const names = await foldersIn();
      const key = nameKey(name);
      const exact = names.find((one) => nameKey(one) === key);
      if (exact !== undefined) return exact;
      return onlyOf(names.filter((one) => nameKey(withoutTags(one)) === key)) ?? name;
    },
    /** The folder of a season, under whichever name it has. */
    async season(work: string, number: number, otherwise: string): Promise<string> {
      const names = await foldersIn(work);
      return onlyOf(names.filter((name) => seasonOf(name) === number)) ?? otherwise;
    },
    /** The name, without its extension, of the only video of an episode; null where there is none or there are several. */
    async video(work: string, season: string, ofSeason: number, ofEpisode: number): Promise<string | null> {
      const key = JSON.stringify([work, season]);
      const ofFolder = videos.get(key) ?? list(work, season).then(videosByCode);
      videos.set(key, ofFolder);
      return onlyOf((await ofFolder).get(`${ofSeason} ${ofEpisode}`) ?? []);
    },
  };
}

function onlyOf(names: readonly string[]): string | null {
  return names.length === 1 ? (names[0] ?? null) : null;
}

/** By the numbers of the season and the episode, or of the first one where a video holds several. */
function videosByCode(entries: readonly Entry[]): ReadonlyMap<string, readonly string[]> {
  const stems = new Map<string, string[]>();
  for (const { name, isFolder } of entries) {
    const [, season, episode] = episodeNumbers.exec(name) ?? [];
    if (isFolder || episode === undefined || !videoEnd.test(name)) continue;
    const key = `${Number(season)} ${Number(episode)}`;
    stems.set(key, [...(stems.get(key) ?? []), name.replace(videoEnd, '')]);
  }
  return stems;
}

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** What can't be looked into holds nothing that names could be taken from. */
async function entriesOf(root: DownloadRoot, folders: readonly string[]): Promise<readonly Entry[]> {
  try {
    return await inFolder(root, folders, false, async (folder) => {
      const found = folder === null ? [] : await readdir(folder.held, { withFileTypes: true });
      return found.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
    });
  } catch (error) {
    if (error instanceof ArtworkError || codeOf(error) !== null) return [];
    throw error;
  }
}

/** `Breaking Bad (2008) {tvdb-81189} [1080p]` without what stands in braces and brackets at its end. */
function withoutTags(name: string): string {
  return name.replace(/(?:\s*(?:\{[^{}]*\}|\[[^[\]]*\]))+$/, '');
}

function seasonOf(name: string): number | null {
  if (/^specials?$/i.test(name)) return 0;
  const [, number] = seasonName.exec(name) ?? [];
  return number === undefined ? null : Number(number);
}
