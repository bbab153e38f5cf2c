import { z } from 'zod';
import type { Call } from '../../catalogue/client.ts';
import type { Owned } from '../../catalogue/owned/owned.ts';
import { revisionOf } from '../../catalogue/revision.ts';
import { pageOfSections, sectionsOf } from '../../curation/sections.ts';
import { invalidArguments } from '../../errors.ts';
import { paging, readResult } from '../../mcp/arguments.ts';
import { readCursor, writeCursor } from '../../mcp/cursor.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';

const ownedTypes = ['asset', 'set', 'group'] as const;

const input = z.strictObject({
  type: z.enum(ownedTypes).describe('group: a Boxset or Loadout'),
  id: z.union([z.int().min(0), z.string().min(1).max(200)]).describe('Asset UUID, or id of the Set or group'),
  ...paging,
});

const pageBudget = 13_000;

export const getOwned = defineTool({
  name: 'get_owned',
  title: 'Get something of your own',
  toolset: 'me',
  description:
    "Reads an Asset, Set or group of the connected account, with `updatedAt`, the revision that a change's expectedUpdatedAt must name: read it right before a change. Long lists come in pages (limit, cursor); a Set's Assets carry the ids and revisions that replacing needs. What belongs to somebody else is forbidden.",
  annotations: readOnly,
  input,
  output: readResult.extend({ type: z.enum(ownedTypes), id: input.shape.id, updatedAt: z.string() }),
  async run(args, context) {
    const { owned } = await context.account();
    const record = await readOne(owned, args.type, args.id, context.call());
    const names = new Set(sectionsOf(record).map(({ path }) => path));
    const offset = readCursor('get_owned', args, z.int().min(0)) ?? 0;
    const page = pageOfSections(record, names, { offset, limit: args.limit, budget: pageBudget });
    context.shownPaths.learn(page.data);
    const nextCursor = page.nextOffset === null ? null : writeCursor('get_owned', args, page.nextOffset);
    const next =
      nextCursor === null ? null : { tool: 'get_owned', arguments: { ...args, cursor: nextCursor } };
    return {
      structured: {
        type: args.type,
        id: args.id,
        updatedAt: revisionOf(record),
        data: page.data,
        omitted: page.cut.map((section) => ({ ...section, next })),
        nextCursor,
      },
    };
  },
});

const assetId = z.guid();
const setId = z.union([z.int(), z.string().regex(/^\d{1,15}$/)]);
/** Whether it is a number is not shown in the interface document. */
const groupId = z.union([z.int(), z.string().regex(/^[\w-]+$/)]);

/** Only what can be an id is sent to the service. @throws ArtworkError `invalid_arguments` */
function idOf<Id extends string | number>(form: z.ZodType<Id>, id: unknown, what: string): Id {
  const parsed = form.safeParse(id);
  if (parsed.success) return parsed.data;
  throw invalidArguments(what, [{ code: 'not_right', message: 'has another form', path: ['id'] }]);
}

type Json = Readonly<Record<string, unknown>>;

async function readOne(
  owned: Owned,
  type: (typeof ownedTypes)[number],
  id: string | number,
  call: Call,
): Promise<Json> {
  switch (type) {
    case 'asset':
      return await owned.readAsset(idOf(assetId, id, 'The id of an Asset is a UUID'), call);
    case 'set':
      return await owned.readSet(idOf(setId, id, 'The id of a Set is a whole number'), call);
    case 'group':
      return await owned.readGroup(idOf(groupId, id, 'The id of a group is a whole number or a word'), call);
  }
}
