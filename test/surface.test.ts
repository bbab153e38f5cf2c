import { describe, expect, it } from 'vitest';
import { countDefinitions } from '../bench/tokens.mjs';
import { definitions } from '../src/definitions.ts';
import { wholeSchema } from '../src/mcp/json-schema.ts';
import { readArguments } from '../src/mcp/read-arguments.ts';
import { operations } from '../src/mutations/operations/index.ts';
import { tools } from '../src/tools/index.ts';
import { written } from './written.ts';

/** Each tool: its toolset, what it does to the service, and its arguments, of which `*` marks the needed ones. */
const surface = `
| find_titles | catalogue | reads | query kind createdBy targetKind targetId cursor limit |
| get_entity | catalogue | reads | kind* id* include cursor limit |
| get_set | catalogue | reads | kind* id* season cursor limit page |
| list_episodes | catalogue | reads | cursor limit |
| read_feed | catalogue | reads | feed* since changeType kind targetKind targetId slot cursor limit |
| view_artwork | catalogue | reads | items* planId size frames cursor page |
| list_changes | catalogue | reads | since scope createdBy changeType slot cursor limit |
| audit_sets | catalogue | reads | kind id targetKind targetId mine |
| watch | catalogue | adds | add remove |
| download_set | catalogue | adds | kind* id* layout* folder slots languageCode assetFolders takeOver dryRun |
| update_downloads | catalogue | adds | dryRun |
| get_owned | me | reads | type* id* slot targetKind targetId assets cursor limit |
| get_mutation_status | me | reads | clientMutationId submissionId kind items receipt cursor limit |
| list_mutations | me | reads, here | state since cursor limit |
| find_upload_destinations | me | reads | kind* family q cursor |
| list_relationships | me | reads | cursor limit |
| account_status | account | reads, here |  |
| connect_account | account | adds, each time anew | scopes |
| disconnect_account | account | replaces |  |
| new_mutation_ids | curate | reads, each time anew, here | count* |
| plan_set | curate | reads | folder* entryTargetKind* entryTargetId* setId slot alsoCalled languageCode cursor limit page |
| upload_asset | curate | replaces | clientMutationId* expectedUpdatedAt* dryRun file* operation* slot* targetKind targetId languageCode previousAssetId setId groupId |
| edit_asset_metadata | curate | replaces | clientMutationId* expectedUpdatedAt* dryRun assetId* languageCode editionId |
| select_preview_frame | curate | replaces | clientMutationId* expectedUpdatedAt* dryRun extra assetId* selectedSourceFrame* |
| create_group | curate | adds | clientMutationId* expectedUpdatedAt* dryRun extra kind* title* description languageCode setIds |
| edit_group | curate | replaces | clientMutationId* expectedUpdatedAt* dryRun extra groupId* title description languageCode addSetIds removeSetIds |
| create_grouping_set | curate | adds | clientMutationId* expectedUpdatedAt* dryRun extra setKind* titleBase* entryTargetKind entryTargetId networkIds companyIds description languageCode editionId |
| assign_grouping_assets | curate | replaces | clientMutationId* expectedUpdatedAt* dryRun extra setId* items* |
| change_relationship | curate | replaces | clientMutationId* expectedUpdatedAt* dryRun extra targetKind* targetId* relationship* |
| create_media_set | curate | adds | clientMutationId* expectedUpdatedAt* dryRun entryTargetKind* entryTargetId* titleBase* languageCode* finalised* description editionId destination planId declaredFiles leaveOut |
| edit_set | curate | replaces | clientMutationId* expectedUpdatedAt* dryRun setId* setKind* metadata planId items leaveOut |
| resume_mutation | curate | replaces | clientMutationId* expectedUpdatedAt* dryRun |
`;

/** Just enough of JSON Schema to walk it. */
interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  [keyword: string]: unknown;
}

/** Every schema within one, with its place. */
function schemasIn(schema: Schema, at: string): { readonly at: string; readonly schema: Schema }[] {
  return [
    { at, schema },
    ...Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => schemasIn(inner, `${at}.${key}`)),
    ...(schema.items === undefined ? [] : schemasIn(schema.items, `${at}[]`)),
  ];
}

const listed = definitions.tools.map(({ toolset, definition }) => ({
  toolset,
  ...definition,
  input: { ...definition.inputSchema } as Schema,
}));

describe('the public surface', () => {
  it('has these tools, with these annotations and arguments', () => {
    const rows = listed.map(({ name, toolset, annotations, input }) => {
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
      const does = [
        readOnlyHint ? 'reads' : destructiveHint ? 'replaces' : 'adds',
        ...(idempotentHint ? [] : ['each time anew']),
        ...(openWorldHint ? [] : ['here']),
      ].join(', ');
      const names = Object.keys(input.properties ?? {});
      const args = names.map((key) => (input.required?.includes(key) ? `${key}*` : key)).join(' ');
      return `| ${name} | ${toolset} | ${does} | ${args} |`;
    });
    expect(rows).toEqual(surface.trim().split('\n'));
  });

  it('costs a model at most 5,500 tokens with every tool on', () => {
    expect(countDefinitions(definitions.tools.map(({ definition }) => definition)).total).toBeLessThanOrEqual(
      5_500,
    );
  });

  it('costs at most 36,000 characters of a list', () => {
    const list = { tools: definitions.tools.map(({ definition }) => definition) };
    expect(JSON.stringify(list).length).toBeLessThanOrEqual(36_000);
  });

  it('has instructions that no host cuts, whose first 140 characters say what it can do', () => {
    const { instructions } = definitions;
    expect(instructions.length).toBeLessThan(2_000);
    const [first = ''] = instructions.split('\n');
    expect(first.length).toBeGreaterThan(100);
    expect(first.length).toBeLessThanOrEqual(140);
    const sentences = instructions.split(/(?<=\.)\s/);
    expect(sentences.filter((sentence) => sentence.split(' ').length > 25)).toEqual([]);
  });

  it('shows types, names and words alone, no union, and one type for each argument', () => {
    const shown = ['type', 'description', 'enum', 'properties', 'required', 'items'];
    const others = listed.flatMap(({ name, input }) =>
      schemasIn(input, name).flatMap(({ at, schema }) =>
        Object.keys(schema).flatMap((keyword) => (shown.includes(keyword) ? [] : [`${at}: ${keyword}`])),
      ),
    );
    expect(others).toEqual([]);
    const types = listed.flatMap(({ name, input }) =>
      schemasIn(input, name).map(({ at, schema }) => [at, typeof schema.type]),
    );
    expect(types.filter(([, type]) => type !== 'string')).toEqual([]);
  });

  it('is strict in every object that a tool takes', () => {
    const open = tools.flatMap(({ name, input }) =>
      schemasIn(wholeSchema(input, 'input'), name).filter(
        ({ schema }) => schema.properties !== undefined && schema.additionalProperties !== false,
      ),
    );
    expect(open.map(({ at }) => at)).toEqual([]);
  });

  it('has an output schema for each tool that does not answer with pictures', () => {
    for (const { name, outputSchema } of listed) {
      const pictures = tools.find((tool) => tool.name === name)?.pictures;
      expect([name, outputSchema?.type]).toEqual([name, pictures ? undefined : 'object']);
    }
  });
});

describe.each(listed)('$name', ({ name, input: schema }) => {
  const calls = written.filter((one) => one.tool === name);
  const read = (said: object) => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`There is no ${name}.`);
    return readArguments(tool, said).parsed;
  };

  it('takes what models write, and refuses it without an argument that its schema needs', () => {
    expect(calls.length).toBeGreaterThan(0);
    for (const { said } of calls) {
      expect(Object.keys(schema.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(said)));
      expect(() => read(said)).not.toThrow();
      for (const needed of schema.required ?? []) {
        const without = Object.entries(said).filter(([given]) => given !== needed);
        expect(() => read(Object.fromEntries(without))).toThrow(needed);
      }
    }
  });

  const operation = Object.values(operations).find((one) => one.name === name);
  it.skipIf(operation === undefined)('hands its operation what it understands of them', () => {
    for (const { said, meant } of calls) {
      const understood = read(said);
      expect(operation?.arguments.parse(understood)).toEqual(operation?.arguments.parse(meant));
      expect(operation?.arguments.parse(understood)).toEqual(understood);
    }
  });
});
