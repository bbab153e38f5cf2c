import { groupedBy } from '../../grouped-by.ts';
import { nameKey } from '../../machine.ts';
import { readText } from '../../model/names/name.ts';
import { type ArtworkSet, picturesOf, type SetPlace } from '../../model/set.ts';
import {
  codeOf,
  type EpisodeTarget,
  keyOfTarget,
  labelInSentence,
  shortLabelOf,
  type WorkTarget,
} from '../../model/target.ts';
import { fileIn, type Layout, type ReaderLayout } from './layouts.ts';
import { type EpisodeVideo, type Library, videosByEpisode, type Way } from './library.ts';
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
  /** The file's name without its extension, which the picture's own bytes decide. */
  readonly stem: string;
  /** It is to be called as a video, and the folder has none yet whose name it could take. */
  readonly lacksVideo?: boolean;
  /** A file beside it that its reader shows instead. */
  readonly hiddenBy?: string;
}

/** A picture that gets no file, and why, as words that end a sentence. */
export interface LeftOut {
  readonly picture: Picture;
  readonly state: 'no_place' | 'no_video' | 'no_folder' | 'ambiguous' | 'unclear' | 'too_many';
  readonly why: string;
}

/** The folder of a work: whether it was there, is to be made, or only a person can say which it is. */
interface WorkFolder {
  readonly work: WorkTarget;
  readonly is: 'there' | 'new' | 'unclear';
  /** Below the root; of `unclear` none. */
  readonly folder: Way;
  /** Of `unclear`. */
  readonly candidates: readonly string[];
}

export interface Places {
  readonly files: readonly PlacedFile[];
  readonly leftOut: readonly LeftOut[];
  readonly works: readonly WorkFolder[];
}

interface Placing {
  readonly layout: Layout;
  /** Below the root, as the caller named them. */
  readonly folders: Way;
  /** Of a program whose artwork lies apart: whether each work has a folder. */
  readonly assetFolders: boolean;
  /** Keys of works whose folders were there before: such a folder that is missing is not made anew. */
  readonly worksBefore: ReadonlySet<string>;
  /** What lies below the caller's folders. */
  readonly library: Library;
  /** What lies below the root: its folders tell how an asset is called. */
  readonly everywhere: Library;
}

/** Pictures that one download looks after; a bound, because they come from answers. */
const mostPictures = 10_000;
/** Names that are told of several. */
const mostNamed = 8;

/** All pictures of a Set; of a group its own poster. */
export function picturesToDownload(set: ArtworkSet): Picture[] {
  return picturesOf(set).map((place) => ({ ...place, set }));
}

/** The work that a picture belongs to: of a season or an episode its show. Null where the Set tells none. */
export function workOf({ target, set }: Pick<Picture, 'target' | 'set'>): WorkTarget | null {
  return target.kind === 'season' || target.kind === 'episode' ? set.work : target;
}

/**
 * Where each picture goes, as its work lies there. Two pictures never go to one name: which of them is meant only a
 * person knows, and the wrong one on a work is worse than none. Files that are kept as they are get their ids into their
 * names instead.
 */
export async function placePictures(pictures: readonly Picture[], placing: Placing): Promise<Places> {
  const { layout } = placing;
  const taken = pictures.slice(0, mostPictures);
  const leftOut: LeftOut[] = pictures.slice(mostPictures).map((picture) => {
    const why = `only the first ${mostPictures} pictures of a download are taken: ask for some slots, or for one Set at a time`;
    return { picture, state: 'too_many', why };
  });
  const works = new Map<string, WorkFolder>();
  const placed: PlacedFile[] = [];
  if (layout.is === 'kept') {
    const files = taken.map((picture): PlacedFile => {
      const words = layout.nameOf(picture.target);
      const stem = words === null ? picture.slot : `${words} ${picture.slot}`;
      return { picture, folders: [...placing.folders, folderOfSet(picture.set)], stem };
    });
    placed.push(...withIds(files));
  } else {
    const groundOf = groundsFor(layout, taken, placing);
    for (const picture of taken) {
      const found = await placeOne(layout, picture, groundOf, placing, works);
      if ('state' in found) leftOut.push({ picture, ...found });
      else placed.push(...found.files);
    }
  }
  const files: PlacedFile[] = [];
  for (const group of byPlace(placed)) {
    const [first, ...others] = group;
    if (first === undefined) continue;
    if (others.every(({ picture }) => picture.path === first.picture.path)) files.push(first);
    else {
      const why = whyAmbiguous(first.picture, group);
      leftOut.push(...group.map(({ picture }): LeftOut => ({ picture, state: 'ambiguous', why })));
    }
  }
  return { files, leftOut, works: [...works.values()] };
}

type Without = Pick<LeftOut, 'state' | 'why'>;

async function placeOne(
  layout: ReaderLayout,
  picture: Picture,
  groundOf: ReturnType<typeof groundsFor>,
  { worksBefore, library }: Placing,
  works: Map<string, WorkFolder>,
): Promise<Without | { readonly files: readonly PlacedFile[] }> {
  const wanted = wantedBy(layout, picture);
  if (typeof wanted === 'string') return { state: 'no_place', why: wanted };
  const { work, file } = wanted;
  const ground = await groundOf(work, picture.set);
  if ('candidates' in ground) {
    works.set(keyOfTarget(work), { work, is: 'unclear', folder: [], candidates: ground.candidates });
    const all = some(ground.candidates.map((one) => `"${one}"`));
    return { state: 'unclear', why: `only a person can say which folder is meant: ${all}` };
  }
  if ('without' in ground) return { state: 'no_place', why: ground.without };
  if (ground.isNew && ground.flatName === null && worksBefore.has(keyOfTarget(work))) {
    return { state: 'no_folder', why: 'its folder, which was there before, was taken away' };
  }
  const { folder } = ground;
  const found = stemsOf(layout, picture, file, work, ground);
  if (!('state' in found) || found.state === 'no_video')
    works.set(keyOfTarget(work), { work, is: ground.isNew ? 'new' : 'there', folder, candidates: [] });
  if ('state' in found) return found;
  const files: PlacedFile[] = [];
  for (const place of found.places) {
    const hiddenBy = await rivalOf(layout, picture, place, ground, library);
    const lacksVideo = found.lacksVideo === true ? { lacksVideo: true } : {};
    files.push({ picture, ...place, ...lacksVideo, ...(hiddenBy === null ? {} : { hiddenBy }) });
  }
  return { files };
}

/** Whose file it is and what a layout calls it; or why it has no place wherever its work lies, as a sentence's end. */
function wantedBy(
  layout: ReaderLayout,
  { target, slot, set }: Picture,
): string | { readonly work: WorkTarget; readonly file: string } {
  const work = workOf({ target, set });
  if (work === null) return `the service does not tell the show of this ${target.kind}`;
  if (work.kind === 'game' || work.kind === 'loadout')
    return `${layout.words} has no place for artwork of games`;
  const file = fileIn(layout, target, slot);
  if (file === null) {
    const of = target.kind === 'episode' ? 'an episode' : `a ${target.kind}`;
    return `${layout.words} has no place for a ${slot} of ${of}`;
  }
  const isPart = target.kind === 'season' || target.kind === 'episode';
  const isNumbered =
    !isPart || (target.season !== null && (target.kind === 'season' || target.episode !== null));
  return isNumbered ? { work, file } : `the service tells no number of the ${target.kind}`;
}

/** What lies where a work's files go. */
interface Ground {
  readonly folder: Way;
  /** Whether nothing was there before. */
  readonly isNew: boolean;
  /** Null: the work has a folder of its own. Else the videos of a film that lies among others. */
  readonly loose: readonly string[] | null;
  readonly videos: ReadonlyMap<string, readonly EpisodeVideo[]>;
  readonly hasVideos: boolean;
  /** The folders in it that are those of seasons, by number. */
  readonly seasonFolders: ReadonlyMap<number, string>;
  /** The episodes of which this download has a picture: `1 2` is S01E02. */
  readonly withCards: ReadonlySet<string>;
  /** The name that all files of the work begin with, where they lie without folders. */
  readonly flatName: string | null;
}

type FoundGround = Ground | { readonly candidates: readonly string[] } | { readonly without: string };

/** Looks at where each work lies, once. */
function groundsFor(layout: ReaderLayout, pictures: readonly Picture[], placing: Placing) {
  const known = new Map<string, Promise<FoundGround>>();
  const cards = groupedBy(
    pictures.flatMap(({ target, set }) => (target.kind === 'episode' ? [{ target, set }] : [])),
    ({ set }) => (set.work === null ? '' : keyOfTarget(set.work)),
  );
  return (work: WorkTarget, { edition }: ArtworkSet): Promise<FoundGround> => {
    const key = `${keyOfTarget(work)} ${edition ?? ''}`;
    const own = cards.get(keyOfTarget(work)) ?? [];
    const withCards = new Set(own.map(({ target }) => `${target.season} ${target.episode}`));
    const found = known.get(key) ?? findGround(layout, work, edition, withCards, placing);
    known.set(key, found);
    return found;
  };
}

async function findGround(
  layout: ReaderLayout,
  work: WorkTarget,
  edition: string | null,
  withCards: ReadonlySet<string>,
  placing: Placing,
): Promise<FoundGround> {
  const { library, folders } = placing;
  const at = (folder: Way, isNew: boolean, more: Partial<Ground> = {}): Ground => {
    const empty = { loose: null, videos: new Map(), hasVideos: false, seasonFolders: new Map() };
    return { folder, isNew, ...empty, withCards, flatName: null, ...more };
  };
  const isFlat = layout.isApart && !placing.assetFolders;
  if (layout.collections.kinds.includes(work.kind)) {
    const { within, folder: pattern, sign } = layout.collections;
    const own = nameForReader(work.title, sign) ?? `${work.kind} ${work.id}`;
    if (isFlat) return at(folders, true, { flatName: own });
    const isInside = within === null || nameKey(folders.at(-1) ?? '') === nameKey(within);
    const shelf = isInside ? folders : [...folders, (await library.folderCalled(folders, within)) ?? within];
    const name = pattern.replace('*', () => own);
    const there = await library.folderCalled(shelf, name);
    return at([...shelf, there ?? name], there === null);
  }
  const place = await library.place(work, edition);
  const amongOthers = `${layout.words} calls artwork as the folder that a film lies in, and this one lies among others`;
  if (place.is === 'unclear') return { candidates: place.candidates };
  if (place.is === 'loose') {
    return layout.isApart ? { without: amongOthers } : at(place.folder, false, { loose: place.videos });
  }
  if (layout.isApart) {
    const own = place.is === 'there' ? place.folder.at(-1) : await flatNameThere(work, isFlat, placing);
    const name = assetName(own ?? (await mediaName(work, edition, placing)));
    if (name === null) return { without: amongOthers };
    if (isFlat) return at(folders, own === undefined, { flatName: name });
    if (place.is === 'missing') return at([...folders, name], true);
    const shelf = place.folder.slice(0, -1);
    const there = name === own || (await library.folderCalled(shelf, name)) !== null;
    return at([...shelf, name], !there);
  }
  if (place.is === 'missing') return at([...folders, workName(work)], true);
  if (work.kind !== 'show') return at(place.folder, false);
  const videos = await library.videosBelow(place.folder);
  const seasons = (await library.list(place.folder)).flatMap(({ name, isFolder }): [number, string][] => {
    const [season, ...others] = isFolder ? readText(name).seasons : [];
    return season?.season == null || others.length > 0 ? [] : [[season.season, name]];
  });
  const shown = { videos: videosByEpisode(videos), hasVideos: videos.length > 0 };
  return at(place.folder, false, { ...shown, seasonFolders: new Map(seasons) });
}

/** As Kometa makes it of a folder's name. */
function assetName(folder: string | null): string | null {
  return folder === null || !/["*<>?/\\|:]/.test(folder) ? folder : nameForReader(folder, '');
}

/** The name of the folder that holds the media of a work, anywhere below the root; null where it has none of its own. */
async function mediaName(work: WorkTarget, edition: string | null, { everywhere }: Placing) {
  const media = await everywhere.place(work, edition);
  if (media.is === 'loose') return null;
  return media.is === 'there' ? (media.folder.at(-1) ?? workName(work)) : workName(work);
}

/** What the files of a work without a folder begin with, where some lie there already. */
async function flatNameThere(work: WorkTarget, isFlat: boolean, { library, folders }: Placing) {
  if (!isFlat) return undefined;
  const stems = new Set<string>();
  for (const { isFolder, name } of await library.list(folders)) {
    if (isFolder || !/\.(?:png|jpe?g|webp)$/i.test(name)) continue;
    const stem = name.replace(/(?:_(?:background|logo|square|Season\d+.*|S\d+E\d+.*))?\.\w+$/i, '');
    if (await library.isCalledAs(work, stem)) stems.add(stem);
  }
  const [only, ...others] = stems;
  return others.length === 0 ? only : undefined;
}

interface FilePlace {
  readonly folders: Way;
  readonly stem: string;
}

/** Where a program looks for a picture, as its work lies there. */
function stemsOf(
  layout: ReaderLayout,
  { target, slot }: Picture,
  file: string,
  work: WorkTarget,
  ground: Ground,
): Without | { readonly places: readonly FilePlace[]; readonly lacksVideo?: boolean } {
  const { folder: folders, flatName, loose } = ground;
  if (target.kind === 'episode' && file.includes('{video}')) return besideVideos(file, target, work, ground);
  if (loose !== null) {
    const pattern = layout.loose[slot];
    if (pattern !== undefined)
      return { places: loose.map((video) => ({ folders, stem: filled(pattern, { video }) })) };
    const why = `${layout.words} finds a ${file} only of a film that has a folder of its own`;
    return { state: 'no_place', why };
  }
  const number = target.kind === 'season' ? (target.season ?? 0) : 0;
  const name = filled(file, { nn: twoDigits(number), code: codeOf(target) });
  const flat = name === layout.own.poster ? flatName : `${flatName}_${name}`;
  return { places: [{ folders, stem: flatName === null ? name : (flat ?? name) }] };
}

/** A title card lies beside its video and is called as this: every version of it has one. */
function besideVideos(
  file: string,
  target: EpisodeTarget,
  work: WorkTarget,
  { folder, videos, hasVideos, seasonFolders, withCards }: Ground,
): ReturnType<typeof stemsOf> {
  const season = target.season ?? 0;
  const holding = videos.get(`${season} ${target.episode}`) ?? [];
  // A video of several episodes shows the card of the first that has one.
  const shown = ({ episodes }: EpisodeVideo) =>
    [...episodes].sort((one, other) => one - other).find((one) => withCards.has(`${season} ${one}`));
  const own = holding.filter((video) => shown(video) === target.episode);
  if (own.length > 0) {
    return {
      places: own.map((video) => ({ folders: video.folder, stem: filled(file, { video: video.stem }) })),
    };
  }
  if (holding.length > 0)
    return { state: 'no_place', why: 'its video holds several episodes, and shows the card of the first' };
  if (hasVideos) return { state: 'no_video', why: 'no video of this episode is there yet to name it after' };
  // No video tells how they are called: most are so.
  const stem = filled(file, { video: `${workName(work)} - ${codeOf(target)}` });
  const inner = seasonFolders.get(season) ?? folderOfSeason(season);
  return { places: [{ folders: [...folder, inner], stem }], lacksVideo: true };
}

/** A pattern of a layout with what its words stand for. */
function filled(pattern: string, words: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{(\w+)\}/g, (whole, word: string) => words[word] ?? whole);
}

const pictureEnd = /\.(?:png|jpe?g|webp|gif|tbn)$/i;

/** A file that lies there and that the program shows rather than ours; null: there is none. */
async function rivalOf(
  layout: ReaderLayout,
  { target, slot }: Picture,
  { folders, stem }: FilePlace,
  ground: Ground,
  library: Library,
): Promise<string | null> {
  const number = target.kind === 'season' ? (target.season ?? 0) : 0;
  const isSpecials = target.kind === 'season' && number === 0;
  const patterns = layout.before[`${isSpecials ? 'specials' : target.kind} ${slot}`]?.split(', ') ?? [];
  if (ground.isNew || patterns.length === 0) return null;
  const words = { folder: ground.folder.at(-1) ?? '', n: String(number), nn: twoDigits(number) };
  const videos = ground.loose ?? (await library.videosIn(ground.folder));
  const stems = patterns
    // Of a film among others nothing is read that does not begin with its name.
    .filter((pattern) => ground.loose === null || pattern.startsWith('{video}'))
    .flatMap((pattern) =>
      pattern.includes('{video}')
        ? videos.map((video) => filled(pattern, { ...words, video }))
        : [filled(pattern, words)],
    )
    .filter((one) => nameKey(one) !== nameKey(stem))
    .filter((one) => !layout.byAlphabet || one.toLowerCase() < stem.toLowerCase());
  const there = (await library.list(folders)).filter(
    ({ isFolder, name }) => !isFolder && pictureEnd.test(name),
  );
  for (const one of stems) {
    const rival = there.find(({ name }) => nameKey(name.replace(pictureEnd, '')) === nameKey(one));
    if (rival !== undefined) return [...folders, rival.name].join('/');
  }
  return null;
}

function byPlace(files: readonly PlacedFile[]): readonly (readonly PlacedFile[])[] {
  const places = groupedBy(files, ({ folders, stem }) => [...folders, stem].map(nameKey).join('/'));
  return [...places.values()];
}

function withIds(files: readonly PlacedFile[]): PlacedFile[] {
  return byPlace(files).flatMap((group) => {
    const refs = new Set(group.map(({ picture }) => picture.path));
    if (refs.size === 1) return group;
    return group.map((file) => ({ ...file, stem: `${file.stem} (${keyOfTarget(file.picture.target)})` }));
  });
}

/** One text for all of a group: each of its own would grow with the square of their number. */
function whyAmbiguous(first: Picture, group: readonly PlacedFile[]): string {
  const sets = new Set(group.map(({ picture }) => keyOfTarget(picture.set)));
  const which = group.map(({ picture }) => keyOfTarget(picture.target));
  return sets.size > 1
    ? `several Sets have one for ${labelInSentence(shortLabelOf(first.target))}: ${some([...sets])}; download the one that is meant by itself`
    : `several of this Set would get this name: ${some(which)}; layout original keeps them all`;
}

function some(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
