import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { isSlot, slots } from '../model.ts';
import { setWords } from './words.ts';

/** A picture of the catalogue's own. */
export interface Drawing {
  /** A slot of `model.ts`, which has its pixels; `profile` for a person. Any other gets a poster. */
  readonly slot: string;
  readonly title: string;
  /** A second line, such as a show's title and `S01E02`, of which the last part is set large; null: none. */
  readonly subtitle: string | null;
  /** The name of the account that made it, whose hand it shows; null: it came with the work. */
  readonly creator: string | null;
  readonly languageCode: string | null;
  readonly format: 'png' | 'jpeg' | 'webp';
  /** More than one: an animated picture, which only WebP can be. */
  readonly frames: number;
  /** The pictures of one series (a Set) share their colours. */
  readonly series: string;
  /** Two pictures with different seeds differ; the same drawing is the same picture. */
  readonly seed: string;
}

/** Draws a picture for a slot: a motif in colours of its series, with words that tell what it is. */
export async function drawPicture(drawing: Drawing): Promise<Buffer> {
  const { slot, creator, series, format, frames } = drawing;
  const [width, height] = slot === 'profile' ? [600, 900] : slots[isSlot(slot) ? slot : 'poster'].drawn;
  const colours = pick(palettes, numbersOf(`colours of ${creator} in ${series}`)[0]);
  const words = await wordsOf(drawing, colours, width, height);
  const still = (frame: number) => {
    const ground =
      slot === 'logo'
        ? `<rect width="${width}" height="${height}" rx="${height / 10}" fill="${colours.near}"/>`
        : scene(drawing, colours, { width, height, words: words.top }, frame);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${ground}</svg>`;
    const drawn = sharp(Buffer.from(svg)).composite([words.piece].flat());
    if (slot !== 'logo') return drawn.removeAlpha();
    return format === 'jpeg' ? drawn.flatten({ background: colours.near }) : drawn;
  };
  if (frames <= 1) return encoded(still(0), format).toBuffer();
  const stills = Array.from({ length: frames }, (_, frame) => still(frame).png().toBuffer());
  return encoded(sharp(await Promise.all(stills), { join: { animated: true } }), format).toBuffer();
}

function encoded(picture: Sharp, format: Drawing['format']): Sharp {
  switch (format) {
    case 'png':
      return picture.png({ compressionLevel: 2 });
    case 'jpeg':
      return picture.jpeg({ quality: 86, optimizeCoding: false });
    case 'webp':
      return picture.webp({ quality: 80, effort: 0, delay: 400 });
  }
}

/** Sizes of letters, as shares of the picture's. */
const sizes = {
  words: { mark: 0.075, title: 0.105, credit: 0.028 },
  /** On a picture that is looked at for itself. */
  few: { mark: 0, title: 0.045, credit: 0.021 },
  logo: { mark: 0.08, title: 0.24, credit: 0.045 },
  icon: { mark: 0, title: 0.46, credit: 0 },
} as const;

function sizesOf(slot: string) {
  if (slot === 'logo' || slot === 'icon') return sizes[slot];
  return sizes[slot === 'backdrop' || slot === 'background' || slot === 'hero' ? 'few' : 'words'];
}

function wordsOf(
  { slot, title, subtitle, creator, languageCode, series }: Drawing,
  { sun }: Palette,
  width: number,
  height: number,
) {
  const [align, capitals] = numbersOf(`hand of ${creator ?? series}`);
  const parts = subtitle?.split(' · ') ?? [];
  const mark = parts.pop() ?? '';
  const credit = [...parts, wordsFor(slot), languageCode?.toUpperCase(), creator].filter(
    (part) => part != null,
  );
  const isLatin = /^[\p{sc=Latn}\p{sc=Zyyy}]*$/u.test(title);
  const name = capitals < 0.4 && isLatin ? title.toUpperCase() : title;
  const margin = Math.min(width, height) * 0.08;
  const isWhole = slot === 'logo' || slot === 'icon';
  const room = (height - margin * 2) * (isWhole ? 1 : 0.5);
  const box = { x: margin, y: height - margin - room, width: width - margin * 2, height: room };
  const size = Math.sqrt(width * height);
  const share = sizesOf(slot);
  return setWords(
    [
      { text: mark, font: 'display', colour: sun, size: size * share.mark },
      {
        text: slot === 'icon' ? initials(title) : name,
        font: 'display',
        colour: ink,
        size: size * share.title,
      },
      { text: credit.join(' · '), font: 'text', colour: ink, size: size * share.credit },
    ],
    box,
    isWhole ? 'centre' : align < 0.3 ? 'foot-centre' : 'foot',
  );
}

function wordsFor(slot: string): string {
  const words =
    slot === 'titlecard' ? 'title card' : slot.replace(/[A-Z]/g, (one) => ` ${one.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The first characters of the first two words. */
function initials(title: string): string {
  return (title.match(/(?<![\p{L}\p{N}\p{M}'’])[\p{L}\p{N}]\p{M}*/gu) ?? []).slice(0, 2).join('');
}

/** A motif above the words, of which the lower end fades into their ground, as SVG. */
function scene(
  { slot, seed }: Drawing,
  colours: Palette,
  { width, height, words }: { readonly width: number; readonly height: number; readonly words: number },
  frame: number,
): string {
  const [which, side, nearness, shift] = numbersOf(`scene of ${seed}`);
  const motif = pick(slot === 'profile' ? motifs.portraits : motifs.scenes, which);
  const fade = Math.min(width, height) * 0.22;
  const edge = slot === 'icon' ? height : Math.min(height, words + fade * 0.3);
  // Motifs have what matters in the middle 1000 of their 1500 × 1000.
  const zoom = 1 + nearness * 0.1 + frame * 0.03;
  const [wide, high] = [1500 / zoom, 1000 / zoom];
  const view = `${(1500 - wide) * shift} ${(1000 - high) / 2} ${wide} ${high}`;
  const mirror = side < 0.5 ? '' : ' transform="translate(1500 0) scale(-1 1)"';
  const fills = Object.entries(colours).map(([name, colour]) => `.${name}{fill:${colour};color:${colour}}`);
  return `<style>${fills.join('')}.sky{fill:url(#sky)}.mark{fill:${colours.near};color:${colours.sun}}</style>
<linearGradient id="sky" x2="0" y2="1"><stop stop-color="${colours.top}"/><stop offset="1" stop-color="${colours.low}"/></linearGradient>
<linearGradient id="fade" x2="0" y2="1"><stop stop-color="${colours.near}" stop-opacity="0"/><stop offset="1" stop-color="${colours.near}"/></linearGradient>
<rect class="near" width="${width}" height="${height}"/>
<svg width="${width}" height="${edge}" viewBox="${view}" preserveAspectRatio="xMidYMid slice"><g${mirror}>${motif}</g></svg>
<rect y="${edge - fade}" width="${width}" height="${fade + 1}" fill="url(#fade)"/>`;
}

/** The drawings in `motifs/`; in the build they lie beside the program. Their classes are members of a palette. */
const motifs = load();

function load() {
  const folder = path.join(import.meta.dirname, 'motifs');
  const read = (names: readonly string[]) =>
    names.map((name) => readFileSync(path.join(folder, name), 'utf8').replace(/<\/?svg\b[^>]*>/g, ''));
  const names = readdirSync(folder).sort();
  return {
    portraits: read(names.filter((name) => name.startsWith('portrait'))),
    scenes: read(names.filter((name) => !name.startsWith('portrait'))),
  };
}

const ink = '#fbf8f3';

/** The sky, above and at the horizon; what shines; the land from the farthest to the nearest, beneath the words too. */
const palettes = [
  '02201c 9e1a01 feb6a7 6e5804 384509 032e13 01110e',
  '023b61 28dcb1 beffe8 1c8a91 0f5f6f 01374b 011323',
  '001a3b 7f199c ebb1ff 6335be 352990 0e1b5f 000d23',
  '063e50 fc98d2 fee7f3 8465c2 414e93 02335c 00141d',
  'd19dce ebf3d2 faffea e3a97d b97369 85455b 3a0f39',
  '054331 e59efd f8e8fe 407acb 105d78 023a3b 00170e',
  'e1a080 dbf3fe f8fdff 88c99e 829050 755713 3e1701',
  '08441f c3c643 f1f5a6 648818 376217 113c0f 011706',
  '0c1148 4d5d0b badb4c 11695d 0b4751 04283e 05062f',
  '230740 7d4504 fcbb84 a9083d 72074b 400244 140129',
  '432170 98bffe e6effe 6470cc 4e4a91 33275a 160928',
  '014513 c4affb f0ebff 1984b7 07606a 023b31 011704',
  '380110 095f74 6cdbfe 4f3ec5 59177b 450235 210007',
  '021f25 433ac0 bec7fb 015ba8 044466 042a38 011015',
  '64c2ce ffeadc fffbf8 b4bf7c 649768 156c5b 022a2e',
  '6c0811 d6a6fb f5e9ff af5595 833659 551a28 260404',
  '35031e 575a0c ced537 824c08 6b2609 4b0313 1f0110',
  'e49c8d f8efcd fffcf0 ddad77 b27a50 864b2f 460b03',
].map((written) => {
  const [top = '', low = '', sun = '', far = '', hill = '', rise = '', near = ''] = written
    .split(' ')
    .map((digits) => `#${digits}`);
  return { top, low, sun, far, hill, rise, near };
});

type Palette = (typeof palettes)[number];

/** Four numbers from 0 to 1, the same for the same text on every machine. */
function numbersOf(text: string): readonly [number, number, number, number] {
  const bytes = createHash('sha256').update(text).digest();
  const at = (index: number) => bytes.readUInt16LE(index * 2) / 65_536;
  return [at(0), at(1), at(2), at(3)];
}

function pick<T>(items: readonly T[], share: number): T {
  const item = items[Math.floor(share * items.length)];
  if (item === undefined) throw new TypeError('There is nothing to pick from.');
  return item;
}
