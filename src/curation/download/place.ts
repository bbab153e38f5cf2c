import { groupedBy } from '../../grouped-by.ts';
import { nameKey } from '../../machine.ts';
import type { ArtworkSet, SetPlace } from '../../model/set.ts';
import { codeOf, keyOfTarget, type WorkTarget } from '../../model/target.ts';
import { type KeptLayout, type Layout, nameIn, type ReaderLayout } from './layouts.ts';
import type { Folders, Library } from './library.ts';
import { nameForReader, nameOf, seasonName, workName } from './names.ts';

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
  readonly folders: Folders;
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

/** The folder of a work: whether it was there, is to be made, or is one of several candidates. */
interface WorkFolder {
  readonly work: WorkTarget;
  readonly is: 'there' | 'new' | 'unclear';
  readonly folder: Folders;
  /** Paths below the root. */
  readonly candidates: readonly string[];
}

export interface Places {
  readonly files: readonly PlacedFile[];
  readonly leftOut: readonly LeftOut[];
  readonly works: readonly WorkFolder[];
}

interface Placing<Of extends Layout = Layout> {
  readonly layout: Of;
  /** Below the root, as the caller named them. */
  readonly folders: Folders;
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
 * Where each picture goes. Two pictures never go to one name: the wrong one on a work is worse than none. Files that are
 * kept as they are get their ids into their names instead.
 */
export async function placePictures(pictures: readonly Picture[], placing: Placing): Promise<Places> {
  const { layout, folders } = placing;
  const works: WorkFolder[] = [];
  const leftOut: LeftOut[] = [];
  const placed: PlacedFile[] = [];
  const placeOne =
    'nameOf' in layout
      ? (picture: Picture) => [placeInSet(picture, layout, folders)]
      : placerOf(pictures, { ...placing, layout }, works);
  for (const picture of pictures) {
    const found = await placeOne(picture);
    if ('why' in found) leftOut.push({ picture, ...found });
    else placed.push(...found);
  }
  const files: PlacedFile[] = [];
  for (const group of groupedBy(placed, ({ folders, stem }) =>
    nameKey([...folders, stem].join('/')),
  ).values()) {
    const different = [...new Map(group.map((file) => [file.picture.path, file])).values()];
    const [first] = group;
    if (first !== undefined && different.length === 1) files.push(first);
    else if ('nameOf' in layout) {
      const withId = ({ stem, picture }: PlacedFile) => `${stem} (${keyOfTarget(picture.target)})`;
      files.push(...different.map((file) => ({ ...file, stem: withId(file) })));
    } else {
      // One text for all of a group: each of its own would grow with the square of their number.
      const ids = different.map(
        ({ picture: { target, set } }) => `${keyOfTarget(target)} of ${keyOfTarget(set)}`,
      );
      const why = `several pictures would get this name: ${some(ids)}; layout original keeps them apart`;
      leftOut.push(...group.map(({ picture }): LeftOut => ({ picture, state: 'ambiguous', why })));
    }
  }
  return { files, leftOut, works };
}

/** In the folder of its Set. */
function placeInSet(picture: Picture, layout: KeptLayout, folders: Folders): PlacedFile {
  const { target, slot, set } = picture;
  const [title, key] = [nameOf(set.title), keyOfTarget(set)];
  const folder = title === null ? key : `${title} [${key}]`;
  const words = layout.nameOf(target);
  return { picture, folders: [...folders, folder], stem: words === null ? slot : `${words} ${slot}` };
}

/** Where a work's files go. */
interface Ground {
  readonly folder: Folders;
  /** Of a film that lies among others: its videos. */
  readonly loose?: readonly string[];
  /** What all files of the work begin with, where works have no folders. */
  readonly prefix?: string;
}

/** Places pictures where a program looks for them; `works` gets each work's folder. */
function placerOf(pictures: readonly Picture[], placing: Placing<ReaderLayout>, works: WorkFolder[]) {
  const { layout, library } = placing;
  const grounds = new Map<string, Ground | Without>();
  const codes = pictures.map(({ target, set: { work } }) => `${work?.id} ${codeOf(target)}`);
  const withCards = new Set(codes);

  /** A title card lies beside its video and is called as this: every version of it has one. */
  const besideVideos = async (
    picture: Picture,
    work: WorkTarget,
    folder: Folders,
    pattern: string,
  ): Promise<readonly PlacedFile[] | Without> => {
    const { target } = picture;
    const code = codeOf(target);
    const videos = await library.videosIn(folder);
    const holding = videos.filter(({ codes }) => codes.includes(code));
    // A video of several episodes shows the card of the first that has one.
    const own = holding.filter(
      ({ codes }) => codes.find((one) => withCards.has(`${work.id} ${one}`)) === code,
    );
    if (own.length > 0)
      return own.map(({ folder: folders, stem }) => ({ picture, folders, stem: called(pattern, stem) }));
    if (holding.length > 0)
      return { state: 'no_place', why: 'its video holds several episodes, and shows the card of the first' };
    if (videos.length > 0)
      return { state: 'no_video', why: 'a card is named after its video, and this episode has none yet' };
    // No video tells how they are called: most are so.
    const stem = called(pattern, `${workName(work)} - ${code}`);
    const season = 'season' in target ? (target.season ?? 0) : 0;
    const within = (await library.seasonFolder(folder, season)) ?? seasonName(season);
    return [{ picture, folders: [...folder, within], stem, lacksVideo: true }];
  };

  return async (picture: Picture): Promise<readonly PlacedFile[] | Without> => {
    const { target, slot } = picture;
    const no = (why: string): Without => ({ state: 'no_place', why });
    const work = workOf(picture);
    const name = nameIn(layout, target, slot);
    if (work === null) return no(`the service does not say which show this ${target.kind} is of`);
    if (name === null) return no(`${layout.words} has no place for the ${slot} of this ${target.kind}`);
    const key = keyOfTarget(work);
    const ground = grounds.get(key) ?? (await findGround(work, placing, works));
    grounds.set(key, ground);
    if ('why' in ground) return ground;
    const { folder: folders, loose, prefix } = ground;
    if (name.includes('<video>')) return besideVideos(picture, work, folders, name);
    if (loose !== undefined) {
      const pattern = layout.loose[slot];
      if (pattern === undefined) return no(`${layout.words} finds a ${name} only in a film's own folder`);
      return loose.map((video) => ({ picture, folders, stem: called(pattern, video) }));
    }
    if (prefix === undefined) return [{ picture, folders, stem: name }];
    // Without folders the poster of a work is called as the work alone.
    return [{ picture, folders, stem: name === layout.work.poster ? prefix : `${prefix}_${name}` }];
  };
}

/** Looks at where a work lies, and notes it in `works`. */
async function findGround(
  work: WorkTarget,
  { layout, folders, assetFolders, library, worksBefore }: Placing<ReaderLayout>,
  works: WorkFolder[],
): Promise<Ground | Without> {
  const { isApart = false, words, sign } = layout;
  const isFlat = isApart && !assetFolders;
  const noted = (folder: Folders, isThere: boolean, more: Omit<Ground, 'folder'> = {}): Ground | Without => {
    if (!isThere && more.prefix === undefined && worksBefore.includes(keyOfTarget(work)))
      return { state: 'no_folder', why: 'its folder was there before, and is gone' };
    works.push({ work, is: isThere ? 'there' : 'new', folder, candidates: [] });
    return { folder, ...more };
  };
  const own = layout.folders[work.kind];
  if (own !== undefined) {
    const title = nameForReader(work.title, sign) ?? keyOfTarget(work);
    if (isFlat) return noted(folders, false, { prefix: title });
    const names = own.split('/').map((name) => name.replace('<title>', () => title));
    const isInside = names.length > 1 && nameKey(folders.at(-1) ?? '') === nameKey(names[0] ?? '');
    const folder = await library.asThere(folders, isInside ? names.slice(1) : names);
    return noted(folder.path, folder.isThere);
  }
  const place = await library.find(work, folders);
  if (place.is === 'unclear') {
    works.push({ work, is: 'unclear', folder: [], candidates: place.candidates });
    const why = `only a person can say which folder is meant: ${some(place.candidates)}`;
    return { state: 'unclear', why };
  }
  if (!isApart) {
    if (place.is === 'missing') return noted([...folders, workName(work)], false);
    return noted(place.folder, true, place.is === 'loose' ? { loose: place.videos } : {});
  }
  // Here a folder is called as that of the media, which may lie anywhere below the root.
  const media = place.is === 'missing' ? await library.find(work, []) : place;
  if (media.is === 'loose')
    return {
      state: 'no_place',
      why: `${words} names artwork after a film's own folder, and this film has none`,
    };
  const there = (media.is === 'there' ? media.folder.at(-1) : undefined) ?? workName(work);
  const name = /["*<>?/\\|:]/.test(there) ? (nameForReader(there, sign) ?? there) : there;
  if (isFlat) return noted(folders, place.is === 'there', { prefix: name });
  const folder = await library.asThere(place.is === 'there' ? place.folder.slice(0, -1) : folders, [name]);
  return noted(folder.path, folder.isThere);
}

function called(pattern: string, video: string): string {
  return pattern.replace('<video>', () => video);
}

/** Names in a sentence; of many only some. */
function some(names: readonly string[]): string {
  return names.slice(0, 8).join(', ') + (names.length > 8 ? ` and ${names.length - 8} more` : '');
}
