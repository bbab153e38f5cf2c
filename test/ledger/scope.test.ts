import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AccountScope, scopePrefix, userPrefix } from '../../src/ledger/entry.ts';
import { openStorage, type Storage } from '../../src/storage/open.ts';
import { indexOf } from '../support/ledger-index.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { createMachine, newId, scope } from './machine.ts';

const others: Record<string, AccountScope> = {
  'another subject': { ...scope, subject: 'artist-2' },
  'another user of this machine': { ...scope, user: 'second' },
  'another service': { ...scope, service: 'http://127.0.0.1:4001' },
  'an unknown subject': { ...scope, subject: null },
  'a sign-in that is called like the subject': { ...scope, subject: null, connection: 'artist-1' },
  'parts that only together look alike': { ...scope, service: `${scope.service}/default`, user: '' },
};

describe('two scopes of the ledger', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let storage: Storage;
  beforeEach(async () => {
    folder = await temporaryFolder();
    storage = await openStorage({ home: folder.path, keyring: null, indexOf });
  });
  afterEach(async () => {
    storage.close();
    await folder.remove();
  });

  it.each(Object.entries(others))('see nothing of each other: %s', async (_, other) => {
    const { ledger } = createMachine(storage.atomic).start();
    const clientMutationId = newId();
    const mine = { clientMutationId, operation: 'create_group', target: null, intent: { title: 'mine' } };
    await ledger.claim(scope, mine);
    expect(await ledger.read(other, clientMutationId)).toBeNull();
    expect(await ledger.acquire(other, clientMutationId)).toEqual({ acquire: 'unknown' });
    expect(await ledger.conclude(other, clientMutationId, { outcome: 'failed' })).toBeNull();
    expect(await ledger.countLookup(other, clientMutationId)).toBeNull();
    expect((await ledger.list(other, { limit: 10 })).views).toEqual([]);
    // Not even that the id is taken.
    expect(await ledger.claim(other, { ...mine, intent: { title: 'theirs' } })).toMatchObject({
      claim: 'leased',
    });
    expect(await ledger.read(scope, clientMutationId)).toMatchObject({
      entry: { intent: '{"title":"mine"}' },
    });
    expect((await ledger.list(scope, { limit: 10 })).views.length).toBe(1);
  });

  it('share no part of the key space', () => {
    const prefixes = [scope, ...Object.values(others)].map(scopePrefix);
    for (const prefix of prefixes) {
      expect(prefixes.filter((each) => each.startsWith(prefix))).toEqual([prefix]);
      expect(prefix).toMatch(/^ledger\/[\w-]{43}\/[\w-]{43}\/$/);
    }
    expect(userPrefix(scope)).toBe(userPrefix({ ...scope, user: 'default' }));
  });

  it('are one where the same account signs in again', async () => {
    const { ledger } = createMachine(storage.atomic).start();
    const clientMutationId = newId();
    await ledger.claim(scope, { clientMutationId, operation: 'create_group', target: null, intent: {} });
    const again = { ...scope, connection: 'sign-in-2' };
    expect(await ledger.read(again, clientMutationId)).not.toBeNull();
    const unknown = { ...scope, subject: null };
    await ledger.claim(unknown, { clientMutationId, operation: 'create_group', target: null, intent: {} });
    expect(await ledger.read({ ...unknown, connection: 'sign-in-2' }, clientMutationId)).toBeNull();
  });
});
