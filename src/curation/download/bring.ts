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
import { filesThere, type NewPicture, type Written, writeOver } from './write.ts';

/** The result for one file: what was done with it, or in a dry run what would be done. */
export interface FileOutcome {
  readonly file: PlacedFile;
  /** Below the root, with `/`; its ending is left open where the bytes have not told it. */
  readonly path: string;
  /** The type that the reader can't read, and that it was converted from, or would be as far as its path tells. */
  readonly convertedFrom: string | null;
  readonly outcome:
    | Written
    | { readonly state: 'would_write' | 'would_replace' }
    /** The files of other programs that have its place. */
    | { readonly state: 'would_take_over'; readonly others: readonly string[] }
    | { readonly state: 'failed'; readonly error: ArtworkError }
    /** Not begun: the time or the disk of this call came to an end before, or too many failed in a row. */
    | { readonly state: 'pending' };
}

export interface Brought {
  readonly outcomes: readonly FileOutcome[];
  readonly diskFull: boolean;
}

export interface BringPorts {
  readonly root: DownloadRoot;
  /** Tells one catalogue from another. */
  readonly service: string;
  readonly catalogue: Pick<Catalogue, 'fetchImage'>;
  readonly deadline: Deadline;
  progress(done: number, total: number): Promise<void>;
}

interface Bringing extends BringPorts {
  readonly manifest: Manifest;
  /** Types that the reader reads, among them PNG and JPEG. */
  readonly types: readonly ImageFormat[];
  readonly dryRun: boolean;
  readonly takeOver: boolean;
}

/** Pictures at a time: the service states no limits, and decoding keeps a small machine busy. */
const few = 4;
/** Pictures that may fail in a row: a service that has none of them is not asked for all of a large Set. */
const mostFailures = 24;
/** With less of a call's time left no further picture is begun; so much is left for its answer, ms. */
const leastTime = 8_000;
const answerTime = 3_000;
/** Pictures that failed here, which are tried last: they hold nothing else up. */
const failedBefore = new Set<string>();

/**
 * Brings every file to where it belongs, as far as one call reaches. One that fails leaves the others as they are. A
 * picture of several files, as those beside two versions of an episode, is fetched once.
 * @throws ArtworkError `cancelled`, and what ends the whole run
 */
export async function bringFiles(files: readonly PlacedFile[], bringing: Bringing): Promise<Brought> {
  const { service, dryRun, deadline, types } = bringing;
  let [done, failures, diskFull] = [0, 0, false];
  const keepIn = path.join(bringing.root.home, 'replaced', new Date().toISOString().replaceAll(':', '-'));

  const bring = async (file: PlacedFile, fetch: () => Promise<Fetched>): Promise<FileOutcome> => {
    const ref = file.picture.path;
    const likely = likelyType(ref);
    let from = dryRun && likely !== null && !types.includes(likely) ? likely : null;
    const told = (outcome: FileOutcome['outcome']): FileOutcome => {
      // Of what is to be converted only its pixels tell the ending.
      const ending = likely === null || from !== null ? '' : endingOf(likely);
      const name = 'name' in outcome ? outcome.name : file.stem + ending;
      const isNew = outcome.state !== 'left_alone' && outcome.state !== 'present';
      return { file, path: [...file.folders, name].join('/'), convertedFrom: isNew ? from : null, outcome };
    };
    const isOver = diskFull || failures >= mostFailures || (!dryRun && deadline.left() < leastTime);
    if (isOver) return told({ state: 'pending' });
    try {
      const outcome = await settle(file, bringing, keepIn, async () => {
        const fetched = await fetch();
        from = fetched.convertedFrom;
        // A picture that arrived says something of the service; one that was there already does not.
        if (failures < mostFailures) failures = 0;
        return fetched;
      });
      failedBefore.delete(service + ref);
      return told(outcome);
    } catch (error) {
      diskFull ||= ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');
      if (diskFull) return told({ state: 'pending' });
      const failure = failureOf(error);
      failedBefore.add(service + ref);
      failures += 1;
      return told({ state: 'failed', error: failure });
    }
  };

  const rank = ({ picture: { path: ref } }: PlacedFile) => Number(failedBefore.has(service + ref));
  const ranked = [...files].sort((one, other) => rank(one) - rank(other));
  const pictures = [...groupedBy(ranked, ({ picture }) => picture.path)];
  const outcomes = await mapLimit(pictures, few, async ([ref, own]) => {
    let fetched: Promise<Fetched> | null = null;
    const fetch = () => {
      fetched ??= fetchPicture(ref, bringing);
      return fetched;
    };
    // One after the other: whichever comes first fetches.
    return mapLimit(own, 1, async (file) => {
      const outcome = await bring(file, fetch);
      done += 1;
      await bringing.progress(done, files.length);
      return outcome;
    });
  });
  return { outcomes: outcomes.flat(), diskFull };
}

/**
 * Sees that a picture lies where it belongs: fetches what is not there, replaces what this program wrote and no person
 * has changed, and leaves everything else alone, unless it is to be taken over and a dry run has named it.
 */
async function settle(
  { folders, stem, picture: { path: ref, set } }: PlacedFile,
  { root, manifest, service, dryRun, takeOver }: Bringing,
  keepIn: string,
  fetch: () => Promise<Fetched>,
): Promise<FileOutcome['outcome']> {
  const folder = await enterFolder(root, folders, !dryRun);
  if (folder === null) return { state: 'would_write' };
  if (!dryRun) await sweepFolder(folder);
  const standing = await filesThere(folder, stem, manifest);
  const others = standing.filter(({ by }) => by !== 'us');
  for (const { name, key, digest, by } of others) {
    if (!takeOver || digest === null)
      return { state: 'left_alone', name, why: by === 'others' ? 'foreign' : 'changed' };
    if (manifest.named.get(key) === digest) continue;
    if (!dryRun) return { state: 'left_alone', name, why: 'unnamed' };
    await manifest.note('named', key, digest);
  }
  const [first, second] = standing;
  if (first !== undefined && second === undefined && first.by === 'us') {
    const was = manifest.files.get(first.key);
    // Where no Asset's id stands in its path, the picture may be another one since the Set was changed.
    const isSame = assetIdIn(ref) !== null || (set.updated !== null && was?.setUpdated === set.updated);
    const isNewest = was?.service === service && was.ref === ref && was.digests[0] === first.digest;
    if (isNewest && isSame) return { state: 'present', name: first.name };
  }
  if (dryRun && others.length > 0)
    return { state: 'would_take_over', others: others.map(({ name }) => name) };
  if (dryRun) return { state: first === undefined ? 'would_write' : 'would_replace' };
  const source = { service, ref, setUpdated: set.updated };
  return writeOver(standing, { folder, stem, keepIn }, await fetch(), source, manifest);
}

/** The failure of one file. @throws what ends the whole run: nothing that follows could be noted */
function failureOf(error: unknown): ArtworkError {
  if (error instanceof ArtworkError) {
    if (error.failure === 'cancelled' || /^(?:store|home)_/.test(error.code)) throw error;
    return error;
  }
  const code = codeOf(error);
  if (code === null) throw error;
  const message = `The file can't be written (${code}).`;
  return new ArtworkError('internal', message, { code: 'download_not_written', cause: error });
}

/** The type that the service's path tells, which the bytes may prove wrong. */
function likelyType(ref: string): ImageFormat | null {
  const [, end] = /\.(png|jpe?g|webp|gif)(?:\?|$)/i.exec(ref.toLowerCase()) ?? [];
  if (end === 'jpg' || end === 'jpeg') return 'jpeg';
  return end === 'png' || end === 'webp' || end === 'gif' ? end : null;
}

function endingOf(type: ImageFormat): string {
  return type === 'jpeg' ? '.jpg' : `.${type}`;
}

interface Fetched extends NewPicture {
  /** The type that it had, where its reader can't read that. */
  readonly convertedFrom: ImageFormat | null;
}

/**
 * Fetches one whole picture with something on it, in a type that its reader reads. A service that wants to be left alone
 * may answer every picture with the same blank one, and a proxy with a page: neither may end up in a library.
 * @throws ArtworkError of the service; `bad_response` for what is no such picture
 */
async function fetchPicture(ref: string, { catalogue, types, deadline: whole }: Bringing): Promise<Fetched> {
  const deadline = noLaterThan(whole, whole.left() - answerTime);
  const { bytes } = await catalogue.fetchImage(ref, deadline);
  const { original, raster } = await decodePicture(bytes, { width: glance, height: glance });
  const { format } = original;
  const unusable = (is: string, code: string) =>
    new ArtworkError('bad_response', `This picture ${is}.`, { code });
  if (!isWhole(bytes, format)) throw unusable('is incomplete: its end is missing', 'picture_cut');
  if (isBlank(raster.data, raster.channels)) throw unusable(blankWords, 'picture_blank');
  if (types.includes(format)) return { bytes, ending: endingOf(format), convertedFrom: null };
  const { raster: all } = await decodePicture(bytes, original);
  const { default: sharp } = await import('sharp');
  const picture = sharp(all.data, { raw: all });
  const isOpaque = all.channels === 3;
  const converted = isOpaque ? picture.jpeg({ quality: 95 }) : picture.png();
  const ending = endingOf(isOpaque ? 'jpeg' : 'png');
  return { bytes: await converted.toBuffer(), ending, convertedFrom: format };
}

/** Of an animation only the first frame is decoded, so its end is looked for. The decoder tells a truncated JPEG. */
function isWhole(bytes: Buffer, format: ImageFormat): boolean {
  if (format === 'gif') return bytes.at(-1) === 0x3b;
  if (format === 'webp') return bytes.length >= bytes.readUInt32LE(4) + 8;
  return format === 'jpeg' || bytes.includes('IEND', -16, 'latin1');
}
