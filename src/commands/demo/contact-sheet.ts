import { writeFile } from 'node:fs/promises';
import { CommandError } from '../command.ts';
import type { Voice } from './voice.ts';

/** Keeps the picture of an answer for the person to look at. */
export async function keepSheet(voice: Voice, image: Buffer | undefined, file: string): Promise<void> {
  if (image === undefined) throw new CommandError('There is no contact sheet in the answer.');
  const { default: sharp } = await import('sharp');
  await writeFile(file, await sharp(image).png().toBuffer());
  voice.keeps(file);
}
