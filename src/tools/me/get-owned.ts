import { z } from 'zod';
import type { JsonRecord } from '../../catalogue/records/members.ts';
import { type OwnedSet, revisionOf } from '../../catalogue/records/owned.ts';
import { withAssetsOf } from '../../curation/own-sets.ts';
import { invalidArguments } from '../../errors.ts';
import { catalogueId, paging, slotName } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { targetKindArgument } from '../../mcp/kinds.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { ownSetOf } from '../../model/own-set.ts';
import { answerOf, readAnswer } from '../answer.ts';
import { pageOfRecord } from '../records.ts';

/** The interface document shows that of Assets and Sets, and not of groups. */
const idOrWord = z.union([z.int().min(0), z.string().regex(/^[\w-]{1,200}$/)]).transform(String);

const input = z.strictObject({
  type: z.enum(['asset', 'set', 'group']).describe('group: Boxset, Loadout'),
  id: idOrWord.describe('Asset UUID, else a number'),
  slot: slotName.optional().describe('of a Set'),
  targetKind: targetKindArgument.optional().meta({ brief: 'of a Set' }),
  targetId: catalogueId.optional(),
  assets: z.boolean().optional().describe('of a Set: list all'),
  ...paging,
});
type Arguments = z.output<typeof input>;

export const getOwned = defineTool({
  name: 'get_owned',
  title: 'Read something of your own',
  toolset: 'me',
  description:
    "Read an Asset, Set or group of your own before you change it: its updatedAt goes into expectedUpdatedAt. A Set's Assets are counted; slot, a target or assets lists them, with what replacing needs.",
  searchHint: 'my mine picture poster record revision version before change edit',
  annotations: readOnly,
  input,
  output: readAnswer,
  async run(args, context) {
    const { type, id, record } = await readOne(args, context);
    const { shown, counts, omitted } =
      type === 'set' ? assetsOf(id, record, args) : { shown: record, counts: undefined, omitted: [] };
    const page = pageOfRecord('get_owned', { ...args, id }, shown);
    const told = { type, id, updatedAt: revisionOf(record), counts, ...page };
    return answerOf({ ...told, omitted: [...page.omitted, ...omitted] });
  },
});

/** The record, with its id as all answers write it: of a Set a number. */
async function readOne({ type, id }: Arguments, context: Context) {
  const { owned } = await context.account();
  const { deadline } = context;
  const number = /^\d{1,15}$/.test(id) ? Number(id) : null;
  switch (type) {
    case 'asset':
      return { type, id, record: await owned.readAsset(id, deadline) };
    case 'set':
      if (number === null) throw invalidArguments('A Set is read by a number', [wrongId]);
      return { type, id: number, record: await owned.readSet(number, deadline) };
    case 'group':
      return { type, id: number ?? id, record: await owned.readGroup(number ?? id, deadline) };
  }
}

const wrongId = { code: 'not_right', message: 'must be a whole number', path: ['id'] };

/** The record of a Set with the Assets that were asked for, or with their number alone; and how many each slot has. */
function assetsOf(id: number, record: OwnedSet, args: Arguments) {
  const { slot, targetKind, targetId, assets: wantsAll = false } = args;
  const counts: Record<string, number> = {};
  for (const picture of ownSetOf('set', id, record).pictures)
    counts[picture.slot] = (counts[picture.slot] ?? 0) + 1;
  const { assets: listed, ...facts }: JsonRecord = record;
  const isAsked = wantsAll || slot !== undefined || targetKind !== undefined || targetId !== undefined;
  if (isAsked || !Array.isArray(listed))
    return { shown: withAssetsOf(record, args).record, counts, omitted: [] };
  const next = { tool: 'get_owned', arguments: { type: 'set', id: String(id), assets: true } };
  const all = { section: 'assets', total: listed.length, returned: 0, next };
  return { shown: facts, counts, omitted: listed.length === 0 ? [] : [all] };
}
