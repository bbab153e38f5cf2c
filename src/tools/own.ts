import type { EntityKind, SetKind } from '../catalogue/records/kinds.ts';
import { idAt, isRecord, isSameId, type JsonRecord, publicationIn } from '../catalogue/records/members.ts';
import { findOwnSet } from '../curation/own-sets.ts';
import { noLaterThan } from '../deadline.ts';
import { ArtworkError, type Next } from '../errors.ts';
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
    const state =
      publicationStatus === 'pending'
        ? 'It is saved, but not published yet.'
        : 'Public reads do not show it.';
    const message = `${error.message} Your account has ${withArticle(own.kind ?? own.type)} with the id ${id}. ${state}`;
    throw new ArtworkError('not_found', message, {
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
  try {
    return await (await context.account()).mutations.pendingOn(things);
  } catch (error) {
    if (error instanceof ArtworkError && error.failure !== 'cancelled') return [];
    throw error;
  }
}

const mostShown = 5;

/**
 * The account's changes of a thing, and of the Assets that its record lists, that a read may not show yet. Each has the
 * call that looks it up. `pending` is left out where there are none.
 * @param read whether everybody's record was read, which shows a change once it is public, or the account's own
 */
export async function pendingThere(
  { kind, id }: Thing,
  record: JsonRecord,
  read: 'public' | 'own',
  context: Context,
): Promise<{ readonly pending?: readonly object[]; readonly omitted: readonly OmittedSection[] }> {
  const self = { kind: ownKind(kind), id };
  const assets = assetIdsIn(record).map((asset) => ({ kind: 'asset', id: asset }));
  const shows = read === 'public' ? showsIt : saysPublished;
  const changes = (await pendingOn([self, ...assets], context)).filter((one) => !shows(one, self, record));
  if (changes.length === 0) return { omitted: [] };
  const pending = changes.slice(0, mostShown).map((change) => {
    const { clientMutationId, operation, outcome, id: touched, recordedAt } = change;
    const why = isDone(change)
      ? 'Done, but public reads may still show what was there before. This looks again.'
      : 'Not settled, so this read may show what was there before. This looks up what became of it.';
    return {
      ...{ operation, outcome },
      ...(isDone(change) ? { publicationStatus: 'pending' } : {}),
      ...(touched === null ? {} : { id: touched }),
      recordedAt,
      next: { tool: 'get_mutation_status', arguments: { clientMutationId }, why },
    };
  });
  const next = { tool: 'list_mutations', arguments: {} };
  const more = { section: 'pending', total: changes.length, returned: pending.length, next };
  return { pending, omitted: changes.length > pending.length ? [more] : [] };
}

/** Whether a public record shows a change: it exists, where that was made, or it lists the Asset that was uploaded. */
function showsIt(change: PendingChange, self: Thing, record: JsonRecord): boolean {
  if (!isDone(change) || change.id === null) return false;
  const isCreation = change.operation.startsWith('create_');
  if (isCreation && isAbout(change, self)) return true;
  return change.operation === 'upload_asset' && JSON.stringify(record).includes(String(change.id.id));
}

function saysPublished(change: PendingChange, self: Thing, record: JsonRecord): boolean {
  return publicationIn(record) === 'succeeded' && isDone(change) && isAbout(change, self);
}

function isDone({ outcome }: PendingChange): boolean {
  return !['processing', 'interrupted', 'unresolved'].includes(outcome);
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
