import type { Metadata, Sharp } from 'sharp';

/** Bytes whose first ones say that they are an image of one of four types; they have not been decoded. */
export interface CatalogueImage {
  readonly url: string;
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
  readonly bytes: Buffer;
}

/** The type that the first bytes show, whatever the answer's header says; null for anything else. */
export function imageType(bytes: Buffer): CatalogueImage['mediaType'] | null {
  const starts = (hex: string, at = 0) => bytes.toString('hex', at, at + hex.length / 2) === hex;
  if (starts('89504e470d0a1a0a')) return 'image/png';
  if (starts('ffd8ff')) return 'image/jpeg';
  if (starts('474946383761') || starts('474946383961')) return 'image/gif';
  if (starts('52494646') && starts('57454250', 8)) return 'image/webp';
  return null;
}

/**
 * Bytes that all pictures take together that are decoded at one time. An 8K picture of 16 bits with transparency
 * fits, alone; of ordinary artwork a dozen are decoded beside each other.
 */
export const mostDecodedBytes = 256 * 1024 * 1024;

/** A decoder that takes longer is stopped. */
const decodingSeconds = 20;

/** A picture of which only the header was read. */
export interface EncodedPicture {
  /** Pixels, as it is meant to be seen: a camera's rotation mark is followed. */
  readonly width: number;
  readonly height: number;
  /** It has a rotation mark. */
  readonly rotated: boolean;
  /** More than one: it is animated. */
  readonly frames: number;
  /** It can be transparent. */
  readonly alpha: boolean;
  /** Why it is never decoded here, as a sentence's end; null: it may be. */
  readonly tooLarge: string | null;
  /**
   * Waits until there is memory for the picture, and decodes it. Of an animation it is the frame that was asked for.
   * @throws what `work` throws; RangeError for a picture that is too large
   */
  decode<T>(work: (picture: Sharp) => Promise<T>): Promise<T>;
}

/**
 * Reads the header of a picture, and so tells what it would cost before anything is decoded. Every picture
 * from outside is opened here.
 * @param frame of an animation, from 0
 * @throws Error of the decoder, whose words can quote the file
 */
export async function openEncoded(bytes: Buffer, frame = 0): Promise<EncodedPicture> {
  const { default: sharp } = await import('sharp');
  // Its cache would keep what decoders hold of the last hundred pictures, which it takes for small.
  sharp.cache(false);
  const source = sharp(bytes, {
    limitInputPixels: false,
    failOn: 'error',
    sequentialRead: true,
    page: frame,
  });
  const header = await source.metadata();
  const cost = decodingMemory(header);
  const tooLarge = cost <= mostDecodedBytes ? null : describe(header, cost);
  return {
    ...header.autoOrient,
    rotated: isRotated(header),
    frames: header.pages ?? 1,
    alpha: header.hasAlpha,
    tooLarge,
    decode: async (work) => {
      if (tooLarge !== null) throw new RangeError(`The picture ${tooLarge}.`);
      return admit(cost, () => work(source.clone().timeout({ seconds: decodingSeconds })));
    },
  };
}

/** Whether a decoder was stopped, so that nothing is known of the picture but its header. */
export function isDecodingTimeout(error: unknown): error is Error {
  return error instanceof Error && /timeout/i.test(error.message);
}

type Header = Pick<
  Metadata,
  'width' | 'height' | 'format' | 'channels' | 'depth' | 'isProgressive' | 'orientation'
>;

/**
 * The most memory that decoding a picture may take. One that is interlaced, or lies on its side, is held twice: as
 * it comes and as it is read.
 */
export function decodingMemory(header: Header): number {
  const { width, height, format, depth } = header;
  // Decoders of these make four channels of whatever they read.
  const channels = format === 'gif' || format === 'webp' ? 4 : header.channels;
  const lease = header.isProgressive || isRotated(header) ? 2 : 1;
  return width * height * channels * bytesOf(depth) * lease;
}

function isRotated({ orientation }: Header): boolean {
  return (orientation ?? 1) !== 1;
}

function bytesOf(depth: Metadata['depth']): number {
  switch (depth) {
    case 'uchar':
    case 'char':
      return 1;
    case 'ushort':
    case 'short':
      return 2;
    case 'uint':
    case 'int':
    case 'float':
      return 4;
    case 'complex':
    case 'double':
      return 8;
    case 'dpcomplex':
      return 16;
  }
}

function describe(header: Header, cost: number): string {
  const { width, height, depth, isProgressive } = header;
  const how = [
    `${width}×${height}`,
    ...(bytesOf(depth) > 1 ? [`${8 * bytesOf(depth)} bits a channel`] : []),
    ...(isProgressive ? ['interlaced'] : []),
    ...(isRotated(header) ? ['turned by a mark in the file'] : []),
  ];
  const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024);
  return `takes ${megabytes(cost)} MiB of memory once decoded (${how.join(', ')}), and ${megabytes(mostDecodedBytes)} MiB is the most here`;
}

interface Waiting {
  readonly cost: number;
  readonly start: () => void;
}

let free = mostDecodedBytes;
const waiting: Waiting[] = [];

/** Runs `work` when there is room for its cost. Who came first begins first, so that a large picture has its turn. */
async function admit<T>(cost: number, work: () => Promise<T>): Promise<T> {
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
