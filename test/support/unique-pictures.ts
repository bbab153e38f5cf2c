import { randomInt, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** A PNG that nobody has uploaded before: `text` stands in it in clear, and may be millions of bytes long. */
export async function writePoster(folder: string, text: string = randomUUID()): Promise<string> {
  const file = path.join(folder, `${randomUUID()}.png`);
  await writeFile(file, withText(await plainPoster, text));
  return file;
}

/** The same with the proportion of a title card or a backdrop. */
export async function writeWide(folder: string): Promise<string> {
  const file = path.join(folder, `${randomUUID()}.png`);
  await writeFile(file, withText(await plainWide, randomUUID()));
  return file;
}

/** An animated picture of three frames. */
export async function writeAnimation(folder: string): Promise<string> {
  const file = path.join(folder, `${randomUUID()}.webp`);
  // Each mostly of one tone, so that one can be told from another.
  const frame = (tone: 0 | 1 | 2) =>
    marked({
      ...posterSize,
      colour: Array.from({ length: 3 }, (_, at) => (at === tone ? 230 : randomInt(60))),
    })
      .png()
      .toBuffer();
  const frames = await Promise.all([frame(0), frame(1), frame(2)]);
  await sharp(frames, { join: { animated: true } })
    .webp({ effort: 0 })
    .toFile(file);
  return file;
}

interface Marked {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue. */
  readonly colour: readonly number[];
}

const blue = [48, 80, 112];
const posterSize = { width: 200, height: 300 };
const plainPoster = marked({ ...posterSize, colour: blue })
  .png()
  .toBuffer();
const plainWide = marked({ width: 400, height: 225, colour: blue }).png().toBuffer();

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
export function marked({ width, height, colour }: Marked): Sharp {
  const pixels = Buffer.alloc(width * height * 3, Buffer.from(colour));
  for (let row = 0; row < 4; row += 1) pixels.fill(128, row * width * 3, row * width * 3 + 12);
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** A PNG that says that it has two frames. */
export function animatedPng(png: Buffer): Buffer {
  const chunk = Buffer.from('000000086163544c0000000200000000', 'hex');
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(chunk.subarray(4)));
  return Buffer.concat([png.subarray(0, 33), chunk, sum, png.subarray(33)]);
}
