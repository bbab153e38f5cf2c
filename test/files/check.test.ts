import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { uploadFilename } from '../../src/catalogue/request.ts';
import {
  type CheckedFile,
  type Checking,
  checkFile,
  warningsOf,
  wireFilename,
} from '../../src/files/check.ts';
import { asSha256 } from '../../src/files/content.ts';
import { createCopies } from '../../src/files/copies.ts';
import { shapeOfSlot } from '../../src/model/slots.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { animatedPng } from '../support/unique-pictures.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const noise = (width: number, height: number, channels: 3 | 4 = 3): Sharp =>
  sharp(randomBytes(width * height * channels), { raw: { width, height, channels } });
/** Noise at a tenth of the size: it has something on it, and is made quickly. */
const picture = (width: number, height: number, channels: 3 | 4 = 3): Sharp =>
  noise(Math.ceil(width / 10), Math.ceil(height / 10), channels).resize(width, height, {
    fit: 'fill',
    kernel: 'nearest',
  });

const fastPng = (one: Sharp) => one.clone().png({ compressionLevel: 1 }).toBuffer();

function check(content: Buffer, name = 'picture.png', how: Partial<Checking> = {}): Promise<CheckedFile> {
  const file = path.join(folder.path, name);
  writeFileSync(file, content);
  return checkFile(file, { roots: { configured: [folder.path], host: [] }, ...how });
}

const codesOf = (file: CheckedFile, slot: string) =>
  warningsOf(file, { slot, usual: shapeOfSlot(slot) }).map(({ code }) => code);
const refused = (reason: string) => ({ failure: 'upload_refused', details: { reason } });

describe('a file', () => {
  it.each([
    ['image/png', 'png', (one: Sharp) => one.png()],
    ['image/jpeg', 'jpg', (one: Sharp) => one.jpeg()],
    ['image/webp', 'webp', (one: Sharp) => one.webp()],
    ['image/gif', 'gif', (one: Sharp) => one.gif()],
  ] as const)('is told by its bytes: %s', async (contentType, ending, encode) => {
    const content = await encode(picture(200, 300)).toBuffer();
    const file = await check(content, 'picture');
    expect(file).toMatchObject({
      ...{ name: 'picture', filename: `picture.${ending}`, contentType, contentLength: content.length },
      ...{ path: path.join(folder.path, 'picture') },
      sha256: createHash('sha256').update(content).digest('hex'),
      picture: { width: 200, height: 300, frames: 1, rotated: false, transparent: false, undecoded: null },
    });
    expect(JSON.parse(JSON.stringify(file))).toEqual(file);
    const known = await check(content, 'again', { known: file.sha256 });
    expect(known).toMatchObject({ sha256: file.sha256, picture: null });
  });

  it.each([
    ['unknown_type', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['unknown_type', Buffer.from('x')],
    ['unknown_type', Buffer.from('524946460000000057415645', 'hex')],
    ['unknown_type', Buffer.alloc(1000)],
    ['damaged', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['empty', Buffer.alloc(0)],
  ])('is refused as %s', async (reason, content) => {
    await expect(check(content)).rejects.toMatchObject(refused(reason));
  });

  it('that is a folder, or longer than any picture, is refused without being read', async () => {
    mkdirSync(path.join(folder.path, 'deep'));
    const roots = { configured: [folder.path], host: [] };
    await expect(checkFile(path.join(folder.path, 'deep'), { roots })).rejects.toMatchObject(
      refused('not_regular'),
    );
    const huge = path.join(folder.path, 'huge.png');
    writeFileSync(huge, await picture(10, 10).png().toBuffer());
    truncateSync(huge, 5 * 1024 ** 3);
    await expect(checkFile(huge, { roots })).rejects.toMatchObject(refused('too_large'));
    await expect(
      check(await picture(10, 10).png().toBuffer(), 'a', { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ failure: 'cancelled' });
  });
});

it('a private copy is made of what is checked, in the same pass', async () => {
  const copies = createCopies(path.join(folder.path, 'home'), async () => 'store');
  const name = path.join(folder.path, 'a.png');
  writeFileSync(name, await picture(10, 10).png().toBuffer());
  const how = { roots: { configured: [folder.path], host: [] } };
  const file = await checkFile(name, how, { copies, keeper: 'one' });
  expect(await copies.missing('one', [file])).toEqual([]);
  expect(await copies.missing('two', [file])).toEqual([file]);
  expect(file).toEqual(await checkFile(name, how));
});

describe('a damaged picture', () => {
  it.each([
    ['png', (one: Sharp) => one.png()],
    ['jpeg', (one: Sharp) => one.jpeg({ quality: 90 })],
    ['progressive jpeg', (one: Sharp) => one.jpeg({ quality: 90, progressive: true })],
    ['webp', (one: Sharp) => one.webp()],
    ['gif', (one: Sharp) => one.gif()],
  ])('is refused wherever it was cut: %s', async (_format, encode) => {
    const content = await encode(noise(40, 60)).toBuffer();
    // A program that writes more behind the end does no harm.
    expect(
      codesOf(await check(Buffer.concat([content, content.subarray(0, 5)])), 'unheard of'),
    ).not.toContain('not_decoded');
    for (const length of [13, 200, Math.floor(content.length / 2), content.length - 100])
      await expect(check(content.subarray(0, length))).rejects.toMatchObject(refused('damaged'));
  });

  it.each([false, true])(
    'is refused if its middle is lost and its end is there (progressive: %s)',
    async (progressive) => {
      // No noise, which any bits can stand for.
      const content = await noise(50, 38).resize(1600, 1216).jpeg({ quality: 90, progressive }).toBuffer();
      const third = Math.floor(content.length / 3);
      const [start, rest] = [content.subarray(0, third), content.subarray(third)];
      const broken = {
        zeros: Buffer.concat([start, Buffer.alloc(1000), rest.subarray(1000)]),
        half: Buffer.concat([start, Buffer.alloc(third), rest.subarray(third)]),
        closed: Buffer.concat([start, Buffer.from('ffd9', 'hex')]),
      };
      for (const [name, bytes] of Object.entries(broken))
        await expect(check(bytes, name), name).rejects.toMatchObject(refused('damaged'));
    },
  );
});

describe('warnings', () => {
  it('tell what can be seen of a picture that is whole', async () => {
    const poster = picture(1000, 1500);
    const plain = sharp({ create: { width: 1000, height: 1500, channels: 3, background: '#333' } });
    const invisible = sharp({ create: { width: 800, height: 310, channels: 4, background: 'transparent' } });
    const opaque = picture(800, 310).ensureAlpha(1);
    const turned = picture(1500, 1000).withMetadata({ orientation: 6 });
    const told: [string, Buffer, string[]][] = [
      ['poster', await fastPng(poster), []],
      ['poster', await fastPng(picture(1500, 1000)), ['unusual_ratio']],
      ['poster', await picture(100, 100).png().toBuffer(), ['unusual_ratio', 'small']],
      ['titlecard', await fastPng(picture(1920, 1078)), []],
      ['constructor', await picture(7, 900).png().toBuffer(), []],
      ['poster', await plain.jpeg().toBuffer(), ['blank']],
      ['logo', await invisible.png().toBuffer(), ['blank']],
      ['logo', await picture(800, 310, 4).webp({ lossless: true }).toBuffer(), []],
      ['logo', await picture(800, 310).png().toBuffer(), ['no_transparency']],
      ['logo', await opaque.png().toBuffer(), ['no_transparency']],
      ['poster', await turned.jpeg().toBuffer(), ['rotated']],
      ['poster', await poster.clone().toColourspace('cmyk').jpeg().toBuffer(), ['cmyk']],
      ['poster', await fastPng(poster.clone().toColourspace('b-w')), []],
      ['poster', animatedPng(await fastPng(poster)), ['animated']],
      ['poster', (await plain.clone().gif({ effort: 1 }).toBuffer()).subarray(0, -1), ['cut_short', 'blank']],
    ];
    for (const [slot, content, codes] of told)
      expect(codesOf(await check(content, 'a'), slot).filter((code) => code !== 'filename_changed')).toEqual(
        codes,
      );
  });

  it('tell of a name and a size', async () => {
    const content = await fastPng(picture(1000, 1500));
    const file = await check(content, 'Pokémon.jpg');
    expect(codesOf(file, 'poster')).toEqual(['type_differs_from_name', 'filename_changed']);
    appendFileSync(path.join(folder.path, 'Pokémon.jpg'), Buffer.alloc(21 * 1024 * 1024));
    const roots = { configured: [folder.path], host: [] };
    expect(codesOf(await checkFile(file.path, { roots }), 'poster')).toContain('too_large');
  });

  it('tell a picture that would take too much memory from its header alone', async () => {
    const content = await fastPng(noise(20, 6).resize(20_000, 6_000, { kernel: 'nearest' }));
    expect(codesOf(await check(content), 'poster')).toEqual(['not_decoded', 'unusual_ratio']);
  });
});

it('a frame is only chosen where it is', async () => {
  const frames = await Promise.all([1, 2, 3].map(() => noise(20, 30).png().toBuffer()));
  const moving = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  const file = await check(moving, 'a.gif', { frame: 2 });
  expect(file.picture).toMatchObject({ frames: 3 });
  for (const known of [undefined, file.sha256])
    await expect(check(moving, 'a.gif', { frame: 3, known })).rejects.toMatchObject({
      failure: 'invalid_arguments',
    });
  await expect(check(frames[0] ?? moving, 'a.png', { frame: 1 })).rejects.toMatchObject({
    failure: 'invalid_arguments',
  });
});

describe('a file name on the wire', () => {
  const sha256 = asSha256('0123456789ab'.padEnd(64, 'c'));
  const nameOf = (name: string) => wireFilename(name, 'png', sha256);

  it.each([
    ['Show - S01E02 - Title (2019) [v2].PNG', 'Show - S01E02 - Title (2019) [v2].PNG'],
    ['Poke\u0301mon.png', 'Pokemon.png'],
    ['a\r\nX-Evil: 1.png', 'a_X-Evil_ 1.png'],
    ['100% real; "x".png', '100_ real_ _x.png'],
    ['進撃の巨人.png', 'artwork-0123456789ab.png'],
    ['плакат 2.png', '2.png'],
    ['😀😀.png', 'artwork-0123456789ab.png'],
    ['.hidden.png', 'hidden.png'],
    [`${'é'.repeat(300)}.jpeg`, `${'e'.repeat(115)}.jpeg`],
  ])('of %j is %s', (name, filename) => {
    expect(nameOf(name)).toBe(filename);
  });

  it('can always be declared, and stays when it is sent again', () => {
    const codePoint = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
    const anything = fc.string({ unit: codePoint, maxLength: 300 });
    fc.assert(
      fc.property(anything, (name) => {
        const filename = nameOf(name);
        expect(uploadFilename.parse(filename)).toBe(filename);
        expect(nameOf(filename)).toBe(filename);
      }),
      { numRuns: 300 },
    );
  });
});
