import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountScope } from '../../src/ledger/entry.ts';
import { systemClock } from '../../src/clock.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { requireNoConflict } from '../../src/mutations/before/conflicts.ts';
import { findUploadedBefore } from '../../src/mutations/before/done-before.ts';
import { searchKeywordsOf } from '../../src/mutations/before/keywords.ts';
import { uploadAsset } from '../../src/mutations/operations/upload-asset.ts';
import type { AtomicStore } from '../../src/storage/atomic-store.ts';
import type { Storage } from '../../src/storage/open.ts';
import { filledId, filledUpload, fillLedger } from '../support/filled-ledger.ts';
import { indexOf } from '../support/ledger-index.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { newId, scope } from './machine.ts';
import { openTestStorage } from '../support/test-store.ts';

/** What the ledger asked of its store: operations, and entries that came back. */
interface Work {
  operations: number;
  entries: number;
}

function counting(store: AtomicStore, work: Work): AtomicStore {
  const counted = async <T>(answer: Promise<T>, entries: (value: T) => number): Promise<T> => {
    work.operations += 1;
    const value = await answer;
    work.entries += entries(value);
    return value;
  };
  const one = () => 1;
  return {
    get: (...given) => counted(store.get(...given), one),
    put: (...given) => counted(store.put(...given), one),
    putIfAbsent: (...given) => counted(store.putIfAbsent(...given), one),
    compareAndSet: (...given) => counted(store.compareAndSet(...given), one),
    scan: () => Promise.reject(new Error('The ledger scans.')),
    page: (...given) => counted(store.page(...given), (page) => page.length),
    count: (...given) => counted(store.count(...given), () => 0),
  };
}

interface Filled {
  readonly ledger: Ledger;
  readonly work: Work;
  end(): Promise<void>;
}

/** Every fifth is not settled. */
async function filled(count: number): Promise<Filled> {
  const folder = await temporaryFolder();
  await fillLedger({ home: folder.path, scope, count, open: (number) => number % 5 === 0 });
  const storage: Storage = await openTestStorage(folder.path, indexOf);
  const work: Work = { operations: 0, entries: 0 };
  const self = { machine: 'here', pid: 2, instance: 'counting' };
  const store = counting(storage.atomic, work);
  return {
    ledger: openLedger({ store, clock: systemClock, self, mayRun: async () => false }),
    work,
    async end() {
      storage.close();
      await folder.remove();
    },
  };
}

const user: AccountScope = scope;

/** A new upload of the bytes of the entry with this number, to its place. */
const like = (number: number) => uploadAsset.mutation({ ...filledUpload(number), clientMutationId: newId() });

const asked: Readonly<Record<string, (ledger: Ledger) => Promise<unknown>>> = {
  'a claim': async (ledger) => {
    const { clientMutationId, operation, target, intent } = like(7);
    const claiming = await ledger.claim(scope, { clientMutationId, operation, target, intent });
    if (claiming.claim === 'leased') await ledger.release(claiming.lease);
  },
  'the check of a place that is free': (ledger) => requireNoConflict({ ledger, scope }, like(1_000_000)),
  'the check of a place that is taken': (ledger) =>
    requireNoConflict({ ledger, scope }, like(0)).catch(() => null),
  'the warning of bytes that were uploaded before': (ledger) => requireNoConflict({ ledger, scope }, like(1)),
  'the warning of bytes that a submission has sent': (ledger) =>
    findUploadedBefore({ ledger, scope }, like(1)),
  'the first page': (ledger) => ledger.list(scope, { limit: 10 }),
  'the first page of what is open': (ledger) => ledger.list(scope, { limit: 10, state: 'open' }),
  'the first page of an outcome': (ledger) => ledger.list(scope, { limit: 10, state: 'succeeded' }),
  'the first page of what is not known': (ledger) => ledger.list(scope, { limit: 10, state: 'unresolved' }),
  'the first page of an outcome that nothing has': (ledger) =>
    ledger.list(scope, { limit: 10, state: 'failed' }),
  'the first page since a moment': (ledger) =>
    ledger.list(scope, { limit: 10, since: new Date(Date.UTC(2030, 0, 1)).toISOString() }),
  'how many are open': (ledger) => ledger.countOpen(user),
  'one id': (ledger) => ledger.read(user, filledId(3)),
  'whether something is kept for it': (ledger) => ledger.mayKeep('nothing', new Date().toISOString()),
};

describe('what the ledger reads', () => {
  const all: Filled[] = [];
  beforeAll(async () => {
    for (const count of [100, 10_000]) {
      const one = await filled(count);
      expect(await one.ledger.countOpen(scope)).toBe(count / 5);
      all.push(one);
    }
  });
  afterAll(() => Promise.all(all.map((one) => one.end())));

  it.each(Object.entries(asked))('for %s is the same for 100 entries and for 10,000', async (_, ask) => {
    const works: Work[] = [];
    for (const { ledger, work } of all) {
      Object.assign(work, { operations: 0, entries: 0 });
      await ask(ledger);
      works.push({ ...work });
    }
    expect(works[1]).toEqual(works[0]);
    expect(works[1]?.operations).toBeGreaterThan(0);
    expect(works[1]?.operations).toBeLessThan(12);
    expect(works[1]?.entries).toBeLessThan(12);
  });

  it('is told by what is looked for, never by what there is', () => {
    expect(searchKeywordsOf(like(0)).same).toHaveLength(1);
  });
});
