import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { definitions } from '../src/definitions.ts';
import { toolsets } from '../src/settings.ts';
import { tools } from '../src/tools/index.ts';

const root = import.meta.dirname;
const stored = path.join(root, 'surface');

/** Just enough of JSON Schema to walk it. */
interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  [keyword: string]: unknown;
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

  it('has instructions that no host cuts', () => {
    expect(definitions.instructions.length).toBeLessThan(2_000);
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
    expect(input.additionalProperties).toBe(false);
    expect(tool.input.safeParse({ 'no such argument': 1 }).success).toBe(false);
  });

  it('is strict in every object that it takes', () => {
    const open: string[] = [];
    const visit = (schema: Schema, at: string): void => {
      if (schema.properties !== undefined && schema.additionalProperties !== false) open.push(at);
      for (const [key, inner] of Object.entries(schema.properties ?? {})) visit(inner, `${at}.${key}`);
      if (schema.items !== undefined) visit(schema.items, `${at}[]`);
    };
    visit(input, name);
    expect(open).toEqual([]);
  });

  it('describes itself and every argument whose name does not', () => {
    expect(tool.title.length).toBeGreaterThan(3);
    expect(tool.description.length).toBeGreaterThan(60);
    expect(tool.description.length).toBeLessThan(700);
    const evident = new Set(['kind', 'feed', 'query', 'entryTargetKind', 'operation']);
    const silent = Object.entries(input.properties ?? {}).filter(
      ([key, schema]) => schema.description === undefined && schema.enum === undefined && !evident.has(key),
    );
    expect(silent.map(([key]) => key)).toEqual([]);
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

  it('is called by a test through a real client', () => {
    const files = readdirSync(path.join(root, 'e2e'), { recursive: true, encoding: 'utf8' });
    const calls = files
      .filter((file) => file.endsWith('.test.ts'))
      .some((file) => readFileSync(path.join(root, 'e2e', file), 'utf8').includes(`'${name}'`));
    expect(calls).toBe(true);
  });
});
