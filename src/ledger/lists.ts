import type { IndexOf, Listing } from '../storage/atomic-store.ts';
import { type LedgerEntry, type EntryState, tryEntry } from './entry.ts';
import type { SettledOutcome } from './entry.ts';
import { ledgerPrefix, type AccountScope, scopePrefix, type UserScope, userPrefix } from './scope.ts';
import { isOpen, mayRepeat, type Standing } from './standing.ts';

/** What an entry is found by, in the words of the floor that knows what its intent means. */
export interface Keywords {
  /** Within its scope, while it is open. */
  readonly whileOpen: readonly string[];
  /** Within its scope, once the service has said that all or part of it was done. */
  readonly onceDone: readonly string[];
  /**
   * The names under which it keeps something on this machine, as long as it is open or may be sent again. Null: it
   * can't be told.
   */
  readonly keeps: readonly string[] | null;
}

/** Must depend on the entry alone, and must not throw. */
export type KeywordsOf = (entry: LedgerEntry) => Keywords;

/** The lists that the ledger's entries stand in; all else in the store stands in none. */
export function ledgerIndex(keywordsOf: KeywordsOf): IndexOf {
  return (key, value) => {
    if (!key.startsWith(ledgerPrefix)) return [];
    const entry = tryEntry(key, value);
    return entry === null ? unreadable(key) : listingsOf(entry, keywordsOf(entry));
  };
}

type StateList = EntryState | SettledOutcome;

/** The names of the lists. Within each the newest entry comes last. */
export const lists = {
  /** What is damaged, or of a version that this one does not know; of all, or of one user or scope. */
  unreadable: (of: AccountScope | UserScope | null) =>
    `${of === null ? ledgerPrefix : prefixOf(of)} unreadable`,
  /** Entries that may keep anything. */
  keepsUnknown: 'ledger keeps unknown',
  all: (of: AccountScope | UserScope) => `${prefixOf(of)} all`,
  open: (of: AccountScope | UserScope) => `${prefixOf(of)} open`,
  /** Those that may have the standing: what a process that died left behind counts otherwise than it is written. */
  standing: (scope: AccountScope, standing: Standing) =>
    stateLists[standing].map((shelf) => stateList(scope, shelf)),
  id: (user: UserScope, clientMutationId: string) =>
    `${userPrefix(user)} id ${clientMutationId.toLowerCase()}`,
  whileOpen: (scope: AccountScope, keyword: string) => `${scopePrefix(scope)} open ${keyword}`,
  onceDone: (scope: AccountScope, keyword: string) => `${scopePrefix(scope)} done ${keyword}`,
  keeps: (name: string) => `ledger keeps ${name}`,
};

const stateLists: Record<Standing, readonly StateList[]> = {
  processing: ['claimed', 'sending', 'processing'],
  unresolved: ['claimed', 'sending', 'unresolved'],
  not_sent: ['claimed', 'not_sent'],
  succeeded: ['succeeded'],
  partial: ['partial'],
  failed: ['failed'],
  rolled_back: ['rolled_back'],
  refused: ['refused'],
};

/** After every moment: what is open keeps what it keeps, however long ago it was changed. */
export const always = '~';

function listingsOf(entry: LedgerEntry, keywords: Keywords): Listing[] {
  const { state, outcome, createdAt, updatedAt } = entry;
  const open = isOpen(entry);
  const done = outcome === 'succeeded' || outcome === 'partial';
  const at = (list: string, mark = updatedAt): Listing => ({ list, place: createdAt, mark });
  const keeping = open || mayRepeat(entry) ? keywords.keeps : [];
  const keeps = keeping === null ? [lists.keepsUnknown] : keeping.map((name) => lists.keeps(name));
  return [
    at(lists.all(entry)),
    at(lists.all(userOf(entry))),
    ...(open ? [at(lists.open(entry)), at(lists.open(userOf(entry)))] : []),
    at(stateList(entry, state === 'settled' ? (outcome ?? 'unresolved') : state)),
    at(lists.id(entry, entry.clientMutationId), ''),
    ...(open ? keywords.whileOpen.map((word) => at(lists.whileOpen(entry, word), '')) : []),
    ...(done ? keywords.onceDone.map((word) => at(lists.onceDone(entry, word), '')) : []),
    ...keeps.map((list) => at(list, open ? always : updatedAt)),
  ];
}

/** The key alone tells whose it is. */
function unreadable(key: string): Listing[] {
  const [ledger, user, account] = key.split('/');
  const prefixes = [ledgerPrefix, `${ledger}/${user}/`, `${ledger}/${user}/${account}/`];
  return prefixes.map((prefix) => ({ list: `${prefix} unreadable`, place: '', mark: '' }));
}

function stateList(scope: AccountScope, shelf: StateList): string {
  return `${scopePrefix(scope)} is ${shelf}`;
}

function prefixOf(of: AccountScope | UserScope): string {
  return 'connection' in of ? scopePrefix(of) : userPrefix(of);
}

function userOf({ service, user }: LedgerEntry): UserScope {
  return { service, user };
}
