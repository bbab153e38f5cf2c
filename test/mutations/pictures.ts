import { randomInt } from 'node:crypto';
import sharp from 'sharp';

/** A small picture of one colour, which is another one each time: no two have the same bytes. */
export function picture(width: number, height: number): Promise<Buffer> {
  const background = { r: randomInt(256), g: randomInt(256), b: randomInt(256) };
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .withExif({ IFD0: { Copyright: String(randomInt(2 ** 47)) } })
    .toBuffer();
}

export const poster = () => picture(200, 300);
export const card = () => picture(320, 180);
