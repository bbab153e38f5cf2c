import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountScope } from '../../src/ledger/entry.ts';
import type { Storage } from '../../src/storage/open.ts';
import { indexOf } from '../support/ledger-index.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { createMachine, newId, scope } from './machine.ts';
import { openTestStorage } from '../support/test-store.ts';

const strangers: Record<string, AccountScope> = {
  'another user of this machine': { ...scope, user: 'second' },
  'another service': { ...scope, service: 'http://127.0.0.1:4001' },
  'parts that only together look alike': { ...scope, service: `${scope.service}/default`, user: '' },
};
const unnamed = { ...scope, subject: null };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let storage: Storage;
beforeEach(async () => {
  folder = await temporaryFolder();
  storage = await openTestStorage(folder.path, indexOf);
});
afterEach(async () => {
  storage.close();
  await folder.remove();
});

const meant = (clientMutationId: string, title = 'mine') => ({
  clientMutationId,
  operation: 'create_group',
  target: null,
  intent: { title },
});

describe('two users of the ledger', () => {
  it.each(Object.entries(strangers))('see nothing of each other: %s', async (_, other) => {
    const { ledger } = createMachine(storage.atomic).start();
    const clientMutationId = newId();
    await ledger.claim(scope, meant(clientMutationId));
    expect(await ledger.read(other, clientMutationId)).toBeNull();
    expect(await ledger.acquire(other, clientMutationId)).toEqual({ acquire: 'unknown' });
    expect(await ledger.conclude(other, clientMutationId, { outcome: 'failed' })).toBeNull();
    expect(await ledger.countLookup(other, clientMutationId)).toBeNull();
    expect((await ledger.list(other, { limit: 10 })).views).toEqual([]);
    // Not even that the id is taken.
    expect(await ledger.claim(other, meant(clientMutationId, 'theirs'))).toMatchObject({ claim: 'leased' });
    expect(await ledger.read(scope, clientMutationId)).toMatchObject({
      entry: { intent: '{"title":"mine"}' },
    });
    expect((await ledger.list(scope, { limit: 10 })).views.length).toBe(1);
  });
});

describe('a new sign-in of the same user', () => {
  /** An entry that was sent for an account, and whose process has died. */
  const sentFor = async (account: AccountScope): Promise<string> => {
    const process = createMachine(storage.atomic).start();
    const id = newId();
    const claiming = await process.ledger.claim(account, meant(id));
    if (claiming.claim !== 'leased') throw new Error(`The claim is ${claiming.claim}.`);
    await process.ledger.markUnresolved(claiming.lease, null);
    return id;
  };

  it.each([
    ['to the same account', scope, { ...scope, connection: 'sign-in-2' }],
    ['to one that the service does not name now', scope, { ...unnamed, connection: 'sign-in-2' }],
    ['to one that the service did not name then', unnamed, { ...scope, connection: 'sign-in-2' }],
    ['to one that the service names neither time', unnamed, { ...unnamed, connection: 'sign-in-2' }],
  ])('knows the ids of before, and shows them: %s', async (_, before, now) => {
    const id = await sentFor(before);
    const { ledger } = createMachine(storage.atomic).start();
    expect(await ledger.claim(now, meant(id))).toMatchObject({ claim: 'known' });
    expect(await ledger.read(now, id)).toMatchObject({ standing: 'unresolved' });
    expect((await ledger.list(now, { state: 'open', limit: 10 })).views).toHaveLength(1);
  });

  it('goes on with what may have been sent only for an account that is surely the same', async () => {
    const { ledger } = createMachine(storage.atomic).start();
    const named = await sentFor(scope);
    expect(await ledger.acquire({ ...unnamed, connection: 'sign-in-2' }, named)).toMatchObject({
      acquire: 'ended',
    });
    expect(
      await ledger.acquire({ ...scope, subject: 'artist-2', connection: 'sign-in-2' }, named),
    ).toMatchObject({
      acquire: 'ended',
    });
    expect(await ledger.acquire({ ...scope, connection: 'sign-in-2' }, named)).toMatchObject({
      acquire: 'leased',
    });
  });
});
