// The fonts of drawn words, written beside the program: their packages would take three times the room.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import subsetFont from 'subset-font';

const { resolve } = createRequire(import.meta.url);

/** What labels are set in, and what fills the gaps of every other face: as they are, with all their symbols. */
const whole = ['DejaVuSans', 'DejaVuSans-Bold'].map(dejavu);

/** What only titles are set in. A symbol that one of them lacks here is drawn in the face that fills the gaps. */
const letters = [
  'DejaVuSansCondensed-Bold',
  'DejaVuSans-BoldOblique',
  'DejaVuSans-ExtraLight',
  'DejaVuSerif-Bold',
  'DejaVuSerifCondensed-Bold',
  'DejaVuSerif-Italic',
  'DejaVuSansMono-Bold',
].map(dejavu);

/** What other scripts are set in. */
const otherScripts = [
  'dela-gothic-one/400Regular/DelaGothicOne_400Regular.ttf',
  'black-han-sans/400Regular/BlackHanSans_400Regular.ttf',
  'itim/400Regular/Itim_400Regular.ttf',
  'modak/400Regular/Modak_400Regular.ttf',
].map((file) => `@expo-google-fonts/${file}`);

export const fontPackages = [...new Set([...whole, ...otherScripts].map(packageOf))];

/** @param {string} file */
function packageOf(file) {
  return file
    .split('/')
    .slice(0, file.startsWith('@') ? 2 : 1)
    .join('/');
}

/** @param {string} name */
function dejavu(name) {
  return `dejavu-fonts-ttf/ttf/${name}.ttf`;
}

/**
 * Writes each font under its file's name.
 * @param {string} folder made where it is not there
 * @param {string} data folder of the embedded catalogue's data: every character of it is kept where a font has it
 */
export async function writeFonts(folder, data) {
  await mkdir(folder, { recursive: true });
  const titles = await textOf(data);
  const lettersOf = characters(/[\p{L}\p{M}\p{N}\p{P}]|[ -\u21ff]/u);
  // What the face that fills the gaps has, these are never asked for.
  const others = characters(
    /[\p{sc=Zyyy}\p{sc=Zinh}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Deva}]/u,
  );
  const files = [
    ...whole.map((file) => ({ file, kept: null })),
    ...letters.map((file) => ({ file, kept: lettersOf + titles })),
    ...otherScripts.map((file) => ({ file, kept: others + commonIdeographs() + titles })),
  ];
  for (const { file, kept } of files) {
    const font = await readFile(resolve(file));
    const written = kept === null ? font : await subsetFont(font, kept, { targetFormat: 'truetype' });
    await writeFile(path.join(folder, path.basename(file)), written);
  }
}

/** @param {string} data */
async function textOf(data) {
  const files = (await readdir(data)).filter((name) => name.endsWith('.jsonl'));
  return (await Promise.all(files.map((name) => readFile(path.join(data, name), 'utf8')))).join('');
}

/** @param {RegExp} wanted */
function characters(wanted) {
  let found = '';
  for (let point = 0x20; point < 0x20000; point++) {
    const character = String.fromCodePoint(point);
    if (wanted.test(character)) found += character;
  }
  return found;
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
