import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { drawPicture, type PictureRequest } from '../../src/sandbox/pictures/draw.ts';

/** Logos in several scripts and both fonts, on nothing, each of one word: where a line breaks is a close call. */
export const logoRequests: readonly PictureRequest[] = [
  'Lighthouse',
  'Город',
  'منارة',
  'Salt&<Pepper>',
].flatMap((title) =>
  ['creator-1', 'creator-3'].map(
    (creator): PictureRequest => ({
      slot: 'logo',
      title,
      subtitle: null,
      creator,
      language: 'en',
      series: 'series',
      seed: 'seed',
      format: 'png',
    }),
  ),
);

const [folder] = process.argv.slice(2);
if (folder !== undefined && path.isAbsolute(folder)) {
  for (const [index, request] of logoRequests.entries()) {
    await writeFile(path.join(folder, `${index}.png`), await drawPicture(request));
  }
}
