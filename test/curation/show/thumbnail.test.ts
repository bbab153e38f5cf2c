import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { thumbnail } from '../../../src/curation/show/thumbnail.ts';
import { ArtworkError } from '../../../src/errors.ts';

const roomy = { size: 300, maxBytes: 500_000 };

function plain(width: number, height: number, alpha = 1) {
  return sharp({ create: { width, height, channels: 4, background: { r: 200, g: 60, b: 20, alpha } } });
}

/** Pixels that hardly compress. */
function noise(width: number, height: number, channels: 3 | 4) {
  const data = Buffer.alloc(width * height * channels);
  let state = 1;
  for (let at = 0; at < data.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    data[at] = state >>> 24;
  }
  return sharp(data, { raw: { width, height, channels } });
}

async function refusal(image: Buffer): Promise<ArtworkError> {
  const error: unknown = await thumbnail(image, roomy).catch((reason: unknown) => reason);
  if (!(error instanceof ArtworkError)) throw new Error('It was not refused.', { cause: error });
  return error;
}

describe('thumbnail', () => {
  it.each([
    ['png', () => plain(1000, 1500).png().toBuffer()],
    ['jpeg', () => plain(1000, 1500).jpeg().toBuffer()],
    ['webp', () => plain(1000, 1500).webp().toBuffer()],
    ['gif', () => plain(1000, 1500).gif().toBuffer()],
  ] as const)('makes a small picture of a %s', async (format, make) => {
    const small = await thumbnail(await make(), roomy);
    expect(small).toMatchObject({
      contentType: 'image/jpeg',
      width: 300,
      height: 450,
      original: { format, width: 1000, height: 1500, frames: 1 },
    });
    expect(await sharp(small.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 300, height: 450 });
    const { dominant } = await sharp(small.bytes).stats();
    expect(Math.abs(dominant.r - 200)).toBeLessThan(16);
  });

  it('keeps transparency, as PNG or where that is too large as WebP', async () => {
    const logo = await plain(800, 310, 0.4).png().toBuffer();
    const kept = await thumbnail(logo, roomy);
    expect(kept.contentType).toBe('image/png');
    expect((await sharp(kept.bytes).stats()).isOpaque).toBe(false);

    const rough = await noise(400, 400, 4).png().toBuffer();
    const squeezed = await thumbnail(rough, { size: 400, maxBytes: 300_000 });
    expect(squeezed.contentType).toBe('image/webp');
    expect((await sharp(squeezed.bytes).stats()).isOpaque).toBe(false);
  });

  it('takes the first frame of an animation, and counts them', async () => {
    const frames = ['#f00', '#00f', '#0f0'].map((background) => ({
      create: { width: 40, height: 30, channels: 3 as const, background },
    }));
    const pictures = await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer()));
    for (const format of ['gif', 'webp'] as const) {
      const animation = await sharp(pictures, { join: { animated: true } })
        [format]({ delay: [100, 100, 100] })
        .toBuffer();
      const small = await thumbnail(animation, roomy);
      expect(small).toMatchObject({
        width: 40,
        height: 30,
        original: { format, width: 40, height: 30, frames: 3 },
      });
      const { dominant } = await sharp(small.bytes).stats();
      expect(dominant.r).toBeGreaterThan(200);
      expect(dominant.b).toBeLessThan(60);
    }
  });

  it.each([
    ['nothing', ''],
    ['a page', '<!doctype html><title>Not found</title>'],
    ['JSON', '{"data":null}'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['PDF', '%PDF-1.7'],
    ['TIFF', 'II*\u0000'],
    ['a name in the wrong place', 'not RIFF WEBP'],
    ['another RIFF', 'RIFF\u0010\u0000\u0000\u0000AVI LIST'],
  ])('refuses %s', async (_, text) => {
    const error = await refusal(Buffer.from(text, 'latin1'));
    expect(error).toMatchObject({
      category: 'bad_response',
      message: expect.stringContaining('not a picture'),
    });
  });

  it.each(['png', 'jpeg', 'webp', 'gif'] as const)(
    'refuses a %s that is cut short or damaged',
    async (format) => {
      const whole = await noise(200, 200, 3)[format]().toBuffer();
      const cut = await refusal(whole.subarray(0, whole.length / 2));
      expect(cut).toMatchObject({ category: 'bad_response', details: { format } });
      expect(cut.message).toContain('damaged');
      const rubbish = Buffer.concat([whole.subarray(0, 12), Buffer.alloc(500, 0x5a)]);
      expect(await refusal(rubbish)).toMatchObject({ category: 'bad_response', details: { format } });
    },
  );

  it('does not decode what claims to be enormous', async () => {
    const error = await refusal(pngHeader(30_000, 30_000));
    expect(error).toMatchObject({ category: 'bad_response', details: { format: 'png' } });
    expect(error.message).toContain('memory once decoded (30000×30000)');
  });
});

/** A PNG that says how large it is and has a single row's worth of data. */
function pngHeader(width: number, height: number): Buffer {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 2], 8);
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const frame = Buffer.alloc(body.length + 8);
    frame.writeUInt32BE(data.length, 0);
    frame.set(body, 4);
    frame.writeUInt32BE(crc32(body), body.length + 4);
    return frame;
  };
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', size),
    chunk('IDAT', Buffer.from('789c030000000001', 'hex')),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
