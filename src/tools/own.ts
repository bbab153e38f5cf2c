import type { EntityKind, SetKind } from '../catalogue/records/kinds.ts';
import { idAt, isRecord, isSameId, type JsonRecord, publicationIn } from '../catalogue/records/members.ts';
import { findOwnSet } from '../curation/own-sets.ts';
import { noLaterThan } from '../deadline.ts';
import { ArtworkError, type Next, unlessRefused } from '../errors.ts';
import type { OmittedSection } from '../mcp/arguments.ts';
import type { Context } from '../mcp/context.ts';
import { isGroupKind, isSetKind } from '../model/kinds.ts';
import type { OwnSet, OwnType } from '../model/own-set.ts';
import type { PendingChange } from '../mutations/answer/result.ts';
import { withArticle } from '../text.ts';

// What the connected account knows of what a public read shows, or does not show yet.

interface Thing {
  readonly kind: string;
  readonly id: number | string;
}

/** Under which type `get_owned` has what public reads call so. */
export function ownTypeOf(kind: string): OwnType {
  return isGroupKind(kind) ? 'group' : 'set';
}

/** The call that reads a Set or group of one's own. */
export function readOwn({ type, id }: Pick<OwnSet, 'type' | 'id'>): Next {
  const why = 'This shows what the service has saved, published or not.';
  return { tool: 'get_owned', arguments: { type, id }, why };
}

/** Milliseconds that explaining may take. */
const patienceMs = 10_000;

/**
 * Reads an entity or a Set. Where the service has none, and the connected account has a Set or group of that id, the
 * error says so and leads to it.
 * @throws ArtworkError as `read` does
 */
export async function readOrExplain<Value>(
  kind: EntityKind | SetKind,
  id: number,
  context: Context,
  read: () => Promise<Value>,
): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.failure !== 'not_found' || !isSetKind(kind)) throw error;
    const deadline = noLaterThan(context.deadline, patienceMs);
    const own = await findOwnSet(context.account, ownTypeOf(kind), id, deadline);
    if (own === null) throw error;
    const { publicationStatus } = own;
    const isPending = publicationStatus === 'pending';
    const state = isPending ? 'It is saved, but not published yet.' : 'Public reads do not show it.';
    const yours = `Your account has ${withArticle(own.kind ?? own.type)} with the id ${id}.`;
    throw new ArtworkError('not_found', `${error.message} ${yours} ${state}`, {
      ...error,
      details: { ...error.details, publicationStatus },
      next: readOwn(own),
    });
  }
}

/** The account's changes of these things that reads may not show yet. None where no account is connected, or no store opens. */
export async function pendingOn(
  things: readonly Thing[],
  context: Context,
): Promise<readonly PendingChange[]> {
  if (!context.hasStore()) return [];
  const pending = async () => (await context.account()).mutations.pendingOn(things);
  return (await unlessRefused(pending)) ?? [];
}

const mostShown = 5;

interface ReadOf {
  readonly record: JsonRecord;
  /** Everybody's record shows a change once it is public; the account's own says whether it is. */
  readonly read: 'public' | 'own';
}

/**
 * The members of an answer about a thing, with the account's changes of it, and of the Assets that its record lists, that
 * the record may not show yet. Each has the call that looks it up.
 */
export async function withPending<Members extends { readonly omitted: readonly OmittedSection[] }>(
  members: Members,
  { kind, id }: Thing,
  { record, read }: ReadOf,
  context: Context,
) {
  const self = { kind: ownKind(kind), id };
  const things = [self, ...assetIdsIn(record).map((asset) => ({ kind: 'asset', id: asset }))];
  const isPublished = publicationIn(record) === 'succeeded';
  const isShown = (change: PendingChange) =>
    isDone(change) &&
    (read === 'public' ? shows(record, change, self) : isPublished && isAbout(change, self));
  const changes = (await pendingOn(things, context)).filter((change) => !isShown(change));
  const more = {
    ...{ section: 'pending', total: changes.length, returned: mostShown },
    next: { tool: 'list_mutations', arguments: {} },
  };
  return {
    ...members,
    pending: changes.length === 0 ? undefined : changes.slice(0, mostShown).map(notice),
    omitted: [...members.omitted, ...(changes.length > mostShown ? [more] : [])],
  };
}

function notice(change: PendingChange) {
  const { clientMutationId, operation, outcome, id, recordedAt } = change;
  const why = isDone(change)
    ? 'Done, but public reads may still show what was there before. This looks again.'
    : 'Not settled, so this read may show what was there before. This looks up what became of it.';
  return {
    ...{ operation, outcome },
    ...(isDone(change) ? { publicationStatus: 'pending' } : {}),
    ...(id === null ? {} : { id }),
    recordedAt,
    next: { tool: 'get_mutation_status', arguments: { clientMutationId }, why },
  };
}

function isDone({ outcome }: PendingChange): boolean {
  return !['processing', 'interrupted', 'unresolved'].includes(outcome);
}

/** Whether a public record shows a change: it exists, where that was made, or it lists the Asset that was uploaded. */
function shows(record: JsonRecord, change: PendingChange, self: Thing): boolean {
  if (change.id === null) return false;
  if (change.operation.startsWith('create_') && isAbout(change, self)) return true;
  return change.operation === 'upload_asset' && JSON.stringify(record).includes(String(change.id.id));
}

function isAbout({ id: touched }: PendingChange, { kind, id }: Thing): boolean {
  return touched?.id != null && ownKind(touched.kind) === kind && isSameId(touched.id, id);
}

/** As `/me` calls it: every Set is a `set`, a Boxset or Loadout a `group`. */
function ownKind(kind: string): string {
  return isSetKind(kind) || kind.endsWith('_set') ? ownTypeOf(kind) : kind;
}

/** The interface document does not show in what form a record lists its Assets. */
function assetIdsIn({ assets }: JsonRecord): string[] {
  const lists = isRecord(assets) ? Object.values(assets) : [assets];
  return lists
    .flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
    .flatMap((asset) => (isRecord(asset) ? (idAt(asset, 'id') ?? []) : []));
}
