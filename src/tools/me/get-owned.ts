import { z } from 'zod';
import type { Owned } from '../../catalogue/owned.ts';
import { type OwnedSet, revisionOf } from '../../catalogue/records/owned.ts';
import { targetCode, withAssetsInOrder } from '../../curation/own-assets.ts';
import { invalidArguments } from '../../errors.ts';
import { paging, readResult, slotName } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { targetKindArgument } from '../../mcp/kinds.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { pageOfRecord } from '../paging.ts';
import { pendingThere } from '../pending-there.ts';

const ownedTypes = ['asset', 'set', 'group'] as const;

/** Assets are labelled by the codes of their episodes, and people and models ask by these. */
const targetNumberOrCode = z.preprocess(
  (given) =>
    typeof given !== 'string'
      ? given
      : /^\d{1,15}$/.test(given)
        ? Number(given)
        : (targetCode(given) ?? given),
  z.union([z.int().min(0), z.string().regex(/^S\d{2,}(E\d{2,})?$/)]),
);

const input = z.strictObject({
  type: z.enum(ownedTypes).meta({
    description: 'group: a Boxset or Loadout',
    brief: 'group: Boxset, Loadout',
  }),
  id: z
    .union([z.int().min(0), z.string().min(1).max(200)])
    .meta({ description: 'Asset UUID, or id of the Set or group', brief: 'Asset UUID, else a number' }),
  slot: slotName
    .optional()
    .meta({ description: 'of a Set: only its Assets in this slot', brief: 'of a Set' }),
  targetKind: targetKindArgument
    .optional()
    .meta({ description: 'of a Set: only its Assets of such targets', brief: 'of a Set' }),
  targetId: targetNumberOrCode.optional().meta({
    description: 'of a Set: only its Assets of this target, by its id or as S02E05',
    brief: 'or S02E05',
  }),
  ...paging,
});

const pageBudget = 13_000;

export const getOwned = defineTool({
  name: 'get_owned',
  title: 'Read something of your own',
  toolset: 'me',
  description:
    "Read an Asset, Set or group of your own right before you change it: its `updatedAt` goes into expectedUpdatedAt. A Set's Assets show what replacing needs.",
  searchHint:
    'read my own mine asset set group poster picture record revision version updatedAt before a change edit',
  annotations: readOnly,
  input,
  output: readResult
    .extend({ type: z.enum(ownedTypes), id: input.shape.id, updatedAt: z.string() })
    // Beside an empty answer `warnings` says what there is.
    .loose(),
  async run(args, context) {
    requireSetFor(args);
    const { owned } = await context.account();
    const own = await readOne(owned, args.type, args.id, context);
    const { record, id } = own;
    const { catalogue, deadline } = context;
    const { record: shown, total } =
      own.type === 'set'
        ? await withAssetsInOrder(own.id, own.record, args, catalogue, deadline)
        : { record, total: null };
    const page = pageOfRecord('get_owned', { ...args, id }, shown, pageBudget, context);
    const { omitted: more, ...pending } = await pendingThere(own.type, id, context, page.data);
    const warnings = filtersOf(args).length === 0 ? [] : foundWords(shown, total);
    return {
      structured: {
        type: args.type,
        id,
        updatedAt: revisionOf(record),
        ...page,
        ...pending,
        omitted: [...page.omitted, ...more],
        ...(warnings.length > 0 ? { warnings } : {}),
      },
    };
  },
});

type Arguments = z.output<typeof input>;

function filtersOf(args: Arguments): ('slot' | 'targetKind' | 'targetId')[] {
  return (['slot', 'targetKind', 'targetId'] as const).filter((name) => args[name] !== undefined);
}

/** @throws ArtworkError `invalid_arguments` for what would be passed over in silence */
function requireSetFor(args: Arguments): void {
  const foreign = args.type === 'set' ? [] : filtersOf(args);
  if (foreign.length === 0) return;
  const issues = foreign.map((name) => ({ code: 'not_right', message: 'is only for a set', path: [name] }));
  throw invalidArguments('get_owned was called with wrong arguments', issues);
}

/** An empty answer alone would look like a Set without artwork. */
function foundWords({ assets }: Json, total: number | null): string[] {
  if (total === null)
    return ['The record of this Set does not list its Assets in a form that can be narrowed.'];
  return Array.isArray(assets) && assets.length === 0
    ? [
        `None of the ${total} Assets of this Set is such a one: without slot, targetKind and targetId all are listed.`,
      ]
    : [];
}

const assetId = z.guid();
/** A number may come as its digits, and is answered as a number. */
const digits = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const setId = z.union([z.int(), digits]);
/** Whether it is a number is not shown in the interface document. */
const groupId = z.union([z.int(), digits, z.string().regex(/^[\w-]+$/)]);

/** Only what can be an id is sent to the service. @throws ArtworkError `invalid_arguments` */
function idOf<Id extends string | number>(
  form: z.ZodType<Id>,
  { type, id }: Pick<z.output<typeof input>, 'type' | 'id'>,
): Id {
  const parsed = form.safeParse(id);
  if (parsed.success) return parsed.data;
  throw invalidArguments(forms[type], [{ code: 'not_right', message: 'has another form', path: ['id'] }]);
}

const forms = {
  asset: 'The id of an Asset is a UUID, and its Set lists it (type set)',
  set: 'The id of a Set is a whole number',
  group: 'The id of a group is a whole number or a word',
} as const;

type Json = Readonly<Record<string, unknown>>;

/** A record, and its id as all answers write it. */
type OwnOne =
  | { readonly type: 'set'; readonly record: OwnedSet; readonly id: number }
  | { readonly type: 'asset' | 'group'; readonly record: Json; readonly id: string | number };

async function readOne(
  owned: Owned,
  type: (typeof ownedTypes)[number],
  given: string | number,
  context: Context,
): Promise<OwnOne> {
  const { deadline } = context;
  switch (type) {
    case 'asset': {
      const id = idOf(assetId, { type, id: given });
      return { type, record: await owned.readAsset(id, deadline), id };
    }
    case 'set': {
      const id = idOf(setId, { type, id: given });
      return { type, record: await owned.readSet(id, deadline), id };
    }
    case 'group': {
      const id = idOf(groupId, { type, id: given });
      return { type, record: await owned.readGroup(id, deadline), id };
    }
  }
}
