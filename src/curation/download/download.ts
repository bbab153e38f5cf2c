import type { Catalogue } from '../../catalogue/client.ts';
import { type Deadline, noLaterThan } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { ImageFormat } from '../../files/decode.ts';
import { blankWords, glance, isBlank } from '../../files/picture.ts';
import { mapLimit } from '../../map-limit.ts';
import { keyOfTarget } from '../../model/target.ts';
import { sweepFolder } from '../../store/sweep.ts';
import { decodePicture } from '../show/picture.ts';
import { type DownloadRoot, enterFolder } from './download-root.ts';
import { DiskFull, writingFailed } from './place-file.ts';
import type { DownloadFile } from './plan-files.ts';
import { type Settled, settleFile, type Written, type WrittenFiles } from './settle-file.ts';

/** What became of one planned file. */
export interface FileOutcome {
  readonly file: DownloadFile;
  /** Below the root, with `/`; its extension is left open where the bytes have not told it. */
  readonly path: string;
  readonly outcome:
    | Settled
    | { readonly state: 'failed'; readonly error: ArtworkError }
    /** Not begun: the time, bytes or disk of this call came to an end before, or too many failed in a row. */
    | { readonly state: 'pending' };
}

interface Downloading {
  readonly catalogue: Pick<Catalogue, 'fetchImage'>;
  readonly root: DownloadRoot;
  readonly record: WrittenFiles;
  /** Tells one catalogue from another. */
  readonly service: string;
  readonly dryRun: boolean;
  /** Paths of pictures that failed in an earlier call: they are tried last, so that they hold nothing else up. */
  readonly failedBefore: Set<string>;
  readonly deadline: Deadline;
  progress(done: number, total: number): Promise<void>;
}

export interface Downloaded {
  readonly outcomes: readonly FileOutcome[];
  /** Fetched in this call. */
  readonly bytes: number;
  readonly diskFull: boolean;
  /** Failures in a row after which no further picture was begun; null where it did not come to that. */
  readonly stoppedAfter: number | null;
}

/** Pictures at a time: the service states no limits, and decoding keeps a small machine busy. */
const few = 4;
/** Bytes that one call fetches before it leaves the rest to the next one. */
const mostBytes = 512 * 1024 * 1024;
/** Pictures that may fail in a row: a service that has none of them is not asked for all of a large Set. */
const mostFailures = 24;
/** No picture is begun with less of the call's time left, in ms. */
const leastTime = 8_000;
/**
 * Most that a picture may take, in ms: those that hang must not take the whole call. Only the first has all the time
 * that there is, so that each call brings at least one on a slow line.
 */
const pictureTime = 15_000;
/** In ms: what is left of the call for its answer. */
const answerTime = 3_000;

/**
 * Brings every planned file to where it belongs, as far as this call's time, bytes and disk reach. What was written
 * and verified once is not fetched again; one file that fails leaves the others as they are.
 * @throws ArtworkError `cancelled`; what the store throws
 */
export async function downloadFiles(files: readonly DownloadFile[], given: Downloading): Promise<Downloaded> {
  const { failedBefore, dryRun } = given;
  const ordered = [...files].sort((one, other) => rank(one, failedBefore) - rank(other, failedBefore));
  const swept = new Set<string>();
  let bytes = 0;
  let done = 0;
  let diskFull = false;
  let failures = 0;

  const shared = sharedContents(files, given);
  const settle = async (file: DownloadFile, mostTime: number): Promise<FileOutcome['outcome']> => {
    const left = given.deadline.left();
    const isEnough = diskFull || bytes >= mostBytes || failures >= mostFailures;
    if (isEnough || (!dryRun && left < leastTime)) return { state: 'pending' };
    try {
      let content: ReturnType<typeof contentOf> | undefined;
      const wanted = {
        stem: file.stem,
        ...sourceOf(file, given.service),
        content: () => {
          content ??= shared(file, mostTime).then((found) => {
            bytes += found.bytes.length;
            return found;
          });
          return content;
        },
      };
      const folder = await enterFolder(given.root, file.folders, !dryRun);
      if (folder !== null && !dryRun && !swept.has(folder.path)) {
        swept.add(folder.path);
        await sweepFolder(folder.path, Date.now());
      }
      const settled = await settleFile({ ...wanted, folder }, given.record, dryRun);
      failedBefore.delete(file.picture.path);
      // What was in place already says nothing of the service; a picture that arrived does.
      if (content !== undefined && failures < mostFailures) failures = 0;
      return settled;
    } catch (error) {
      if (error instanceof DiskFull) {
        diskFull = true;
        return { state: 'pending' };
      }
      if (error instanceof ArtworkError && (error.category === 'cancelled' || isOfStore(error))) throw error;
      const failure = writingFailed(error);
      failedBefore.add(file.picture.path);
      failures += 1;
      return { state: 'failed', error: failure };
    }
  };

  const outcomes = await mapLimit(ordered, few, async (file, index): Promise<FileOutcome> => {
    const outcome = await settle(file, index === 0 ? Number.POSITIVE_INFINITY : pictureTime);
    done += 1;
    await given.progress(done, files.length);
    return { file, path: pathOf(file, outcome), outcome };
  });
  const order = new Map(files.map((file, index) => [file, index]));
  const inOrder = outcomes.toSorted(
    (one, other) => (order.get(one.file) ?? 0) - (order.get(other.file) ?? 0),
  );
  return { outcomes: inOrder, bytes, diskFull, stoppedAfter: failures < mostFailures ? null : failures };
}

function rank({ picture }: DownloadFile, failedBefore: ReadonlySet<string>): number {
  return failedBefore.has(picture.path) ? 1 : 0;
}

async function contentOf({ picture }: DownloadFile, { catalogue, deadline }: Downloading, mostTime: number) {
  const until = noLaterThan(deadline, Math.min(mostTime, deadline.left() - answerTime));
  const { bytes } = await catalogue.fetchImage(picture.path, until);
  return { bytes, extension: extensions[await verifyPicture(bytes)] };
}

/** Several files may be of one picture, as those beside two versions of an episode: it is fetched once. */
function sharedContents(files: readonly DownloadFile[], given: Downloading) {
  const counts = new Map<string, number>();
  for (const { picture } of files) counts.set(picture.path, (counts.get(picture.path) ?? 0) + 1);
  const kept = new Map<string, ReturnType<typeof contentOf>>();
  return (file: DownloadFile, mostTime: number): ReturnType<typeof contentOf> => {
    const { path } = file.picture;
    const content = kept.get(path) ?? contentOf(file, given, mostTime);
    if ((counts.get(path) ?? 0) > 1) kept.set(path, content);
    return content;
  };
}

/** A path that names an Asset's UUID names its bytes: a replacement has another (interface document, Asset feed item). */
const namesAsset = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/i;

function sourceOf({ picture: { path: ref, set } }: DownloadFile, service: string) {
  const source = { service, ref, set: keyOfTarget(set), setUpdated: set.updated };
  const isSameSource = (before: Written): boolean =>
    before.service === service &&
    before.ref === ref &&
    (namesAsset.test(ref) || (set.updated !== null && before.setUpdated === set.updated));
  return { source, isSameSource };
}

function pathOf(file: DownloadFile, outcome: FileOutcome['outcome']): string {
  const name = 'name' in outcome ? outcome.name : `${file.stem}${likelyEnd(file.picture.path)}`;
  return [...file.folders, name].join('/');
}

/** The extension that the service's path has, which the bytes may prove wrong. */
function likelyEnd(ref: string): string {
  const [, end] = /\.(png|jpe?g|webp|gif)(?:\?|$)/i.exec(ref) ?? [];
  return end === undefined ? '' : `.${end.toLowerCase().replace('jpeg', 'jpg')}`;
}

function isOfStore(error: ArtworkError): boolean {
  return error.category === 'internal' && (error.code.startsWith('store_') || error.code.startsWith('home_'));
}

/** How files of a format end, as every program reads them. */
const extensions: Readonly<Record<ImageFormat, string>> = {
  png: 'png',
  jpeg: 'jpg',
  webp: 'webp',
  gif: 'gif',
};

/**
 * Sees that bytes are one whole picture with something on it. A service that wants to be left alone may answer every
 * picture with the same blank one, and a proxy with a page: neither may end up in a library.
 * @throws ArtworkError `bad_response`
 */
async function verifyPicture(bytes: Buffer): Promise<ImageFormat> {
  const { original, raster } = await decodePicture(bytes, { width: glance, height: glance });
  const { format } = original;
  if (!isWhole(bytes, format)) {
    throw unusable('This picture ends before its end: only a part of it arrived.', 'picture_cut');
  }
  if (isBlank(raster.data, raster.channels)) {
    throw unusable(`This picture ${blankWords}.`, 'picture_blank');
  }
  return format;
}

/** Of an animation only the first frame is decoded, so its end is looked for. */
function isWhole(bytes: Buffer, format: ImageFormat): boolean {
  switch (format) {
    case 'gif':
      return bytes.at(-1) === 0x3b;
    case 'webp':
      return bytes.length >= bytes.readUInt32LE(4) + 8;
    case 'png':
      return bytes.includes('IEND', -16, 'latin1');
    case 'jpeg':
      // A truncated one is an error of the decoder.
      return true;
  }
}

function unusable(message: string, code: string): ArtworkError {
  return new ArtworkError('bad_response', message, { code });
}
