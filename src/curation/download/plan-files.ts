import { groupedBy } from '../../grouped-by.ts';
import { nameKey } from '../../machine.ts';
import { readText } from '../../model/names/name.ts';
import { keyOfTarget, labelInSentence, shortLabelOf, type WorkTarget } from '../../model/target.ts';
import { nameForReader, twoDigits, workName } from './file-names.ts';
import type { Layout, ReaderLayout } from './layouts/layout.ts';
import { type Media, videosByEpisode, type Way, type WorkPlace } from './media.ts';
import { createWorkNames } from './names-of-work.ts';
import { type Picture, workOf } from './picture.ts';
import { type FilePlace, filled, type Ground, keptPlace, readerPlace, whyNoPlace } from './place-in.ts';

/** A picture and where it goes. */
export interface DownloadFile extends FilePlace {
  readonly picture: Picture;
  /** It is to be called as a video, and the folder has none yet whose name it could take. */
  readonly lacksVideo?: boolean;
  /** A file beside it that its reader shows instead. */
  readonly hiddenBy?: string;
}

/** A picture that gets no file, and why, as words that end a sentence. */
export interface LeftOut {
  readonly picture: Picture;
  readonly state: 'no_place' | 'no_folder' | 'ambiguous' | 'unclear' | 'too_many';
  readonly why: string;
}

/** The folder of a work: whether it was there, is to be made, or only a person can say which it is. */
export interface WorkFolder {
  readonly work: WorkTarget;
  readonly is: 'there' | 'new' | 'unclear';
  /** Below the root; of `unclear` none. */
  readonly folder: Way;
  /** Of `unclear`. */
  readonly candidates: readonly string[];
}

export interface FilesToPlace {
  readonly files: readonly DownloadFile[];
  readonly leftOut: readonly LeftOut[];
  readonly works: readonly WorkFolder[];
}

interface Planning {
  readonly layout: Layout;
  /** Below the root, as the caller named them. */
  readonly folders: Way;
  /** Of a layout that knows both: whether each work has a folder. */
  readonly assetFolders: boolean;
  /** Keys of works whose folders were there before: such a folder that is missing is not made anew. */
  readonly worksBefore: ReadonlySet<string>;
  /** What lies below the caller's folders. */
  readonly media: Media;
  /** What lies below the root: its folders tell how an asset is called. */
  readonly everywhere: Media;
}

/** Pictures that one download looks after; a bound, because they come from answers. */
const mostPictures = 10_000;
/** Pictures of one name that are told. */
const mostNamed = 8;

/**
 * Where each picture goes, as its work lies there. Two pictures never go to one name: which of them is meant only a
 * person knows, and the wrong one on a work is worse than none. Files that are kept as they are get their ids into their
 * names instead.
 */
export async function planFiles(pictures: readonly Picture[], planning: Planning): Promise<FilesToPlace> {
  const { layout } = planning;
  const leftOut: LeftOut[] = [];
  const placed: DownloadFile[] = [];
  const works = new Map<string, WorkFolder>();
  const taken = pictures.slice(0, mostPictures);
  for (const picture of pictures.slice(mostPictures))
    leftOut.push({ picture, state: 'too_many', why: tooMany });
  const grounds = createGrounds(taken, planning);
  for (const picture of taken) {
    if (layout.reader === null) {
      placed.push({ picture, ...keptPlace(layout, planning.folders, picture) });
      continue;
    }
    const work = workOf(picture);
    const why = whyNoPlace(layout, picture);
    if (work === null || why !== null) {
      leftOut.push({ picture, state: 'no_place', why: why ?? '' });
      continue;
    }
    const { folder: found, ground } = await grounds(layout, work, picture);
    if (ground === null) {
      if (found.is === 'unclear') works.set(keyOfTarget(work), found);
      leftOut.push({ picture, ...whyNoGround(layout, found) });
      continue;
    }
    if (ground.isNew && ground.flatName === null && planning.worksBefore.has(keyOfTarget(work))) {
      leftOut.push({
        picture,
        state: 'no_folder',
        why: 'its folder, which was there before, was taken away',
      });
      continue;
    }
    const placing = readerPlace(layout, picture, work, ground);
    if ('without' in placing) {
      leftOut.push({ picture, state: 'no_place', why: placing.without });
      continue;
    }
    works.set(keyOfTarget(work), found);
    for (const place of placing.places) {
      const hiddenBy = await rivalOf(layout, picture, place, ground, planning.media);
      placed.push({
        ...{ picture, ...place },
        ...(placing.lacksVideo === true ? { lacksVideo: true } : {}),
        ...(hiddenBy === null ? {} : { hiddenBy }),
      });
    }
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
  return { files, leftOut, works: [...works.values()] };
}

function whyNoGround(layout: ReaderLayout, { is, candidates }: WorkFolder): Pick<LeftOut, 'state' | 'why'> {
  if (is === 'unclear') {
    return {
      state: 'unclear',
      why: `only a person can say which folder is meant: ${some(candidates.map((one) => `"${one}"`))}`,
    };
  }
  return {
    state: 'no_place',
    why: `${layout.words} calls artwork as the folder that a film lies in, and this one lies among others`,
  };
}

/** Looks at where each work lies, once. */
function createGrounds(pictures: readonly Picture[], planning: Planning) {
  const withCards = new Map<string, Set<string>>();
  for (const { target, set } of pictures) {
    if (target.kind !== 'episode' || set.work === null) continue;
    const key = keyOfTarget(set.work);
    const cards = withCards.get(key) ?? new Set();
    cards.add(`${target.season} ${target.episode}`);
    withCards.set(key, cards);
  }
  const known = new Map<string, Promise<FoundGround>>();
  return (layout: ReaderLayout, work: WorkTarget, { set }: Picture): Promise<FoundGround> => {
    const key = `${keyOfTarget(work)} ${set.edition ?? ''}`;
    const cards = withCards.get(keyOfTarget(work)) ?? new Set();
    const found = known.get(key) ?? groundOf(layout, work, set, cards, planning);
    known.set(key, found);
    return found;
  };
}

interface FoundGround {
  readonly folder: WorkFolder;
  /** Null: nothing can be placed. */
  readonly ground: Ground | null;
}

async function groundOf(
  layout: ReaderLayout,
  work: WorkTarget,
  set: Picture['set'],
  withCards: ReadonlySet<string>,
  planning: Planning,
): Promise<FoundGround> {
  const { media, folders } = planning;
  const isFlat = layout.flat !== null && !planning.assetFolders;
  if (layout.collections.kinds.includes(work.kind)) return holderGround(layout, work, planning, isFlat);
  const place = await media.place(work, set);
  if (place.is === 'unclear') {
    return { folder: { work, is: 'unclear', folder: [], candidates: place.candidates }, ground: null };
  }
  if (isFlat) {
    const name = await flatNameOf(layout, work, set, place, planning);
    return name === null
      ? noFolder(work)
      : groundAt(work, name.is, folders, { flatName: name.flatName, withCards });
  }
  if (place.is === 'flat') {
    if (Object.keys(layout.loose).length === 0) return noFolder(work);
    return groundAt(work, 'there', place.folder, { loose: place.videos, withCards });
  }
  if (place.is === 'missing') {
    const name = await newFolderOf(layout, work, set, planning);
    return name === null ? noFolder(work) : groundAt(work, 'new', [...folders, name], { withCards });
  }
  if (work.kind !== 'show' || layout.cards === 'show')
    return groundAt(work, 'there', place.folder, { withCards });
  const videos = await media.videos(place.folder);
  const inner = (await media.list(place.folder)).filter(({ isFolder }) => isFolder);
  const seasons = inner.flatMap(({ name }): [number, string][] => {
    const [season, ...others] = readText(name).seasons;
    return season?.season == null || others.length > 0 ? [] : [[season.season, name]];
  });
  const shown = { videos, byEpisode: videosByEpisode(videos), seasonFolders: new Map(seasons) };
  return groundAt(work, 'there', place.folder, { ...shown, withCards });
}

function noFolder(work: WorkTarget): FoundGround {
  return { folder: { work, is: 'new', folder: [], candidates: [] }, ground: null };
}

function groundAt(work: WorkTarget, is: 'there' | 'new', folder: Way, more: Partial<Ground>): FoundGround {
  const nothing = { loose: null, videos: [], byEpisode: new Map(), seasonFolders: new Map(), flatName: null };
  const ground: Ground = { folder, isNew: is === 'new', withCards: new Set(), ...nothing, ...more };
  return { folder: { work, is, folder, candidates: [] }, ground };
}

/** Where a collection, or whatever else holds works, is kept: a reader looks for exactly this name. */
async function holderGround(
  layout: ReaderLayout,
  work: WorkTarget,
  { folders, media }: Planning,
  isFlat: boolean,
): Promise<FoundGround> {
  const { within, folder: pattern, sign } = layout.collections;
  const own = nameForReader(work.title, sign) ?? `${work.kind} ${work.id}`;
  if (isFlat) return groundAt(work, 'new', folders, { flatName: own });
  const isInside = within === null || nameKey(folders.at(-1) ?? '') === nameKey(within);
  const apart = isInside ? folders : [...folders, await calledAs(media, folders, within)];
  const name = pattern.replace('*', () => own);
  const there = (await media.list(apart)).find((one) => one.isFolder && nameKey(one.name) === nameKey(name));
  return groundAt(work, there === undefined ? 'new' : 'there', [...apart, there?.name ?? name], {});
}

async function calledAs(media: Media, folders: Way, name: string): Promise<string> {
  const there = (await media.list(folders)).find(
    (one) => one.isFolder && nameKey(one.name) === nameKey(name),
  );
  return there?.name ?? name;
}

/** The folder that is made for a work: of a program that keeps artwork apart, as the media's own is called. */
async function newFolderOf(
  layout: ReaderLayout,
  work: WorkTarget,
  set: Picture['set'],
  { everywhere }: Planning,
): Promise<string | null> {
  if (layout.cards !== 'show') return workName(work);
  const media = await everywhere.place(work, set);
  if (media.is === 'flat') return null;
  return media.is === 'there' ? (media.folder.at(-1) ?? workName(work)) : workName(work);
}

async function flatNameOf(
  layout: ReaderLayout,
  work: WorkTarget,
  set: Picture['set'],
  place: WorkPlace,
  planning: Planning,
): Promise<{ readonly is: 'there' | 'new'; readonly flatName: string } | null> {
  if (place.is === 'flat') return null;
  if (place.is === 'there') return { is: 'there', flatName: place.folder.at(-1) ?? workName(work) };
  const names = createWorkNames(work, []);
  const stems = (await planning.media.list(planning.folders))
    .filter(({ isFolder, name }) => !isFolder && /\.(?:png|jpe?g|webp)$/i.test(name))
    .map(({ name }) =>
      name.replace(/\.\w+$/, '').replace(/_(?:background|logo|square|Season\d+.*|S\d+E\d+.*)$/i, ''),
    );
  const known = [...new Set(stems)].filter((stem) => names.like(stem) === 'same');
  const [only] = known;
  if (only !== undefined && known.length === 1) return { is: 'there', flatName: only };
  const flatName = await newFolderOf(layout, work, set, planning);
  return flatName === null ? null : { is: 'new', flatName };
}

const pictureEnd = /\.(?:png|jpe?g|webp|gif|tbn)$/i;

/** A file that lies there and that the program shows rather than ours; null: there is none. */
async function rivalOf(
  layout: ReaderLayout,
  { target, slot }: Picture,
  { folders, stem }: FilePlace,
  ground: Ground,
  media: Media,
): Promise<string | null> {
  const patterns = layout.before[`${target.kind} ${slot}`]?.split(', ') ?? [];
  if (ground.isNew || patterns.length === 0 || target.kind === 'episode') return null;
  const number = target.kind === 'season' ? (target.season ?? 0) : 0;
  const words = {
    ...{ folder: ground.folder.at(-1) ?? '', n: String(number), nn: twoDigits(number) },
    season: number === 0 ? 'specials' : `season${number}`,
  };
  const videos = ground.loose ?? (await media.videosIn(ground.folder));
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
  const there = (await media.list(folders)).filter(
    ({ isFolder, name }) => !isFolder && pictureEnd.test(name),
  );
  for (const one of stems) {
    const rival = there.find(({ name }) => nameKey(name.replace(pictureEnd, '')) === nameKey(one));
    if (rival !== undefined) return [...folders, rival.name].join('/');
  }
  return null;
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
    ? `several Sets have one for ${labelInSentence(shortLabelOf(first.target))}: ${some([...sets])}; download the one that is meant by itself`
    : `several of this Set would get this name: ${some(which)}; layout original keeps them all`;
}

function some(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
