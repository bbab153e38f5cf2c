import { z } from 'zod';
import type { Json } from '../../canonical-json.ts';
import { type ServiceRevision, serviceRevision } from '../../catalogue/records/owned.ts';
import { clientMutationId, type ItemId, itemId } from '../../catalogue/request.ts';
import { ArtworkError, invalidArguments } from '../../errors.ts';
import { asJsonObject } from '../finding.ts';
import { deriveItemId } from '../submission.ts';

/** "none" is null: some hosts can't send a null that is required. Everything behind this knows null alone. */
const expectedUpdatedAt = z
  .string()
  .min(1)
  .nullable()
  .transform((revision) => (revision === 'none' ? null : revision));

/** What every mutation's arguments hold, in a call and, but for the id, in the ledger. */
export const guarded = { clientMutationId, expectedUpdatedAt };

/** The arguments of an operation: the guard and its own, and nothing else. */
export function defineArguments<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ ...guarded, ...shape });
}

/** The arguments as they are meant. @throws ArtworkError `invalid_arguments` naming what can't be */
export function checkArguments<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ code, message, path }) => ({
    code,
    message: message.endsWith('received undefined') ? 'is missing' : message,
    path: path.map(String),
  }));
  throw invalidArguments("These arguments can't be used", issues);
}

/**
 * Refuses a revision that is given for what is made anew.
 * @throws ArtworkError `invalid_arguments` where a revision is given although nothing has one yet
 */
export function requireNoRevision(expectedUpdatedAt: unknown): void {
  if (expectedUpdatedAt === null || expectedUpdatedAt === 'none') return;
  const message = 'expectedUpdatedAt must be "none" (or null): what is made anew has no revision yet.';
  throw new ArtworkError('invalid_arguments', message, {
    issues: [{ code: 'revision', message: 'must be "none"', path: ['expectedUpdatedAt'] }],
  });
}

/**
 * A revision that the service is to compare.
 * @throws ArtworkError `invalid_arguments` for one that only we know (a record without `updatedAt`), and for none
 */
export function requireServiceRevision(
  revision: string | null,
  path: readonly string[] = ['expectedUpdatedAt'],
): ServiceRevision {
  const known = revision === null ? null : serviceRevision(revision);
  if (known !== null) return known;
  const message = 'is not a revision of the service, which is all it can compare';
  throw invalidArguments("These arguments can't be used", [{ code: 'revision', message, path }]);
}

/**
 * The revision for a body that is only assumed, which leaves out one that the service could not compare.
 * @throws ArtworkError `invalid_arguments` where there is none
 */
export function revisionToSend(revision: string | null): ServiceRevision | undefined {
  return revision === null ? requireServiceRevision(revision) : (serviceRevision(revision) ?? undefined);
}

/** The arguments as the ledger keeps them: what is left out is left out. */
export function intentOf(args: object): { readonly [member: string]: Json } {
  const { clientMutationId: _, ...rest } = { clientMutationId: null, ...args };
  return asJsonObject(rest);
}

type Given = Readonly<Record<string, unknown>>;

/** Where the revision that a change rests on is read. */
export type RevisionRule =
  /** Nothing that exists is changed. */
  | { readonly of: 'nothing' }
  /** `get_owned` shows it; `id` is undefined where the argument that names the record is missing. */
  | { readonly of: 'owned'; readonly type: 'asset' | 'set' | 'group'; readonly id: unknown }
  | { readonly of: 'relationship'; readonly targetKind: unknown; readonly targetId: unknown };

/** Tells it from the arguments at hand, which may be anything. */
export type RevisionSource = (given: Given) => RevisionRule;

/** The revision rule of what is made anew: there is none. */
export const noRevision: RevisionSource = () => ({ of: 'nothing' });

/** The revision rule of a relationship to a target. */
export const relationshipRevision: RevisionSource = ({ targetKind, targetId }) => ({
  of: 'relationship',
  targetKind,
  targetId,
});

/** The revision of an Asset, Set or group that an argument names. */
export function ownedRevision(type: 'asset' | 'set' | 'group', argument: string): RevisionSource {
  return (given) => ({ of: 'owned', type, id: given[argument] });
}

interface Placed {
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
}

type PositionedItem<Item> = Item & { readonly itemId: ItemId; readonly position: number };

/**
 * Items with an id and a position each, whatever was left out. The same call is the same intent: what is left out
 * follows from the identity and the place in the call.
 */
export function withItemIds<Item extends { itemId?: ItemId | undefined; position?: number | undefined }>(
  clientMutationId: string,
  items: readonly Item[],
): PositionedItem<Item>[] {
  return items.map((item, index) => {
    const position = item.position ?? index;
    const derived = () => itemId.parse(deriveItemId(clientMutationId, position));
    return { ...item, position, itemId: item.itemId ?? derived() };
  });
}

/** What an item takes for itself: no two items may have the same. */
export interface DistinctValue {
  /** The argument that says so. */
  readonly name: string;
  readonly value: string;
}

/** What no two items of a submission may share: the id, the position, and the target's slot. */
export function distinctItemValuesOf(item: PositionedItem<Placed>): DistinctValue[] {
  const { targetKind, targetId, slot } = item;
  return [...distinctItemIdsOf(item), { name: 'slot', value: `${slot} of ${targetKind} ${targetId}` }];
}

/** What no two items without a slot may share: the id and the position. */
export function distinctItemIdsOf({ itemId, position }: PositionedItem<object>): DistinctValue[] {
  return [
    { name: 'itemId', value: itemId },
    { name: 'position', value: String(position) },
  ];
}

/** Reports every item that takes what an earlier one has. */
export function requireDistinctItems(
  items: readonly (readonly DistinctValue[])[],
  context: Pick<z.core.$RefinementCtx, 'addIssue'>,
  list: string,
): void {
  const first = new Map<string, number>();
  for (const [index, taken] of items.entries()) {
    for (const { name, value } of taken) {
      const key = `${name} ${value}`;
      const before = first.get(key);
      if (before === undefined) first.set(key, index);
      else {
        const message = `is that of item ${before} too: ${value}`;
        context.addIssue({ code: 'custom', message, path: [list, index, name] });
      }
    }
  }
}
