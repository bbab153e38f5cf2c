import { randomInt } from 'node:crypto';
import sharp from 'sharp';

type Format = 'png' | 'jpeg' | 'webp' | 'gif';

/** A picture of one colour, which is another one each time: no two have the same bytes. */
export async function picture(width: number, height: number, format: Format = 'png'): Promise<Buffer> {
  const made = sharp({ create: { width, height, channels: 3, background: colour() } });
  return made.toFormat(format, format === 'gif' ? {} : { quality: 80 }).toBuffer();
}

export const poster = () => picture(400, 600);

/** An animated picture with this many frames. */
export async function animation(
  width: number,
  height: number,
  frames: number,
  format: 'gif' | 'webp',
): Promise<Buffer> {
  const size = width * height * 3;
  const strip = Buffer.alloc(size * frames);
  for (let frame = 0; frame < frames; frame++) {
    // Dark and bright in turn: encoders make one frame of two that look alike.
    const tint = Object.values(colour()).map((part) => (part >> 2) + (frame % 2) * 192);
    strip.fill(Buffer.from(tint), frame * size, (frame + 1) * size);
  }
  return sharp(strip, { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
    .toFormat(format)
    .toBuffer();
}

function colour() {
  return { r: randomInt(256), g: randomInt(256), b: randomInt(256) };
}
