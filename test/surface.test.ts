import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { definitions } from '../src/definitions.ts';
import { wholeSchema } from '../src/mcp/json-schema.ts';
import { slotsWords } from '../src/model/slots.ts';
import { toolsets } from '../src/settings.ts';
import { tools } from '../src/tools/index.ts';

const root = import.meta.dirname;
const stored = path.join(root, 'surface');

/** Just enough of JSON Schema to walk it. */
interface Schema {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  [keyword: string]: unknown;
}

const shownKeywords = ['type', 'description', 'enum', 'properties', 'required', 'items'];

/** What says enough by its name, by the tool's own description or in the instructions. */
const evident = new Set([
  ...['cursor', 'limit', 'dryRun'],
  ...['kind', 'id', 'targetId', 'entryTargetId', 'assetId', 'setId', 'groupId', 'editionId', 'languageCode'],
  ...['title', 'titleBase', 'description', 'feed', 'query', 'operation', 'count', 'add', 'remove'],
  ...['entryTargetKind', 'items', 'planId'],
]);

/** Every schema within one, with its place. */
function objectsIn(schema: Schema, at: string): { readonly at: string; readonly schema: Schema }[] {
  return [
    { at, schema },
    ...Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => objectsIn(inner, `${at}.${key}`)),
    ...(schema.items === undefined ? [] : objectsIn(schema.items, `${at}[]`)),
  ];
}

const inputOf = (name: string): Schema => {
  const found = definitions.tools.find(({ definition }) => definition.name === name);
  if (found === undefined) throw new Error(name);
  return { ...found.definition.inputSchema };
};

describe('the public surface', () => {
  it('is what is stored, tool by tool (npm run surface stores a wanted change)', () => {
    expect(readdirSync(stored).sort()).toEqual(tools.map(({ name }) => `${name}.json`).sort());
    for (const { toolset, definition } of definitions.tools) {
      const text = readFileSync(path.join(stored, `${definition.name}.json`), 'utf8');
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify({ toolset, ...definition })));
    }
  });

  it('has instructions that no host cuts, whose first 140 characters say what it can do', () => {
    const { instructions } = definitions;
    expect(instructions.length).toBeLessThan(2_000);
    const [first = ''] = instructions.split('\n');
    expect(first.length).toBeGreaterThan(100);
    expect(first.length).toBeLessThanOrEqual(140);
    const slots = [slotsWords('poster'), slotsWords('titlecard')];
    for (const what of ['Find', 'view', ...slots, 'TV shows', 'films', 'upload', 'watch']) {
      expect(first).toContain(what);
    }
  });

  it('says once in its instructions what many tools take', () => {
    const names = tools.flatMap(({ input }) => Object.keys(input.shape));
    const often = ['clientMutationId', 'expectedUpdatedAt', 'dryRun', 'extra', 'cursor', 'limit', 'page'];
    for (const name of often) {
      expect(names.filter((each) => each === name).length).toBeGreaterThan(3);
      expect(definitions.instructions).toContain(`${name} `);
    }
  });

  it('names each tool once, in words that every host takes', () => {
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z_]{2,39}$/);
  });
});

describe.each(tools.map((tool) => [tool.name, tool] as const))('the tool %s', (name, tool) => {
  const input = inputOf(name);

  it('takes an object without a union at its top, and no unknown argument', () => {
    expect(input.type).toBe('object');
    for (const union of ['oneOf', 'anyOf', 'allOf', 'not']) expect(input).not.toHaveProperty(union);
    expect(tool.input.safeParse({ 'no such argument': 1 }).success).toBe(false);
  });

  it('is strict in every object that it takes', () => {
    const open = objectsIn(wholeSchema(tool.input, 'input'), name).filter(
      ({ schema }) => schema.properties !== undefined && schema.additionalProperties !== false,
    );
    expect(open.map(({ at }) => at)).toEqual([]);
  });

  it('shows types, names and words alone: the server checks the rest', () => {
    for (const { at, schema } of objectsIn(input, name)) {
      const shown = Object.keys(schema).filter((keyword) => !shownKeywords.includes(keyword));
      expect([at, shown]).toEqual([at, []]);
      // A number may be its digits, which a host that checks calls would else refuse.
      if ([schema.type].flat().includes('integer'))
        expect([at, schema.type]).toEqual([at, expect.arrayContaining(['string'])]);
    }
  });

  it('describes every argument whose name does not', () => {
    const silent = Object.entries(input.properties ?? {}).filter(
      ([key, schema]) => schema.description === undefined && schema.enum === undefined && !evident.has(key),
    );
    expect(silent.map(([key]) => key)).toEqual([]);
    // An error has room for words: of what is checked it leaves nothing unsaid.
    const whole = Object.entries(wholeSchema(tool.input, 'input').properties ?? {});
    const unsaid = whole.filter(([key, { description, enum: values }]) => {
      const isSaid = description !== undefined || values !== undefined;
      return !isSaid && !evident.has(key);
    });
    expect(unsaid.map(([key]) => key)).toEqual([]);
  });

  it('says what it does to the service', () => {
    expect(Object.keys(tool.annotations).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ]);
    if (tool.annotations.readOnlyHint) expect(tool.annotations.destructiveHint).toBe(false);
    expect(toolsets).toContain(tool.toolset);
  });

  it('has an output schema that is an object, or none where it answers with pictures', () => {
    const found = definitions.tools.find(({ definition }) => definition.name === name);
    expect(found?.definition.outputSchema?.type).toBe(tool.pictures ? undefined : 'object');
  });
});
