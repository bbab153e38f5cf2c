import path from 'node:path';
import type { Catalogue } from '../../catalogue/client.ts';
import { type Deadline, noLaterThan } from '../../deadline.ts';
import { ArtworkError, codeOf } from '../../errors.ts';
import type { ImageFormat } from '../../files/decode.ts';
import { blankWords, glance, isBlank } from '../../files/picture.ts';
import { groupedBy } from '../../grouped-by.ts';
import { mapLimit } from '../../map-limit.ts';
import { assetIdIn } from '../../model/asset.ts';
import { sweepFolder } from '../../store/draft.ts';
import { decodePicture } from '../show/picture.ts';
import type { Manifest } from './manifest.ts';
import type { PlacedFile } from './place.ts';
import { type DownloadRoot, enterFolder } from './root.ts';
import { filesThere, type NewPicture, placeOf, type Written, writeOver } from './write.ts';

/** The result for one file: what was done with it, or in a dry run what would be done. */
export interface FileOutcome {
  readonly file: PlacedFile;
  /** The type that the reader can't read, and that it was converted from, or would be as far as its path tells. */
  readonly convertedFrom: string | null;
  readonly outcome:
    | Written
    | { readonly state: 'would_write' | 'would_replace' }
    /** The files of other programs that have its place. */
    | { readonly state: 'would_take_over'; readonly others: readonly string[] }
    | { readonly state: 'failed'; readonly error: ArtworkError }
    /** Not begun: the time, the disk or the service of this call came to an end before. */
    | { readonly state: 'pending' };
}

export interface BringPorts {
  readonly root: DownloadRoot;
  /** Tells one catalogue from another. */
  readonly service: string;
  readonly catalogue: Pick<Catalogue, 'fetchImage'>;
  readonly deadline: Deadline;
}

interface Bringing extends BringPorts {
  readonly manifest: Manifest;
  readonly by: { readonly key: string; readonly turn: number };
  /** Types that the reader reads, among them PNG and JPEG. */
  readonly types: readonly ImageFormat[];
  readonly dryRun: boolean;
  readonly takeOver: boolean;
}

/** Pictures at a time: the service states no limits, and decoding keeps a small machine busy. */
const few = 4;
/** With less of a call's time left no further picture is begun; so much is left for its answer, ms. */
const leastTime = 8_000;
const answerTime = 3_000;

/**
 * Brings every file to where it belongs, as far as one call reaches. One that fails leaves the others as they are. A
 * picture of several files, as those beside two versions of an episode, is fetched once.
 * @throws ArtworkError `cancelled`, and what ends the whole run
 */
export async function bringFiles(files: readonly PlacedFile[], bringing: Bringing): Promise<FileOutcome[]> {
  const { dryRun, deadline, types } = bringing;
  let isOver = false;
  const keepIn = path.join(bringing.root.home, 'replaced', new Date().toISOString().replaceAll(':', '-'));

  const bring = async (file: PlacedFile, fetch: () => Promise<NewPicture>): Promise<FileOutcome> => {
    let from: ImageFormat | null = null;
    const told = (outcome: FileOutcome['outcome']): FileOutcome => {
      const isPlanned = outcome.state.startsWith('would_');
      return { file, outcome, convertedFrom: isPlanned ? likelyFrom(file.picture.path, types) : from };
    };
    if (isOver || (!dryRun && deadline.left() < leastTime)) return told({ state: 'pending' });
    try {
      const outcome = await settle(file, bringing, keepIn, async () => {
        const fetched = await fetch();
        from = fetched.convertedFrom;
        return fetched;
      });
      return told(outcome);
    } catch (error) {
      const failure = failureOf(error);
      isOver ||= failure.concerns === 'service' || ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');
      return told({ state: 'failed', error: failure });
    }
  };

  const pictures = [...groupedBy(files, ({ picture }) => picture.path)];
  const outcomes = await mapLimit(pictures, few, async ([ref, own]) => {
    let fetched: Promise<NewPicture> | null = null;
    const fetch = () => {
      fetched ??= fetchPicture(ref, bringing);
      return fetched;
    };
    // One after the other: whichever comes first fetches.
    return mapLimit(own, 1, (file) => bring(file, fetch));
  });
  return outcomes.flat();
}

/**
 * Sees that a picture lies where it belongs: fetches what is not there, replaces what this program wrote and no person
 * has changed, and leaves everything else alone, unless it is to be taken over and a dry run has named it.
 */
async function settle(
  { folders, stem, picture: { path: ref, set } }: PlacedFile,
  { root, manifest, service, by, dryRun, takeOver }: Bringing,
  keepIn: string,
  fetch: () => Promise<NewPicture>,
): Promise<FileOutcome['outcome']> {
  const folder = await enterFolder(root, folders, !dryRun);
  if (folder === null) return { state: 'would_write' };
  if (!dryRun) await sweepFolder(folder);
  const place = placeOf(root, folder, stem);
  const was = manifest.files.get(place);
  const { turn = 0 } = manifest.downloads.get(was?.by ?? by.key) ?? {};
  if (turn > by.turn) return { state: 'left_alone', name: stem, why: 'later_download' };
  const standing = await filesThere(folder, stem, manifest);
  const others = standing.filter(({ isOurs }) => !isOurs);
  for (const { name, key, digest } of others) {
    if (!takeOver || digest === null) return { state: 'left_alone', name, why: 'not_ours' };
    if (manifest.named.get(key) === digest) continue;
    if (!dryRun) return { state: 'left_alone', name, why: 'unnamed' };
    await manifest.note('named', key, digest);
  }
  const [first, second] = standing;
  if (first !== undefined && second === undefined && first.isOurs) {
    // Where no Asset's id stands in its path, the picture may be another one since the Set was changed.
    const isSame = assetIdIn(ref) !== null || (set.updated !== null && was?.setUpdated === set.updated);
    const isNewest = was?.source === service + ref && was.digests[0] === first.digest;
    if (isNewest && isSame) {
      if (was.by !== by.key && !dryRun) await manifest.note('files', place, { ...was, by: by.key });
      return { state: 'present', name: first.name };
    }
  }
  if (dryRun && others.length > 0)
    return { state: 'would_take_over', others: others.map(({ name }) => name) };
  if (dryRun) return { state: first === undefined ? 'would_write' : 'would_replace' };
  const source = { source: service + ref, setUpdated: set.updated, by: by.key };
  return writeOver(standing, { folder, stem, keepIn }, await fetch(), source, manifest);
}

/** The failure of one file. @throws what ends the whole run */
function failureOf(error: unknown): ArtworkError {
  if (error instanceof ArtworkError && error.failure !== 'cancelled') return error;
  const code = error instanceof ArtworkError ? null : codeOf(error);
  if (code === null) throw error;
  const message = `The file can't be written (${code}).`;
  return new ArtworkError('internal', message, { code: 'download_not_written', cause: error });
}

/** A type that the reader can't read, as the service's path tells; the bytes may prove it wrong. */
function likelyFrom(ref: string, types: readonly ImageFormat[]): ImageFormat | null {
  const name = ref.toLowerCase().replace(/\?.*/s, '');
  return (
    (['webp', 'gif'] as const).find((type) => name.endsWith(`.${type}`) && !types.includes(type)) ?? null
  );
}

function endingOf(type: ImageFormat): string {
  return type === 'jpeg' ? '.jpg' : `.${type}`;
}

/**
 * Fetches one whole picture with something on it, in a type that its reader reads. A service that wants to be left alone
 * may answer every picture with the same blank one, and a proxy with a page: neither may end up in a library.
 * @throws ArtworkError of the service; `bad_response` for what is no such picture
 */
async function fetchPicture(
  ref: string,
  { catalogue, types, deadline: whole }: Bringing,
): Promise<NewPicture> {
  const deadline = noLaterThan(whole, whole.left() - answerTime);
  const { bytes } = await catalogue.fetchImage(ref, deadline);
  const { original, raster } = await decodePicture(bytes, { width: glance, height: glance });
  const { format } = original;
  if (isBlank(raster.data, raster.channels))
    throw new ArtworkError('bad_response', `This picture ${blankWords}.`, { code: 'picture_blank' });
  if (types.includes(format)) return { bytes, ending: endingOf(format), convertedFrom: null };
  const { raster: all } = await decodePicture(bytes, original);
  const { default: sharp } = await import('sharp');
  const picture = sharp(all.data, { raw: all });
  const isOpaque = all.channels === 3;
  const converted = isOpaque ? picture.jpeg({ quality: 95 }) : picture.png();
  const ending = endingOf(isOpaque ? 'jpeg' : 'png');
  return { bytes: await converted.toBuffer(), ending, convertedFrom: format };
}
