import { nameKey } from './file-names.ts';
import { holderWords, type Layout, type Place, placeIn } from './layouts.ts';
import type { MediaFolders } from './media-folders.ts';
import type { PictureToDownload } from './set-pictures.ts';

/** A picture and where it goes. */
export interface DownloadFile extends Place {
  readonly picture: PictureToDownload;
  /** It is to be called as a video, and none was found whose name it could take. */
  readonly lacksVideo?: boolean;
}

/** A picture that gets no file, and why, as words that end a sentence. */
export interface LeftOut {
  readonly picture: PictureToDownload;
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
  pictures: readonly PictureToDownload[],
  layout: Layout,
  media: MediaFolders,
): Promise<FilePlan> {
  const leftOut: LeftOut[] = [];
  const placed: DownloadFile[] = [];
  for (const picture of pictures.slice(mostPictures))
    leftOut.push({ picture, state: 'too_many', why: tooMany });
  for (const picture of pictures.slice(0, mostPictures)) {
    const placing = placeIn(layout, picture.holder, picture.slot, picture.set);
    if ('without' in placing) leftOut.push({ picture, state: 'no_place', why: placing.without });
    else placed.push({ picture, ...(await besideMedia(placing.place, picture, layout, media)) });
  }
  const told = layout === 'original' ? withIds(placed) : placed;
  const files: DownloadFile[] = [];
  for (const group of byPlace(told)) {
    const [first, ...others] = group;
    if (first === undefined) continue;
    if (others.every(({ picture }) => picture.ref === first.picture.ref)) files.push(first);
    else {
      const why = whyAmbiguous(first.picture, group);
      for (const { picture } of group) leftOut.push({ picture, state: 'ambiguous', why });
    }
  }
  return { files, leftOut };
}

async function besideMedia(
  { folders, stem }: Place,
  { holder, set }: PictureToDownload,
  layout: Layout,
  media: MediaFolders,
): Promise<Place & Pick<DownloadFile, 'lacksVideo'>> {
  const [work, season] = folders;
  if (layout === 'original' || work === undefined || set.kind === 'boxset') return { folders, stem };
  const ofWork = await media.work(work);
  if (season === undefined || (holder.of !== 'season' && holder.of !== 'episode')) {
    return { folders: [ofWork, ...folders.slice(1)], stem };
  }
  const number = holder.of === 'season' ? holder.number : holder.season;
  const ofSeason = number === null ? season : await media.season(ofWork, number, season);
  const place = { folders: [ofWork, ofSeason], stem };
  if (holder.of === 'season' || number === null || holder.number === null) return place;
  const video = await media.video(ofWork, ofSeason, [number, holder.number]);
  if (video === null) return { ...place, lacksVideo: true };
  return { ...place, stem: layout === 'plex' ? video : `${video}-thumb` };
}

function byPlace(files: readonly DownloadFile[]): readonly (readonly DownloadFile[])[] {
  const groups = new Map<string, DownloadFile[]>();
  for (const file of files) {
    const key = [...file.folders, file.stem].map(nameKey).join('/');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [file]);
    else group.push(file);
  }
  return [...groups.values()];
}

function withIds(files: readonly DownloadFile[]): DownloadFile[] {
  return byPlace(files).flatMap((group) => {
    const refs = new Set(group.map(({ picture }) => picture.ref));
    if (refs.size === 1) return group;
    return group.map((file) => {
      const { of, id } = file.picture.holder;
      return { ...file, stem: `${file.stem} (${of} ${String(id).replace(/[^\w-]/g, '')})` };
    });
  });
}

const tooMany = `only the first ${mostPictures} pictures of a download are taken: ask for some slots, or for one Set at a time`;

/** One text for all of a group: each of its own would grow with the square of their number. */
function whyAmbiguous(first: PictureToDownload, group: readonly DownloadFile[]): string {
  const sets = new Set(group.map((one) => `${one.picture.set.kind} ${one.picture.set.id}`));
  const which = group.map((one) => `${one.picture.holder.of} ${one.picture.holder.id}`);
  return sets.size > 1
    ? `several Sets have one for ${holderWords(first.holder)}: ${some([...sets])}; download the one that is meant by itself`
    : `several of this Set would get this name: ${some(which)}; layout original keeps them all`;
}

function some(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
