import type { Catalogue } from '../../catalogue/client.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { ImageFormat } from '../../files/decode.ts';
import { blankWords, glance, isBlank } from '../../files/picture.ts';
import { decodePicture } from '../show/picture.ts';

/** A picture as it is written. */
export interface Fetched {
  readonly bytes: Buffer;
  /** With its dot. */
  readonly ending: string;
  /** The type that it had, where its reader can't read that; null: it is as the service has it. */
  readonly convertedFrom: ImageFormat | null;
}

/**
 * Fetches one whole picture with something on it, in a type that its reader reads. A service that wants to be left alone
 * may answer every picture with the same blank one, and a proxy with a page: neither may end up in a library.
 * @param types that the reader reads, among them PNG and JPEG
 * @throws ArtworkError of the service; `bad_response` for what is no such picture
 */
export async function fetchPicture(
  catalogue: Pick<Catalogue, 'fetchImage'>,
  ref: string,
  types: readonly ImageFormat[],
  deadline: Deadline,
): Promise<Fetched> {
  const { bytes } = await catalogue.fetchImage(ref, deadline);
  const { original, raster } = await decodePicture(bytes, { width: glance, height: glance });
  const { format } = original;
  const unusable = (is: string, code: string) =>
    new ArtworkError('bad_response', `This picture ${is}.`, { code });
  if (!isWhole(bytes, format)) throw unusable('is incomplete: its end is missing', 'picture_cut');
  if (isBlank(raster.data, raster.channels)) throw unusable(blankWords, 'picture_blank');
  if (types.includes(format))
    return { bytes, ending: format === 'jpeg' ? '.jpg' : `.${format}`, convertedFrom: null };
  const { raster: whole } = await decodePicture(bytes, original);
  const { default: sharp } = await import('sharp');
  const picture = sharp(whole.data, { raw: whole });
  return whole.channels === 3
    ? { bytes: await picture.jpeg({ quality: 95 }).toBuffer(), ending: '.jpg', convertedFrom: format }
    : { bytes: await picture.png().toBuffer(), ending: '.png', convertedFrom: format };
}

/** Of an animation only the first frame is decoded, so its end is looked for. The decoder tells a truncated JPEG. */
function isWhole(bytes: Buffer, format: ImageFormat): boolean {
  if (format === 'gif') return bytes.at(-1) === 0x3b;
  if (format === 'webp') return bytes.length >= bytes.readUInt32LE(4) + 8;
  return format === 'jpeg' || bytes.includes('IEND', -16, 'latin1');
}
