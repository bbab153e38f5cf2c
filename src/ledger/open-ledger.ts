import { claimEntry, acquireEntry } from './claim.ts';
import { damagedEntryError, type LedgerEntry, parseEntry } from './entry.ts';
import { listEntries, lists, listPositionOf } from './entry-lists.ts';
import { createLiveness, type LedgerIo, readEntry, updateEntry } from './entry-store.ts';
import type { ListFilter, Lease, Ledger, ListPosition, Step } from './ledger.ts';
import * as rules from './transitions.ts';
import { entryKey, type AccountScope, type UserScope } from './scope.ts';
import { type EntryView, viewEntry } from './entry-view.ts';

type Change = (entry: LedgerEntry) => Partial<LedgerEntry> | null;

/** Opens the ledger; see `Ledger`. */
export function openLedger(io: LedgerIo): Ledger {
  const liveness = createLiveness(io);

  const view = async (entry: LedgerEntry): Promise<EntryView> =>
    viewEntry(entry, await liveness.isLive(entry));

  const views = (entries: readonly LedgerEntry[]): Promise<EntryView[]> => Promise.all(entries.map(view));

  /** An entry that can't be read may be one that is asked for. @throws store_unreadable */
  const requireReadable = async (of: AccountScope | UserScope): Promise<void> => {
    if ((await io.store.count(lists.unreadable(of))) > 0) throw damagedEntryError();
  };

  const pageOf = async (among: readonly string[], limit: number, before: ListPosition | null = null) => {
    const place = before === null ? null : { place: before.createdAt, key: before.key };
    const page = await io.store.page({ lists: among, before: place, mark: '', limit });
    return page.map(({ key, value }) => parseEntry(key, value));
  };

  /** A change by the caller that has the lease, or had it. */
  const step = async (lease: Lease, change: Change): Promise<Step> => {
    const entry = await updateEntry(io, lease.key, change);
    const isHolder = rules.isHeldBy(entry, lease);
    if (!isHolder) liveness.endHolding(lease.owner);
    return { isHolder, view: await view(entry) };
  };

  /** A change that needs no lease. */
  const note = async (key: string, change: Change): Promise<EntryView | null> => {
    if ((await readEntry(io, key)) === null) return null;
    return view(await updateEntry(io, key, change));
  };

  return {
    claim: (scope, newEntry) => claimEntry(io, liveness, scope, newEntry),
    acquire: (scope, clientMutationId) => acquireEntry(io, liveness, scope, clientMutationId),
    send: (lease) => step(lease, (entry) => rules.beginSendingEntry(entry, lease)),
    accept: (lease, known) => step(lease, (entry) => rules.acceptEntry(entry, lease, known)),
    checkpoint: (lease, progress) => step(lease, (entry) => rules.checkpointEntry(entry, lease, progress)),
    settle: (lease, settlement) => step(lease, (entry) => rules.settleEntry(entry, lease, settlement)),
    markUnresolved: (lease, error) => step(lease, (entry) => rules.markEntryUnresolved(entry, lease, error)),

    async isHolder(lease) {
      const stored = await readEntry(io, lease.key);
      return stored !== null && rules.isHeldBy(stored.entry, lease);
    },

    async heartbeat(lease) {
      return (await step(lease, (entry) => rules.heartbeatEntry(entry, lease, io.now()))).isHolder;
    },

    async release(lease) {
      liveness.endHolding(lease.owner);
      await step(lease, (entry) => rules.releaseEntry(entry, lease));
    },

    conclude: async (scope, clientMutationId, said) =>
      note(entryKey(scope, clientMutationId), (entry) => rules.concludeEntry(entry, said)),

    preempt: async (scope, clientMutationId, error) =>
      note(entryKey(scope, clientMutationId), (entry) => rules.preemptEntry(entry, error)),

    countLookup: async (scope, clientMutationId) =>
      note(entryKey(scope, clientMutationId), rules.countEntryLookup),

    async abandon(given) {
      const at = new Date(io.now()).toISOString();
      const key = entryKey(given, given.clientMutationId);
      return view(await updateEntry(io, key, (entry) => rules.abandonEntry(entry, given, at)));
    },

    async read(scope, clientMutationId) {
      const stored = await readEntry(io, entryKey(scope, clientMutationId));
      return stored === null ? null : view(stored.entry);
    },

    async readAll(user, clientMutationId) {
      await requireReadable(user);
      return views(await pageOf([lists.id(user, clientMutationId)], 10));
    },

    findOpen: async (scope, keywords) => {
      await requireReadable(scope);
      const found: LedgerEntry[] = [];
      const among = keywords.map((keyword) => lists.whileOpen(scope, keyword));
      for (let before: ListPosition | null = null; among.length > 0; ) {
        const page: readonly LedgerEntry[] = await pageOf(among, storePage, before);
        found.push(...page);
        const last = page.at(-1);
        if (page.length < storePage || last === undefined) break;
        before = listPositionOf(last);
      }
      return views(found);
    },

    findDone: async (scope, keyword, most) => views(await pageOf([lists.onceDone(scope, keyword)], most)),

    async mayKeep(name, since) {
      const keeping = io.store.page({ lists: [lists.keeps(name)], before: null, mark: since, limit: 1 });
      if ((await keeping).length > 0) return true;
      const unknown = [lists.keepsUnknown, lists.unreadable(null)];
      return (await io.store.page({ lists: unknown, before: null, mark: '', limit: 1 })).length > 0;
    },

    countOpen: (scope) => io.store.count(lists.open(scope)),

    async list(scope, filter) {
      await requireReadable(scope);
      return listEntries(io, liveness, listsOf(scope, filter.state), filter);
    },
  };
}

function listsOf(scope: AccountScope | UserScope, state: ListFilter['state']): readonly string[] {
  if (state === 'open') return [lists.open(scope)];
  return state === undefined || !('connection' in scope) ? [lists.all(scope)] : lists.standing(scope, state);
}

const storePage = 500;
