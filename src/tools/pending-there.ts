import { idAt, isRecord, isSameId, type JsonRecord, publicationIn } from '../catalogue/records/members.ts';
import { ArtworkError } from '../errors.ts';
import type { OmittedSection } from '../mcp/arguments.ts';
import type { Context } from '../mcp/context.ts';
import { isGroupKind, isSetKind } from '../model/kinds.ts';

/** The part of an answer on own changes that a read may not show yet. */
export interface PendingThere {
  /** Left out where there are none. */
  readonly pending?: readonly object[];
  readonly omitted: OmittedSection[];
}

const mostShown = 5;

/**
 * The account's changes of a thing, and of the Assets that its record lists, that a read may not show yet: each with
 * the call that looks it up.
 * @param data the record as the answer shows it
 */
export async function pendingThere(
  kind: string,
  id: number | string,
  context: Context,
  data: JsonRecord = {},
): Promise<PendingThere> {
  const own = ownKind(kind);
  const assets = assetIdsIn(data).map((asset) => ({ kind: 'asset', id: asset }));
  const found = await pendingOn([{ kind: own, id }, ...assets], context);
  // If the record itself says that it is public, nothing has to be asked any more.
  const isPublic = publicationIn(data) === 'succeeded';
  const changes = found.filter(
    (change) => !(isPublic && isDone(change) && isAbout(change, { kind: own, id })),
  );
  if (changes.length === 0) return { omitted: [] };
  const pending = changes.slice(0, mostShown).map((change) => {
    const { clientMutationId, operation, outcome, id, recordedAt } = change;
    return {
      operation,
      outcome,
      ...(isDone(change) ? { publicationStatus: 'pending' } : {}),
      ...(id === null ? {} : { id }),
      recordedAt,
      next: {
        tool: 'get_mutation_status',
        arguments: { clientMutationId },
        why: isDone(change)
          ? 'Public reads had not caught up when it ended, and may still show what was there before. It asks whether they have by now.'
          : 'The change is not settled, and this may show what was there before: it asks what became of it.',
      },
    };
  });
  const more = { section: 'pending', total: changes.length, returned: pending.length };
  const next = { tool: 'list_mutations', arguments: {} };
  return { pending, omitted: changes.length > pending.length ? [{ ...more, next }] : [] };
}

type Pending = Awaited<ReturnType<typeof pendingOn>>[number];

function isDone({ outcome }: Pending): boolean {
  return !['processing', 'interrupted', 'unresolved'].includes(outcome);
}

function isAbout({ id: touched }: Pending, { kind, id }: { kind: string; id: number | string }): boolean {
  if (touched === null || touched.id === null) return false;
  return ownKind(touched.kind) === kind && isSameId(touched.id, id);
}

/** As `/me` calls it: every Set is a `set`, a Boxset or Loadout a `group`. */
function ownKind(kind: string): string {
  return isGroupKind(kind) ? 'group' : isSetKind(kind) ? 'set' : kind;
}

/** The interface document does not show in what form a record lists its Assets. */
function assetIdsIn({ assets }: JsonRecord): string[] {
  const lists = isRecord(assets) ? Object.values(assets) : [assets];
  return lists
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .flatMap((asset) => (isRecord(asset) ? (idAt(asset, 'id') ?? []) : []));
}

/** Nothing if no account is connected, or the store can't be opened: a public read needs neither, and makes no store. */
export async function pendingOn(
  things: readonly { readonly kind: string; readonly id: number | string }[],
  context: Context,
) {
  if (!context.hasStore()) return [];
  try {
    const { mutations } = await context.account();
    return await mutations.pendingOn(things);
  } catch (error) {
    if (error instanceof ArtworkError && error.category !== 'cancelled') return [];
    throw error;
  }
}
