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
}

/** Why a picture gets no file; `why` ends a sentence. */
interface Without {
  readonly state: 'no_place' | 'no_video' | 'no_folder' | 'ambiguous' | 'unclear';
  readonly why: string;
}

export type LeftOut = Without & { readonly picture: Picture };

/** Where the files of a work go. */
interface WorkFolder {
  readonly work: WorkTarget;
  /** `unclear`: it is one of several candidates. `missing`: there is none, and none is made. */
  readonly is: 'there' | 'new' | 'unclear' | 'missing';
  /** Below the root. */
  readonly folder: Folders;
  /** Paths below the root. */
  readonly candidates: readonly string[];
  /** Episodes (`S01E02`) that have a card, and no video yet that it could be called as. */
  readonly waiting: string[];
  /** Of a film that lies among others: its videos. */
  readonly loose?: readonly string[] | null;
  /** What all files of the work begin with, where works have no folders. */
  readonly prefix?: string;
  /** Why none of its pictures gets a file. */
  readonly without?: Without;
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
  /** Whether a work that has no folder gets one. */
  readonly mayMake: boolean;
  readonly library: Library;
}

/**
 * Where each picture goes. Two pictures never go to one name: the wrong one on a work is worse than none. Files that are
 * kept as they are get their ids into their names instead.
 */
export async function placePictures(pictures: readonly Picture[], placing: Placing): Promise<Places> {
  const { layout, folders } = placing;
  const works = new Map<string, WorkFolder>();
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
      const why = 'several pictures would get this name; layout original keeps them apart';
      leftOut.push(...group.map(({ picture }): LeftOut => ({ picture, state: 'ambiguous', why })));
    }
  }
  return { files, leftOut, works: [...works.values()] };
}

/** In the folder of its Set. */
function placeInSet(picture: Picture, layout: KeptLayout, folders: Folders): PlacedFile {
  const { target, slot, set } = picture;
  const [title, key] = [nameOf(set.title), keyOfTarget(set)];
  const folder = title === null ? key : `${title} [${key}]`;
  const words = layout.nameOf(target);
  return { picture, folders: [...folders, folder], stem: words === null ? slot : `${words} ${slot}` };
}

type Put = readonly PlacedFile[] | Without;

/** Places pictures where a program looks for them; `works` gets each work's folder. */
function placerOf(
  pictures: readonly Picture[],
  placing: Placing<ReaderLayout>,
  works: Map<string, WorkFolder>,
): (picture: Picture) => Promise<Put> {
  const { layout, library } = placing;
  const cards = new Set(pictures.map(({ target, set: { work } }) => `${work?.id} ${codeOf(target)}`));

  /** A title card lies beside its video and is called as this: every version of it has one. */
  const besideVideos = async (picture: Picture, pattern: string, of: WorkFolder): Promise<Put> => {
    const { work, folder } = of;
    const code = codeOf(picture.target);
    const videos = await library.videosIn(folder);
    const holding = videos.filter(({ codes }) => codes.includes(code));
    // A video of several episodes shows the card of the first that has one.
    const own = holding.filter(({ codes }) => codes.find((one) => cards.has(`${work.id} ${one}`)) === code);
    if (own.length > 0)
      return own.map(({ folder: folders, stem }) => ({ picture, folders, stem: called(pattern, stem) }));
    if (holding.length > 0)
      return { state: 'no_place', why: 'its video holds several episodes, and shows the card of the first' };
    of.waiting.push(code);
    if (videos.length > 0)
      return { state: 'no_video', why: 'a card is named after its video, and this episode has none yet' };
    // No video tells how they are called: most are so.
    const stem = called(pattern, `${workName(work)} - ${code}`);
    const season = 'season' in picture.target ? (picture.target.season ?? 0) : 0;
    const within = (await library.seasonFolder(folder, season)) ?? seasonName(season);
    return [{ picture, folders: [...folder, within], stem }];
  };

  return async (picture) => {
    const { target, slot } = picture;
    const no = (why: string): Without => ({ state: 'no_place', why });
    const isPart = target.kind === 'season' || target.kind === 'episode';
    const work = isPart ? picture.set.work : target;
    const name = nameIn(layout, target, slot);
    if (work === null) return no(`the service does not say which show this ${target.kind} is of`);
    if (name === null) return no(`${layout.words} has no place for the ${slot} of this ${target.kind}`);
    const key = keyOfTarget(work);
    const found = works.get(key) ?? (await findFolder(work, placing));
    works.set(key, found);
    const { folder: folders, loose, prefix, without } = found;
    if (without !== undefined) return without;
    if (name.includes('<video>')) return besideVideos(picture, name, found);
    if (loose != null) {
      const pattern = layout.loose[slot];
      if (pattern === undefined) return no(`${layout.words} finds a ${name} only in a film's own folder`);
      return loose.map((video) => ({ picture, folders, stem: called(pattern, video) }));
    }
    if (prefix === undefined) return [{ picture, folders, stem: name }];
    // Without folders the poster of a work is called as the work alone.
    return [{ picture, folders, stem: name === layout.work.poster ? prefix : `${prefix}_${name}` }];
  };
}

/** Looks at where a work lies. */
async function findFolder(
  work: WorkTarget,
  { layout, folders, assetFolders, library, mayMake }: Placing<ReaderLayout>,
): Promise<WorkFolder> {
  const { isApart = false, words, sign } = layout;
  const isFlat = isApart && !assetFolders;
  const base = { work, folder: folders, candidates: [], waiting: [] };
  const missing = (state: 'no_folder' | 'no_place', why: string): WorkFolder => {
    return { ...base, is: 'missing', without: { state, why } };
  };
  const inFolder = ({ path, isThere }: { readonly path: Folders; readonly isThere: boolean }): WorkFolder => {
    if (!isThere && !mayMake) return missing('no_folder', 'it has no folder; download_set makes one');
    return { ...base, is: isThere ? 'there' : 'new', folder: path };
  };
  const own = layout.folders[work.kind];
  if (own !== undefined) {
    const title = nameForReader(work.title, sign) ?? keyOfTarget(work);
    if (isFlat) return { ...base, is: 'new', prefix: title };
    const names = own.split('/').map((name) => name.replace('<title>', () => title));
    const isInside = names.length > 1 && nameKey(folders.at(-1) ?? '') === nameKey(names[0] ?? '');
    return inFolder(await library.asThere(folders, isInside ? names.slice(1) : names));
  }
  const place = await library.find(work, folders);
  if (place.is === 'unclear') {
    const why = 'only a person can say which of the candidates in works is meant';
    return { ...base, ...place, without: { state: 'unclear', why } };
  }
  if (!isApart) {
    if (place.is === 'missing') return inFolder({ path: [...folders, workName(work)], isThere: false });
    return { ...base, ...place };
  }
  // Here a folder is called as that of the media, which may lie anywhere below the root.
  const media = place.is === 'missing' ? await library.find(work, []) : place;
  if (media.is === 'there' && media.loose !== null)
    return missing('no_place', `${words} names artwork after a film's own folder, and this film has none`);
  const there = (media.is === 'there' ? media.folder.at(-1) : undefined) ?? workName(work);
  const name = /["*<>?/\\|:]/.test(there) ? (nameForReader(there, sign) ?? there) : there;
  if (isFlat) return { ...base, is: place.is === 'there' ? 'there' : 'new', prefix: name };
  return inFolder(await library.asThere(place.is === 'there' ? place.folder.slice(0, -1) : folders, [name]));
}

function called(pattern: string, video: string): string {
  return pattern.replace('<video>', () => video);
}
