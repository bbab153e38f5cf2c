import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Storage } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { openTestStorage } from '../support/test-store.ts';

describe('sealed records', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let storage: Storage;
  beforeEach(async () => {
    folder = await temporaryFolder();
    storage = await openTestStorage(folder.path);
  });
  afterEach(async () => {
    storage.close();
    await folder.remove();
  });

  const tampered = { category: 'internal', code: 'record_tampered' };

  it('open to what was sealed, whatever it was', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string(),
        fc.string(),
        fc.string({ unit: 'grapheme' }),
        async (name, generation, plain) => {
          const sealed = await storage.seal.seal(name, generation, plain);
          expect(sealed).toMatch(/^v1\.[0-9a-f]{16}\.[\w-]{16}\.[\w-]{22,}$/);
          expect(await storage.seal.open(name, generation, sealed)).toBe(plain);
        },
      ),
    );
    const long = 'ü'.repeat(500_000);
    expect(await storage.seal.open('n', 'g', await storage.seal.seal('n', 'g', long))).toBe(long);
  });

  it('do not open under another name, another generation or with the border between them moved', async () => {
    const sealed = await storage.seal.seal('alice', '12', 'token');
    for (const [name, generation] of [
      ['bob', '12'],
      ['alice', '11'],
      ['alice1', '2'],
      ['alice', ''],
      ['alice","12', ''],
    ] as const) {
      await expect(storage.seal.open(name, generation, sealed)).rejects.toMatchObject(tampered);
    }
  });

  it('do not open once any character was changed, added or taken away', async () => {
    const sealed = await storage.seal.seal('n', '1', 'a secret of some lengths');
    for (let i = 0; i < sealed.length; i += 1) {
      const other = sealed[i] === 'A' ? 'Q' : 'A';
      for (const spoiled of [
        sealed.slice(0, i) + other + sealed.slice(i + 1),
        sealed.slice(0, i) + sealed.slice(i + 1),
        `${sealed.slice(0, i)}A${sealed.slice(i)}`,
      ]) {
        const outcome = await storage.seal.open('n', '1', spoiled).then(
          (plain) => ({ plain }),
          (error: unknown) => error,
        );
        expect(outcome, spoiled).toMatchObject({
          category: 'internal',
          code: /^(record_tampered|key_wrong)$/,
        });
        expect(String(outcome)).not.toContain('secret');
      }
    }
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      if (sealed.endsWith(last)) continue;
      await expect(storage.seal.open('n', '1', sealed.slice(0, -1) + last)).rejects.toMatchObject(tampered);
    }
    for (const junk of ['', 'v1', sealed.replace('v1', 'v2'), `${sealed}\n`, ` ${sealed}`]) {
      await expect(storage.seal.open('n', '1', junk)).rejects.toMatchObject(tampered);
    }
  });
});
