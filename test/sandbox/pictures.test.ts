import sharp from 'sharp';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { assetPath, slots } from '../../src/sandbox/model.ts';
import { type Drawing, drawPicture } from '../../src/sandbox/pictures/draw.ts';
import { startEmbedded } from './embedded.ts';

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
        const isClear = slot === 'logo' && format !== 'jpeg';
        expect([found.format, width, height, hasAlpha]).toEqual([format, ...size, isClear]);
      }
    },
  );

  it('is the same for the same request, and another for another title, number, creator or seed', async () => {
    const first = drawing({ slot: 'wideCover' });
    expect(await drawPicture(first)).toEqual(await drawPicture(first));
    const others = [{ title: 'Serenity' }, { subtitle: 'Firefly · S01E03' }, { creator: 'azulejo' }];
    for (const changes of [...others, { seed: 'b' }]) {
      expect(await drawPicture({ ...first, ...changes })).not.toEqual(await drawPicture(first));
    }
  });

  it('takes any title', async () => {
    const titles = '|T|<b>&amp; "quoted"|千と千尋の神隠し|🏳️‍🌈|ไม่มีอยู่|שלום עולם|Z̸̢̡̛̛a̵̧̢l̶g̷o|\u0000\u202eabc';
    for (const title of [...titles.split('|'), 'Schifffahrtsgesellschaft'.repeat(3), 'word '.repeat(60)]) {
      for (const slot of ['icon', 'logo', 'wideCover']) {
        expect((await drawPicture(drawing({ slot, title }))).byteLength).toBeGreaterThan(500);
      }
    }
  });
});

test('a picture of the catalogue is served as its record says, still or moving', async () => {
  const embedded = await startEmbedded();
  onTestFinished(() => embedded.stop());
  const { store, baseUrl } = embedded.sandbox;
  const rows = store.all(
    "SELECT * FROM assets WHERE replaced_from IS NULL GROUP BY slot, format = 'webp', frames",
  );
  expect(new Set(rows.map((row) => row.integer('frames'))).size).toBe(2);
  for (const row of rows) {
    const answer = await fetch(new URL(assetPath(row), baseUrl));
    const picture = sharp(Buffer.from(await answer.arrayBuffer()), { animated: true });
    const { width, height, pageHeight = height, pages = 1 } = await picture.metadata();
    const type = answer.headers.get('content-type');
    expect([type, width, pageHeight, pages]).toEqual([
      `image/${row.text('format')}`,
      ...['width', 'height', 'frames'].map((column) => row.integer(column)),
    ]);
  }
});
