import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { contrast, luminance } from '../../src/sandbox/pictures/colour.ts';
import { drawPicture } from '../../src/sandbox/pictures/draw.ts';
import { layoutOf } from '../../src/sandbox/pictures/layout.ts';
import { letter } from '../../src/sandbox/pictures/lettering.ts';
import { shapeOf, slots } from '../../src/sandbox/pictures/slots.ts';
import { styleOf } from '../../src/sandbox/pictures/style.ts';
import { arrange, type Words } from '../../src/sandbox/pictures/words.ts';

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

/** What stands in the picture of a seed, as `drawPicture` arranges it. */
async function wordsOf(
  slot: string,
  title: string,
  seed: string,
): Promise<{ words: Words; box: readonly number[] }> {
  const { manner, width, height } = shapeOf(slot);
  if (manner === 'logo') throw new Error('A logo has no layout.');
  const style = styleOf(seed);
  const layout = layoutOf({ manner, width, height }, style.turn);
  const words = await arrange(title, 'S10 E100', style.lettering, layout);
  if (words === null) throw new Error('There are no words.');
  const { x, y, width: wide, height: high } = layout.words;
  return { words, box: [x, y, x + wide, y + high] };
}

describe('the words of a picture', () => {
  it.each(titles.map((title) => [title.slice(0, 30), title]))(
    'stay inside their place: %j',
    async (_, title) => {
      for (const slot of slots.filter((name) => name !== 'logo')) {
        for (let hand = 0; hand < 3; hand++) {
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

  it('can be read on every ground', async () => {
    const title = 'The Lighthouse That Blinked';
    for (let hand = 0; hand < 25; hand++) {
      const slot = ['cover', 'thumb', 'wideCover', 'profile', 'squareArt'][hand % 5] ?? 'cover';
      const seed = `hand-${hand}`;
      const { words } = await wordsOf(slot, title, seed);
      const { bytes } = await drawPicture({ slot, title, subtitle: 'S10 E100', seed, format: 'png' });
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      for (const { letters, left, top } of words.pieces) {
        const ink: number[] = [];
        const ground: number[] = [];
        for (let at = 0; at < letters.width * letters.height; at++) {
          const alpha = letters.pixels[at * 4 + 3];
          const pixel =
            ((top + Math.floor(at / letters.width)) * info.width + left + (at % letters.width)) *
            info.channels;
          const value = luminance([data[pixel] ?? 0, data[pixel + 1] ?? 0, data[pixel + 2] ?? 0]);
          if (alpha === 255) ink.push(value);
          if (alpha === 0) ground.push(value);
        }
        const inkMean = mean(ink);
        const legible = ground.filter((value) => contrast(value, inkMean) >= 3).length / ground.length;
        expect(legible, `${seed} ${slot}`).toBeGreaterThan(0.95);
      }
    }
  });
});

describe('letter', () => {
  const room = { width: 600, height: 200, lines: 2, largest: 120, align: 'left' } as const;
  const plain = { face: 'sans', capitals: false, tracking: 0 } as const;

  it.each(['Latin', 'Кириллица', 'Ελληνικά', 'العربية', 'עברית', 'Հայերեն', 'ქართული', 'Tiếng Việt', '<&>'])(
    'sets %j',
    async (text) => {
      const letters = await letter(text, 60, plain, room);
      expect(letters?.width).toBeGreaterThan(40);
      expect(letters?.width).toBeLessThanOrEqual(room.width);
      expect(letters?.height).toBeLessThanOrEqual(room.height);
    },
  );

  it('sets a face that lacks a script with help of one that has it', async () => {
    expect(await letter('العربية', 60, { ...plain, face: 'serif' }, room)).not.toBeNull();
  });

  it('refuses what no face can show, rather than drawing boxes', async () => {
    expect(await letter('𒀀𒀁𒀂', 60, plain, room)).toBeNull();
    expect(await letter('Cuneiform 𒀀', 60, plain, room)).toBeNull();
    expect(await letter('\u{e000}\u{10fffd}', 60, plain, room)).toBeNull();
    expect(await letter(' \u0007 ', 60, plain, room)).toBeNull();
  });

  it('leaves out a symbol that no face has, and only that', async () => {
    const bare = await letter('Fox and Train', 60, plain, room);
    const decorated = await letter('Fox and Train 🫠', 60, plain, room);
    expect(decorated?.pixels.equals(bare?.pixels ?? Buffer.alloc(0))).toBe(true);
  });
});

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
