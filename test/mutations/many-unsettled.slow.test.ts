import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountScope } from '../../src/ledger/entry.ts';
import { fillLedger } from '../support/filled-ledger.ts';
import type { Artist } from './artist.ts';
import { type Studio, startStudio } from './studio.ts';
import { told } from './told.ts';
import { guardedOf, type Wish, wishNamed } from './wishes.ts';

let studio: Studio;
let artist: Artist;
let token: string;
beforeAll(async () => {
  studio = await startStudio();
  token = await studio.catalogue.token(1);
});
afterAll(() => studio.close());

/** 300 uploads of other bytes to other places that were lost as well, later than anything that this test does. */
const loseMany = (): Promise<void> => {
  const scope: AccountScope = {
    service: studio.catalogue.baseUrl,
    user: 'default',
    subject: '1',
    connection: '0'.repeat(32),
  };
  const from = Date.now() + 60_000;
  return fillLedger({ home: path.join(artist.home, 'data'), scope, count: 300, open: () => true, from });
};

const lost = async (name: string): Promise<Wish> => {
  artist = await studio.artist();
  const wish = await wishNamed(name, { studio, artist, token });
  await studio.forget();
  await studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
  expect((await told(wish.make(artist.mutations, guardedOf(wish)))).outcome).toBe('unresolved');
  await loseMany();
  return wish;
};

describe('an upload whose fate is not known, with 300 more that came after it', () => {
  it.each(['an upload', 'an upload into a Set'])(
    '%s is not made a second time under another id',
    async (name) => {
      const wish = await lost(name);
      const first = guardedOf(wish);
      const again = await told(
        wish.make(artist.mutations, { ...first, clientMutationId: crypto.randomUUID() }),
      );
      expect(again).toMatchObject({ outcome: 'not_sent', category: 'conflict' });
      expect(again.details).toMatchObject({ heldBy: first.clientMutationId });
      expect(await studio.posts(wish.path)).toBe(1);
      expect(await artist.mutations.countOpenForPerson()).toBe(301);
    },
  );

  it('is pointed out once it was made, however much was made since', async () => {
    const wish = await lost('an upload');
    const first = guardedOf(wish);
    expect((await told(artist.mutations.resume(first))).outcome).toBe('succeeded');
    const again = { ...first, clientMutationId: crypto.randomUUID(), dryRun: true };
    const dry = await told(wish.make(artist.mutations, again));
    expect(dry.result?.warnings).toContainEqual(expect.objectContaining({ code: 'same_bytes' }));
  });

  it('is found by its id, and given up', async () => {
    const wish = await lost('an upload');
    const { clientMutationId } = guardedOf(wish);
    expect(await artist.mutations.abandon(clientMutationId.toUpperCase())).toMatchObject({
      clientMutationId,
    });
    expect(await artist.mutations.countOpen()).toBe(300);
    await expect(artist.mutations.abandon(crypto.randomUUID())).rejects.toMatchObject({
      category: 'not_found',
    });
  });
});
