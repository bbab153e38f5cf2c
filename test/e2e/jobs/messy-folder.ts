import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { marked } from '../../support/unique-pictures.ts';

/** What lies in a folder under a name: a picture of so many pixels, or bytes that are none. */
type Content =
  | { readonly size: readonly [number, number]; readonly colour?: number; readonly alpha?: number }
  | string;

const card: Content = { size: [1280, 720] };
const poster: Content = { size: [1000, 1500] };
const backdrop: Content = { size: [1920, 1080] };

/** Where a file belongs, as its person would say: `1x03 titlecard`, `season 2 poster`, `show logo`. */
export interface Meant {
  readonly place: string;
  /** Its name tells it: no question is asked. */
  readonly clear: boolean;
}

const clear = (place: string): Meant => ({ place, clear: true });
const asked = (place: string): Meant => ({ place, clear: false });

interface Messy {
  readonly name: string;
  readonly content: Content;
  /** Null: it belongs nowhere. */
  readonly meant: Meant | null;
}

/** 44 files for Sherlock as a person has them after three months: 13 cards, posters, and what gathers beside them. */
export const messyFiles: readonly Messy[] = [
  { name: 'Sherlock S01E01.png', content: { ...card, colour: 0 }, meant: asked('1x01 titlecard') },
  { name: 'sherlock.1x02.png', content: card, meant: asked('1x02 titlecard') },
  { name: 'Sherlock - S01E03 - The Great Game FINAL.png', content: card, meant: clear('1x03 titlecard') },
  { name: 'Season 2/Sherlock 2x01.jpg', content: card, meant: clear('2x01 titlecard') },
  { name: 'Season 2/S02E02 final final.png', content: card, meant: clear('2x02 titlecard') },
  { name: 'Season 2/Sherlock S02E03 v3 (use this).png', content: card, meant: clear('2x03 titlecard') },
  { name: 'Season 03/Episode 1.png', content: card, meant: clear('3x01 titlecard') },
  { name: 'Season 03/Sherlock S03 E02.png', content: card, meant: clear('3x02 titlecard') },
  { name: 'Season 03/E03.png', content: card, meant: clear('3x03 titlecard') },
  { name: 'S4/Sherlock_s04e01_v2.png', content: card, meant: clear('4x01 titlecard') },
  { name: 'S4/The Lying Detective.png', content: card, meant: clear('4x02 titlecard') },
  { name: 'S4/sherlock 403.png', content: card, meant: asked('4x03 titlecard') },
  { name: 'Specials/The Abominable Bride.png', content: card, meant: clear('0x01 titlecard') },
  { name: 'Sherlock (2010) poster.jpg', content: poster, meant: clear('show poster') },
  { name: 'Sherlock backdrop.jpg', content: backdrop, meant: clear('show backdrop') },
  { name: 'Sherlock logo.png', content: { size: [800, 310], alpha: 0.5 }, meant: clear('show logo') },
  { name: 'Sherlock square.png', content: { size: [1000, 1000] }, meant: clear('show squareArt') },
  { name: 'Sherlock thumb.jpg', content: card, meant: clear('show thumb') },
  { name: 'Sherlock Season 1 poster.png', content: poster, meant: clear('season 1 poster') },
  { name: 'Season 2/poster.jpg', content: poster, meant: clear('season 2 poster') },
  { name: 'Season 03/season03-poster.jpg', content: poster, meant: clear('season 3 poster') },
  { name: 'S4/Season 4.jpg', content: poster, meant: clear('season 4 poster') },
  { name: 'Specials/Sherlock Specials poster.jpg', content: poster, meant: clear('season 0 poster') },
  { name: 'Season 1 backdrop.jpg', content: backdrop, meant: clear('season 1 backdrop') },
  { name: 'Season 2/backdrop.jpg', content: backdrop, meant: clear('season 2 backdrop') },
  { name: 'Season 03/fanart.jpg', content: backdrop, meant: clear('season 3 backdrop') },
  // The same to the byte as the first one, and others for a place that has one.
  { name: 'Sherlock S01E01 (1).png', content: { ...card, colour: 0 }, meant: null },
  { name: 'Copy of sherlock.1x02.png', content: card, meant: null },
  { name: 'Season 2/Sherlock 2x01 - alt.jpg', content: card, meant: null },
  { name: 'IMG_2034.jpg', content: card, meant: null },
  { name: 'DSC00017.JPG', content: card, meant: null },
  { name: 'PXL_20240501_101500.jpg', content: card, meant: null },
  { name: 'Screenshot 2024-05-01 at 10.15.00.png', content: card, meant: null },
  { name: 'Untitled-1.png', content: card, meant: null },
  { name: 'Season 2/S02E04.png', content: card, meant: null },
  { name: 'Sherlock S09E09.png', content: card, meant: null },
  { name: 'Season 1/S01E03 wide.png', content: { size: [1200, 400] }, meant: null },
  { name: 'S4/S04E03.jpg', content: 'this is no picture', meant: null },
  { name: 'Breaking Bad S01E01.png', content: card, meant: null },
  { name: 'notes.txt', content: 'colours: 1a2b3c', meant: null },
  { name: 'cards.psd', content: '8BPS', meant: null },
  { name: '.DS_Store', content: 'x', meant: null },
  { name: 'Season 2/Thumbs.db', content: 'x', meant: null },
  { name: '._Sherlock S01E01.png', content: 'x', meant: null },
];

export async function writeMessyFolder(folder: string): Promise<void> {
  for (const [index, { name, content }] of messyFiles.entries()) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : await draw(content, index, name));
  }
}

async function draw(
  { size: [width, height], colour, alpha = 1 }: Exclude<Content, string>,
  index: number,
  name: string,
): Promise<Buffer> {
  const hue = colour ?? index;
  const background = { r: (hue * 37) % 256, g: (hue * 91) % 256, b: (hue * 53) % 256, alpha };
  const picture =
    alpha === 1
      ? marked({ width, height, background })
      : sharp({ create: { width, height, channels: 4, background } });
  return /\.jpe?g$/i.test(name) ? picture.jpeg().toBuffer() : picture.png({ compressionLevel: 1 }).toBuffer();
}
