import { canonicalDigest, canonicalJson } from '../canonical-json.ts';
import { createLeaseJudge, heartbeatLasts, type Holder, type LeaseJudge } from '../storage/lease.ts';
import {
  type AccountScope,
  compareAccounts,
  damagedEntryError,
  entryKey,
  type LedgerEntry,
  parseEntry,
  type UserScope,
  writeEntry,
} from './entry.ts';
import {
  type LedgerIo,
  listEntries,
  listPositionOf,
  lists,
  parseStoredEntry,
  readEntry,
  type StoredEntry,
  swapEntry,
  updateEntry,
} from './entry-store.ts';
import {
  type AcquireResult,
  type ClaimResult,
  type EntryView,
  isUnsent,
  type Lease,
  type Ledger,
  type ListFilter,
  type ListPosition,
  mayClaimAgain,
  type NewEntry,
  type Step,
  viewEntry,
} from './ledger.ts';
import * as rules from './transitions.ts';

type Change = (entry: LedgerEntry) => Partial<LedgerEntry> | null;

/** Opens the ledger; see `Ledger`. */
export function openLedger(io: LedgerIo): Ledger {
  const judge = createLeaseJudge(io);
  /** At which version of its entry a lease was seen to be held: nothing of the entry changes without another version. */
  const heldAt = new WeakMap<Lease, number>();
  /** When the counter of a lease was last moved at the earliest, by this process's monotonic clock. */
  const movedAt = new WeakMap<Lease, number>();

  /** Begins a lease, or not. */
  const begin = async <Result extends ClaimResult | AcquireResult>(
    take: () => Promise<Result>,
  ): Promise<Result> => {
    const at = io.clock.monotonic();
    const result = await take();
    if ('lease' in result) movedAt.set(result.lease, at);
    return result;
  };

  const view = async (entry: LedgerEntry): Promise<EntryView> =>
    viewEntry(entry, await judge.isLive(entry.owner));

  const views = (entries: readonly LedgerEntry[]): Promise<EntryView[]> => Promise.all(entries.map(view));

  /** An entry that can't be read may be one that is asked for. @throws store_unreadable */
  const requireReadable = async (of: UserScope): Promise<void> => {
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
    if (!isHolder) judge.endHolding(lease.owner);
    return { isHolder, view: await view(entry) };
  };

  /** A change that needs no lease. */
  const note = async (key: string, change: Change): Promise<EntryView | null> => {
    if ((await readEntry(io, key)) === null) return null;
    return view(await updateEntry(io, key, change));
  };

  return {
    claim: (scope, newEntry) => begin(() => claimEntry(io, judge, scope, newEntry)),
    acquire: (scope, clientMutationId) => begin(() => acquireEntry(io, judge, scope, clientMutationId)),
    send: (lease) => step(lease, (entry) => rules.beginSendingEntry(entry, lease)),
    accept: (lease, known) => step(lease, (entry) => rules.acceptEntry(entry, lease, known)),
    checkpoint: (lease, progress) => step(lease, (entry) => rules.checkpointEntry(entry, lease, progress)),
    settle: (lease, settlement) => step(lease, (entry) => rules.settleEntry(entry, lease, settlement)),
    markUnresolved: (lease, error) => step(lease, (entry) => rules.markEntryUnresolved(entry, lease, error)),

    clearDoubt: (lease) => step(lease, (entry) => rules.clearEntryDoubt(entry, lease)),

    async isHolder(lease) {
      const stored = await io.store.get(lease.key);
      if (stored === null) return false;
      // A Set of 300 files asks 600 times, and its entry takes a millisecond to parse: 0.6 s in all.
      if (heldAt.get(lease) === stored.version) return true;
      const isHeld = rules.isHeldBy(parseStoredEntry(stored).entry, lease);
      if (isHeld) heldAt.set(lease, stored.version);
      return isHeld;
    },

    async heartbeat(lease) {
      const at = io.clock.monotonic();
      const { isHolder } = await step(lease, (entry) => rules.heartbeatEntry(entry, lease));
      if (isHolder) movedAt.set(lease, at);
      return isHolder;
    },

    isFresh: (lease) => io.clock.monotonic() - (movedAt.get(lease) ?? -Infinity) < heartbeatLasts,

    async release(lease) {
      judge.endHolding(lease.owner);
      await step(lease, (entry) => rules.releaseEntry(entry, lease));
    },

    conclude: async (scope, clientMutationId, said) =>
      note(entryKey(scope, clientMutationId), (entry) => rules.concludeEntry(entry, said)),

    preempt: async (scope, clientMutationId, error) =>
      note(entryKey(scope, clientMutationId), (entry) => rules.preemptEntry(entry, error)),

    countLookup: async (scope, clientMutationId) =>
      note(entryKey(scope, clientMutationId), rules.countEntryLookup),

    async abandon(given) {
      const at = new Date(io.clock.now()).toISOString();
      const key = entryKey(given, given.clientMutationId);
      return view(await updateEntry(io, key, (entry) => rules.abandonEntry(entry, given, at)));
    },

    async read(scope, clientMutationId) {
      const stored = await readEntry(io, entryKey(scope, clientMutationId));
      return stored === null ? null : view(stored.entry);
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
      return views(ofAccount(found, scope));
    },

    async findDone(scope, keywords, most) {
      const done = keywords.map((keyword) => lists.onceDone(scope, keyword));
      return views(ofAccount(await pageOf(done, most), scope));
    },

    async mayKeep(name, since) {
      const keeping = io.store.page({ lists: [lists.keeps(name)], before: null, mark: since, limit: 1 });
      if ((await keeping).length > 0) return true;
      const unknown = [lists.keepsUnknown, lists.unreadable(null)];
      return (await io.store.page({ lists: unknown, before: null, mark: '', limit: 1 })).length > 0;
    },

    countOpen: (scope) => io.store.count(lists.open(scope)),

    async list(scope, filter) {
      await requireReadable(scope);
      return listEntries(io, judge, listsOf(scope, filter.state), filter);
    },
  };
}

/** Those of the account, and those of which it can't be told. */
function ofAccount(entries: readonly LedgerEntry[], scope: AccountScope): readonly LedgerEntry[] {
  return entries.filter((entry) => compareAccounts(entry, scope) !== 'other');
}

function listsOf(user: UserScope, state: ListFilter['state']): readonly string[] {
  if (state === 'open') return [lists.open(user)];
  return state === undefined ? [lists.all(user)] : lists.standing(user, state);
}

const storePage = 500;

/** Claims an id for an intent before anything is sent, as `Ledger.claim` says. */
async function claimEntry(
  io: LedgerIo,
  judge: LeaseJudge,
  scope: AccountScope,
  newEntry: NewEntry,
): Promise<ClaimResult> {
  const key = entryKey(scope, newEntry.clientMutationId);
  const owner = judge.startHolding();
  try {
    const first = firstEntry(io, scope, newEntry, owner);
    const { won, current } = await io.store.putIfAbsent(key, writeEntry(first));
    if (won) return { claim: 'leased', ...leased(key, first, owner) };
    for (let stored: StoredEntry | null = parseStoredEntry(current); stored !== null; ) {
      const { entry } = stored;
      const view = viewEntry(entry, await judge.isLive(entry.owner));
      const account = compareAccounts(entry, scope);
      if (account === 'other' || entry.digest !== first.digest || entry.operation !== first.operation) {
        judge.endHolding(owner);
        return { claim: 'reused', view };
      }
      if (!isUnsent(view)) {
        judge.endHolding(owner);
        return { claim: 'known', view };
      }
      const { subject, connection, state, outcome, receipt, error, progress, earlier } = first;
      const names = { ...entry.names, ...first.names };
      const epoch = entry.epoch + 1;
      const again = {
        subject,
        connection,
        state,
        outcome,
        receipt,
        error,
        progress,
        earlier,
        names,
        epoch,
        owner,
      };
      const taken = await swapEntry(io, key, stored, again);
      if (taken !== null) return { claim: 'leased', ...leased(key, taken, owner) };
      stored = await readEntry(io, key);
    }
    throw new Error('an entry of the ledger vanished');
  } catch (error) {
    judge.endHolding(owner);
    throw error;
  }
}

/** Acquires the lease of an entry that no process works on, as `Ledger.acquire` says. */
async function acquireEntry(
  io: LedgerIo,
  judge: LeaseJudge,
  scope: AccountScope,
  id: string,
): Promise<AcquireResult> {
  const key = entryKey(scope, id);
  const owner = judge.startHolding();
  try {
    for (let stored = await readEntry(io, key); stored !== null; stored = await readEntry(io, key)) {
      const { entry } = stored;
      const view = viewEntry(entry, await judge.isLive(entry.owner));
      const account = compareAccounts(entry, scope);
      const isOurs =
        account === 'same' || (account === 'unknown' && (entry.state === 'processing' || isUnsent(view)));
      const ended =
        !isOurs || entry.abandonedAt !== null || (entry.state === 'settled' && !mayClaimAgain(entry));
      if (view.live || ended) {
        judge.endHolding(owner);
        return { acquire: ended ? 'ended' : 'busy', view };
      }
      const taken = await swapEntry(io, key, stored, {
        state: entry.state === 'processing' ? 'processing' : 'claimed',
        doubt: entry.doubt || entry.state === 'sending',
        outcome: null,
        ...(isUnsent(view) ? { subject: scope.subject } : {}),
        ...(account === 'same' || isUnsent(view) ? { connection: scope.connection } : {}),
        epoch: entry.epoch + 1,
        owner,
      });
      if (taken !== null) return { acquire: 'leased', ...leased(key, taken, owner) };
    }
    judge.endHolding(owner);
    return { acquire: 'unknown' };
  } catch (error) {
    judge.endHolding(owner);
    throw error;
  }
}

function leased(
  key: string,
  entry: LedgerEntry,
  owner: Holder,
): { readonly lease: Lease; readonly view: EntryView } {
  const { instance, hold } = owner;
  return { lease: { key, epoch: entry.epoch, owner: { instance, hold } }, view: viewEntry(entry, true) };
}

function firstEntry(io: LedgerIo, scope: AccountScope, newEntry: NewEntry, owner: Holder): LedgerEntry {
  const intent = canonicalJson(newEntry.intent);
  const at = new Date(io.clock.now()).toISOString();
  return {
    service: scope.service,
    user: scope.user,
    subject: scope.subject,
    connection: scope.connection,
    clientMutationId: newEntry.clientMutationId,
    operation: newEntry.operation,
    target: newEntry.target,
    ...(newEntry.names === undefined ? {} : { names: { ...newEntry.names } }),
    digest: canonicalDigest(intent),
    intent,
    ...(newEntry.earlier === undefined ? {} : { earlier: newEntry.earlier }),
    createdAt: at,
    updatedAt: at,
    epoch: 1,
    state: 'claimed',
    owner,
    doubt: false,
    outcome: null,
    receipt: null,
    error: null,
    progress: newEntry.progress ?? null,
    lookups: 0,
    abandonedAt: null,
  };
}
