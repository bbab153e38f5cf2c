import { groupedBy } from '../../grouped-by.ts';
import { nameKey } from '../../machine.ts';
import type { ArtworkSet, SetPlace } from '../../model/set.ts';
import { codeOf, keyOfTarget, type WorkTarget } from '../../model/target.ts';
import { fileIn, type Layout, type ReaderLayout } from './layouts.ts';
import { type Library, remembered, type Way } from './library.ts';
import { folderOfSeason, folderOfSet, nameForReader, twoDigits, workName } from './names.ts';

/** One picture of a Set, to be downloaded. */
export interface Picture extends SetPlace {
  /** Root-relative path on the service. */
  readonly path: string;
  readonly set: ArtworkSet;
}

/** A picture and where it goes. */
export interface PlacedFile {
  readonly picture: Picture;
  /** Below the root. */
  readonly folders: Way;
  /** The file's name without its ending, which the picture's own bytes decide. */
  readonly stem: string;
  /** It is to be called as a video, and the folder has none yet whose name it could take. */
  readonly lacksVideo?: boolean;
}

/** Why a picture gets no file; `why` ends a sentence. */
interface Without {
  readonly state: 'no_place' | 'no_video' | 'no_folder' | 'ambiguous' | 'unclear';
  readonly why: string;
}

export type LeftOut = Without & { readonly picture: Picture };

/** The folder of a work: whether it was there, is to be made, or is one of several candidates. Paths below the root. */
interface WorkFolder {
  readonly work: WorkTarget;
  readonly is: 'there' | 'new' | 'unclear';
  readonly folder: Way;
  readonly candidates: readonly string[];
}

export interface Places {
  readonly files: readonly PlacedFile[];
  readonly leftOut: readonly LeftOut[];
  readonly works: readonly WorkFolder[];
}

interface Placing<Of extends Layout> {
  readonly layout: Of;
  /** Below the root, as the caller named them. */
  readonly folders: Way;
  /** Of a program whose artwork lies apart: whether each work has a folder. */
  readonly assetFolders: boolean;
  /** Keys of works whose folders were there before: such a folder that is missing is not made anew. */
  readonly worksBefore: readonly string[];
  readonly library: Library;
}

/** The work that a picture belongs to: of a season or an episode its show. Null where the Set tells none. */
export function workOf({ target, set }: Pick<Picture, 'target' | 'set'>): WorkTarget | null {
  return target.kind === 'season' || target.kind === 'episode' ? set.work : target;
}

/**
 * Where each picture goes, as its work lies there. Two pictures never go to one name: the wrong one on a work is worse
 * than none. Files that are kept as they are get their ids into their names instead.
 */
export async function placePictures(pictures: readonly Picture[], placing: Placing<Layout>): Promise<Places> {
  const { layout, folders } = placing;
  const works = new Map<string, WorkFolder>();
  const leftOut: LeftOut[] = [];
  const placed: PlacedFile[] = [];
  if ('nameOf' in layout) {
    for (const picture of pictures) {
      const words = layout.nameOf(picture.target);
      const stem = words === null ? picture.slot : `${words} ${picture.slot}`;
      placed.push({ picture, folders: [...folders, folderOfSet(picture.set)], stem });
    }
  } else {
    const placeOne = placerOf(pictures, { ...placing, layout }, works);
    for (const picture of pictures) {
      const found = await placeOne(picture);
      if ('state' in found) leftOut.push({ picture, ...found });
      else placed.push(...found.map((place) => ({ picture, ...place })));
    }
  }
  const groups = groupedBy(placed, ({ folders: way, stem }) => [...way, stem].map(nameKey).join('/'));
  const files: PlacedFile[] = [];
  for (const group of groups.values()) {
    const pictureOf = new Map(group.map((file) => [file.picture.path, file]));
    if (pictureOf.size === 1) files.push(...group.slice(0, 1));
    else if ('nameOf' in layout) {
      const withId = (file: PlacedFile) => `${file.stem} (${keyOfTarget(file.picture.target)})`;
      files.push(...[...pictureOf.values()].map((file) => ({ ...file, stem: withId(file) })));
    } else {
      // One text for all of a group: each of its own would grow with the square of their number.
      const ids = group.map(
        ({ picture: { target, set } }) => `${keyOfTarget(target)} of ${keyOfTarget(set)}`,
      );
      const why = `several pictures would get this name: ${some(ids)}; layout original keeps them apart`;
      leftOut.push(...group.map(({ picture }): LeftOut => ({ picture, state: 'ambiguous', why })));
    }
  }
  return { files, leftOut, works: [...works.values()] };
}

type Found = readonly Omit<PlacedFile, 'picture'>[] | Without;

/** Where a work's files go. */
interface Ground {
  readonly folder: Way;
  /** Of a film that lies among others: its videos. */
  readonly loose?: readonly string[];
  /** What all files of the work begin with, where works have no folders. */
  readonly prefix?: string;
}

function placerOf(
  pictures: readonly Picture[],
  placing: Placing<ReaderLayout>,
  works: Map<string, WorkFolder>,
): (picture: Picture) => Promise<Found> {
  const { layout, library } = placing;
  const groundOf = remembered(keyOfTarget, (work: WorkTarget) => findGround(work, placing, works));
  const withCards = new Set(
    pictures.flatMap(({ target, set: { work } }) =>
      target.kind === 'episode' ? [`${work?.id} ${target.season} ${target.episode}`] : [],
    ),
  );
  return async ({ target, slot, set }) => {
    const no = (why: string): Without => ({ state: 'no_place', why });
    const { kind } = target;
    const work = workOf({ target, set });
    const name = fileIn(layout, target, slot);
    if (work === null) return no(`the service does not say which show this ${kind} is of`);
    if (name === null) return no(`${layout.words} has no place for the ${slot} of a ${kind}`);
    const season = kind === 'season' || kind === 'episode' ? target.season : 0;
    const episode = kind === 'episode' ? target.episode : 0;
    if (season === null || episode === null)
      return no(`the service does not give the number of this ${kind}`);
    const ground = await groundOf(work);
    if ('state' in ground) return ground;
    const { folder: folders, loose, prefix } = ground;
    if (kind === 'episode' && name.includes('{video}')) {
      const hasCard = (one: number) => withCards.has(`${work.id} ${season} ${one}`);
      return besideVideos({ work, season, episode, name }, folders, library, hasCard);
    }
    if (loose !== undefined) {
      const pattern = layout.loose[slot];
      if (pattern === undefined) return no(`${layout.words} finds a ${name} only in a film's own folder`);
      return loose.map((video) => ({ folders, stem: pattern.replace('{video}', () => video) }));
    }
    const own = name.replace('{nn}', twoDigits(season)).replace('{code}', codeOf(target));
    // Without folders the poster of a work is called as the work alone.
    const flat = own === layout.work.poster ? prefix : `${prefix}_${own}`;
    return [{ folders, stem: prefix === undefined ? own : (flat ?? own) }];
  };
}

/** Looks at where a work lies, and notes it in `works`. */
async function findGround(
  work: WorkTarget,
  { layout, folders, assetFolders, library, worksBefore }: Placing<ReaderLayout>,
  works: Map<string, WorkFolder>,
): Promise<Ground | Without> {
  const { collections, isApart = false, words } = layout;
  const noted = (folder: Way, isThere: boolean, more: Omit<Ground, 'folder'> = {}): Ground | Without => {
    if (!isThere && more.prefix === undefined && worksBefore.includes(keyOfTarget(work)))
      return { state: 'no_folder', why: 'its folder was there before, and is gone' };
    works.set(keyOfTarget(work), { work, is: isThere ? 'there' : 'new', folder, candidates: [] });
    return { folder, ...more };
  };
  const isFlat = isApart && !assetFolders;
  if (collections.kinds.includes(work.kind)) {
    const { within = folders.at(-1) ?? '', sign, folder: pattern } = collections;
    const own = nameForReader(work.title, sign) ?? keyOfTarget(work);
    if (isFlat) return noted(folders, false, { prefix: own });
    const isInside = nameKey(folders.at(-1) ?? '') === nameKey(within);
    const shelf = isInside ? folders : [...folders, (await library.folderCalled(folders, within)) ?? within];
    const name = pattern.replace('*', () => own);
    const there = await library.folderCalled(shelf, name);
    return noted([...shelf, there ?? name], there !== null);
  }
  const place = await library.find(work, folders);
  if (place.is === 'unclear') {
    works.set(keyOfTarget(work), { work, is: 'unclear', folder: [], candidates: place.candidates });
    return {
      state: 'unclear',
      why: `only a person can say which folder is meant: ${some(place.candidates)}`,
    };
  }
  if (!isApart && place.is === 'missing') return noted([...folders, workName(work)], false);
  if (!isApart && place.is === 'loose') return noted(place.folder, true, { loose: place.videos });
  if (!isApart && place.is === 'there') return noted(place.folder, true);
  // An asset is called as the folder of its media, which may lie anywhere below the root.
  const media = place.is === 'missing' ? await library.find(work, []) : place;
  if (media.is === 'loose')
    return {
      state: 'no_place',
      why: `${words} names artwork after a film's own folder, and this film has none`,
    };
  const own = (media.is === 'there' ? media.folder.at(-1) : undefined) ?? workName(work);
  const name = /["*<>?/\\|:]/.test(own) ? (nameForReader(own, '') ?? own) : own;
  if (isFlat) return noted(folders, place.is === 'there', { prefix: name });
  const shelf = place.is === 'there' ? place.folder.slice(0, -1) : folders;
  return noted([...shelf, name], (await library.folderCalled(shelf, name)) !== null);
}

/** A title card lies beside its video and is called as this: every version of it has one. */
async function besideVideos(
  { work, season, episode, name }: { work: WorkTarget; season: number; episode: number; name: string },
  folder: Way,
  library: Library,
  hasCard: (episode: number) => boolean,
): Promise<Found> {
  const { hasVideos, byEpisode, seasons } = await library.showIn(folder);
  const called = (video: string) => name.replace('{video}', () => video);
  const holding = byEpisode.get(`${season} ${episode}`) ?? [];
  // A video of several episodes shows the card of the first that has one.
  const own = holding.filter(({ episodes }) => Math.min(...episodes.filter(hasCard)) === episode);
  if (own.length > 0) return own.map((video) => ({ folders: video.folder, stem: called(video.stem) }));
  if (holding.length > 0)
    return { state: 'no_place', why: 'its video holds several episodes, and shows the card of the first' };
  if (hasVideos)
    return { state: 'no_video', why: 'a card is named after its video, and this episode has none yet' };
  // No video tells how they are called: most are so.
  const stem = called(`${workName(work)} - S${twoDigits(season)}E${twoDigits(episode)}`);
  const folders = [...folder, seasons.get(season) ?? folderOfSeason(season)];
  return [{ folders, stem, lacksVideo: true }];
}

/** Names in a sentence; of many only some. */
function some(names: readonly string[]): string {
  return names.slice(0, 8).join(', ') + (names.length > 8 ? ` and ${names.length - 8} more` : '');
}
