import { isNamed, type SeenTool } from './fake-model/model.ts';
import type { Cell } from './judge.ts';
import { toolsOn, type Wire } from './wire.ts';

/** What of an argument a model needs most. */
const vital: ReadonlySet<string> = new Set([
  'properties',
  'required',
  'enum',
  'description',
  'type',
  'items',
]);

/** What becomes of the schemas of our arguments on their way to the model. */
export function losses(tools: ReadonlyMap<string, SeenTool>, wire: Wire): Cell {
  const lost = new Map<string, number>();
  let compared = 0;
  for (const { name, inputSchema } of toolsOn(wire)) {
    const seen = [...tools.values()].find((tool) => isNamed(tool.name, name) && tool.schema !== null);
    if (seen === undefined) continue;
    compared += 1;
    const there = new Set(rulesOf(seen.schema));
    for (const rule of rulesOf(inputSchema)) {
      const keyword = rule.slice(rule.lastIndexOf(' ') + 1);
      if (!there.has(rule)) lost.set(keyword, (lost.get(keyword) ?? 0) + 1);
    }
  }
  if (compared === 0) return { words: 'the model sees none', good: 0 };
  const keywords = [...lost.keys()].sort();
  if (keywords.length === 0) return { words: 'kept', good: 1 };
  const worst = keywords.some((keyword) => vital.has(keyword));
  return {
    words: `without ${keywords.map((keyword) => `\`${keyword}\``).join(' ')}`,
    good: worst ? 0.3 : 0.6,
  };
}

/** Each place of a schema with each of its keywords; an enum counts as kept as long as it names the same. */
function rulesOf(schema: unknown, at = ''): string[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === 'properties' && typeof value === 'object' && value !== null)
      return Object.entries(value).flatMap(([name, inner]) => [
        `${at}/${name} properties`,
        ...rulesOf(inner, `${at}/${name}`),
      ]);
    if (keyword === 'items') return [`${at} items`, ...rulesOf(value, `${at}[]`)];
    if (keyword === '$schema' || keyword === 'additionalProperties') return [];
    return [`${at} ${keyword}`];
  });
}
