import { stemmer } from '@orama/stemmers/english';
import { stopwords } from '@orama/stopwords/english';
import type { PublicTool } from '../../src/mcp/surface.ts';

type Searched = Pick<PublicTool, 'name' | 'title' | 'description' | 'inputSchema' | '_meta'>;

const common = new Set(stopwords);

/** What people say around a wish, and no search is made with. */
const around =
  'please want need like give still yet already again never really just maybe let way thing'.split(' ');

/** The query that a model is taken to make of what a person says: its words, without those around it. */
export function queryOf(said: string): string {
  return keywords(said)
    .filter((word) => !around.includes(word))
    .join(' ');
}

/** The words of a text that carry meaning. */
function keywords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+(?:'\p{L}+)?/gu) ?? [];
  return words.map((word) => word.replace(/'s$/, '')).filter((word) => word.length > 1 && !common.has(word));
}

/** Names of tools, best first. */
export type Search = (query: string) => string[];

/**
 * As Claude Code's tool search orders tools for a query of keywords. Assumed, from public accounts of it (2.1): each
 * word of the query counts 12 where it is a part of the tool's name (`mcp__server__name`, split at underscores), else
 * 6 where it is within a part; 4 where it stands as a word in the search hint; 2 where it stands as a word in the
 * description. Words are compared as they are: no stemming. What counts nothing is not found; of equals the one that
 * is listed first comes first.
 */
export function claudeCodeSearch(tools: readonly Searched[]): Search {
  const known = tools.map(({ name, description, _meta: meta }) => ({
    name,
    parts: ['artwork', ...name.split('_')],
    hint: meta['anthropic/searchHint'].toLowerCase(),
    description: description.toLowerCase(),
  }));
  return (query) => {
    const words = keywords(query);
    return best(
      known.map(({ name, parts, hint, description }) => {
        const scores = words.map((word) => {
          const within = parts.some((part) => part.includes(word)) ? 6 : 0;
          const inName = parts.includes(word) ? 12 : within;
          return inName + (hasWord(hint, word) ? 4 : 0) + (hasWord(description, word) ? 2 : 0);
        });
        return { name, score: sum(scores) };
      }),
    );
  };
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`\\b${word}\\b`).test(text);
}

/**
 * As Codex orders them: BM25 (k1 1.2, b 0.75) over one text of each tool, with the Snowball stemmer and without stop
 * words. Of names an underscore is no border there, so `find_titles` is one word; title, description and the names of
 * the arguments are the rest of the text.
 */
export function codexSearch(tools: readonly Searched[]): Search {
  return bm25(tools, ({ name, title, description, inputSchema }) =>
    ['artwork', name, title, description, ...argumentsOf(inputSchema)].join(' '),
  );
}

/** BM25 over names, word by word, and descriptions alone. */
export function plainSearch(tools: readonly Searched[]): Search {
  return bm25(tools, ({ name, description }) => `${name.replaceAll('_', ' ')} ${description}`);
}

function argumentsOf(schema: object): string[] {
  return 'properties' in schema ? Object.keys(Object(schema.properties)) : [];
}

const k1 = 1.2;
const b = 0.75;

function bm25(tools: readonly Searched[], textOf: (tool: Searched) => string): Search {
  const documents = tools.map((tool) => ({ name: tool.name, words: stems(textOf(tool)) }));
  const meanLength = sum(documents.map(({ words }) => words.length)) / documents.length;
  return (query) => {
    const asked = stems(query).map((word) => {
      const having = documents.filter(({ words }) => words.includes(word)).length;
      return { word, rarity: Math.log(1 + (documents.length - having + 0.5) / (having + 0.5)) };
    });
    return best(
      documents.map(({ name, words }) => {
        const scores = asked.map(({ word, rarity }) => {
          const count = words.filter((each) => each === word).length;
          return (rarity * count * (k1 + 1)) / (count + k1 * (1 - b + (b * words.length) / meanLength));
        });
        return { name, score: sum(scores) };
      }),
    );
  };
}

function stems(text: string): string[] {
  return keywords(text).map((word) => stemmer(word));
}

function best(scored: readonly { readonly name: string; readonly score: number }[]): string[] {
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ name }) => name);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
