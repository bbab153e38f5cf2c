import { randomInt, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import sharp, { type Color, type Sharp } from 'sharp';

/** A PNG that nobody has uploaded before: `text` stands in it in clear, and may be millions of bytes long. */
export async function writePoster(folder: string, text: string = randomUUID()): Promise<string> {
  const file = path.join(folder, `${randomUUID()}.png`);
  await writeFile(file, withText(await plainPoster, text));
  return file;
}

/** The same with the proportion of a title card or a backdrop. */
export async function writeWide(folder: string): Promise<string> {
  const file = path.join(folder, `${randomUUID()}.png`);
  const wide = { width: 400, height: 225, background: '#305070' };
  await writeFile(file, withText(await marked(wide).png().toBuffer(), randomUUID()));
  return file;
}

/** An animated picture of three frames. */
export async function writeAnimation(folder: string): Promise<string> {
  const file = path.join(folder, `${randomUUID()}.webp`);
  // Each mostly of one tone, so that one can be told from another.
  const frame = (tone: 'r' | 'g' | 'b') =>
    marked({
      ...posterSize,
      background: { r: randomInt(60), g: randomInt(60), b: randomInt(60), [tone]: 230 },
    })
      .png()
      .toBuffer();
  const frames = await Promise.all([frame('r'), frame('g'), frame('b')]);
  await sharp(frames, { join: { animated: true } })
    .webp({ effort: 0 })
    .toFile(file);
  return file;
}

const posterSize = { width: 200, height: 300 };
const plainPoster = marked({ ...posterSize, background: '#305070' })
  .png()
  .toBuffer();

/** A PNG with a text in it, in clear: before the last chunk, which is 12 bytes long and ends every PNG. */
export function withText(png: Buffer, text: string): Buffer {
  const data = Buffer.concat([Buffer.from('tEXtComment\0', 'latin1'), Buffer.from(text, 'latin1')]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length - 4);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(data));
  return Buffer.concat([png.subarray(0, -12), length, data, checksum, png.subarray(-12)]);
}

/** A picture of one colour with a mark in its corner: one of a single colour alone is warned of as blank. */
export function marked(size: {
  readonly width: number;
  readonly height: number;
  readonly background: Color;
}): Sharp {
  const dot = { create: { width: 4, height: 4, channels: 3, background: '#808080' } } as const;
  return sharp({ create: { ...size, channels: 3 } })
    .composite([{ input: dot, left: 0, top: 0 }])
    .removeAlpha();
}
