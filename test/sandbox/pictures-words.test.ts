import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { contrast, luminance } from '../../src/sandbox/pictures/colour.ts';
import { drawPicture } from '../../src/sandbox/pictures/draw.ts';
import { layoutOf } from '../../src/sandbox/pictures/layout.ts';
import { renderText } from '../../src/sandbox/pictures/lettering.ts';
import { breakLines } from '../../src/sandbox/pictures/line-breaks.ts';
import { shapeOf, slots } from '../../src/sandbox/pictures/slot-shapes.ts';
import { styleOf } from '../../src/sandbox/pictures/style.ts';
import { arrangeWords, type Words } from '../../src/sandbox/pictures/title-block.ts';

const titles = [
  'It',
  'The Lighthouse That Blinked',
  'A title that goes on and on, wanders about, doubts itself, turns round and does not quite end',
  'W'.repeat(500),
  'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz',
  'مدينة لا وجود لها',
  `Tower${'\u0301\u0323'.repeat(80)}`,
  '𒀀𒀁𒀂',
];

const subtitle = 'Some Show · S10E100';

/** What stands in the picture of a seed, as `drawPicture` arranges it. */
async function wordsOf(
  slot: string,
  title: string,
  seed: string,
  line = subtitle,
): Promise<{ words: Words; box: readonly number[] }> {
  const { manner, width, height } = shapeOf(slot);
  if (manner === 'logo') throw new Error('A logo has no layout.');
  const style = styleOf(seed);
  const layout = layoutOf({ manner, width, height }, style.turn);
  const words = await arrangeWords(title, line, style.lettering, layout);
  if (words === null) throw new Error('There are no words.');
  const { x, y, width: wide, height: high } = layout.words;
  return { words, box: [x, y, x + wide, y + high] };
}

/** One slot of each shape that has a layout. */
const placesOfWords = slots.filter((slot, index) => {
  const { manner, width } = shapeOf(slot);
  const alike = slots.findIndex(
    (other) => shapeOf(other).manner === manner && shapeOf(other).width === width,
  );
  return manner !== 'logo' && alike === index;
});

describe('the words of a picture', () => {
  it.each(titles.map((title) => [title.slice(0, 30), title]))(
    'stay inside their place: %j',
    async (_, title) => {
      for (const [index, slot] of placesOfWords.entries()) {
        for (const hand of [index, index + 1]) {
          const { words, box } = await wordsOf(slot, title ?? '', `hand-${hand}`);
          const [left = 0, top = 0, right = 0, bottom = 0] = box;
          expect(left).toBeGreaterThan(0);
          expect(right).toBeLessThan(shapeOf(slot).width);
          for (const piece of words.pieces) {
            // Places are rounded to whole pixels.
            expect(piece.left).toBeGreaterThanOrEqual(Math.floor(left));
            expect(piece.top).toBeGreaterThanOrEqual(Math.floor(top));
            expect(piece.left + piece.letters.width).toBeLessThanOrEqual(Math.ceil(right));
            expect(piece.top + piece.letters.height).toBeLessThanOrEqual(Math.ceil(bottom));
          }
        }
      }
    },
  );

  it('can be read on every ground, the small line better than the title', async () => {
    const title = 'The Lighthouse That Blinked';
    for (let hand = 0; hand < 48; hand++) {
      const slot = ['cover', 'thumb', 'wideCover', 'titlecard', 'profile', 'squareArt'][hand % 6] ?? 'cover';
      const seed = `hand-${hand}`;
      const { words } = await wordsOf(slot, title, seed);
      const { bytes } = await drawPicture({ slot, title, subtitle, seed, format: 'png' });
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      for (const { letters, left, top, small } of words.pieces) {
        const ink: number[] = [];
        const ground: number[] = [];
        for (let at = 0; at < letters.width * letters.height; at += 5) {
          const alpha = letters.pixels[at * 4 + 3];
          if (alpha !== 0 && alpha !== 255) continue;
          const pixel =
            ((top + Math.floor(at / letters.width)) * info.width + left + (at % letters.width)) *
            info.channels;
          const value = luminance([data[pixel] ?? 0, data[pixel + 1] ?? 0, data[pixel + 2] ?? 0]);
          (alpha === 255 ? ink : ground).push(value);
        }
        const inkMean = mean(ink);
        const enough = small ? 6.5 : 4;
        const legible = ground.filter((value) => contrast(value, inkMean) >= enough).length / ground.length;
        expect(legible, `${seed} ${slot} ${small ? 'small' : 'title'}`).toBeGreaterThan(0.97);
      }
    }
  });

  it('say at least the number where no face can show the title', async () => {
    const unshowable = '𒀀𒀁𒀂';
    for (const slot of ['titlecard', 'poster', 'thumb']) {
      const words = async (title: string, line: string) => {
        const found = (await wordsOf(slot, title, 'hand-1', line)).words.pieces;
        return {
          title: found.find(({ small }) => !small)?.letters,
          small: found.find(({ small }) => small)?.letters,
        };
      };
      const emblem = await words(unshowable, '𒀀');
      const numbered = await words(unshowable, 'Some Show · S01E02');
      const other = await words(unshowable, 'Some Show · S01E03');
      expect(numbered.title?.width).toBeGreaterThan((emblem.title?.width ?? 0) * 1.5);
      expect(other.title?.pixels.equals(numbered.title?.pixels ?? Buffer.alloc(0))).toBe(false);
      // A show that can't be shown, or is too long, takes only itself out of the line.
      const alone = (await words('Title', 'S01E02')).small?.pixels ?? Buffer.alloc(0);
      for (const show of [unshowable, 'word '.repeat(30).trim()]) {
        expect((await words('Title', `${show} · S01E02`)).small?.pixels.equals(alone), show).toBe(true);
      }
      expect((await words('Title', 'Some Show · S01E02')).small?.pixels.equals(alone)).toBe(false);
    }
  });

  it.each([1, 2, 3, 4, 5])('never end one of %i lines with a dot that parts them', (count) => {
    for (const text of [
      'Horror · Lantern Slides',
      'The Tower of Mumble · Ο Πύργος · Башня · 塔',
      'One · Two · Three',
      '雲 · 色',
      'A ·B· C |D | E',
    ]) {
      const lines = breakLines(text, count);
      expect(lines.join(' ').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      for (const line of lines) expect(line).not.toMatch(/\s[·|]$/u);
    }
  });
});

describe('letter', () => {
  const room = { width: 600, height: 200, lines: 2, largest: 120, align: 'left' } as const;
  const plain = { face: 'sans', capitals: false, tracking: 0 } as const;

  it.each(['Latin', 'Кириллица', 'Ελληνικά', 'العربية', 'עברית', 'Հայերեն', 'ქართული', 'Tiếng Việt', '<&>'])(
    'sets %j',
    async (text) => {
      const letters = await renderText(text, 60, plain, room);
      expect(letters?.width).toBeGreaterThan(40);
      expect(letters?.width).toBeLessThanOrEqual(room.width);
      expect(letters?.height).toBeLessThanOrEqual(room.height);
    },
  );

  it('sets a face that lacks a script with help of one that has it', async () => {
    expect(await renderText('العربية', 60, { ...plain, face: 'serif' }, room)).not.toBeNull();
  });

  it('refuses what no face can show, rather than drawing boxes', async () => {
    expect(await renderText('𒀀𒀁𒀂', 60, plain, room)).toBeNull();
    expect(await renderText('Cuneiform 𒀀', 60, plain, room)).toBeNull();
    expect(await renderText('\u{e000}\u{10fffd}', 60, plain, room)).toBeNull();
    expect(await renderText(' \u0007 ', 60, plain, room)).toBeNull();
  });

  it('leaves out a symbol that no face has, and only that', async () => {
    const bare = await renderText('Fox and Train', 60, plain, room);
    const decorated = await renderText('Fox and Train 🫠', 60, plain, room);
    expect(decorated?.pixels.equals(bare?.pixels ?? Buffer.alloc(0))).toBe(true);
  });
});

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
