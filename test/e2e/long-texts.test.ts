import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { writeCursor } from '../../src/mcp/pages.ts';
import { errorOf, type StartedServer, startServer, toldBy } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { signInTo } from './answers/sign-in.ts';
import { startWholeService, type WholeService } from './answers/whole-service.ts';

let service: WholeService;
let server: StartedServer;

beforeAll(async () => {
  service = await startWholeService();
  server = await startServer({
    ARTWORK_BASE_URL: service.baseUrl,
    ARTWORK_CLIENT_ID: 'app',
    ARTWORK_REDIRECT_URI: `http://127.0.0.1:${await freePort()}/callback`,
    ARTWORK_INDEX: 'off',
  });
  // From now on the client checks every structured part against the output schema of its tool.
  await server.client.listTools();
  await signInTo(service, server);
});
afterAll(async () => {
  await server.stop();
  await service.close();
});

/** Characters of every length in JSON and in UTF-16, none twice in a row, so that no part fits in another's place. */
const longText = (length: number, mark: string) =>
  Array.from(
    { length: Math.ceil(length / 6) },
    (_, at) => `${['a', '"', '\n', '漢', '🎬', '\\'][at % 6]}${mark}${at}`,
  )
    .join('')
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, '');

const call = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) });
const answer = z.looseObject({
  data: z.unknown(),
  omitted: z.array(z.looseObject({ section: z.string(), unit: z.string().optional(), next: call.nullish() })),
  nextCursor: z.string().nullable(),
});
const parts = z.array(z.object({ of: z.string(), from: z.int(), characters: z.int(), text: z.string() }));

/** Replaces the text that stands in an answer's record, at every level where it has that name. */
function withText(value: unknown, name: string, text: () => string): unknown {
  if (Array.isArray(value)) return value.map((one) => withText(one, name, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === name ? text() : withText(inner, name, text)]),
  );
}

/** Puts the texts of an answer together: what it shows, and the parts that its calls lead to. */
async function wholeTexts(first: z.output<typeof answer>): Promise<string[]> {
  const shown = new Map<string, string>();
  const collect = (value: unknown, at: string): void => {
    if (typeof value === 'string') shown.set(at, value);
    else if (Array.isArray(value))
      for (const [index, one] of value.entries()) collect(one, `${at}[${index}]`);
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) collect(one, at === '' ? name : `${at}.${name}`);
  };
  collect(first, '');
  const found = new Map<string, string>();
  const take = (page: unknown) => {
    for (const { of, from, characters, text } of parts.parse(page)) {
      const before = found.get(of) ?? shown.get(of)?.slice(0, from) ?? '';
      expect([of, before.length]).toEqual([of, from]);
      expect(from + text.length).toBeLessThanOrEqual(characters);
      found.set(of, before + text);
    }
  };
  for (const { unit, next } of first.omitted) {
    if (unit !== 'characters' || next == null) continue;
    let page = answer.parse(toldBy(await server.call(next.tool, next.arguments)));
    take(page.data);
    for (let pages = 1; page.nextCursor !== null; pages += 1) {
      expect(pages).toBeLessThan(100);
      page = answer.parse(
        toldBy(await server.call(next.tool, { ...next.arguments, cursor: page.nextCursor })),
      );
      take(page.data);
    }
  }
  return [...found.values()];
}

it.each([
  ['GET show', 'overview', 'get_entity', { kind: 'show', id: 1 }, 'artwork://show/1'],
  ['GET person', 'biography', 'get_entity', { kind: 'person', id: 1 }, 'artwork://person/1'],
  ['GET movie-set', 'description', 'get_set', { kind: 'movie_set', id: 3 }, 'artwork://movie_set/3'],
  ['GET boxset', 'title', 'get_set', { kind: 'boxset', id: 3 }, 'artwork://boxset/3'],
  ['GET episodes index', 'title', 'list_episodes', { limit: 2 }, null],
  ['GET owned Set', 'title', 'get_owned', { type: 'set', id: 3 }, null],
  ['GET upload-destinations', 'title', 'find_upload_destinations', { kind: 'media_set' }, null],
  ['GET relationships', 'relationship', 'list_relationships', {}, null],
] as const)(
  'all of a long text of %s (%s) can be put together',
  async (route, name, tool, args, uri) => {
    const written: string[] = [];
    const heal = service.spoil(route, (valid) => {
      written.length = 0;
      const text = () => {
        const one = longText(47_000 + written.length, `${written.length}-`);
        written.push(one);
        return one;
      };
      return JSON.stringify(withText(valid, name, text));
    });
    const answers = [answer.parse(toldBy(await server.call(tool, args)))];
    if (uri !== null) {
      const { contents } = await server.client.readResource({ uri });
      for (const content of contents)
        if ('text' in content) answers.push(answer.parse(JSON.parse(content.text)));
    }
    for (const one of answers) {
      // Of a list the answer has the elements that fit.
      const told = JSON.stringify(one);
      const begun = written.filter((text) => told.includes(JSON.stringify(text.slice(0, 30)).slice(1, -1)));
      expect(begun.length).toBeGreaterThan(0);
      expect(new Set(await wholeTexts(one))).toEqual(new Set(begun));
    }
    expect(answers).toHaveLength(uri === null ? 1 : 2);
    heal();
  },
  60_000,
);

it('a text that has changed meanwhile is not put together of two', async () => {
  const texts = [longText(40_000, 'x'), longText(40_000, 'y')];
  const spoil = (text: string) =>
    service.spoil('GET show', (valid) => JSON.stringify(withText(valid, 'overview', () => text)));
  let heal = spoil(texts[0] ?? '');
  const first = answer.parse(toldBy(await server.call('get_entity', { kind: 'show', id: 1 })));
  const next = call.parse(first.omitted.find(({ unit }) => unit === 'characters')?.next);
  heal();
  heal = spoil(texts[1] ?? '');
  const refused = errorOf(await server.call(next.tool, next.arguments));
  expect(refused).toMatchObject({
    error: { category: 'snapshot_expired' },
    next: { tool: 'get_entity', arguments: { kind: 'show', id: 1 } },
  });
  heal();
});

it('a cursor of the rest of a text is no argument of a tool that has none', async () => {
  const args = { count: 1 };
  const place = { section: 'ids', textLimit: 0, told: 0, digest: '47DEQpj8HBSa' };
  const cursor = writeCursor('new_mutation_ids, texts', args, place);
  const { error } = errorOf(await server.call('new_mutation_ids', { ...args, cursor }));
  expect(error).toMatchObject({ category: 'invalid_arguments' });
});
