import { z } from 'zod';
import type { Owned } from '../../catalogue/owned.ts';
import { revisionOf } from '../../catalogue/records/owned.ts';
import { ArtworkError, invalidArguments } from '../../errors.ts';
import { paging, readResult } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { wordOrMeant } from '../../mcp/kinds.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { readOwnOrExplain } from '../catalogue/not-there.ts';
import { findOwn } from '../find-ids.ts';
import { pageOfRecord } from '../paging.ts';

const ownedTypes = ['asset', 'set', 'group'] as const;

const input = z.strictObject({
  type: wordOrMeant(z.enum(ownedTypes), typeMeant).meta({
    description: 'group: a Boxset or Loadout',
    brief: 'group: Boxset, Loadout',
  }),
  id: z
    .union([z.int().min(0), z.string().min(1).max(200)])
    .meta({ description: 'Asset UUID, or id of the Set or group', brief: 'UUID of an Asset, else a number' }),
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
    "Read an Asset, Set or group of your own, right before you change it: its `updatedAt` is what expectedUpdatedAt must name. A Set's Assets show what replacing needs.",
  searchHint:
    'read my own mine asset set group poster picture record revision version updatedAt before a change edit',
  annotations: readOnly,
  input,
  output: readResult.extend({ type: z.enum(ownedTypes), id: input.shape.id, updatedAt: z.string() }),
  async run(args, context) {
    const { owned } = await context.account();
    const { record, id } = await readOne(owned, args.type, args.id, context).catch((error: unknown) => {
      throw leadToOwn(args.type, error);
    });
    const page = pageOfRecord('get_owned', { ...args, id }, record, pageBudget, context);
    return { structured: { type: args.type, id, updatedAt: revisionOf(record), ...page } };
  },
});

/** Where an id is of nothing, and nothing tells what it is of: what lists the account's own. */
function leadToOwn(type: (typeof ownedTypes)[number], error: unknown): unknown {
  const isOpen = error instanceof ArtworkError && error.next === undefined;
  if (!isOpen || error.category !== 'not_found') return error;
  const { category, message } = error;
  const kind = type === 'group' ? 'boxset' : 'media_set';
  const why = {
    asset:
      "It lists the Sets of the connected account: get_owned of the Set that holds the picture shows its Asset's id. An Asset in no Set is told by the mutation that made it (list_mutations).",
    set: 'It lists the Sets of the connected account, of a Talent Set with kind "talent_set", of games with family "game".',
    group: 'It lists the Boxsets of the connected account, and its Loadouts with family "game".',
  }[type];
  const next = { tool: 'find_upload_destinations', arguments: { kind }, why };
  return new ArtworkError(category, message, { ...error, next });
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
      asset: undefined,
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

/** The record, and its id as all answers write it. */
async function readOne(
  owned: Owned,
  type: (typeof ownedTypes)[number],
  given: string | number,
  context: Context,
): Promise<{ record: Json; id: string | number }> {
  const { deadline } = context;
  const reading = (id: string | number, read: () => Promise<Json>) =>
    readOwnOrExplain(type, id, context, read);
  switch (type) {
    case 'asset': {
      const id = idOf(assetId, { type, id: given });
      return { record: await reading(id, () => owned.readAsset(id, deadline)), id };
    }
    case 'set': {
      const id = idOf(setId, { type, id: given });
      return { record: await reading(id, () => owned.readSet(id, deadline)), id };
    }
    case 'group': {
      const id = idOf(groupId, { type, id: given });
      return { record: await reading(id, () => owned.readGroup(id, deadline)), id };
    }
  }
}
