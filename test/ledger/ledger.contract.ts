import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clientMutationId } from '../../src/catalogue/request.ts';
import { leaseMs } from '../../src/ledger/lease.ts';
import { type Lease, LeaseLost, type Ledger, type NewMutation } from '../../src/ledger/ledger.ts';
import { createLedger } from '../../src/ledger/open-ledger.ts';
import type { AccountScope, MutationRow } from '../../src/ledger/rows.ts';
import type { Store } from '../../src/store/open.ts';

/** What a ledger takes of a store. */
export type LedgerStore = Pick<Store, 'id' | 'place' | 'sql'>;

/** A process of its own: its clock, its name, and what it knows of others. */
function processOn(store: LedgerStore, gone: ReadonlySet<string> = new Set()) {
  const self = randomUUID();
  let passed = 0;
  const clock = { now: () => Date.now(), monotonic: () => passed };
  const isGone = (holder: string) => [...gone].some((name) => holder.endsWith(name));
  const ledger = createLedger({ store, holders: { self, isGone }, clock });
  const wait = (ms: number) => {
    passed += ms;
  };
  return { self, ledger, wait };
}

const account: AccountScope = {
  service: 'https://service.test',
  user: 'default',
  subject: 'usr_1',
  connection: 'connection 1',
};

/** An account of its own for each test, since they share a store. */
const someone = (): AccountScope => ({ ...account, user: randomUUID() });

function change(over: Partial<NewMutation> = {}): NewMutation {
  const id = over.id ?? clientMutationId.parse(randomUUID());
  return {
    ...{
      id,
      operation: 'edit_group',
      expectedUpdatedAt: 'r1',
      intent: '{"groupId":7}',
      target: { groupId: 7 },
    },
    ...{ names: { 'group 7': 'Late Nights' }, earlier: { title: 'Before' }, noticed: null, admission: null },
    ...{ file: null, machine: null, keeper: null, keys: [], items: [], ...over },
  };
}

const error = { code: 'invalid', failure: 'invalid_arguments', message: 'No.', status: 422 };

async function claimed(ledger: Ledger, whose: AccountScope, mutation = change()): Promise<Lease> {
  const result = await ledger.claim(whose, mutation, await ledger.sequence());
  if (result.claim !== 'leased') throw new Error(`It was ${result.claim}.`);
  return result.lease;
}

const states = ({ state, doubt, outcome, holder }: MutationRow) => ({
  state,
  doubt,
  outcome,
  isHeld: holder !== null,
});

/** What a ledger promises, on any engine. @param open a store that all tests of the suite share */
export function ledgerContract(engine: string, open: () => Promise<LedgerStore>): void {
  describe(`the ledger on ${engine}`, () => {
    it('gives an id to one intent, and keeps all that is said of it', async () => {
      const { ledger } = processOn(await open());
      const whose = someone();
      const items = Array.from({ length: 300 }, (_, at) => {
        const digest = at % 3 === 0 ? null : 'd'.repeat(64);
        return { item: randomUUID(), place: { at }, digest, length: digest === null ? null : at };
      });
      const mutation = change({ admission: '{"a":"\u{1F3DE}"}', machine: 'here', keeper: 'k1', items });
      const lease = await claimed(ledger, whose, mutation);
      const { keys, items: _, id, operation, expectedUpdatedAt, ...body } = mutation;
      const kept = await ledger.read(whose, id);
      expect(kept?.body).toEqual(body);
      expect(kept?.row).toMatchObject({ ...whose, id, operation, expectedUpdatedAt, epoch: 1, isLive: true });
      expect(
        (await ledger.items(whose, id)).map(({ item, place, digest, length }) => ({
          item,
          place,
          digest,
          length,
        })),
      ).toEqual(items);
      const since = await ledger.sequence();
      expect(await ledger.claim(whose, mutation, since)).toMatchObject({ claim: 'known', row: { id } });
      expect(await ledger.claim(whose, { ...mutation, intent: '{}' }, since)).toMatchObject({
        claim: 'reused',
      });
      const other = { ...whose, subject: 'usr_2', connection: 'connection 2' };
      expect(await ledger.claim(other, mutation, since)).toMatchObject({ claim: 'reused' });
      expect(await ledger.read(someone(), id)).toBeNull();
      await ledger.release(lease);
    });

    it('leads a change from its claim to its outcome, and keeps the first verdict', async () => {
      const { ledger } = processOn(await open());
      const whose = someone();
      const lease = await claimed(ledger, whose);
      const sent = await ledger.send(lease, { noticed: ['g1'] });
      expect(states(sent)).toEqual({
        state: 'sending',
        doubt: 'none',
        outcome: null,
        isHeld: true,
      });
      await ledger.send(lease);
      expect((await ledger.read(whose, lease.id))?.body.noticed).toEqual(['g1']);
      const accepted = await ledger.accept(lease, { savedId: 's1' }, 'sub_1');
      expect(accepted).toMatchObject({ state: 'accepted', submission: 'sub_1', receipt: { savedId: 's1' } });
      const first = { outcome: 'partial', receipt: null, error: null } as const;
      const ended = await ledger.conclude(whose, lease.id, first);
      expect(ended).toMatchObject({ outcome: 'partial', receipt: { savedId: 's1' }, holder: null });
      const again = await ledger.conclude(whose, lease.id, { ...first, outcome: 'failed' });
      expect(again).toEqual(ended);
      await expect(ledger.accept(lease, null, null)).rejects.toThrow(LeaseLost);
      expect(await ledger.isHolder(lease)).toBe(false);
      expect(await ledger.heartbeat(lease)).toBe(false);
      await ledger.release(lease);
    });

    it.each([
      ['a refusal', [], 'refused', { state: 'settled', doubt: 'none', outcome: 'refused', isHeld: false }],
      [
        'a refusal after 401 and a look',
        ['away', 'clear'],
        'refused',
        { state: 'settled', doubt: 'none', outcome: 'refused', isHeld: false },
      ],
      [
        'what was turned away',
        ['away'],
        'left',
        { state: 'claimed', doubt: 'turned away', outcome: null, isHeld: false },
      ],
      [
        'what no look can tell',
        ['away for ever', 'clear'],
        'left',
        { state: 'claimed', doubt: 'lost', outcome: null, isHeld: false },
      ],
      [
        'what did not leave',
        ['unsent'],
        'not_sent',
        { state: 'settled', doubt: 'none', outcome: 'not_sent', isHeld: false },
      ],
      [
        'an answer that was lost',
        [],
        'left',
        { state: 'claimed', doubt: 'lost', outcome: null, isHeld: false },
      ],
      [
        'a lost answer, then 401',
        ['lost', 'away', 'clear'],
        'left',
        { state: 'claimed', doubt: 'lost', outcome: null, isHeld: false },
      ],
    ])('knows what may have been applied: %s', async (_, heard, end, expected) => {
      const { ledger } = processOn(await open());
      const whose = someone();
      let lease = await claimed(ledger, whose);
      await ledger.send(lease);
      for (const word of heard) {
        if (word === 'away') await ledger.turnedAway(lease, true);
        else if (word === 'away for ever') await ledger.turnedAway(lease, false);
        else if (word === 'clear') await ledger.clear(lease);
        else if (word === 'unsent') await ledger.unsent(lease);
        else {
          const left = await ledger.leave(lease, error);
          const next = await ledger.acquire(left);
          lease = next?.lease ?? lease;
          await ledger.send(lease);
        }
      }
      const row =
        end === 'left'
          ? await ledger.leave(lease, null)
          : await ledger.changedNothing(lease, end === 'refused' ? 'refused' : 'not_sent', error);
      expect(states(row)).toEqual(expected);
    });

    it('never says that nothing was changed while there is a doubt', async () => {
      const { ledger } = processOn(await open());
      const lease = await claimed(ledger, someone());
      await ledger.send(lease);
      await ledger.turnedAway(lease, true);
      await expect(ledger.changedNothing(lease, 'refused', error)).rejects.toThrow(TypeError);
      expect(await ledger.isHolder(lease)).toBe(true);
    });

    it('claims again what was not sent or was forbidden, and nothing else', async () => {
      const { ledger } = processOn(await open());
      const whose = someone();
      const since = await ledger.sequence();
      const cases = [
        ['not_sent', null, 'leased'],
        ['refused', { ...error, status: 403 }, 'leased'],
        ['refused', error, 'known'],
      ] as const;
      for (const [outcome, why, claim] of cases) {
        const mutation = change({
          items: [{ item: 'i', place: 1, digest: null, length: null }],
        });
        const lease = await claimed(ledger, whose, mutation);
        await ledger.changedNothing(lease, outcome, why);
        const again = await ledger.claim(whose, { ...mutation, keeper: 'k2' }, since);
        expect(again.claim).toBe(claim);
        if (again.claim === 'leased')
          expect(again.row).toMatchObject({ epoch: 2, outcome: null, error: null });
        expect((await ledger.read(whose, mutation.id))?.body.keeper).toBe(claim === 'leased' ? 'k2' : null);
      }
    });

    it('takes over only what no process works on, as it was judged', async () => {
      const store = await open();
      const gone = new Set<string>();
      const [one, other] = [processOn(store), processOn(store, gone)];
      const whose = someone();
      const lease = await claimed(one.ledger, whose);
      await one.ledger.send(lease);
      const seen = await other.ledger.row(whose, lease.id);
      if (seen === null) throw new Error('It is not there.');
      expect(seen.isLive).toBe(true);
      expect(await other.ledger.acquire(seen)).toBeNull();
      // Its counter stands still for longer than a lease lasts, and then it moves between judgement and takeover.
      other.wait(leaseMs + 1);
      expect(await one.ledger.heartbeat(lease)).toBe(true);
      expect(await other.ledger.acquire(seen)).toBeNull();
      expect(await one.ledger.isHolder(lease)).toBe(true);
      gone.add(one.self);
      const now = await other.ledger.row(whose, lease.id);
      expect(now?.isLive).toBe(false);
      const taken = now === null ? null : await other.ledger.acquire(now);
      expect(taken?.row).toMatchObject({ state: 'claimed', doubt: 'lost', epoch: lease.epoch + 1 });
      expect(await one.ledger.isHolder(lease)).toBe(false);
      await expect(one.ledger.turnedAway(lease, true)).rejects.toThrow(LeaseLost);
      await expect(one.ledger.noteItems(lease, [{ item: 'i', state: 'lost' }])).rejects.toThrow(LeaseLost);
      await one.ledger.release(lease);
      expect((await other.ledger.row(whose, lease.id))?.isLive).toBe(true);
    });

    it('is sure of a lease only for a while after its last heartbeat', async () => {
      const { ledger, wait } = processOn(await open());
      const lease = await claimed(ledger, someone());
      expect(ledger.isFresh(lease)).toBe(true);
      wait(leaseMs);
      expect(ledger.isFresh(lease)).toBe(false);
      await ledger.heartbeat(lease);
      expect(ledger.isFresh(lease)).toBe(true);
      await ledger.release(lease);
      expect(ledger.isFresh(lease)).toBe(false);
    });

    it('lets one of two changes have a key, and tells of what was done meanwhile', async () => {
      const store = await open();
      const gone = new Set<string>();
      const [one, other] = [processOn(store), processOn(store, gone)];
      const whose = someone();
      const since = await other.ledger.sequence();
      const first = await claimed(one.ledger, whose, change({ keys: ['place a', 'bytes b'] }));
      const wish = () => change({ keys: ['place z', 'bytes b'] });
      const tried = async (from = since) => other.ledger.claim(whose, wish(), from);
      expect(await tried()).toMatchObject({
        claim: 'conflict',
        other: { row: { id: first.id } },
      });
      await one.ledger.send(first);
      await one.ledger.leave(first, null);
      expect((await tried()).claim).toBe('conflict');
      expect((await other.ledger.claim({ ...whose, subject: 'usr_2' }, wish(), since)).claim).toBe('leased');
      await one.ledger.conclude(whose, first.id, { outcome: 'succeeded', receipt: null, error: null });
      expect((await tried()).claim).toBe('conflict');
      const now = await other.ledger.sequence();
      const second = await tried(now);
      if (second.claim !== 'leased') throw new Error(second.claim);
      // What was refused has changed nothing.
      await other.ledger.changedNothing(second.lease, 'refused', error);
      const third = await claimed(one.ledger, whose, wish());
      // A claim whose process is gone, and of which nothing was sent, is in nobody's way.
      gone.add(one.self);
      const fourth = await tried(now);
      if (fourth.claim !== 'leased') throw new Error(fourth.claim);
      expect(await other.ledger.row(whose, third.id)).toMatchObject({ outcome: 'not_sent', holder: null });
      await expect(one.ledger.send(third)).rejects.toThrow(LeaseLost);
      expect(await one.ledger.findConflict(whose, third.id, ['place z'], now)).toMatchObject({
        row: { id: fourth.row.id },
      });
    });

    it('gives an id, and a key, to one of many that claim at once', async () => {
      const store = await open();
      const whose = someone();
      const all = Array.from({ length: 8 }, () => processOn(store).ledger);
      const mutation = change({ keys: ['k'] });
      const same = await Promise.all(all.map((ledger) => ledger.claim(whose, mutation, 0)));
      expect(same.map(({ claim }) => claim).toSorted()).toEqual([...Array(7).fill('known'), 'leased']);
      const others = await Promise.all(all.map((ledger) => ledger.claim(whose, change({ keys: ['q'] }), 0)));
      expect(others.map(({ claim }) => claim).toSorted()).toEqual([...Array(7).fill('conflict'), 'leased']);
    });

    it('bears writes whose answers are lost', async () => {
      const store = await open();
      let isLosing = false;
      const sql: LedgerStore['sql'] = {
        read: store.sql.read,
        async write(...statements) {
          const results = await store.sql.write(...statements);
          if (isLosing) throw new Error('The answer was lost.');
          return results;
        },
      };
      const { ledger } = processOn({ ...store, sql });
      const whose = someone();
      const mutation = change({ keys: ['place'] });
      /** Makes the call with its answer lost, and then again. */
      const twice = async <Value>(call: () => Promise<Value>): Promise<Value> => {
        isLosing = true;
        await expect(call()).rejects.toThrow('The answer was lost.');
        isLosing = false;
        return call();
      };
      const claimedTwice = await twice(() => ledger.claim(whose, mutation, 0));
      if (claimedTwice.claim !== 'leased') throw new Error(claimedTwice.claim);
      const { lease } = claimedTwice;
      expect(await twice(() => ledger.send(lease))).toMatchObject({ state: 'sending', doubt: 'none' });
      expect(await twice(() => ledger.turnedAway(lease, true))).toMatchObject({ doubt: 'turned away' });
      await twice(() => ledger.release(lease));
      const row = await ledger.row(whose, mutation.id);
      if (row === null) throw new Error('It is gone.');
      expect(await twice(() => ledger.acquire(row))).toBeNull();
      const now = await ledger.row(whose, mutation.id);
      const taken = now === null ? null : await ledger.acquire(now);
      expect(taken?.row).toMatchObject({ state: 'claimed', doubt: 'turned away', isLive: true });
      const verdict = { outcome: 'succeeded', receipt: null, error: null } as const;
      expect(await twice(() => ledger.conclude(whose, mutation.id, verdict))).toMatchObject(verdict);
    });

    it('notes several items at once, and what they are like untouched', async () => {
      const { ledger } = processOn(await open());
      const whose = someone();
      const items = ['a', 'b', 'c'].map((item) => ({ item, place: item, digest: null, length: null }));
      const lease = await claimed(ledger, whose, change({ items }));
      await ledger.noteItems(lease, [
        { item: 'a', state: 'lost', untouched: 'waiting' },
        { item: 'b', state: 'refused', error },
        { item: 'c', state: 'lost', untouched: 'waiting' },
      ]);
      await ledger.noteItems(lease, [{ item: 'c', state: 'arrived' }]);
      const noted = await ledger.items(whose, lease.id);
      expect(noted.map(({ state, untouched, error: why }) => [state, untouched, why?.code])).toEqual([
        ['lost', 'waiting', undefined],
        ['refused', null, 'invalid'],
        ['arrived', 'waiting', undefined],
      ]);
    });

    it('ends what a person gives up, and counts looks', async () => {
      const { ledger } = processOn(await open());
      const whose = someone();
      const mutation = change({ keys: ['place'], keeper: 'kept' });
      const lease = await claimed(ledger, whose, mutation);
      await ledger.send(lease);
      await ledger.noteLook(whose, lease.id, { isInconclusive: true, isNews: false });
      expect(await ledger.noteLook(whose, lease.id, { isInconclusive: false, isNews: false })).toMatchObject({
        lookups: 1,
        idle: 2,
      });
      expect(await ledger.noteLook(whose, lease.id, { isInconclusive: true, isNews: true })).toMatchObject({
        lookups: 0,
        idle: 0,
      });
      expect(await ledger.mayNeedCopies('kept', 0)).toBe(true);
      expect(await ledger.abandon(whose, lease.id)).toMatchObject({ doubt: 'lost', holder: null });
      expect(await ledger.mayNeedCopies('kept', 0)).toBe(false);
      expect(await ledger.isHolder(lease)).toBe(false);
      const row = await ledger.row(whose, lease.id);
      expect(row === null ? row : await ledger.acquire(row)).toBeNull();
      expect((await ledger.claim(whose, mutation, 0)).claim).toBe('known');
      expect((await ledger.claim(whose, change({ keys: ['place'] }), 0)).claim).toBe('leased');
    });

    it('lists newest first, in pages, and by how a change stands', async () => {
      const { ledger } = processOn(await open());
      const whose = someone();
      const made: string[] = [];
      for (let at = 0; at < 7; at += 1) {
        const lease = await claimed(ledger, whose, change());
        made.unshift(lease.id);
        await ledger.send(lease);
        if (at % 2 === 0) await ledger.leave(lease, null);
        else if (at === 1) await ledger.changedNothing(lease, 'refused', error);
        else await ledger.conclude(whose, lease.id, { outcome: 'succeeded', receipt: { at }, error: null });
      }
      const seen: string[] = [];
      for (let page = await ledger.list(whose, { limit: 3 }); ; ) {
        seen.push(...page.records.map(({ row }) => row.id));
        if (page.next === null) break;
        page = await ledger.list(whose, { limit: 3, after: page.next });
      }
      expect(seen.toSorted()).toEqual(made.toSorted());
      const count = async (standing: 'open' | 'unresolved' | 'refused' | 'succeeded' | 'processing') =>
        (await ledger.list(whose, { standing, limit: 50 })).records.length;
      expect([
        await count('open'),
        await count('unresolved'),
        await count('refused'),
        await count('succeeded'),
        await count('processing'),
      ]).toEqual([4, 4, 1, 2, 0]);
      expect(await ledger.countOpen(whose)).toBe(4);
    });
  });
}
