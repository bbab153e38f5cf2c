import { z } from 'zod';
import type { Call } from '../../catalogue/client.ts';
import type { Owned } from '../../catalogue/owned.ts';
import { shortName } from '../../catalogue/records/kinds.ts';
import { idAt, recordAt } from '../../catalogue/records/members.ts';
import type { DestinationQuery, UploadDestination } from '../../catalogue/records/owned.ts';
import type { Connections } from '../../connections/connections.ts';
import { ArtworkError } from '../../errors.ts';
import type { ListedMutation } from '../../mutations/calls/list-mutations.ts';
import type { Mutations } from '../../mutations/mutations.ts';
import type { OwnRecords } from '../../storage/records.ts';
import { mapLimit } from '../../wire/pacing.ts';

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
  call(): Call;
  /** Whether there is time for one more request. */
  hasTime(): boolean;
}

/** Searches at a time: the interface document names no limit, so few. */
const few = 4;
/** In one finding: who asks twice is to be told of the same Sets, whichever tool asks. */
const mostSearches = 240;
const mostPages = 5;
const ledgerPage = 200;

/**
 * All Sets of the connected account that can be found. The service has no list of them: what this machine's ledger
 * knows is put together with what the search of upload destinations shows (interface document, Protected reads). That is
 * limited in count, so it is asked for ever longer parts of titles as long as that brings something new.
 * @throws ArtworkError `not_connected`, `reconnect_required`, `scope_missing`
 */
export async function findOwnSets(reads: AuditOwnReads): Promise<OwnSets> {
  const { account } = await reads.connections.status();
  const found = new Map<number, FoundOwnSet>();
  const made = await fromLedger(reads.mutations);
  for (const set of made.sets) found.set(set.id, set);
  let cut = false;
  let left = mostSearches;
  const families: readonly Omit<DestinationQuery, 'q'>[] = [
    { kind: 'media_set' },
    { kind: 'media_set', family: 'game' },
    { kind: 'talent_set' },
  ];
  for (const family of families) {
    const searched = await search(reads, family, found, left);
    left -= searched.asked;
    cut ||= searched.cut;
  }
  const assets = new Set((await reads.mutations.knownBytes()).keys());
  return {
    account: account === null || account === '' ? null : account,
    sets: [...found.values()].sort((one, other) => one.id - other.id),
    assets,
    warnings: [...(made.cut ? [ledgerCutWords] : []), ...(cut ? [cutWords(found.size)] : [])],
  };
}

const keptSets = z.object({
  version: z.literal(1),
  account: z.string().nullable(),
  sets: z.array(z.object({ id: z.int(), title: z.string() })),
  assets: z.array(z.string()),
  warnings: z.array(z.string()),
});

/** Milliseconds: what is made from here meanwhile has the account's name as its creator. */
const keptForMs = 10 * 60_000;

/**
 * The connected account's own Sets, for what only filters by them: found once for the pages of a reading.
 * @param who tells the account from every other one of this user
 */
export async function recentOwnSets(
  records: OwnRecords,
  who: string,
  find: () => Promise<OwnSets>,
): Promise<OwnSets> {
  const key = `own ${who}`;
  const kept = keptSets.safeParse(await records.get(key));
  if (kept.success) return { ...kept.data, assets: new Set(kept.data.assets) };
  const { account, sets, assets, warnings } = await find();
  const value = { version: 1, account, sets: [...sets], assets: [...assets], warnings: [...warnings] };
  await records.set(key, value, keptForMs);
  return { account, sets, assets, warnings };
}

function cutWords(count: number): string {
  return `${count} Sets of the account were found. The service has no list of them and limits its search, so there may be more: audit_sets takes any other one by kind and id.`;
}

const ledgerCutWords = `Of what was made from this machine the latest ${mostPages * ledgerPage} changes were looked through: an older Set is found only where the service's search shows it.`;

/** @returns `cut`: there are older changes that were not looked at */
async function fromLedger(
  mutations: AuditOwnReads['mutations'],
): Promise<{ readonly sets: readonly FoundOwnSet[]; readonly cut: boolean }> {
  const found: FoundOwnSet[] = [];
  let cut = false;
  for (const state of ['succeeded', 'partial'] as const) {
    let after: Parameters<Mutations['list']>[0]['after'];
    for (let page = 1; ; page += 1) {
      const { mutations: listed, next } = await mutations.list({ state, limit: ledgerPage, after });
      found.push(...listed.flatMap(setOf));
      cut ||= next !== null && page === mostPages;
      if (next === null || page === mostPages) break;
      after = next;
    }
  }
  return { sets: found, cut };
}

function setOf({ id, target }: ListedMutation): FoundOwnSet[] {
  if (id?.kind === 'set' && typeof id.id === 'number') return [{ id: id.id, title: shortName(id.title) }];
  const setId = typeof target === 'object' && target !== null && 'setId' in target ? target.setId : null;
  return typeof setId === 'number' ? [{ id: setId, title: '' }] : [];
}

/** What titles are made of, the likeliest to tell many apart first. */
const letters = [...'aeionrstlhdcmupgbyfkwv0123456789jxzq'];
/** Of other scripts the commonest, and signs that titles consist of: what has no Latin letter is few, and found at once. */
const otherSigns = [...'аоиαοςのンア一人大이사의اييוार্ারপபனานაიամምን§#!?&+'];
/** Fewer than any limit that would be of use. */
const surelyAll = 10;
/** More than any account that is curated by hand has. */
const mostSets = 5_000;
/** Letters of one search. */
const longest = 3;
/** Searches in a row that may bring nothing new before it is taken that nothing will. */
const mostInVain = 60;

interface Searched {
  readonly asked: number;
  /** Some search was cut short by the service's limit, so that something may be left. */
  readonly cut: boolean;
}

async function search(
  { owned, call, hasTime }: AuditOwnReads,
  family: Omit<DestinationQuery, 'q'>,
  found: Map<number, FoundOwnSet>,
  most: number,
): Promise<Searched> {
  const ask = (q: string) => owned.findUploadDestinations({ ...family, ...(q === '' ? {} : { q }) }, call());
  let asked = 1;
  let first: readonly UploadDestination[];
  try {
    first = await ask('');
  } catch (error) {
    // Talent Sets may be a kind that the service does not answer for.
    if (
      family.kind === 'talent_set' &&
      error instanceof ArtworkError &&
      error.category === 'invalid_arguments'
    ) {
      return { asked, cut: false };
    }
    throw error;
  }
  let limit = first.length;
  take(first, found);
  if (limit < surelyAll) return { asked, cut: false };
  let level: readonly string[] = [...letters, ...new Set(otherSigns)];
  let inVain = 0;
  for (let length = 1; length <= longest && level.length > 0; length += 1) {
    const full: string[] = [];
    const queue = [...level];
    while (queue.length > 0) {
      if (asked >= most || (length > 1 && inVain >= mostInVain) || !hasTime()) return { asked, cut: true };
      const batch = queue.splice(0, few);
      asked += batch.length;
      const answers = await mapLimit(batch, few, ask);
      for (const [at, answer] of answers.entries()) {
        limit = Math.max(limit, answer.length);
        inVain = take(answer, found) > 0 ? 0 : inVain + 1;
        if (answer.length >= limit) full.push(batch[at] ?? '');
      }
    }
    level = full.flatMap((part) => letters.map((letter) => part + letter));
  }
  return { asked, cut: level.length > 0 };
}

/** @returns how many were new */
function take(destinations: readonly UploadDestination[], found: Map<number, FoundOwnSet>): number {
  let count = 0;
  for (const record of destinations) {
    const id = Number(idAt(record, 'id', 'setId') ?? idAt(recordAt(record, 'set'), 'id') ?? Number.NaN);
    if (!Number.isSafeInteger(id) || id < 0 || found.has(id)) continue;
    if (found.size >= mostSets) break;
    count += 1;
    found.set(id, { id, title: shortName(record.title) });
  }
  return count;
}
