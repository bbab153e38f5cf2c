import { z } from 'zod';
import type { JsonRecord } from '../../catalogue/records/members.ts';
import { type OwnedSet, revisionOf } from '../../catalogue/records/owned.ts';
import { withAssetsOf } from '../../curation/own-sets.ts';
import { labelsOf, picturesOfOwnSet, whoseOfSet } from '../../curation/show/found.ts';
import { invalidArguments } from '../../errors.ts';
import { catalogueId, type OmittedSection, paging, slotName } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { targetKindArgument } from '../../mcp/kinds.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { type OwnSet, ownSetOf } from '../../model/own-set.ts';
import { answerOf, readAnswer } from '../answer.ts';
import { pageOfRecord } from '../records.ts';

const idOrWord = z.union([z.int().min(0), z.string().min(1).max(200)]).transform(String);

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
    requireSetForNarrowing(args);
    const own = await readOne(args, context);
    const { type, id, record } = own;
    const set = type === 'set' ? ownSetOf(type, id, record) : null;
    const { counts, warnings, ...shown } = set === null ? { record } : assetsOf(set, record, args);
    const page = pageOfRecord('get_owned', { ...args, id }, shown.record);
    context.shownPaths.learn(page.data, set === null ? undefined : labelsIn(set, context));
    const omitted = [...page.omitted, ...(shown.omitted ?? [])];
    const told = { type, id, updatedAt: revisionOf(record), counts, ...page, omitted, warnings };
    return answerOf(told);
  },
});

/** @throws ArtworkError `invalid_arguments` */
function requireSetForNarrowing(args: Arguments): void {
  const narrowing = (['slot', 'targetKind', 'targetId', 'assets'] as const).filter(
    (one) => args[one] !== undefined,
  );
  if (args.type === 'set' || narrowing.length === 0) return;
  const issues = narrowing.map((name) => ({
    ...{ code: 'not_right', message: 'is only for type set', path: [name] },
  }));
  throw invalidArguments("get_owned got an argument that it can't use", issues);
}

/** The record, with its id as all answers write it: of a Set a number. */
async function readOne({ type, id }: Arguments, context: Context) {
  const { owned } = await context.account();
  const { deadline } = context;
  const isNumber = /^\d{1,15}$/.test(id);
  switch (type) {
    case 'asset':
      if (!z.guid().safeParse(id).success) throw wrongId('The id of an Asset is a UUID, which its Set lists');
      return { type, id, record: await owned.readAsset(id, deadline) };
    case 'set':
      if (!isNumber) throw wrongId('The id of a Set is a whole number');
      return { type, id: Number(id), record: await owned.readSet(Number(id), deadline) };
    case 'group': {
      // The interface document does not show whether it is a number.
      if (!/^[\w-]+$/.test(id)) throw wrongId('The id of a group is a whole number or a word');
      const group = isNumber ? Number(id) : id;
      return { type, id: group, record: await owned.readGroup(group, deadline) };
    }
  }
}

/** What view_artwork calls the pictures of a Set. */
function labelsIn(set: OwnSet, { catalogue }: Context) {
  const pictures = picturesOfOwnSet(set, null, catalogue.nameOf);
  const found = pictures.flatMap(({ path, label }) => (path === null ? [] : [{ ref: path, label }]));
  return labelsOf(found, whoseOfSet({ ...set, kind: set.kind ?? set.type }));
}

interface Shown {
  readonly record: JsonRecord;
  /** How many Assets a Set has in each slot. */
  readonly counts?: Readonly<Record<string, number>>;
  readonly omitted?: readonly OmittedSection[];
  readonly warnings?: readonly string[];
}

/** The record of a Set with the Assets that were asked for; where none were, with their number alone. */
function assetsOf({ id, pictures }: OwnSet, record: OwnedSet, args: Arguments): Shown {
  const { slot, targetKind, targetId, assets: wantsAll = false } = args;
  const isNarrowed = slot !== undefined || targetKind !== undefined || targetId !== undefined;
  const counts: Record<string, number> = {};
  for (const picture of pictures) counts[picture.slot] = (counts[picture.slot] ?? 0) + 1;
  const { assets: listed, ...facts }: JsonRecord = record;
  if (!isNarrowed && !wantsAll && Array.isArray(listed)) {
    const next = { tool: 'get_owned', arguments: { type: 'set', id, assets: true } };
    const all = { section: 'assets', total: listed.length, returned: 0, next };
    return { record: facts, counts, omitted: listed.length === 0 ? [] : [all] };
  }
  const wanted = withAssetsOf(record, args);
  return { record: wanted.record, counts, warnings: isNarrowed ? foundWords(wanted) : [] };
}

/** An empty list alone would look like a Set without artwork. */
function foundWords({ record: { assets }, total }: { record: JsonRecord; total: number | null }): string[] {
  if (total === null) return ["The Assets of this Set can't be narrowed: its record has an unknown form."];
  if (!Array.isArray(assets) || assets.length > 0) return [];
  return [`None of the ${total} Assets of this Set fits. assets: true lists them all.`];
}

function wrongId(message: string) {
  return invalidArguments(message, [{ code: 'not_right', message: 'has another form', path: ['id'] }]);
}
