import type Sharp from 'sharp';

/** Decoded pixels, 8 bits a channel, in sRGB. */
export interface Raster {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
}

export interface EncodedImage {
  readonly bytes: Buffer;
  readonly contentType: 'image/jpeg' | 'image/png' | 'image/webp';
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

const qualities = [84, 70, 55] as const;
const smallest = 8;

/**
 * Encodes pixels so that they take at most `maxBytes`: first in lower quality, then in fewer pixels. Opaque
 * ones as JPEG; those with an alpha channel as PNG where that fits, else as WebP.
 * @throws RangeError when not even a picture of a few pixels fits
 */
export async function encodeWithin(raster: Raster, maxBytes: number): Promise<EncodedImage> {
  // Loaded by the first picture: most calls have none, and it takes 10 MB.
  const { default: sharp } = await import('sharp');
  for (
    let width = raster.width;
    width >= Math.min(smallest, raster.width);
    width = Math.floor(width * 0.75)
  ) {
    const { data, info } = await scaled(sharp, raster, width);
    const make = () =>
      sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
    const size = { width: info.width, height: info.height };
    if (raster.channels === 4) {
      const bytes = await make().png({ compressionLevel: 9 }).toBuffer();
      if (bytes.length <= maxBytes) return { bytes, contentType: 'image/png', ...size };
    }
    for (const quality of qualities) {
      const bytes =
        raster.channels === 4
          ? await make().webp({ quality, alphaQuality: quality, effort: 3 }).toBuffer()
          : await make().jpeg({ quality }).toBuffer();
      if (bytes.length > maxBytes) continue;
      return { bytes, contentType: raster.channels === 4 ? 'image/webp' : 'image/jpeg', ...size };
    }
  }
  throw new RangeError(`No picture fits into ${maxBytes} bytes.`);
}

function scaled(sharp: typeof Sharp, { data, width, height, channels }: Raster, target: number) {
  const source = sharp(data, { raw: { width, height, channels } });
  return (target === width ? source : source.resize({ width: target }))
    .raw()
    .toBuffer({ resolveWithObject: true });
}
