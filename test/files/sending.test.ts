import { createHash, randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { path as below } from '../../src/catalogue/call.ts';
import { bodyOf, contentOf, holdFile, type Sendable } from '../../src/files/content.ts';
import { copiesFolder, createCopies } from '../../src/files/copies.ts';
import { openFile } from '../../src/files/open-file.ts';
import { catalogueAt, serve } from '../catalogue/scripted-server.ts';
import { json } from '../support/scripted-service.ts';
import { temporaryFolder } from '../support/temporary.ts';

const mebibyte = 1024 * 1024;
const posix = process.platform !== 'win32';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  home = path.join(folder.path, 'home');
});
afterEach(() => folder.remove());

const digest = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const open = (file: string) => openFile(file, { configured: [folder.path], host: [] });
function write(name: string, content: Buffer): string {
  const file = path.join(folder.path, name);
  fs.writeFileSync(file, content);
  return file;
}

/** The digest of what arrived whole at a service; null: nothing did. */
async function send(body: Sendable['body']): Promise<string | null> {
  let arrived: string | null = null;
  const served = await serve((request, response) => {
    const hash = createHash('sha256');
    request.on('data', (chunk: Buffer) => hash.update(chunk)).on('error', () => {});
    request.on('end', () => {
      arrived = hash.digest('hex');
      json(response, 201, { data: { id: 'asset' } });
    });
  });
  const catalogue = catalogueAt(served.origin);
  const headers = { 'content-type': 'image/png' };
  await catalogue.send({
    path: below`/me/assets`,
    headers,
    body: body(new AbortController().signal),
    bearer: null,
  });
  return arrived;
}

/** The same body, with something happening after its first chunk. */
const during =
  (body: Sendable['body'], event: () => void): Sendable['body'] =>
  (signal) => {
    const { length, open: read } = body(signal);
    return {
      length,
      async *open() {
        let isFirst = true;
        for await (const chunk of read()) {
          yield chunk;
          if (isFirst) event();
          isFirst = false;
        }
      },
    };
  };

const changes: Readonly<Record<string, (file: string) => void>> = {
  'in its last byte, its times put back': (file) => {
    const { atime, mtime } = fs.statSync(file);
    const content = fs.readFileSync(file);
    content.writeUInt8(content.readUInt8(content.length - 1) ^ 1, content.length - 1);
    fs.writeFileSync(file, content);
    fs.utimesSync(file, atime, mtime);
  },
  'by being cut': (file) => fs.truncateSync(file, fs.statSync(file).size - 1),
};

describe('a file that is sent', () => {
  it.each([1, mebibyte - 1, mebibyte, 3 * mebibyte + 5])('arrives as it was, of %i bytes', async (length) => {
    const content = randomBytes(length);
    const file = await open(write('a.png', content));
    const { sha256, contentLength } = await contentOf(file);
    expect([sha256, contentLength]).toEqual([digest(content), length]);
    expect(await send((signal) => bodyOf(file, sha256, signal))).toBe(sha256);
    const held = await holdFile(file);
    expect(await send(held.body)).toBe(sha256);
    expect(await send(held.body)).toBe(sha256);
    await held.close();
    await held.close();
  });

  it.each(Object.entries(changes))('and is changed %s, never arrives changed', async (_how, change) => {
    const content = randomBytes(3 * mebibyte);
    const first = write('a.png', content);
    const file = await open(first);
    const { sha256 } = await contentOf(file);
    expect(
      await send(
        during(
          (signal) => bodyOf(file, sha256, signal),
          () => change(first),
        ),
      ),
    ).toBeNull();
    expect(await send((signal) => bodyOf(file, sha256, signal))).toBeNull();
    await file.close();
    const second = write('b.png', content);
    const held = await holdFile(await open(second));
    expect(await send(during(held.body, () => change(second)))).toBe(sha256);
    await held.close();
  });

  it('and grows, is moved or deleted, arrives as it was', async () => {
    const first = write('a.png', randomBytes(2 * mebibyte));
    const file = await open(first);
    const { sha256 } = await contentOf(file);
    fs.appendFileSync(first, 'more');
    expect(await send((signal) => bodyOf(file, sha256, signal))).toBe(sha256);
    fs.rmSync(first);
    expect(await send((signal) => bodyOf(file, sha256, signal))).toBe(sha256);
    await file.close();
  });

  it('and changes while it is read for the first time, is refused', async () => {
    const first = write('a.png', randomBytes(3 * mebibyte));
    for (const change of [...Object.values(changes).slice(1), () => fs.renameSync(first, `${first}.b`)]) {
      const file = await open(first);
      let isChanged = false;
      const onProgress = () => {
        if (!isChanged) change(first);
        isChanged = true;
      };
      const refused = { failure: 'upload_refused', details: { reason: 'source_changed' } };
      await expect(contentOf(file, { onProgress })).rejects.toMatchObject(refused);
      await file.close();
    }
  });

  it('is read again where too many others are held in memory', async () => {
    const crowd = [];
    for (let at = 0; at < 4; at += 1)
      crowd.push(await holdFile(await open(write(`${at}.png`, randomBytes(16 * mebibyte)))));
    const content = randomBytes(2 * mebibyte);
    const late = await holdFile(await open(write('late.png', content)));
    expect(await send(late.body)).toBe(digest(content));
    changes['by being cut']?.(path.join(folder.path, 'late.png'));
    expect(await send(late.body)).toBeNull();
    await Promise.all([...crowd, late].map((one) => one.close()));
    const again = await holdFile(await open(write('again.png', content)));
    changes['by being cut']?.(path.join(folder.path, 'again.png'));
    expect(await send(again.body)).toBe(digest(content));
    await again.close();
  });
});

describe('private copies', () => {
  const stores: Readonly<Record<'one' | 'other', string>> = { one: randomUUID(), other: randomUUID() };
  const copiesOf = (store: keyof typeof stores) => createCopies(home, async () => stores[store]);

  async function keep(keeper: string, content: Buffer, name = 'a.png', copies = copiesOf('one')) {
    const file = await open(write(name, content));
    try {
      return { ...(await copies.keep(keeper, file)), filename: name };
    } finally {
      await file.close();
    }
  }
  const placeOf = (keeper: string) => path.join(home, copiesFolder, stores.one, keeper);

  it('are sent whatever becomes of the originals, and only whole', async () => {
    const [copies, content] = [copiesOf('one'), randomBytes(2 * mebibyte + 1)];
    const keeper = copies.newKeeper();
    const kept = await keep(keeper, content);
    await copies.sync(keeper);
    fs.rmSync(path.join(folder.path, 'a.png'));
    expect(kept).toMatchObject({ sha256: digest(content), contentLength: content.length });
    expect(await copiesOf('one').missing(keeper, [kept])).toEqual([]);
    const opened = await copies.open(keeper, kept);
    expect(await send(opened.body)).toBe(kept.sha256);
    changes['in its last byte, its times put back']?.(path.join(placeOf(keeper), kept.sha256));
    expect(await send(opened.body)).toBeNull();
    await opened.close();
    changes['by being cut']?.(path.join(placeOf(keeper), kept.sha256));
    expect(await copies.missing(keeper, [kept])).toEqual([kept]);
    const missing = { failure: 'upload_refused', details: { reason: 'kept_bytes_missing' } };
    await expect(copies.open(keeper, kept)).rejects.toMatchObject(missing);
    await expect(copies.open(copies.newKeeper(), kept)).rejects.toMatchObject(missing);
  });

  it.runIf(posix)('can be read by their user alone, and are not written through a link', async () => {
    const keeper = copiesOf('one').newKeeper();
    const { sha256 } = await keep(keeper, randomBytes(10));
    const mode = (...names: string[]) => fs.statSync(path.join(home, ...names)).mode & 0o777;
    expect(mode(copiesFolder, stores.one, keeper, sha256)).toBe(0o600);
    expect([mode(), mode(copiesFolder), mode(copiesFolder, stores.one, keeper)]).toEqual([
      0o700, 0o700, 0o700,
    ]);
    fs.rmSync(path.join(home, copiesFolder), { recursive: true });
    fs.symlinkSync(folder.path, path.join(home, copiesFolder));
    await expect(keep(keeper, randomBytes(10))).rejects.toMatchObject({ code: 'home_not_private' });
    fs.chmodSync(home, 0o777);
    await expect(keep(keeper, randomBytes(10))).rejects.toMatchObject({ code: 'home_not_private' });
  });

  it('are kept once for the same bytes, and freed for one call alone', async () => {
    const copies = copiesOf('one');
    const [first, second] = [copies.newKeeper(), copies.newKeeper()];
    const content = randomBytes(1000);
    const [kept] = await Promise.all([
      keep(first, content),
      keep(first, content, 'b.png'),
      keep(second, content, 'c.png'),
    ]);
    expect(fs.readdirSync(placeOf(first))).toEqual([kept.sha256]);
    await copies.free(first);
    await copies.free(first);
    expect([await copies.missing(first, [kept]), await copies.missing(second, [kept])]).toEqual([[kept], []]);
    await expect(copies.free('../..')).rejects.toThrow(TypeError);
  });

  it('of no call that is cancelled, or whose file changes, is anything left', async () => {
    const copies = copiesOf('one');
    const keeper = copies.newKeeper();
    const name = write('a.png', randomBytes(3 * mebibyte));
    const file = await open(name);
    const ending = new AbortController();
    const cancelled = copies.keep(keeper, file, { signal: ending.signal, onProgress: () => ending.abort() });
    await expect(cancelled).rejects.toMatchObject({ failure: 'cancelled' });
    const changed = copies.keep(keeper, file, { onProgress: () => fs.appendFileSync(name, 'x') });
    await expect(changed).rejects.toMatchObject({ details: { reason: 'source_changed' } });
    await file.close();
    expect(fs.readdirSync(placeOf(keeper))).toEqual([]);
  });

  it('are swept after a day where no change needs them, of this store alone', async () => {
    const [needed, old, fresh, others] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    for (const keeper of [needed, old, fresh]) await keep(keeper, randomBytes(10));
    await keep(others, randomBytes(10), 'b.png', copiesOf('other'));
    const foreign = path.join(home, copiesFolder, stores.other, others);
    const longAgo = Date.now() / 1000 - 25 * 60 * 60;
    for (const place of [placeOf(needed), placeOf(old), foreign]) fs.utimesSync(place, longAgo, longAgo);
    const asked: string[] = [];
    await copiesOf('one').sweep(async (keeper) => asked.push(keeper) > 0 && keeper === needed);
    expect(asked.toSorted()).toEqual([needed, old].toSorted());
    expect([needed, old, fresh].map((keeper) => fs.existsSync(placeOf(keeper)))).toEqual([true, false, true]);
    expect(fs.existsSync(foreign)).toBe(true);
    await createCopies(path.join(folder.path, 'new'), async () => 'x').sweep(async () => false);
  });
});
