import type { Metadata, Sharp } from 'sharp';

export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'gif';

/** What the first 16 bytes say that a picture is, whatever a header or a name says; null for anything else. */
export function imageFormat(start: Buffer): ImageFormat | null {
  const has = (hex: string, at = 0) => start.toString('hex', at, at + hex.length / 2) === hex;
  if (has('89504e470d0a1a0a')) return 'png';
  if (has('ffd8ff')) return 'jpeg';
  if (has('474946383761') || has('474946383961')) return 'gif';
  if (has('52494646') && has('57454250', 8)) return 'webp';
  return null;
}

/** Decoded pixels, 8 bits a channel, in sRGB. */
export interface Raster {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  /** 4 only where something shines through. */
  readonly channels: 3 | 4;
}

/** Widest and highest, in pixels. */
export interface Box {
  readonly width: number;
  readonly height: number;
}

/** A picture of which only the header was read. */
export interface Encoded {
  /** Pixels, as it is meant to be seen: a camera's rotation mark is followed. */
  readonly width: number;
  readonly height: number;
  /** It has a rotation mark, which not everybody follows. */
  readonly rotated: boolean;
  /** More than one: it is animated. Of an animated PNG only the first can be read. */
  readonly frames: number;
  /** It has a channel for transparency. */
  readonly alpha: boolean;
  /** Its colours are for print. */
  readonly cmyk: boolean;
  /** Why it is never decoded here, as a sentence's end; null: it may be. */
  readonly tooLarge: string | null;
  /**
   * Waits until there is memory for the picture, and decodes it to fit a box: upright, in sRGB, never enlarged.
   * @throws Error of the decoder, whose words can quote the file; RangeError for a picture that is too large
   */
  decode(box: Box): Promise<Raster>;
}

/** A decoder that takes longer is stopped. */
const decodingSeconds = 20;

/**
 * Reads the header of a picture, and so tells what it would cost before anything is decoded. Every picture from outside
 * is opened here.
 * @param source bytes, or the path of a file, of which no more is held in memory than decoding needs
 * @param frame of an animation, from 0
 * @param damage `refused`: decoding fails wherever the decoder has to guess; `endured`: shows what it can
 * @throws Error of the decoder, whose words can quote the file
 */
export async function openEncoded(
  source: Buffer | string,
  frame: number,
  damage: 'refused' | 'endured',
): Promise<Encoded> {
  const { default: sharp } = await import('sharp');
  // It would keep what decoders hold of the last hundred pictures, and takes two files for one that had the same path.
  sharp.cache(false);
  const failOn = damage === 'refused' ? 'warning' : 'error';
  const picture = sharp(source, { limitInputPixels: false, failOn, sequentialRead: true, page: frame });
  const header = await picture.metadata();
  const cost = decodingMemory(header);
  const { width, height } = header.autoOrient;
  const tooLarge =
    cost <= mostDecodedBytes
      ? null
      : `takes ${inMebibytes(cost)} once decoded (${width}×${height}), and ${inMebibytes(mostDecodedBytes)} is the most here`;
  return {
    width,
    height,
    rotated: isRotated(header),
    frames: header.pages ?? 1,
    alpha: header.hasAlpha,
    cmyk: header.space === 'cmyk',
    tooLarge,
    decode(box) {
      if (tooLarge !== null) throw new RangeError(`The picture ${tooLarge}.`);
      const upright = picture.clone().timeout({ seconds: decodingSeconds }).autoOrient();
      // A decoder of JPEGs that may shrink them passes over damage; one that is asked for a part reads all of it.
      const isRead = damage === 'refused' && header.format === 'jpeg';
      const whole = isRead ? upright.extract({ left: 0, top: 0, width, height }) : upright;
      return inTurn(cost, () => decodeInto(box, whole));
    },
  };
}

async function decodeInto(box: Box, picture: Sharp): Promise<Raster> {
  const { data, info } = await picture
    .resize({ ...box, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const size = { width: info.width, height: info.height };
  if (info.channels === 3) return { data, ...size, channels: 3 };
  if (!isAlphaOf(data, 255)) return { data, ...size, channels: 4 };
  const { default: sharp } = await import('sharp');
  const opaque = sharp(data, { raw: { ...size, channels: 4 } }).removeAlpha();
  return { data: await opaque.raw().toBuffer(), ...size, channels: 3 };
}

/** Whether all pixels are as opaque: 0 not at all, 255 wholly. */
export function isAlphaOf(rgba: Buffer, alpha: 0 | 255): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== alpha) return false;
  return true;
}

/** Whether a decoder was stopped, so that nothing is known of the picture but its header. */
export function isDecodingTimeout(error: unknown): error is Error {
  return error instanceof Error && /timeout/i.test(error.message);
}

/**
 * Bytes that all pictures take together that are decoded at one time. An 8K picture of 16 bits with transparency fits,
 * alone.
 */
const mostDecodedBytes = 256 * 1024 * 1024;

/**
 * The most memory that decoding a picture may take. One that is interlaced, or lies on its side, is held twice: as it
 * comes and as it is read.
 */
function decodingMemory(header: Metadata): number {
  const { width, height, format, depth, isProgressive } = header;
  // Decoders of these make four channels of whatever they read.
  const channels = format === 'gif' || format === 'webp' ? 4 : header.channels;
  const bytes = depth.endsWith('char') ? 1 : depth.endsWith('short') ? 2 : 8;
  return width * height * channels * bytes * (isProgressive || isRotated(header) ? 2 : 1);
}

function isRotated({ orientation }: Metadata): boolean {
  return (orientation ?? 1) !== 1;
}

function inMebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MiB`;
}

let free = mostDecodedBytes;
const waiting: { readonly cost: number; readonly start: () => void }[] = [];

/**
 * Runs `work` when there is room for its cost, and two at a time at most: each has threads of its own. Who came first
 * begins first, so that a large picture has its turn.
 */
async function inTurn<T>(memory: number, work: () => Promise<T>): Promise<T> {
  const cost = Math.max(memory, mostDecodedBytes / 2);
  await new Promise<void>((start) => {
    waiting.push({ cost, start });
    startNext();
  });
  try {
    return await work();
  } finally {
    free += cost;
    startNext();
  }
}

function startNext(): void {
  for (let [next] = waiting; next !== undefined && next.cost <= free; [next] = waiting) {
    waiting.shift();
    free -= next.cost;
    next.start();
  }
}
