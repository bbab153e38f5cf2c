import { z } from 'zod';
import type { Owned } from '../../catalogue/owned.ts';
import { type OwnedSet, revisionOf } from '../../catalogue/records/owned.ts';
import { targetCode, withAssetsInOrder } from '../../curation/own-assets.ts';
import { ArtworkError, invalidArguments } from '../../errors.ts';
import { paging, readResult, slotName } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { targetKindArgument, wordOrMeant } from '../../mcp/kinds.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { readOwn, readOwnOrExplain } from '../catalogue/not-there.ts';
import { findOwn } from '../find-ids.ts';
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
  type: wordOrMeant(z.enum(ownedTypes), typeMeant).meta({
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

/** What public reads call it. */
function typeMeant(given: unknown) {
  const word = typeof given === 'string' ? given.trim().toLowerCase() : '';
  if (/^(boxset|loadout)s?$/.test(word))
    return { meant: 'group', why: 'Boxsets and Loadouts are groups' } as const;
  return /^[a-z]+_sets?$/.test(word) ? ({ meant: 'set', why: 'a Set of any kind is a set' } as const) : null;
}

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
    const own = await readOne(owned, args.type, args.id, context).catch((error: unknown) => {
      throw leadToOwn(args.type, error);
    });
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
  const { slot: _, targetKind: __, targetId: ___, cursor: ____, ...again } = args;
  const next = { tool: 'get_owned', arguments: again, why: 'It is the same call without them.' };
  throw invalidArguments('get_owned was called with wrong arguments', issues, next);
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

/** Where an id is of nothing, and nothing tells what it is of: what lists the account's own. */
function leadToOwn(type: (typeof ownedTypes)[number], error: unknown): unknown {
  const isOpen = error instanceof ArtworkError && error.next === undefined;
  if (!isOpen || error.category !== 'not_found') return error;
  const kind = type === 'group' ? 'boxset' : 'media_set';
  const why = {
    asset:
      "It lists the Sets of the connected account: get_owned of the Set that holds the picture shows its Asset's id. An Asset in no Set is told by the mutation that made it (list_mutations).",
    set: 'It lists the Sets of the connected account, of a Talent Set with kind "talent_set", of games with family "game".',
    group: 'It lists the Boxsets of the connected account, and its Loadouts with family "game".',
  }[type];
  return error.leadingTo({ tool: 'find_upload_destinations', arguments: { kind }, why });
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
  throw invalidArguments(
    forms[type],
    [{ code: 'not_right', message: 'has another form', path: ['id'] }],
    {
      asset: setId.safeParse(id).success ? readOwn({ type: 'set', id: Number(id) }) : undefined,
      set: findOwn('media_set', id) ?? undefined,
      group: findOwn('boxset', id) ?? undefined,
    }[type],
  );
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
  const reading = <Record extends Json>(id: string | number, read: () => Promise<Record>) =>
    readOwnOrExplain(type, id, context, read);
  switch (type) {
    case 'asset': {
      const id = idOf(assetId, { type, id: given });
      return { type, record: await reading(id, () => owned.readAsset(id, deadline)), id };
    }
    case 'set': {
      const id = idOf(setId, { type, id: given });
      return { type, record: await reading(id, () => owned.readSet(id, deadline)), id };
    }
    case 'group': {
      const id = idOf(groupId, { type, id: given });
      return { type, record: await reading(id, () => owned.readGroup(id, deadline)), id };
    }
  }
}
