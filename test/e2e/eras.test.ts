import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { definitions } from '../../src/definitions.ts';
import { dataFolder, stopSandbox } from '../../src/sandbox/launch.ts';
import { inBothEras, type Manner, manners, type Spoken, spokenBy, startSpoken } from '../support/eras.ts';
import { fillFolder } from '../support/filled.ts';
import { temporaryFolder } from '../support/temporary.ts';

// The same is asked through each kind of client, and what it is answered may differ in what the revision changes alone.

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let hosts: Readonly<Record<Manner, Spoken>>;
let env: Record<string, string>;
/** Of the embedded catalogue. */
let show: number;

beforeAll(async () => {
  folder = await temporaryFolder();
  env = { HOME: folder.path, ARTWORK_HOME: folder.path, ARTWORK_UPLOAD_ROOTS: folder.path };
  await fillFolder(dataFolder(folder.path));
  const start = async (manner: Manner) => [manner, await startSpoken(manner, { env })] as const;
  hosts = Object(Object.fromEntries(await Promise.all(manners.map(start))));
  const listed = await hosts['SDK 1'].call('list_episodes', { limit: 1 });
  show = episodes.parse(listed).structuredContent.data[0].show.id;
});

afterAll(async () => {
  await Promise.all(Object.values(hosts).map((host) => host.stop()));
  await stopSandbox({ home: folder.path });
  await folder.remove();
});

const episode = z.object({ show: z.object({ id: z.int() }) });
const episodes = z.object({ structuredContent: z.object({ data: z.tuple([episode]) }) });

/** What all of them are answered. */
async function fromAll(ask: (host: Spoken) => Promise<object>): Promise<object> {
  const [first, ...others] = await Promise.all(
    manners.map(async (manner) => inBothEras(await ask(hosts[manner]))),
  );
  for (const other of others) expect(other).toEqual(first);
  return Object(first);
}

/** What each of them is refused with. */
async function refusals(ask: (host: Spoken) => Promise<object>) {
  const told = manners.map(async (manner) => {
    try {
      await ask(hosts[manner]);
    } catch (error) {
      const { code, message, data } = Object(error);
      // The first client puts the code before the words.
      return { manner, code, message: String(message).replace(/^MCP error -\d+: /, ''), data };
    }
    throw new Error(`${manner} was not refused.`);
  });
  return Promise.all(told);
}

it.each(manners)('%s comes to its revision', (manner) => {
  expect(hosts[manner].version).toBe(spokenBy[manner]);
});

describe('the same is answered to all', () => {
  it('by the lists, those of a host that shows MCP Apps', async () => {
    expect(await fromAll((host) => host.tools())).toMatchObject({
      tools: { length: definitions.tools.length },
    });
    expect(await fromAll((host) => host.prompts())).toMatchObject({ prompts: { length: 5 } });
    expect(await fromAll((host) => host.resources())).toMatchObject({ resources: [{ name: 'page' }] });
    expect(await fromAll((host) => host.resourceTemplates())).toHaveProperty('resourceTemplates');
  });

  it.each<[string, (id: number) => Record<string, unknown>]>([
    ['get_entity', (id) => ({ kind: 'show', id })],
    ['list_episodes', () => ({ limit: 3 })],
    ['view_artwork', (id) => ({ items: [{ kind: 'show', id, slot: 'poster' }] })],
  ])('by %s', async (tool, args) => {
    const answer = await fromAll((host) => host.call(tool, args(show)));
    expect(answer).not.toHaveProperty('isError');
    expect(answer).toHaveProperty('content.0.type', 'text');
  });

  it.each<[string, Record<string, unknown>]>([
    ['get_entity', { kind: 'show' }],
    ['get_set', { kind: 'movie_set', id: 999_999_999 }],
    ['get_owned', { type: 'set', id: 1 }],
  ])('by %s that fails', async (tool, args) => {
    expect(await fromAll((host) => host.call(tool, args))).toMatchObject({ isError: true });
  });

  it('by resources', async () => {
    for (const uri of [`artwork://show/${show}`, 'ui://artwork-mcp/page'])
      expect(await fromAll((host) => host.read(uri))).toMatchObject({ contents: [{ uri }] });
  });

  it('by prompts and by completions', async () => {
    const prompt = () => fromAll((host) => host.prompt('curate_show', { show: 'Firefly' }));
    expect(await prompt()).toMatchObject({ messages: [{ role: 'user' }] });
    const kinds = { ref: { type: 'ref/resource' as const, uri: 'artwork://{kind}/{id}' } };
    const argument = { name: 'kind', value: 'movie' };
    expect(await fromAll((host) => host.complete({ ...kinds, argument }))).toEqual({
      completion: { values: ['movie', 'movie_set'], total: 2, hasMore: false },
    });
    const slots = { ref: { type: 'ref/prompt' as const, name: 'curate_show' } };
    const typed = { name: 'slot', value: 'title' };
    expect(await fromAll((host) => host.complete({ ...slots, argument: typed }))).toMatchObject({
      completion: { values: ['titlecard'] },
    });
  });

  it('by progress, which grows', async () => {
    const items = ['poster', 'backdrop', 'logo'].map((slot) => ({ kind: 'show', id: show, slot }));
    const told = manners.map(async (manner) => {
      const heard: number[] = [];
      const onprogress = ({ progress }: { progress: number }) => void heard.push(progress);
      await hosts[manner].call('view_artwork', { items }, { onprogress });
      return heard;
    });
    const [first = [], ...others] = await Promise.all(told);
    expect(first.length).toBeGreaterThanOrEqual(3);
    expect(first).toEqual([...new Set(first)].toSorted((one, other) => one - other));
    for (const heard of others) expect(heard).toEqual(first);
  });
});

describe('with the same words and the code of its revision is refused', () => {
  it.each<[string, number, (host: Spoken) => Promise<object>]>([
    ['a tool that there is not', -32602, (host) => host.call('get_entitty', {})],
    ['a prompt that there is not', -32602, (host) => host.prompt('curate_shows', {})],
    ['a prompt without its argument', -32602, (host) => host.prompt('curate_show', {})],
    // The second client says the newer code of an older server's error.
    ['a resource that there is not', -32002, (host) => host.read('artwork://show/999999999')],
    ['an address of none', -32002, (host) => host.read('file:///etc/passwd')],
  ])('%s', async (_, code, ask) => {
    const [first, ...others] = await refusals(ask);
    expect(first?.code).toBe(code);
    for (const { manner: _manner, ...refusal } of others)
      expect(refusal).toEqual({ code: -32602, message: first?.message, data: first?.data });
  });
});
