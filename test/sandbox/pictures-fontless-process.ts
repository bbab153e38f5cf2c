import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { drawPicture, type PictureRequest } from '../../src/sandbox/pictures/draw.ts';

/** Logos of several scripts and several hands, each of one word, since where a line breaks is a close call. */
export const logoRequests: readonly PictureRequest[] = [
  'Lighthouse',
  'Город',
  'منارة',
  'Salt&<Pepper>',
].flatMap((title) =>
  Array.from(
    { length: 5 },
    (_, hand): PictureRequest => ({
      slot: 'logo',
      title,
      subtitle: null,
      seed: `hand-${hand}`,
      format: 'png',
    }),
  ),
);

const [folder] = process.argv.slice(2);
if (folder !== undefined && path.isAbsolute(folder)) {
  for (const [index, request] of logoRequests.entries()) {
    await writeFile(path.join(folder, `${index}.png`), (await drawPicture(request)).bytes);
  }
}
