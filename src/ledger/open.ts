import { claimEntry, takeEntry } from './claim.ts';
import type { LedgerEntry } from './entry.ts';
import type { LedgerIo } from './io.ts';
import type { Held, Ledger, Step } from './ledger.ts';
import { createLife } from './life.ts';
import { allEntries, listEntries } from './list.ts';
import { moveEntry, readEntry } from './move.ts';
import * as rules from './rules.ts';
import { entryKey, scopePrefix, userPrefix } from './scope.ts';
import { type View, viewOf } from './standing.ts';

type Change = (entry: LedgerEntry) => Partial<LedgerEntry> | null;

/** Opens the ledger; see `Ledger`. */
export function openLedger(io: LedgerIo): Ledger {
  const life = createLife(io);

  const view = async (entry: LedgerEntry): Promise<View> => viewOf(entry, await life.isLive(entry));

  /** One move by a holder, or by one who was. */
  const step = async (held: Held, change: Change): Promise<Step> => {
    const entry = await moveEntry(io, held.key, change);
    const still = rules.isMine(entry, held);
    if (!still) life.end(held.owner);
    return { held: still, view: await view(entry) };
  };

  /** One move by anybody. */
  const note = async (key: string, change: Change): Promise<View | null> => {
    if ((await readEntry(io, key)) === null) return null;
    return view(await moveEntry(io, key, change));
  };

  return {
    claim: (scope, meant) => claimEntry(io, life, scope, meant),
    take: (scope, clientMutationId) => takeEntry(io, life, scope, clientMutationId),
    send: (held) => step(held, (entry) => rules.send(entry, held)),
    accept: (held, known) => step(held, (entry) => rules.accept(entry, held, known)),
    note: (held, progress) => step(held, (entry) => rules.note(entry, held, progress)),
    settle: (held, settlement) => step(held, (entry) => rules.settle(entry, held, settlement)),
    doubt: (held, error) => step(held, (entry) => rules.doubt(entry, held, error)),

    async holds(held) {
      const stored = await readEntry(io, held.key);
      return stored !== null && rules.isMine(stored.entry, held);
    },

    async beat(held) {
      return (await step(held, (entry) => rules.beat(entry, held, io.now()))).held;
    },

    async letGo(held) {
      life.end(held.owner);
      await step(held, (entry) => rules.letGo(entry, held));
    },

    conclude: async (scope, clientMutationId, said) =>
      note(entryKey(scope, clientMutationId), (entry) => rules.conclude(entry, said)),

    countLookup: async (scope, clientMutationId) =>
      note(entryKey(scope, clientMutationId), rules.countLookup),

    async abandon(given) {
      const at = new Date(io.now()).toISOString();
      const key = entryKey(given, given.clientMutationId);
      return view(await moveEntry(io, key, (entry) => rules.abandon(entry, given, at)));
    },

    async read(scope, clientMutationId) {
      const stored = await readEntry(io, entryKey(scope, clientMutationId));
      return stored === null ? null : view(stored.entry);
    },

    everything: () => allEntries(io),

    list: (scope, filter) =>
      listEntries(io, life, 'connection' in scope ? scopePrefix(scope) : userPrefix(scope), filter),
  };
}
