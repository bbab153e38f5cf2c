import { describe, expect, it } from 'vitest';
import { type SchemaNode, wholeSchema } from '../../src/mcp/json-schema.ts';
import { tools } from '../../src/tools/index.ts';

const longest = 100_000;

type Path = readonly (string | 0)[];

/** Where a schema takes a text. */
function textsIn(node: SchemaNode, path: Path = []): Path[] {
  const own = [node.type ?? []].flat().includes('string') && node.enum === undefined ? [path] : [];
  const members = Object.entries(node.properties ?? {});
  return [
    ...own,
    ...members.flatMap(([name, member]) => textsIn(member, [...path, name])),
    ...(node.items === undefined ? [] : textsIn(node.items, [...path, 0])),
  ];
}

/** Arguments with this text alone. */
function argumentsWith(text: string, path: Path): unknown {
  return path.reduceRight<unknown>((inner, step) => (step === 0 ? [inner] : { [step]: inner }), text);
}

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (_, { input }) => {
  it('refuses every text that is longer than any that is meant', () => {
    for (const path of textsIn(wholeSchema(input, 'input'))) {
      for (const letter of ['a', ' ', '1', '[', '\u0301', '\ud800']) {
        const parsed = input.safeParse(argumentsWith(letter.repeat(longest), path));
        const paths = parsed.error?.issues.map((issue) => issue.path.join('.'));
        expect(paths, JSON.stringify(letter)).toContain(path.join('.'));
      }
    }
  });
});
