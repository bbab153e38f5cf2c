import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetPath, slots } from '../../src/sandbox/model.ts';
import { type Drawing, drawPicture } from '../../src/sandbox/pictures/draw.ts';
import { type Embedded, startEmbedded } from './embedded.ts';

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
    '🏳️‍🌈',
    'ไม่มีอยู่',
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

describe('a picture of the catalogue', () => {
  let embedded: Embedded;
  beforeAll(async () => {
    embedded = await startEmbedded();
  });
  afterAll(() => embedded.stop());

  it('is served as its record says, still or moving', async () => {
    const { store, baseUrl } = embedded.sandbox;
    const rows = store.all(
      'SELECT * FROM assets WHERE replaced_from IS NULL GROUP BY slot, format = ?, frames',
      'webp',
    );
    expect(new Set(rows.map((row) => row.integer('frames'))).size).toBe(2);
    for (const row of rows) {
      const answer = await fetch(new URL(assetPath(row), baseUrl));
      const served = Buffer.from(await answer.arrayBuffer());
      const {
        width,
        height,
        pageHeight = height,
        pages = 1,
      } = await sharp(served, { animated: true }).metadata();
      expect([answer.headers.get('content-type'), width, pageHeight, pages]).toEqual([
        `image/${row.text('format')}`,
        row.integer('width'),
        row.integer('height'),
        row.integer('frames'),
      ]);
    }
  });
});
