import type { Catalogue } from '../../catalogue/client.ts';
import type { Owned } from '../../catalogue/owned.ts';
import type { Connections } from '../../connection/connections.ts';
import type { Deadline } from '../../deadline.ts';
import { unlessRefused } from '../../errors.ts';
import { assetsOf } from '../../model/asset.ts';
import { type GroupKind, isGroupKind, isSetKind, setKindsOf } from '../../model/kinds.ts';
import { idOfDestination, membersOf } from '../../model/own-set.ts';
import { setOf } from '../../model/set.ts';
import { partOf, setsListedBy } from '../../model/work.ts';
import type { Mutations } from '../../mutations/mutations.ts';
import type { TitleIndex } from '../find/title-index.ts';
import type { NamedTarget } from '../read-work.ts';

/** A Set as a call names it; the kinds are those that it may have, the likeliest first; none: only its owner's read tells. */
export interface NamedSet {
  readonly kinds: readonly string[];
  readonly id: number;
}

export interface WhichSets {
  readonly sets: readonly NamedSet[];
  readonly warnings: readonly string[];
}

/** The Sets of a Boxset or Loadout. @throws ArtworkError `not_found` */
export async function setsIn(
  catalogue: Pick<Catalogue, 'readSet'>,
  { kind, id }: { readonly kind: GroupKind; readonly id: number },
  deadline: Deadline,
): Promise<WhichSets> {
  const { members } = setOf(kind, id, await catalogue.readSet(kind, id, deadline));
  const sets = members.map((member) => ({ kinds: member.kind === null ? [] : [member.kind], id: member.id }));
  return { sets, warnings: sets.length === 0 ? [`The ${kind} has no Sets.`] : [] };
}

/**
 * All Sets of a target. Shows alone list theirs (interface document, Show); of other targets those are known whose
 * pictures its own lists show with their Set.
 * @throws ArtworkError `not_found`
 */
export async function setsOfTarget(
  catalogue: Pick<Catalogue, 'readEntity'>,
  { kind, id }: NamedTarget,
  deadline: Deadline,
): Promise<WhichSets> {
  const entity = await catalogue.readEntity(kind, id, deadline);
  const showId = kind === 'show' ? id : partOf(entity).show?.id;
  if (showId !== undefined) {
    const listed = setsListedBy(await catalogue.readEntity('show', showId, deadline));
    const ids = [...new Set(listed.map((set) => set.id))];
    return { sets: ids.map((setId) => ({ kinds: ['show_set'], id: setId })), warnings: [] };
  }
  const ids = [...new Set(assetsOf(entity).flatMap(({ setId }) => setId ?? []))];
  return {
    sets: ids.map((setId) => ({ kinds: setKindsOf(kind), id: setId })),
    warnings: [
      `The pictures of this ${kind} name these ${ids.length} Sets. There may be others: the service lists Sets only for shows.`,
    ],
  };
}

export interface OwnReads {
  readonly owned: Pick<Owned, 'findUploadDestinations' | 'readGroup'>;
  readonly mutations: Pick<Mutations, 'list' | 'knownBytes'>;
  readonly connections: Pick<Connections, 'status'>;
  /** Null where none is kept. */
  readonly index: Pick<TitleIndex, 'search'> | null;
  readonly deadline: Deadline;
}

/** What is known to be the connected account's. */
export interface OwnSets {
  /** The account's name, as Sets may show it; null where the sign-in did not tell. */
  readonly account: string | null;
  /** Ids of its Sets, ascending. */
  readonly sets: readonly number[];
  /** Ids of Assets that were made from this machine, in lower case. */
  readonly assets: ReadonlySet<string>;
  readonly warnings: readonly string[];
}

const pageSize = 200;
const mostPages = 5;
const mostIndexed = 1_000;
/** All that can be asked for without a search text. */
const families = [
  { kind: 'media_set' },
  { kind: 'media_set', family: 'game' },
  { kind: 'talent_set' },
] as const;
const groupFamilies = [{ kind: 'boxset' }, { kind: 'boxset', family: 'game' }] as const;

/**
 * The Sets of the connected account that are known. The service has no list of them: what this machine's ledger knows is
 * put together with what the upload destinations show, which are limited in count (interface document, Protected reads),
 * with the members of the groups among them, and with what the index of titles has under the account's name.
 * @throws ArtworkError `not_connected`, `reconnect_required`, `scope_missing`
 */
export async function findOwnSets(reads: OwnReads): Promise<OwnSets> {
  const { owned, mutations, connections, index, deadline } = reads;
  const account = (await connections.status()).account || null;
  const ids = new Set<number>();
  for (const standing of ['succeeded', 'partial'] as const) {
    let after: Parameters<Mutations['list']>[0]['after'];
    for (let page = 1; page <= mostPages; page += 1) {
      const { mutations: listed, next } = await mutations.list({ standing, limit: pageSize, after });
      for (const { id } of listed) if (isSetId(id)) ids.add(id.id);
      if (next === null) break;
      after = next;
    }
  }
  for (const family of families)
    for (const record of await owned.findUploadDestinations(family, deadline)) {
      const id = idOfDestination(record);
      if (id !== null) ids.add(id);
    }
  for (const id of await membersOfGroups(owned, deadline)) ids.add(id);
  if (account !== null && index !== null) {
    const { hits } = await index.search({ kind: 'set', createdBy: account, offset: 0, limit: mostIndexed });
    for (const { kind, id, creator } of hits) {
      // A similar name belongs to another account. Groups have ids apart from those of Sets.
      if (creator === account && isSetKind(kind) && !isGroupKind(kind) && typeof id === 'number') ids.add(id);
    }
  }
  return {
    account,
    sets: [...ids].sort((one, other) => one - other),
    assets: new Set((await mutations.knownBytes()).keys()),
    warnings: [
      `${ids.size} Sets of the account were found. The service has no list of them, so there may be more.`,
    ],
  };
}

/** The Sets of the account's groups, as far as it may read them: some are destinations of nothing else. */
async function membersOfGroups(owned: OwnReads['owned'], deadline: Deadline): Promise<readonly number[]> {
  const members: number[] = [];
  for (const family of groupFamilies)
    for (const record of (await unlessRefused(() => owned.findUploadDestinations(family, deadline))) ?? []) {
      const id = idOfDestination(record);
      const group = id === null ? null : await unlessRefused(() => owned.readGroup(id, deadline));
      members.push(...(membersOf(group ?? {}) ?? []));
    }
  return members;
}

/** A mutation's id is of a Set in whichever word: media_set, show_set. */
function isSetId(
  id: { readonly kind: string; readonly id: unknown } | undefined,
): id is { kind: string; id: number } {
  return id !== undefined && /(?:^|_)set$/.test(id.kind) && typeof id.id === 'number';
}
