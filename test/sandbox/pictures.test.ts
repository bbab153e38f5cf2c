import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawPicture, type PictureRequest } from '../../src/sandbox/pictures/draw.ts';

const base: PictureRequest = {
  slot: 'poster',
  title: 'The Lighthouse That Blinked',
  subtitle: 'Season 2',
  seed: 'set-7/poster',
  format: 'jpeg',
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
  '𒀀𒀁𒀂',
  '\u{10ffff}\u{e000}',
  '🦊🚂 👩‍🚀 🏳️‍🌈',
  '…',
];

function named(title: string): [name: string, title: string] {
  return [title.slice(0, 30), title];
}

async function pixels(bytes: Buffer) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return { data, ...info };
}

/** Mean difference per channel, 0–255. */
function difference(one: Buffer, other: Buffer): number {
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length;
}

describe('drawPicture', () => {
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
  ])('draws %s in its proportions', async (slot, width, height) => {
    const picture = await drawPicture({ ...base, slot, format: 'webp' });
    const decoded = await pixels(picture.bytes);
    expect([picture.width, picture.height]).toEqual([width, height]);
    expect([decoded.width, decoded.height]).toEqual([width, height]);
  });

  it.each([
    ['png', 'image/png', /^89504e470d0a1a0a/],
    ['jpeg', 'image/jpeg', /^ffd8ff/],
    ['webp', 'image/webp', /^52494646.{8}57454250/],
  ] as const)('writes real %s', async (format, contentType, magic) => {
    for (const slot of ['poster', 'logo']) {
      const picture = await drawPicture({ ...base, slot, format });
      expect(picture.contentType).toBe(contentType);
      expect(picture.bytes.toString('hex', 0, 16)).toMatch(magic);
      await expect(pixels(picture.bytes)).resolves.toMatchObject({ width: picture.width });
    }
  });

  it.each(['png', 'webp'] as const)(
    'gives logos a transparent ground as %s, and nothing else one',
    async (format) => {
      const logo = await pixels((await drawPicture({ ...base, slot: 'logo', format })).bytes);
      const alphas = logo.data.filter((_, index) => index % 4 === 3);
      expect(logo.channels).toBe(4);
      expect(alphas.filter((alpha) => alpha === 0).length).toBeGreaterThan(alphas.length * 0.2);
      expect(alphas.filter((alpha) => alpha === 255).length).toBeGreaterThan(alphas.length * 0.02);
      const poster = await drawPicture({ ...base, format });
      expect((await sharp(poster.bytes).stats()).isOpaque).toBe(true);
    },
  );

  it('draws the same picture for the same seed', async () => {
    for (const slot of ['cover', 'titlecard', 'logo']) {
      const first = await drawPicture({ ...base, slot });
      const second = await drawPicture({ ...base, slot });
      expect(second.bytes.equals(first.bytes)).toBe(true);
    }
  });

  it('gives every creator of the same title a look of their own', async () => {
    const seeds = Array.from({ length: 12 }, (_, index) => `creator-${index}/poster`);
    const small = await Promise.all(
      seeds.map(async (seed) => {
        const { bytes } = await drawPicture({ ...base, slot: 'cover', seed });
        return sharp(bytes).resize(60, 90, { fit: 'fill' }).removeAlpha().raw().toBuffer();
      }),
    );
    for (const [index, poster] of small.entries()) {
      for (const other of small.slice(index + 1)) expect(difference(poster, other)).toBeGreaterThan(12);
    }
  });

  it('tells pictures of one style apart', async () => {
    const cards = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        drawPicture({
          ...base,
          slot: 'thumb',
          title: '',
          subtitle: null,
          seed: `set-7/episode-${index}`,
        }),
      ),
    );
    const digests = cards.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'));
    expect(new Set(digests).size).toBe(cards.length);
  });

  it('shows the title and the subtitle', async () => {
    for (const slot of ['cover', 'titlecard', 'thumb', 'icon', 'profile', 'squareArt', 'backdrop']) {
      const full = await drawPicture({ ...base, slot });
      const other = await drawPicture({ ...base, slot, title: 'Quite Another Title' });
      expect(other.bytes.equals(full.bytes)).toBe(false);
      const bare = await drawPicture({ ...base, slot, subtitle: null });
      expect(bare.bytes.equals(full.bytes)).toBe(slot === 'icon');
    }
  });

  it.each(hostile.map(named))('draws whatever it is called: %j', async (_, title) => {
    for (const slot of ['cover', 'thumb', 'icon']) {
      const picture = await drawPicture({ ...base, slot, title, subtitle: title });
      const decoded = await pixels(picture.bytes);
      expect([decoded.width, decoded.height]).toEqual([picture.width, picture.height]);
    }
  });

  it.each([...hostile, base.title].map(named))(
    'keeps lettering off the edges of a logo: %j',
    async (_, title) => {
      for (let hand = 0; hand < 3; hand++) {
        const { bytes } = await drawPicture({
          ...base,
          slot: 'logo',
          title,
          seed: `hand-${hand}`,
          format: 'png',
        });
        const { data, width, height } = await pixels(bytes);
        let ink = 0;
        let edge = 0;
        for (let at = 3; at < data.length; at += 4) {
          const column = ((at - 3) / 4) % width;
          const row = Math.floor((at - 3) / 4 / width);
          if (data[at] === 0) continue;
          ink++;
          if (Math.min(column, row, width - 1 - column, height - 1 - row) < 2) edge++;
        }
        expect(ink).toBeGreaterThan(0);
        expect(edge).toBe(0);
      }
    },
  );
});
