import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { contactSheet } from '../../../src/curation/show/contact-sheet.ts';
import { ArtworkError } from '../../../src/errors.ts';

type Rgb = readonly [red: number, green: number, blue: number];

const options = { cellWidth: 160, maxBytes: 700_000 };

function picture(width: number, height: number, [r, g, b]: Rgb, alpha = 1): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 4, background: { r, g, b, alpha } } })
    .png()
    .toBuffer();
}

/** Colours far apart from each other, from white and from the greys of the sheet. */
const colours: readonly Rgb[] = [0, 128, 255]
  .flatMap((r) => [0, 128, 255].flatMap((g) => [0, 128, 255].map((b): Rgb => [r, g, b])))
  .filter(([r, g, b]) => Math.max(r, g, b) - Math.min(r, g, b) > 100);

async function decoded(bytes: Buffer) {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function countNear(data: Buffer, [r, g, b]: Rgb): number {
  let count = 0;
  for (let at = 0; at < data.length; at += 3) {
    const far = Math.max(
      Math.abs((data[at] ?? 0) - r),
      Math.abs((data[at + 1] ?? 0) - g),
      Math.abs((data[at + 2] ?? 0) - b),
    );
    if (far < 24) count++;
  }
  return count;
}

describe('contactSheet', () => {
  it.each([1, 5, 24])('shows all of %d pictures of many proportions', async (count) => {
    const shapes = [
      [200, 300],
      [320, 180],
      [310, 100],
      [150, 150],
      [192, 62],
    ] as const;
    const items = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const [width, height] = shapes[index % shapes.length] ?? [100, 100];
        return {
          image: await picture(width, height, colours[index % colours.length] ?? [255, 0, 0]),
          label: `picture ${index}`,
        };
      }),
    );
    const sheet = await contactSheet(items, options);
    const { data, width, height } = await decoded(sheet.bytes);
    expect([width, height]).toEqual([sheet.width, sheet.height]);
    for (const [index] of items.entries()) {
      expect(
        countNear(data, colours[index % colours.length] ?? [0, 0, 0]),
        `picture ${index}`,
      ).toBeGreaterThan(2_500);
    }
  });

  it('writes number and label', async () => {
    const image = await picture(480, 240, [255, 0, 0]);
    const white = async (label: string, number: number) => {
      const sheet = await contactSheet([{ image, label, number }], { ...options, cellWidth: 480 });
      return { ...sheet, white: countNear((await decoded(sheet.bytes)).data, [255, 255, 255]) };
    };
    const none = await white('', 1);
    const label = await white('season 2 poster', 1);
    const more = await white('season 2 poster', 88);
    expect(none.white).toBeGreaterThan(0);
    expect(label.white).toBeGreaterThan(none.white + 50);
    expect(more.white).toBeGreaterThan(label.white);
  });

  it.each([
    ['markup', '<b>bold</b> & <span foreground="red" size="999999">huge'],
    ['control characters', 'a\u0000b\u001b[2Jc\nd\u202ee'],
    ['one endless word', 'W'.repeat(5_000)],
    ['towers', `e${'\u0301'.repeat(300)}`],
    ['a lone surrogate', '\ud800'],
  ])('keeps a hostile label in its place: %s', async (_, label) => {
    const image = await picture(160, 240, [0, 0, 255]);
    const calm = await contactSheet(
      [
        { image, label: 'calm' },
        { image, label: 'calm' },
      ],
      options,
    );
    const sheet = await contactSheet(
      [
        { image, label },
        { image, label: 'calm' },
      ],
      options,
    );
    expect([sheet.width, sheet.height]).toEqual([calm.width, calm.height]);
    const [one, other] = await Promise.all([decoded(sheet.bytes), decoded(calm.bytes)]);
    // The second picture and its label, right of the middle, are untouched.
    let changed = 0;
    for (let y = 0; y < one.height; y++) {
      for (let x = Math.ceil(one.width / 2) + 8; x < one.width; x++) {
        const at = (y * one.width + x) * 3;
        if (Math.abs((one.data[at] ?? 0) - (other.data[at] ?? 0)) > 40) changed++;
      }
    }
    expect(changed).toBe(0);
  });

  it.each([40_000, 2_000])('stays within %d bytes', async (maxBytes) => {
    const data = Buffer.from(
      Array.from({ length: 160 * 240 * 3 }, (_, index) => Math.imul(index, 2654435761) >>> 24),
    );
    const image = await sharp(data, { raw: { width: 160, height: 240, channels: 3 } })
      .png()
      .toBuffer();
    const sheet = await contactSheet(
      Array.from({ length: 12 }, () => ({ image, label: 'noise' })),
      { cellWidth: 160, maxBytes },
    );
    expect(sheet.bytes.length).toBeLessThanOrEqual(maxBytes);
    expect(await sharp(sheet.bytes).metadata()).toMatchObject({ width: sheet.width, height: sheet.height });
  });

  it('grows no larger than a model can look at', async () => {
    const image = await picture(600, 900, [255, 0, 0]);
    const sheet = await contactSheet(
      Array.from({ length: 24 }, () => ({ image, label: 'large' })),
      { cellWidth: 600, maxBytes: 700_000 },
    );
    expect(Math.max(sheet.width, sheet.height)).toBeLessThanOrEqual(4_000);
  });

  it('names the item that can not be decoded', async () => {
    const image = await picture(160, 240, [255, 0, 0]);
    const items = [
      { image, label: 'whole', number: 4 },
      { image: image.subarray(0, image.length / 2), label: 'cut', number: 7 },
    ];
    const error: unknown = await contactSheet(items, options).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ArtworkError);
    expect(error).toMatchObject({ category: 'bad_response', details: { format: 'png', item: 7 } });
  });
});
