import { createHash } from 'node:crypto';
import { lstat, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { z } from 'zod';
import { ArtworkError, codeOf } from '../../errors.ts';
import { writeByDraft } from '../../storage/draft.ts';
import { makePrivateFolder, prepareHome } from '../../storage/home.ts';
import { fileFailureError } from '../../storage/store-error.ts';
import { sweepFolder } from '../../storage/sweep.ts';
import { jsonOf } from '../../text.ts';
import { mapLimit } from '../../wire/pacing.ts';
import { openImage, type Raster, rasterOf } from './thumbnail.ts';

/** A picture small enough to stand in a page, as a data URI. */
export interface EmbeddedPicture {
  readonly dataUri: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Something shines through. */
  readonly transparent: boolean;
  readonly original: { readonly width: number; readonly height: number };
}

/** Why a picture does not stand in the page, in words. */
export interface UnseenPicture {
  readonly unseen: string;
}

/** There was no time for it: the same call has it sooner. */
export const lateWords = 'not read in time';

export type PagePictures = ReadonlyMap<string, EmbeddedPicture | UnseenPicture>;

export interface Embedding {
  /** @throws ArtworkError where it can't be read */
  read(picture: string): Promise<Buffer>;
  /** Whether there is time to begin with another picture. */
  hasTime(): boolean;
  progress(done: number, of: number): Promise<void>;
  /** Where they are pictures of the catalogue: what was made of them before. */
  readonly kept?: Awaited<ReturnType<typeof openThumbnails>>;
}

/** Bytes of all pictures of a page: a phone opens it at once, and a person can send it on. */
const pictureBudget = 5_000_000;
/** Bytes of one picture: more than this shows no more. */
const mostOfOne = 80_000;
/** Pixels of its longer side: twice what a page shows, for dense screens. */
const largeBox = 720;
/** The same where there are many, whose share of the page's bytes a larger one would not keep to. */
const smallBox = 400;
const many = 48;
const fewFetched = 6;

/**
 * Reads pictures and makes each small enough that all fit the budget.
 * @throws ArtworkError `cancelled` alone: what else fails is told in that picture's place
 */
export async function embedPictures(
  pictures: readonly string[],
  { read, hasTime, progress, kept }: Embedding,
  budget: number = pictureBudget,
): Promise<PagePictures> {
  const distinct = [...new Set(pictures)];
  const each = Math.min(mostOfOne, Math.floor(budget / Math.max(1, distinct.length)));
  const box = distinct.length > many ? smallBox : largeBox;
  const embedded = new Map<string, EmbeddedPicture | UnseenPicture>();
  let done = 0;
  await mapLimit(distinct, fewFetched, async (picture) => {
    const known = (await kept?.find(picture, box)) ?? null;
    const isKept = known !== null && known.dataUri.length <= (each * 4) / 3 + 100;
    const made = isKept ? known : hasTime() ? await embed(picture, read, each, box) : { unseen: lateWords };
    if (!isKept && 'dataUri' in made) await kept?.keep(picture, box, made);
    embedded.set(picture, made);
    done += 1;
    await progress(done, distinct.length);
  });
  return embedded;
}

async function embed(
  picture: string,
  read: Embedding['read'],
  maxBytes: number,
  box: number,
): Promise<EmbeddedPicture | UnseenPicture> {
  try {
    const opened = await openImage(await read(picture));
    const raster = await rasterOf(opened, box, box);
    const small = await webpWithin(raster, maxBytes);
    const { width, height } = opened.original;
    return {
      dataUri: `data:image/webp;base64,${small.bytes.toString('base64')}`,
      width: small.width,
      height: small.height,
      transparent: raster.channels === 4,
      original: { width, height },
    };
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category === 'cancelled') throw error;
    return { unseen: 'could not be read' };
  }
}

/** WebP is what every browser of today shows, transparent or not, in the fewest bytes. */
async function webpWithin(
  raster: Raster,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer; readonly width: number; readonly height: number }> {
  for (let width = raster.width; ; width = Math.ceil(width * 0.75)) {
    for (const quality of [74, 48]) {
      const { data, info } = await sharp(raster.data, { raw: raster })
        .resize({ width })
        .webp({ quality, alphaQuality: quality, effort: 2 })
        .toBuffer({ resolveWithObject: true });
      if (data.length <= maxBytes || width < 32) {
        return { bytes: data, width: info.width, height: info.height };
      }
    }
  }
}

/** The frame that an animated Asset shows can be chosen anew, so none is kept for long. ms */
export const thumbnailsKeptForMs = 24 * 60 * 60_000;
/** Bytes of all that are kept; the oldest go first. */
const mostThumbnailBytes = 64 * 1024 * 1024;

const ours = /^[0-9a-f]{64}\.thumbnail$/;
const forMs = (name: string) => (ours.test(name) ? thumbnailsKeptForMs : null);
const pixels = z.int().min(1).max(100_000);
const header = z.strictObject({
  width: pixels,
  height: pixels,
  transparent: z.boolean(),
  original: z.strictObject({ width: pixels, height: pixels }),
  sha256: z.string(),
});

/**
 * Pictures of the catalogue as pages show them, kept so that a page that ran out of time is soon whole. Of the embedded
 * catalogue a person has the 77 pictures of a Set again in 1.6 s instead of 4.6, the 18 of a show in 0.3 s instead of
 * 1.7 (medians of four), and nobody draws or sends them once more. They lie below
 * the data directory, in `pages/thumbnails` (folder 0700, files 0600); what is too old or too much is taken away first.
 * @param origin whose pictures they are: an Asset path alone names none
 * @throws ArtworkError `internal` (`store_full`, `store_unreadable`, `home_not_private`)
 */
export async function openThumbnails(
  home: string,
  origin: string,
  now: number,
  mostBytes: number = mostThumbnailBytes,
) {
  const pages = path.join(home, 'pages');
  const folder = path.join(pages, 'thumbnails');
  const named = <Value>(work: Promise<Value>): Promise<Value> =>
    work.catch((error: unknown) => {
      throw error instanceof ArtworkError ? error : fileFailureError(folder, error);
    });
  await prepareHome(home);
  await named(makePrivateFolder(pages).then(() => makePrivateFolder(folder)));
  await named(sweepFolder(folder, now, { forMs, mostBytes }));
  // What it is a picture of is no file name: the digest of its name is.
  const fileOf = (picture: string, box: number) =>
    path.join(folder, `${digestOf(JSON.stringify([origin, picture, box]))}.thumbnail`);

  return {
    /** Null where there is none, or none any more. @throws ArtworkError `internal` */
    find: (picture: string, box: number) => named(read(fileOf(picture, box))),
    /** @throws ArtworkError `internal` where the disk does not take it */
    keep: (picture: string, box: number, embedded: EmbeddedPicture) =>
      named(write(fileOf(picture, box), embedded)),
  };
}

const prefix = 'data:image/webp;base64,';

/** What is not as it was written is none: the picture is read again. */
async function read(file: string): Promise<EmbeddedPicture | null> {
  let content: Buffer;
  try {
    if (!(await lstat(file)).isFile()) return null;
    content = await readFile(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
  const end = content.indexOf('\n');
  const bytes = content.subarray(end + 1);
  const parsed = header.safeParse(jsonOf(content.toString('utf8', 0, Math.max(0, end))));
  if (!parsed.success) return null;
  const { sha256, ...rest } = parsed.data;
  return sha256 === digestOf(bytes) ? { dataUri: prefix + bytes.toString('base64'), ...rest } : null;
}

/** Whole or not at all; not synced, since what is lost is made again. */
async function write(file: string, { dataUri, ...rest }: EmbeddedPicture): Promise<void> {
  const bytes = Buffer.from(dataUri.slice(prefix.length), 'base64');
  const head = Buffer.from(`${JSON.stringify({ ...rest, sha256: digestOf(bytes) })}\n`);
  await writeByDraft(
    file,
    (draft) => writeFile(draft, Buffer.concat([head, bytes]), { mode: 0o600, flag: 'wx' }),
    rename,
  );
}

function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
