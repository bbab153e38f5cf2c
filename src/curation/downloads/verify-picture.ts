import { ArtworkError } from '../../errors.ts';
import { type ImageFormat, openImage } from '../open-image.ts';
import { rasterOf } from '../thumbnail.ts';

/** How files of a format end, as every program reads them. */
export const extensions: Readonly<Record<ImageFormat, string>> = {
  png: 'png',
  jpeg: 'jpg',
  webp: 'webp',
  gif: 'gif',
};

/** Pixels a side that are enough to see whether anything is on a picture; all of it is decoded for them. */
const glance = 256;

/**
 * Sees that bytes are one whole picture with something on it. A service that wants to be left alone may answer every
 * picture with the same blank one, and a proxy with a page: neither may end up in a library.
 * @throws ArtworkError `bad_response`
 */
export async function verifyPicture(bytes: Buffer): Promise<ImageFormat> {
  const opened = await openImage(bytes);
  const { format } = opened.original;
  if (!isWhole(bytes, format)) {
    throw unusable('This picture ends before its end: only a part of it arrived.', 'picture_cut');
  }
  const { data, channels } = await rasterOf(opened, glance, glance);
  if (isBlank(data, channels)) {
    throw unusable('This picture is blank: it has one colour, or none, all over.', 'picture_blank');
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

function isBlank(data: Buffer, channels: 3 | 4): boolean {
  if (channels === 4 && isInvisible(data)) return true;
  for (let at = channels; at < data.length; at += 1) {
    if (data[at] !== data[at - channels]) return false;
  }
  return true;
}

function isInvisible(rgba: Buffer): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 0) return false;
  return true;
}

function unusable(message: string, code: string): ArtworkError {
  return new ArtworkError('bad_response', message, { code });
}
