import { describe, expect, it } from 'vitest';
import { definitions } from '../../src/definitions.ts';
import { claudeCodeSearch, codexSearch, plainSearch, queryOf, type Search } from '../support/tool-search.ts';
import type { Spoken } from '../support/tool-file.ts';
import { type KnownTool, toolFiles } from '../support/tool-files.ts';

const tools = definitions.tools.map(({ definition }) => definition);

interface Asked {
  readonly said: string;
  readonly query: string;
  readonly right: readonly string[];
}

/** The wishes of each tool; without a query of their own they are searched by what the person says. */
const wishesOf = (of: (tool: KnownTool) => readonly (Spoken & { readonly query?: string })[]): Asked[] =>
  toolFiles.flatMap((tool) =>
    of(tool).map(({ said, query = queryOf(said), also = [] }) => ({
      said,
      query,
      right: [tool.name, ...also],
    })),
  );
const worded = wishesOf(({ wishes }) => [...wishes.spoken, ...wishes.asked]);
const heldApart = wishesOf(({ wishes }) => wishes.heldApart);
const inOwnWords = heldApart.map((wish): Asked => ({ ...wish, query: queryOf(wish.said) }));

/** Of each search the least share of wishes: what no host does is to be no more than near. */
const searches = [
  { name: 'Claude Code', search: claudeCodeSearch(tools), least: 0.95 },
  { name: 'Codex', search: codexSearch(tools), least: 0.95 },
  { name: 'BM25 over names and descriptions', search: plainSearch(tools), least: 0.9 },
] as const;

/** The share of wishes for which a search brings a right tool first or second, and those for which it does not. */
function ratedBy(search: Search, of: readonly Asked[]): { rate: number; missed: string[] } {
  const missed = of.flatMap(({ said, query, right }) => {
    const found = search(query).slice(0, 4);
    if (found.slice(0, 2).some((tool) => right.includes(tool))) return [];
    return [`  "${said}" (${query}) brings ${found.join(', ')}; right: ${right.join(', ')}`];
  });
  return { rate: 1 - missed.length / of.length, missed };
}

function percent(rate: number): string {
  return `${(rate * 100).toFixed(1)} %`;
}

describe.each(searches)('$name brings the right tool first or second', ({ name, search, least }) => {
  it.each([
    ['that the definitions were worded with', worded],
    ['held apart from their wording', heldApart],
  ])('for the wishes %s', (which, of) => {
    const { rate, missed } = ratedBy(search, of);
    process.stdout.write(
      `${[`${name}: ${percent(rate)} of ${of.length} wishes ${which}; all but`, ...missed].join('\n')}\n`,
    );
    if (of === heldApart) {
      const { rate: unasked } = ratedBy(search, inOwnWords);
      process.stdout.write(`${name}: ${percent(unasked)} of them where what the person says is the query\n`);
    }
    expect(rate).toBeGreaterThanOrEqual(least);
  });
});

it.each(toolFiles)('asks for $name, once apart from its wording', ({ wishes }) => {
  expect(wishes.spoken.length + wishes.asked.length).toBeGreaterThan(0);
  expect(wishes.heldApart.length).toBeGreaterThan(0);
});
