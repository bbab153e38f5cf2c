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
  const stills = await Promise.all(
    Array.from({ length: frames }, () =>
      sharp({ create: { width, height, channels: 3, background: colour() } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(stills, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
}

function colour() {
  return { r: randomInt(256), g: randomInt(256), b: randomInt(256) };
}
