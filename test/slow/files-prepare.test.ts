import { createHash } from 'node:crypto';
import { truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reserveBuffer } from '../../src/files/chunks.ts';
import { type FileFacts, prepareFile } from '../../src/files/prepare.ts';
import { shapeOfSlot } from '../../src/model/slots.ts';
import { temporaryFolder } from '../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

interface Asked {
  readonly name?: string;
  readonly slot?: string;
  readonly maxBytes?: number | null;
  readonly known?: string;
}

async function factsOf(content: Buffer, asked: Asked = {}): Promise<FileFacts> {
  const { name = 'picture', slot = 'poster', maxBytes = null, known } = asked;
  const file = path.join(folder.path, name);
  writeFileSync(file, content);
  const roots = { configured: [folder.path], host: [] };
  const { facts, bytes } = await prepareFile(file, {
    roots,
    slot,
    usual: shapeOfSlot(slot),
    maxBytes,
    known,
  });
  await bytes.close();
  return facts;
}

const plain = (width: number, height: number, channels: 3 | 4 = 3): Sharp => {
  const marked = blank(width, height, channels).composite([{ input: dot, left: 0, top: 0 }]);
  return channels === 3 ? marked.removeAlpha() : marked;
};
const blank = (width: number, height: number, channels: 3 | 4 = 3): Sharp =>
  sharp({ create: { width, height, channels, background: { r: 40, g: 90, b: 120, alpha: 0.5 } } });
/** Something is on the picture. */
const dot = { create: { width: 4, height: 4, channels: 3, background: 'white' } } as const;
const noise = (width: number, height: number): Sharp =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'black',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });
const animation = (frames: number): Sharp =>
  sharp(
    Buffer.alloc(60 * 90 * 3 * frames, 7).map((byte, at) => byte + Math.floor(at / 16200) * 20),
    {
      raw: { width: 60, height: 90 * frames, channels: 3, pageHeight: 90 },
    },
  );
const codesOf = (facts: FileFacts) => facts.warnings.map((warning) => warning.code);

describe('what a file holds', () => {
  it.each([
    ['image/png', 'png', (picture: Sharp) => picture.png()],
    ['image/jpeg', 'jpg', (picture: Sharp) => picture.jpeg()],
    ['image/webp', 'webp', (picture: Sharp) => picture.webp()],
    ['image/gif', 'gif', (picture: Sharp) => picture.gif()],
  ] as const)('is told by its bytes: %s', async (contentType, ending, encode) => {
    const content = await encode(plain(1000, 1500)).toBuffer();
    const facts = await factsOf(content);
    expect(facts).toMatchObject({
      name: 'picture',
      filename: `picture.${ending}`,
      filenameChanged: true,
      contentType,
      contentLength: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      picture: { width: 1000, height: 1500, frames: 1, rotated: false },
      warnings: [],
    });
    expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
  });

  it('is not told by its name', async () => {
    const facts = await factsOf(await plain(1000, 1500).jpeg().toBuffer(), { name: 'poster.png' });
    expect(facts).toMatchObject({
      contentType: 'image/jpeg',
      filename: 'poster.png',
      filenameChanged: false,
    });
    expect(codesOf(facts)).toEqual(['type_differs_from_name']);
  });

  it('may be animated', async () => {
    for (const content of [await animation(5).gif().toBuffer(), await animation(5).webp().toBuffer()]) {
      const facts = await factsOf(content, { slot: 'unheard of' });
      expect(facts.picture).toMatchObject({ width: 60, height: 90, frames: 5 });
      expect(codesOf(facts)).toEqual(['animated', 'blank']);
    }
  });

  it('is measured as it is meant to be seen', async () => {
    const content = await plain(1500, 1000).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const facts = await factsOf(content);
    expect(facts.picture).toMatchObject({ width: 1000, height: 1500, rotated: true });
    expect(codesOf(facts)).toEqual(['rotated']);
  });

  it.each([
    ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a single byte', Buffer.from('x')],
    ['TIFF', Buffer.from('49492a0008000000', 'hex')],
    ['almost PNG', Buffer.from('89504e470d0a1a0b', 'hex')],
    ['RIFF, but not WebP', Buffer.from('524946460000000057415645', 'hex')],
    ['zeros', Buffer.alloc(1000)],
  ])('is refused when it is %s', async (_what, content) => {
    await expect(factsOf(content, { name: 'poster.png' })).rejects.toMatchObject({
      category: 'upload_refused',
      details: { reason: 'unknown_type' },
    });
  });

  it.each([
    ['png', (picture: Sharp) => picture.png()],
    ['jpeg', (picture: Sharp) => picture.jpeg({ quality: 90 })],
    ['progressive jpeg', (picture: Sharp) => picture.jpeg({ quality: 90, progressive: true })],
    ['webp', (picture: Sharp) => picture.webp()],
    ['gif', (picture: Sharp) => picture.gif()],
  ])('is refused when its end is missing: %s', async (_format, encode) => {
    const content = await encode(noise(200, 300)).toBuffer();
    expect(codesOf(await factsOf(content, { slot: 'unheard of' }))).toEqual([]);
    for (const length of [13, 200, Math.floor(content.length / 2), content.length - 100]) {
      await expect(factsOf(content.subarray(0, length))).rejects.toMatchObject({
        category: 'upload_refused',
        message: expect.stringContaining('damaged'),
        details: { reason: 'damaged' },
      });
    }
  });

  it('is pointed out when an animation ends in its middle', async () => {
    const content = await animation(5).gif().toBuffer();
    const facts = await factsOf(content.subarray(0, content.length - 1), { slot: 'unheard of' });
    expect(codesOf(facts)).toContain('cut_short');
  });

  it('is not decoded when that would take too much memory, nor when it has too many bytes', async () => {
    const many = await plain(20_000, 6000).png().toBuffer();
    const header = { width: 20_000, height: 6000, undecoded: expect.stringContaining('20000×6000') };
    expect(await factsOf(many)).toMatchObject({ contentType: 'image/png', picture: header });
    // What its header says is told all the same.
    expect(codesOf(await factsOf(many))).toEqual(['not_decoded', 'unusual_ratio']);
    const file = path.join(folder.path, 'sparse.png');
    writeFileSync(file, await plain(10, 15).png().toBuffer());
    truncateSync(file, 65 * 1024 * 1024);
    const roots = { configured: [folder.path], host: [] };
    const { facts, bytes } = await prepareFile(file, {
      roots,
      slot: 'poster',
      usual: shapeOfSlot('poster'),
      maxBytes: null,
    });
    await bytes.close();
    expect(facts).toMatchObject({ picture: null, contentLength: 65 * 1024 * 1024 });
    expect(codesOf(facts)).toEqual(['too_large', 'not_decoded']);
  });
});

describe('a file whose bytes were looked at before', () => {
  it('is not decoded again, while any other is', async () => {
    const content = await noise(100, 150).png().toBuffer();
    const damaged = Buffer.concat([content.subarray(0, content.length / 2), Buffer.alloc(1_000)]);
    const known = createHash('sha256').update(damaged).digest('hex');
    const facts = await factsOf(damaged, { known });
    expect(facts).toMatchObject({ contentType: 'image/png', sha256: known, picture: null, warnings: [] });
    await expect(factsOf(content.subarray(0, content.length / 2), { known })).rejects.toMatchObject({
      category: 'upload_refused',
      details: { reason: 'damaged' },
    });
  });
});

describe('warnings', () => {
  it.each([
    ['poster', 1000, 1500, []],
    ['poster', 1000, 1426, []],
    ['poster', 680, 1000, []],
    ['poster', 1500, 1000, ['unusual_ratio']],
    ['poster', 300, 450, ['small']],
    ['poster', 100, 100, ['unusual_ratio', 'small']],
    ['backdrop', 1920, 1080, []],
    ['backdrop', 1920, 1200, ['unusual_ratio']],
    ['titlecard', 1920, 1078, []],
    ['title_card', 1000, 1000, ['unusual_ratio', 'small']],
    ['squareArt', 1024, 1024, []],
    ['hero', 1920, 620, []],
    ['hero', 1600, 650, []],
    ['wideCover', 920, 430, []],
    ['icon', 8, 8, []],
    ['constructor', 7, 900, []],
    ['a slot of next year', 7, 900, []],
  ] as const)('a %s of %i×%i: %j', async (slot, width, height, codes) => {
    const facts = await factsOf(await plain(width, height).png().toBuffer(), { slot });
    expect(codesOf(facts)).toEqual(codes);
    for (const { message } of facts.warnings) expect(message).toContain(`${width}×${height}`);
  });

  it('tell a picture with nothing on it', async () => {
    const clear = sharp({ create: { width: 800, height: 310, channels: 4, background: 'transparent' } });
    expect(codesOf(await factsOf(await blank(1000, 1500).png().toBuffer()))).toEqual(['blank']);
    expect(codesOf(await factsOf(await blank(1000, 1500).jpeg().toBuffer()))).toEqual(['blank']);
    expect(codesOf(await factsOf(await clear.png().toBuffer(), { slot: 'logo' }))).toEqual(['blank']);
    expect(codesOf(await factsOf(await plain(1000, 1500).jpeg().toBuffer()))).toEqual([]);
  });

  it('tell a logo without transparency', async () => {
    const opaque = await plain(800, 310).png().toBuffer();
    const clear = await plain(800, 310, 4).png().toBuffer();
    expect(codesOf(await factsOf(opaque, { slot: 'logo' }))).toEqual(['no_transparency']);
    expect(codesOf(await factsOf(clear, { slot: 'logo' }))).toEqual([]);
  });

  it('tell a file that is larger than the limit that the service named, else than the one of the document', async () => {
    const content = await plain(1000, 1500).png().toBuffer();
    expect(codesOf(await factsOf(content))).toEqual([]);
    expect(codesOf(await factsOf(content, { maxBytes: content.length }))).toEqual([]);
    const { warnings } = await factsOf(content, { maxBytes: content.length - 1 });
    expect(warnings).toMatchObject([
      { code: 'too_large', message: expect.stringContaining(`${content.length - 1} bytes`) },
    ]);
    const padded = (length: number) => Buffer.concat([content, Buffer.alloc(length - content.length)]);
    expect(codesOf(await factsOf(padded(20_971_520)))).toEqual([]);
    expect(codesOf(await factsOf(padded(20_971_521)))).toEqual(['too_large']);
    expect(codesOf(await factsOf(padded(20_971_521), { maxBytes: 30_000_000 }))).toEqual([]);
  });
});

describe('preparing', () => {
  it.runIf(process.platform !== 'win32')('takes any name that a file can have', async () => {
    const content = await plain(1000, 1500).png().toBuffer();
    const name = 'a\r\nX-Evil: "1"; \u202egnp.\u{1f600}\u0007.png';
    expect(await factsOf(content, { name })).toMatchObject({
      name: 'a\nX-Evil: "1"; gnp.\u{1f600}.png',
      filename: 'a_X-Evil_ _1_ _gnp.png',
      filenameChanged: true,
    });
  });

  it('leaves nothing open and no room taken when it fails', async () => {
    await expect(factsOf(Buffer.from('no picture'))).rejects.toMatchObject({ category: 'upload_refused' });
    const file = path.join(folder.path, 'a.png');
    writeFileSync(file, await noise(500, 750).png().toBuffer());
    const roots = { configured: [folder.path], host: [] };
    await expect(
      prepareFile(file, {
        roots,
        slot: 'poster',
        usual: shapeOfSlot('poster'),
        maxBytes: null,
        signal: AbortSignal.abort(),
      }),
    ).rejects.toMatchObject({ category: 'cancelled' });
    const room = reserveBuffer(64 * 1024 * 1024);
    expect(room).not.toBeNull();
    room?.giveBack(false);
  });

  it('says how far it is', async () => {
    const content = await noise(500, 750).png().toBuffer();
    writeFileSync(path.join(folder.path, 'a.png'), content);
    const told: (readonly [number, number])[] = [];
    const { bytes } = await prepareFile(path.join(folder.path, 'a.png'), {
      roots: { configured: [folder.path], host: [] },
      slot: 'poster',
      usual: shapeOfSlot('poster'),
      maxBytes: null,
      onProgress: (done, length) => told.push([done, length]),
    });
    await bytes.close();
    expect(told.at(-1)).toEqual([content.length, content.length]);
  });
});
