import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { slots } from '../../src/sandbox/model.ts';
import { type Drawing, drawPicture } from '../../src/sandbox/pictures/draw.ts';

function drawing(changes: Partial<Drawing> = {}): Drawing {
  return {
    slot: 'icon',
    title: 'The Train Job',
    subtitle: 'Firefly · S01E02',
    creator: 'kumo_iro',
    languageCode: 'en',
    format: 'jpeg',
    frames: 1,
    series: '7',
    seed: 'a',
    ...changes,
  };
}

describe('a drawn picture', () => {
  it.each([...Object.keys(slots), 'profile'])(
    'has the pixels and the format that are asked for: %s',
    async (slot) => {
      const size = Object.entries(slots).find(([name]) => name === slot)?.[1].drawn ?? [600, 900];
      for (const format of ['jpeg', 'png', 'webp'] as const) {
        const { width, height, hasAlpha, ...found } = await sharp(
          await drawPicture(drawing({ slot, format })),
        ).metadata();
        expect([found.format, width, height, hasAlpha]).toEqual([
          format,
          ...size,
          slot === 'logo' && format !== 'jpeg',
        ]);
      }
    },
  );

  it('moves where it has frames', async () => {
    const moving = await drawPicture(drawing({ format: 'webp', frames: 4 }));
    expect(await sharp(moving, { animated: true }).metadata()).toMatchObject({ pages: 4, pageHeight: 256 });
  });

  it('is the same for the same request, and another for another title, number, creator or seed', async () => {
    const first = drawing({ slot: 'wideCover' });
    expect(await drawPicture(first)).toEqual(await drawPicture(first));
    const others = [
      { title: 'Serenity' },
      { subtitle: 'Firefly · S01E03' },
      { creator: 'azulejo' },
      { series: '8' },
      { seed: 'b' },
    ];
    for (const changes of others) {
      expect(await drawPicture({ ...first, ...changes })).not.toEqual(await drawPicture(first));
    }
  });

  it.each([
    '',
    'T',
    'Donaudampfschifffahrtsgesellschaftskapitänsmütze',
    '<b>&amp; "quoted"',
    '千と千尋の神隠し',
    'שלום עולם',
    'Z̸̢̡̛̛a̵̧̢l̶g̷o',
    '\u0000\u202eabc',
    'word '.repeat(60),
  ])('takes any title: %j', async (title) => {
    for (const slot of ['icon', 'logo', 'wideCover']) {
      expect((await drawPicture(drawing({ slot, title }))).byteLength).toBeGreaterThan(500);
    }
  });
});
