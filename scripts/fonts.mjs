// The fonts of drawn words, written beside the program: their packages would take three times the room.
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import subsetFont from 'subset-font';

const { resolve } = createRequire(import.meta.url);

/** What labels and small print are set in: as it is, with all its symbols. */
const text = 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf';

/** What titles are set in: most of it is ideographs, of which the build keeps the common ones. */
const display = '@expo-google-fonts/dela-gothic-one/400Regular/DelaGothicOne_400Regular.ttf';

export const fontPackages = ['@expo-google-fonts/dela-gothic-one', 'dejavu-fonts-ttf'];

/**
 * Writes each font under its file's name.
 * @param {string} folder made where it is not there
 * @param {string} data folder of the embedded catalogue's data: every character of it is kept where a font has it
 */
export async function writeFonts(folder, data) {
  await mkdir(folder, { recursive: true });
  await copyFile(resolve(text), path.join(folder, path.basename(text)));
  const kept = everythingButIdeographs() + commonIdeographs() + (await textOf(data));
  const written = await subsetFont(await readFile(resolve(display)), kept, { targetFormat: 'truetype' });
  await writeFile(path.join(folder, path.basename(display)), written);
}

/** @param {string} data */
async function textOf(data) {
  const files = (await readdir(data)).filter((name) => name.endsWith('.jsonl'));
  return (await Promise.all(files.map((name) => readFile(path.join(data, name), 'utf8')))).join('');
}

function everythingButIdeographs() {
  const characters = Array.from({ length: 0xffff }, (_, point) => String.fromCodePoint(point));
  return characters.filter((character) => /^[^\p{sc=Han}\p{C}]$/u.test(character)).join('');
}

/** The first level of JIS X 0208, which Japanese titles are written with. */
function commonIdeographs() {
  const decoder = new TextDecoder('shift_jis');
  let found = '';
  for (let lead = 0x88; lead <= 0x98; lead++)
    for (let trail = 0x40; trail <= 0xfc; trail++) {
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if (/^\p{sc=Han}$/u.test(character)) found += character;
    }
  return found;
}
