import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawPicture, type PictureRequest } from '../../src/sandbox/pictures/draw.ts';

const base: PictureRequest = {
  slot: 'poster',
  title: 'The Lighthouse That Blinked',
  subtitle: 'Season 2',
  creator: 'halftone-hare',
  language: 'en',
  series: 'set-7',
  seed: 'asset-1',
  format: 'webp',
};

const hostile: readonly string[] = [
  '',
  '   ',
  '<span size="999999">&amp;&lt;big</span> & <3 "\'',
  'line\nbreak\ttab\u0000nul\u0007bell\u001b[31mred',
  '\u202eright to left override\u2066\u2069\u200b\ufeff',
  '\ud800 lone surrogate \udfff',
  'W'.repeat(500),
  'word '.repeat(100),
  'مدينة لا وجود لها',
  'העיר שאיננה 42 (1999)',
  `Zalgo${'\u0301\u0323\u0335'.repeat(60)}`,
  '\u0301\u0323',
  '\u200d',
  '𒀀𒀁𒀂',
  '\u{10ffff}\u{e000}',
  '🦊🚂 👩‍🚀 🏳️‍🌈',
  '…',
];

async function pixels(bytes: Buffer) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return { data, ...info };
}

describe('a drawn picture', () => {
  it.each([
    ['poster', 1000, 1500],
    ['cover', 600, 900],
    ['profile', 800, 1200],
    ['backdrop', 1920, 1080],
    ['background', 1920, 1080],
    ['titlecard', 1920, 1080],
    ['thumb', 1000, 562],
    ['hero', 1920, 620],
    ['wideCover', 920, 430],
    ['squareArt', 1024, 1024],
    ['squareCover', 1024, 1024],
    ['icon', 512, 512],
    ['logo', 800, 310],
    ['an unknown slot', 1000, 1500],
  ])('of a %s has its proportions', async (slot, width, height) => {
    const drawn = await pixels(await drawPicture({ ...base, slot }));
    expect([drawn.width, drawn.height]).toEqual([width, height]);
  });

  it.each(hostile)('is drawn whatever it is called: %j', async (title) => {
    for (const slot of ['cover', 'thumb', 'wideCover', 'icon', 'profile']) {
      const usual = await sharp(await drawPicture({ ...base, slot })).metadata();
      const drawn = await pixels(
        await drawPicture({ ...base, slot, title, subtitle: title, creator: title }),
      );
      expect([drawn.width, drawn.height]).toEqual([usual.width, usual.height]);
    }
  });

  it.each(['png', 'jpeg', 'webp'] as const)('is real %s, and only a logo is transparent', async (format) => {
    const poster = await drawPicture({ ...base, format });
    expect((await sharp(poster).metadata()).format).toBe(format);
    expect((await sharp(poster).stats()).isOpaque).toBe(true);
    const logo = await drawPicture({ ...base, slot: 'logo', format });
    expect((await sharp(logo).metadata()).format).toBe(format);
    expect((await sharp(logo).stats()).isOpaque).toBe(format === 'jpeg');
  });

  it.each(hostile)('keeps the lettering of a logo off its edges: %j', async (title) => {
    for (const creator of ['halftone-hare', 'quiet.reel', 'kumo_iro']) {
      const { data, width, height } = await pixels(
        await drawPicture({ ...base, slot: 'logo', title, creator }),
      );
      const opacity = (column: number, row: number) => data[(row * width + column) * 4 + 3];
      for (let row = 0; row < height; row++)
        for (const column of [0, 1, width - 2, width - 1]) expect(opacity(column, row)).toBe(0);
      for (let column = 0; column < width; column++)
        for (const row of [0, 1, height - 2, height - 1]) expect(opacity(column, row)).toBe(0);
    }
  });

  it.each(['poster', 'titlecard', 'logo', 'icon'])(
    'of a %s tells all that it is of, and nothing else',
    async (slot) => {
      const drawn = await drawPicture({ ...base, slot });
      expect((await drawPicture({ ...base, slot })).equals(drawn)).toBe(true);
      const others = [
        { title: 'Quite Another Title' },
        { creator: 'azulejo' },
        { language: 'de' },
        { language: null },
      ];
      for (const other of slot === 'icon'
        ? others
        : [...others, { subtitle: 'Season 3' }, { subtitle: null }])
        expect((await drawPicture({ ...base, slot, ...other })).equals(drawn), JSON.stringify(other)).toBe(
          false,
        );
    },
  );

  it('differs from its siblings where all words are the same', async () => {
    const drawn = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        drawPicture({ ...base, slot: 'thumb', seed: `asset-${index}` }),
      ),
    );
    expect(new Set(drawn.map((bytes) => bytes.toString('base64'))).size).toBe(drawn.length);
  });

  it('tells its creator at a glance', async () => {
    const small = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const bytes = await drawPicture({ ...base, slot: 'cover', creator: `creator-${index}` });
        return sharp(bytes).resize(60, 90, { fit: 'fill' }).removeAlpha().raw().toBuffer();
      }),
    );
    for (const [index, one] of small.entries()) {
      for (const other of small.slice(index + 1)) {
        const difference = one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0);
        expect(difference / one.length).toBeGreaterThan(12);
      }
    }
  });

  it('has a title in Latin letters where no font has its own, and leaves out symbols that none has', async () => {
    const [own, latin] = ['가상의 우체국', 'GaSangUi UCheGug'].map((title) =>
      drawPicture({ ...base, title }),
    );
    expect((await own)?.equals((await latin) ?? Buffer.alloc(0))).toBe(true);
    const plain = await drawPicture({ ...base, title: 'Fox and Train' });
    expect((await drawPicture({ ...base, title: 'Fox and Train 🫠' })).equals(plain)).toBe(true);
  });
});
