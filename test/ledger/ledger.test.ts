import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ArtworkError } from '../../src/errors.ts';
import type { Lease, Ledger, NewEntry, Settlement } from '../../src/ledger/ledger.ts';
import type { Storage } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { indexOf } from '../support/ledger-index.ts';
import { createMachine, type Machine, newId, scope } from './machine.ts';
import { openTestStorage } from '../support/test-store.ts';

const lost = new ArtworkError('network', 'The connection ended before the answer came.');
const refusedWith = (status: number): Settlement => ({
  outcome: 'refused',
  error: new ArtworkError('forbidden', 'no', { status, code: 'theirs', cause: new Error('a token') }),
});
const succeeded = { outcome: 'succeeded', receipt: { assetId: 'a-1' } } as const satisfies Settlement;

function meant(
  clientMutationId = newId(),
  intent: NewEntry['intent'] = { slot: 'poster', targetId: 7 },
): NewEntry {
  return { clientMutationId, operation: 'upload_asset', target: { kind: 'movie', id: 7 }, intent };
}

describe('the ledger', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let storage: Storage;
  let machine: Machine;
  let one: ReturnType<Machine['start']>;
  let two: ReturnType<Machine['start']>;

  beforeEach(async () => {
    folder = await temporaryFolder();
    storage = await openTestStorage(folder.path, indexOf);
    machine = createMachine(storage.atomic);
    one = machine.start();
    two = machine.start();
  });
  afterEach(async () => {
    storage.close();
    await folder.remove();
  });

  const claim = async (ledger: Ledger, what: NewEntry): Promise<Lease> => {
    const claiming = await ledger.claim(scope, what);
    if (claiming.claim !== 'leased') throw new Error(`the claim is ${claiming.claim}`);
    return claiming.lease;
  };
  const take = async (ledger: Ledger, what: NewEntry): Promise<Lease> => {
    const taking = await ledger.acquire(scope, what.clientMutationId);
    if (taking.acquire !== 'leased') throw new Error(`the entry is ${taking.acquire}`);
    return taking.lease;
  };
  const read = async (ledger: Ledger, what: NewEntry) => ledger.read(scope, what.clientMutationId);

  it('keeps what was meant, durable before anything is sent', async () => {
    const what = meant(newId(), { targetId: 7, slot: 'poster' });
    await claim(one.ledger, what);
    const other = await openTestStorage(folder.path, indexOf);
    const [stored] = await other.atomic.scan('ledger/', null, 10);
    other.close();
    expect(JSON.parse(stored?.value ?? '')).toMatchObject({
      ...scope,
      clientMutationId: what.clientMutationId,
      operation: 'upload_asset',
      target: { kind: 'movie', id: 7 },
      intent: '{"slot":"poster","targetId":7}',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      state: 'claimed',
      epoch: 1,
      createdAt: '2030-01-01T00:00:00.000Z',
      owner: { machine: 'here', pid: 101, beat: 0 },
      lookups: 0,
    });
  });

  it('gives an id to one call, and shows it to every other', async () => {
    const what = meant();
    await claim(one.ledger, what);
    for (const { ledger } of [one, two]) {
      expect(await ledger.claim(scope, what)).toMatchObject({
        claim: 'known',
        view: { live: true, standing: 'processing', entry: { epoch: 1 } },
      });
      expect(await ledger.acquire(scope, what.clientMutationId)).toMatchObject({ acquire: 'busy' });
    }
    const shouted = { ...what, clientMutationId: what.clientMutationId.toUpperCase() };
    expect(await two.ledger.claim(scope, shouted)).toMatchObject({ claim: 'known' });
  });

  it('knows an intent by what it says, not by how it was written, and refuses another', async () => {
    const what = meant(newId(), { a: 1, b: [{ c: 2, d: 3 }] });
    await claim(one.ledger, what);
    const same = { ...what, intent: { b: [{ d: 3, c: 2 }], a: 1 } };
    expect(await two.ledger.claim(scope, same)).toMatchObject({ claim: 'known' });
    for (const other of [
      { ...what, intent: { a: 1, b: [{ c: 2, d: 4 }] } },
      { ...what, intent: { a: '1', b: [{ c: 2, d: 3 }] } },
      { ...what, operation: 'edit_group' },
    ]) {
      expect(await two.ledger.claim(scope, other)).toMatchObject({
        claim: 'reused',
        view: { entry: { operation: 'upload_asset', target: { kind: 'movie', id: 7 } } },
      });
    }
  });

  describe('answers the same id and intent again', () => {
    const ends: [string, (lease: Lease) => Promise<unknown>, 'leased' | 'known', string][] = [
      [
        'sends what was not sent',
        (lease) => one.ledger.settle(lease, { outcome: 'not_sent', error: lost }),
        'leased',
        'processing',
      ],
      ['sends after 403', (lease) => one.ledger.settle(lease, refusedWith(403)), 'leased', 'processing'],
      [
        'repeats any other refusal',
        (lease) => one.ledger.settle(lease, refusedWith(409)),
        'known',
        'refused',
      ],
      ['repeats a success', (lease) => one.ledger.settle(lease, succeeded), 'known', 'succeeded'],
      [
        'looks up what is unresolved',
        (lease) => one.ledger.markUnresolved(lease, lost),
        'known',
        'unresolved',
      ],
      [
        'looks up what the service works on',
        async (lease) => {
          await one.ledger.accept(lease, { receipt: null, progress: { submissionId: 's' } });
          await one.ledger.release(lease);
        },
        'known',
        'processing',
      ],
    ];
    it.each(ends)('%s', async (_, end, how, standing) => {
      const what = meant();
      const lease = await claim(one.ledger, what);
      await one.ledger.send(lease);
      await end(lease);
      const again = await two.ledger.claim(scope, what);
      expect(again).toMatchObject({
        claim: how,
        view: { standing, entry: { epoch: how === 'leased' ? 2 : 1 } },
      });
      expect(await two.ledger.claim(scope, { ...what, intent: 'another' })).toMatchObject({
        claim: 'reused',
      });
      if (again.claim !== 'leased') return;
      expect(again.view.entry).toMatchObject({ state: 'claimed', outcome: null, error: null, doubt: false });
      expect(await two.ledger.send(again.lease)).toMatchObject({ isHolder: true });
      expect(await one.ledger.send(lease)).toMatchObject({ isHolder: false });
    });
  });

  it('counts what was claimed before a crash as not sent, and keeps the old holder from sending it', async () => {
    const what = meant();
    const lease = await claim(one.ledger, what);
    one.kill();
    expect(await read(two.ledger, what)).toMatchObject({ live: false, standing: 'not_sent' });
    await claim(two.ledger, what);
    // Had it only been stopped, it would have lost the entry all the same.
    expect(await one.ledger.send(lease)).toMatchObject({ isHolder: false, view: { entry: { epoch: 2 } } });
    expect(await one.ledger.isHolder(lease)).toBe(false);
    expect(await one.ledger.heartbeat(lease)).toBe(false);
    await one.ledger.release(lease);
    expect(await read(two.ledger, what)).toMatchObject({ live: true, entry: { epoch: 2, state: 'claimed' } });
  });

  it('counts what was being sent at a crash as unresolved, until the service says otherwise', async () => {
    const what = meant();
    await one.ledger.send(await claim(one.ledger, what));
    one.kill();
    expect(await read(two.ledger, what)).toMatchObject({ live: false, standing: 'unresolved' });
    expect(await two.ledger.claim(scope, what)).toMatchObject({
      claim: 'known',
      view: { standing: 'unresolved' },
    });
    for (const status of [401, 403, 409, 429]) {
      const lease = await take(two.ledger, what);
      await two.ledger.send(lease);
      // This request was refused; the first may yet be delivered.
      expect(await two.ledger.settle(lease, refusedWith(status))).toMatchObject({
        view: { standing: 'unresolved' },
      });
    }
    const lease = await take(two.ledger, what);
    expect(await two.ledger.settle(lease, { outcome: 'not_sent' })).toMatchObject({
      view: { standing: 'unresolved' },
    });
    await two.ledger.release(await take(two.ledger, what));
    expect(await read(two.ledger, what)).toMatchObject({ standing: 'unresolved', entry: { epoch: 7 } });
    expect(await two.ledger.conclude(scope, what.clientMutationId, { outcome: 'failed' })).toMatchObject({
      standing: 'failed',
    });
  });

  it('counts what was let go in the middle of sending as unresolved, and replaces no verdict of the service', async () => {
    const what = meant();
    const lease = await claim(one.ledger, what);
    await one.ledger.send(lease);
    await one.ledger.release(lease);
    expect(await read(two.ledger, what)).toMatchObject({ live: false, standing: 'unresolved' });
    const { clientMutationId } = what;
    await two.ledger.conclude(scope, clientMutationId, { outcome: 'failed' });
    for (const later of ['succeeded', 'partial'] as const)
      expect(await one.ledger.conclude(scope, clientMutationId, { outcome: later })).toMatchObject({
        standing: 'failed',
      });
    // Nor does a holder that wakes up with another word of the service.
    await one.ledger.settle(lease, succeeded);
    expect(await read(two.ledger, what)).toMatchObject({ standing: 'failed' });
  });

  it('judges by its own clock, however far the clocks of two processes are apart', async () => {
    for (const ahead of [-30 * 60_000, 30 * 60_000]) {
      const other = machine.start(ahead);
      const what = meant();
      const lease = await claim(other.ledger, what);
      expect(await two.ledger.claim(scope, what)).toMatchObject({ claim: 'known', view: { live: true } });
      for (let beats = 0; beats < 10; beats += 1) {
        machine.now += 15_000;
        expect(await other.ledger.heartbeat(lease)).toBe(true);
        expect(await two.ledger.acquire(scope, what.clientMutationId)).toMatchObject({ acquire: 'busy' });
      }
      machine.now += 60_001;
      expect(await two.ledger.acquire(scope, what.clientMutationId)).toMatchObject({ acquire: 'leased' });
    }
  });

  it('says so when the store can not be read or written, and then holds nothing', async () => {
    const what = meant();
    const lease = await claim(one.ledger, what);
    const [stored] = await storage.atomic.scan('ledger/', null, 1);
    if (stored === undefined) throw new Error('nothing is stored');
    const entry: Record<string, unknown> = JSON.parse(stored.value);
    for (const spoiled of [
      '',
      '{',
      '{}',
      JSON.stringify({ ...entry, state: 'other' }),
      JSON.stringify({ ...entry, user: 'x' }),
    ]) {
      await storage.atomic.put(stored.key, spoiled);
      const unreadable = { category: 'internal', code: 'store_unreadable' };
      await expect(read(one.ledger, what)).rejects.toMatchObject(unreadable);
      await expect(one.ledger.claim(scope, what)).rejects.toMatchObject(unreadable);
      await expect(one.ledger.send(lease)).rejects.toMatchObject(unreadable);
      await expect(one.ledger.list(scope, { limit: 10 })).rejects.toMatchObject(unreadable);
    }
    await storage.atomic.put(stored.key, stored.value);
    storage.close();
    const closed = { code: 'store_closed' };
    await expect(one.ledger.claim(scope, meant())).rejects.toMatchObject(closed);
    await expect(one.ledger.send(lease)).rejects.toMatchObject(closed);
    await expect(one.ledger.release(lease)).rejects.toMatchObject(closed);
    storage = await openTestStorage(folder.path, indexOf);
    machine = createMachine(storage.atomic);
    expect(await read(machine.start().ledger, what)).toMatchObject({ live: false, standing: 'not_sent' });
  });
});
