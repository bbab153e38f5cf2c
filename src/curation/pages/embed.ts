import sharp from 'sharp';
import { ArtworkError } from '../../errors.ts';
import { mapLimit } from '../../wire/map-limit.ts';
import { openImage } from '../open-image.ts';
import type { Raster } from '../encode-within.ts';
import { rasterOf } from '../thumbnail.ts';

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

/** Pictures of the catalogue as pages show them, kept so that a page that ran out of time is soon whole. */
export interface KeptThumbnails {
  /** Null where there is none, or none any more. @throws ArtworkError `internal` */
  find(picture: string, box: number): Promise<EmbeddedPicture | null>;
  /** @throws ArtworkError `internal` where the disk does not take it */
  keep(picture: string, box: number, embedded: EmbeddedPicture): Promise<void>;
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
  readonly kept?: KeptThumbnails;
}

/** Bytes of all pictures of a page: a phone opens it at once, and a person can send it on. */
export const pictureBudget = 5_000_000;
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
