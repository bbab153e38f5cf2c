import type { Owned } from '../../catalogue/owned.ts';
import type { DestinationQuery, UploadDestination } from '../../catalogue/records/owned.ts';
import type { Connections } from '../../connections/connections.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { isGroupKind, isSetKind } from '../../model/kinds.ts';
import { setOfDestination } from '../../model/own-set.ts';
import { shortLine } from '../../model/target.ts';
import type { ListedMutation } from '../../mutations/answer/result.ts';
import type { Mutations } from '../../mutations/mutations.ts';
import type { TitleSearch } from '../find/titles.ts';

interface FoundOwnSet {
  readonly id: number;
  /** Other people's writing, cleaned and short; empty where nothing shows it. */
  readonly title: string;
}

/** What is known to be the connected account's. */
export interface OwnSets {
  /** The account's name, as Sets may show it; null where the sign-in did not tell. */
  readonly account: string | null;
  /** Each once, by id. */
  readonly sets: readonly FoundOwnSet[];
  /** Ids of Assets that were made from this machine, in lower case. */
  readonly assets: ReadonlySet<string>;
  readonly warnings: readonly string[];
}

export interface AuditOwnReads {
  readonly owned: Pick<Owned, 'findUploadDestinations'>;
  readonly mutations: Pick<Mutations, 'list' | 'knownBytes'>;
  readonly connections: Pick<Connections, 'status'>;
  /** Null where none is kept. */
  readonly index: Pick<TitleSearch, 'search'> | null;
  readonly deadline: Deadline;
}

const mostPages = 5;
const ledgerPage = 200;

/** All that can be asked for without a search text. */
const families: readonly DestinationQuery[] = [
  { kind: 'media_set' },
  { kind: 'media_set', family: 'game' },
  { kind: 'talent_set' },
];

/**
 * The Sets of the connected account that are known. The service has no list of them: what this machine's ledger knows
 * is put together with what the upload destinations show, which are limited in count (interface document, Protected
 * reads), and with what the index of titles has under the account's name.
 * @throws ArtworkError `not_connected`, `reconnect_required`, `scope_missing`
 */
export async function findOwnSets(reads: AuditOwnReads): Promise<OwnSets> {
  const { owned, mutations, connections, deadline } = reads;
  const status = await connections.status();
  const account = status.account === '' ? null : status.account;
  const made = await fromLedger(mutations);
  const found = [...made.sets];
  for (const family of families) {
    const destinations = await owned.findUploadDestinations(family, deadline).catch(noTalentSets(family));
    found.push(...destinations.flatMap((record) => setOfDestination(record) ?? []));
  }
  if (account !== null && reads.index !== null) found.push(...(await fromIndex(reads.index, account)));
  const sets = new Map<number, FoundOwnSet>();
  for (const set of found) if (!sets.get(set.id)?.title) sets.set(set.id, set);
  return {
    account,
    sets: [...sets.values()].sort((one, other) => one.id - other.id),
    assets: new Set((await mutations.knownBytes()).keys()),
    warnings: [...(made.cut ? [ledgerCutWords] : []), foundWords(sets.size)],
  };
}

function foundWords(count: number): string {
  return `${count} Sets of the account were found. The service has no list of them, so there may be more.`;
}

const ledgerCutWords = `Of what was made from this machine the latest ${mostPages * ledgerPage} changes were looked through: an older Set is found only where the service or the index of titles shows it.`;

/** Talent Sets may be a kind that the service does not answer for. */
function noTalentSets({ kind }: DestinationQuery): (error: unknown) => readonly UploadDestination[] {
  return (error) => {
    if (kind !== 'talent_set' || !(error instanceof ArtworkError)) throw error;
    if (error.category !== 'invalid_arguments') throw error;
    return [];
  };
}

const indexPage = 200;

async function fromIndex(index: Pick<TitleSearch, 'search'>, account: string): Promise<FoundOwnSet[]> {
  const found: FoundOwnSet[] = [];
  for (let offset = 0; ; offset += indexPage) {
    const { hits } = await index.search({ kind: 'set', createdBy: account, offset, limit: indexPage });
    for (const { kind, id, name, creator } of hits) {
      // A similar name belongs to another account. Groups have ids apart from those of Sets.
      if (creator !== account || !isSetKind(kind) || isGroupKind(kind) || typeof id !== 'number') continue;
      found.push({ id, title: shortLine(name) });
    }
    if (hits.length < indexPage) return found;
  }
}

/** @returns `cut`: there are older changes that were not looked at */
async function fromLedger(
  mutations: AuditOwnReads['mutations'],
): Promise<{ readonly sets: readonly FoundOwnSet[]; readonly cut: boolean }> {
  const found: FoundOwnSet[] = [];
  let cut = false;
  for (const standing of ['succeeded', 'partial'] as const) {
    let after: Parameters<Mutations['list']>[0]['after'];
    for (let page = 1; ; page += 1) {
      const { mutations: listed, next } = await mutations.list({ standing, limit: ledgerPage, after });
      found.push(...listed.flatMap(setOf));
      cut ||= next !== null && page === mostPages;
      if (next === null || page === mostPages) break;
      after = next;
    }
  }
  return { sets: found, cut };
}

function setOf({ id, target }: ListedMutation): FoundOwnSet[] {
  const isSet = id !== undefined && (id.kind === 'set' || (isSetKind(id.kind) && !isGroupKind(id.kind)));
  if (isSet && typeof id.id === 'number') return [{ id: id.id, title: shortLine(id.title) }];
  const setId = typeof target === 'object' && target !== null && 'setId' in target ? target.setId : null;
  return typeof setId === 'number' ? [{ id: setId, title: '' }] : [];
}
