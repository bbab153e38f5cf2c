import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ArtworkError } from '../../src/errors.ts';
import type { Lease, ListFilter, ListPosition } from '../../src/ledger/ledger.ts';
import type { Storage } from '../../src/storage/open.ts';
import { indexOf } from '../support/ledger-index.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { createMachine, type Machine, newId, scope } from './machine.ts';
import { openTestStorage } from '../support/test-store.ts';

const lost = new ArtworkError('network', 'lost');

describe('the list of mutations', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let storage: Storage;
  let machine: Machine;
  let one: ReturnType<Machine['start']>;
  beforeEach(async () => {
    folder = await temporaryFolder();
    storage = await openTestStorage(folder.path, indexOf);
    machine = createMachine(storage.atomic);
    one = machine.start();
  });
  afterEach(async () => {
    storage.close();
    await folder.remove();
  });

  const add = async (clientMutationId: string, reach: (lease: Lease) => Promise<unknown>, as = scope) => {
    const newEntry = { clientMutationId, operation: 'upload_asset', target: null, intent: {} };
    const claiming = await one.ledger.claim(as, newEntry);
    if (claiming.claim !== 'leased') throw new Error('not held');
    await reach(claiming.lease);
    machine.now += 1000;
    return clientMutationId;
  };
  const ids = async (filter: Omit<ListFilter, 'limit'>) => {
    const { views } = await machine.start().ledger.list(scope, { ...filter, limit: 50 });
    return views.map(({ entry }) => entry.clientMutationId);
  };

  it('shows what is open, also what a process that died left behind', async () => {
    const { ledger } = one;
    const unsent = await add(newId(), async () => undefined);
    const sending = await add(newId(), (lease) => ledger.send(lease));
    const working = await add(newId(), (lease) => ledger.accept(lease, { receipt: null, progress: null }));
    const doubtful = await add(newId(), (lease) => ledger.markUnresolved(lease, lost));
    const ended = await add(newId(), (lease) => ledger.settle(lease, { outcome: 'succeeded' }));
    const refused = await add(newId(), (lease) => ledger.settle(lease, { outcome: 'refused', error: lost }));

    expect(await ids({ state: 'open' })).toEqual([doubtful, working, sending, unsent]);
    expect(await ids({ state: 'processing' })).toEqual([working, sending, unsent]);
    one.kill();
    expect(await ids({ state: 'open' })).toEqual([doubtful, working, sending, unsent]);
    expect(await ids({ state: 'processing' })).toEqual([working]);
    expect(await ids({ state: 'unresolved' })).toEqual([doubtful, sending]);
    expect(await ids({ state: 'not_sent' })).toEqual([unsent]);
    expect(await ids({ state: 'succeeded' })).toEqual([ended]);
    expect(await ids({ state: 'refused' })).toEqual([refused]);
    expect(await ids({ state: 'failed' })).toEqual([]);
    expect(await ids({})).toEqual([refused, ended, doubtful, working, sending, unsent]);
  });

  it('shows what changed since a moment, newest first', async () => {
    const { ledger } = one;
    const keep = async () => undefined;
    const first = await add(newId(), keep);
    const since = new Date(machine.now).toISOString();
    const second = await add(newId(), keep);
    expect(await ids({ since })).toEqual([second]);
    await ledger.countLookup(scope, first);
    expect(await ids({ since })).toEqual([second, first]);
    expect(await ids({ since: new Date(machine.now + 1).toISOString() })).toEqual([]);
  });

  it('shows every entry once, page by page, whatever comes in between', async () => {
    const all: string[] = [];
    for (let i = 0; i < 23; i += 1) {
      all.unshift(await add(newId(), async () => undefined));
      if (i % 3 === 0) machine.now -= 1000; // Several of the same moment.
    }
    const { ledger } = machine.start();
    const seen: string[] = [];
    let after: ListPosition | undefined;
    for (;;) {
      const page = await ledger.list(scope, { limit: 5, after });
      seen.push(...page.views.map(({ entry }) => entry.clientMutationId));
      await add(newId(), async () => undefined);
      if (page.next === null) break;
      after = page.next;
      expect(page.views.length).toBe(5);
    }
    expect([...seen].sort()).toEqual([...all].sort());
    expect((await ledger.list(scope, { limit: 5, state: 'succeeded' })).next).toBeNull();
    for (const limit of [0, 201, 1.5]) await expect(ledger.list(scope, { limit })).rejects.toThrow();
  });

  it('shows a person all accounts of the user, and nothing of another user', async () => {
    const keep = async () => undefined;
    const mine = await add(newId(), keep);
    const former = await add(newId(), keep, { ...scope, subject: 'artist-2' });
    const unknown = await add(newId(), keep, { ...scope, subject: null });
    await add(newId(), keep, { ...scope, user: 'second' });
    await add(newId(), keep, { ...scope, service: 'https://other.example' });
    const { service, user } = scope;
    const { views } = await one.ledger.list({ service, user }, { limit: 50 });
    expect(views.map(({ entry }) => entry.clientMutationId)).toEqual([unknown, former, mine]);
  });

  it('reads a ledger of 1,200 entries', async () => {
    for (let i = 0; i < 1200; i += 1) await add(newId(), async () => undefined);
    const { views, next } = await one.ledger.list(scope, { limit: 200 });
    expect(views.length).toBe(200);
    expect(next).not.toBeNull();
    const rest = await one.ledger.list(scope, { limit: 200, after: next ?? undefined });
    expect(new Set([...views, ...rest.views].map(({ entry }) => entry.clientMutationId)).size).toBe(400);
  });
});
