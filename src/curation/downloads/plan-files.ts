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
  readonly state: 'no_place' | 'ambiguous';
  readonly why: string;
}

export interface FilePlan {
  readonly files: readonly DownloadFile[];
  readonly leftOut: readonly LeftOut[];
}

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
  for (const picture of pictures) {
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
    else leftOut.push(...group.map(({ picture }) => ambiguous(picture, group)));
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
    groups.set(key, [...(groups.get(key) ?? []), file]);
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

function ambiguous(picture: PictureToDownload, group: readonly DownloadFile[]): LeftOut {
  const sets = new Set(group.map((one) => `${one.picture.set.kind} ${one.picture.set.id}`));
  const which = group.map((one) => `${one.picture.holder.of} ${one.picture.holder.id}`);
  const why =
    sets.size > 1
      ? `several Sets have one for ${holderWords(picture.holder)}: ${[...sets].join(', ')}; download the one that is meant by itself`
      : `several of this Set would get this name: ${which.join(', ')}; layout original keeps them all`;
  return { picture, state: 'ambiguous', why };
}
