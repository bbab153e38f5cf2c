import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { definitions } from '../../src/definitions.ts';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { hurried, registered, startConnected } from '../support/connected.ts';
import { describeJourney, follow, type Journey, writeJourneys } from '../support/follower.ts';
import { changes, type MutationTool, mutationTools } from '../support/tool-files.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';

let household: FailingHousehold;
let server: StartedServer;
let env: Record<string, string>;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let mutations: readonly MutationTool[];

beforeAll(async () => {
  [household, pictures] = await Promise.all([startFailingHousehold(), temporaryFolder()]);
  env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path, ...hurried };
  server = await startConnected(household, env);
  mutations = mutationTools(server, pictures.path);
});

afterAll(async () => {
  await writeJourneys('follower-arguments');
  await server.stop();
  await household.remove();
  await pictures.remove();
});

const unknownId = 987_654_321;
const guard = () => ({ clientMutationId: randomUUID(), expectedUpdatedAt: null });

/** Follows to the end; what began must end without a request having been sent that changes anything. */
async function journey(tool: string, args: Record<string, unknown>, host = server): Promise<Journey> {
  const found = await follow(host, { tool, arguments: args });
  expect(found.end, describeJourney(found)).not.toBe('astray');
  return found;
}

async function category(tool: string, args: Record<string, unknown>): Promise<string | undefined> {
  return (await journey(tool, args)).steps[0]?.told.error?.category;
}

/** A film or a Set of films that is there. */
async function someId(kind: string): Promise<number | undefined> {
  const args = kind === 'movie' ? { feed: 'assets', targetKind: kind } : { feed: 'sets', kind };
  const { structuredContent } = await server.call('read_feed', { ...args, limit: 1 });
  const change = z.object({ setId: z.int().optional(), target: z.object({ id: z.int() }).optional() });
  const [found] = z.object({ data: z.array(change) }).parse(structuredContent).data;
  return found?.setId ?? found?.target?.id;
}

const prepared = async (name: string) => {
  const tool = mutations.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no ${name}.`);
  return (await tool.prepare()).arguments;
};

const tools = definitions.tools.map(({ definition }) => definition);

describe('whoever follows next from wrong arguments', () => {
  it.each(tools.map(({ name }) => name))('ends: an argument that %s does not have', async (tool) => {
    expect(await category(tool, { nonsense: 1 })).toBe('invalid_arguments');
  });

  it.each(
    tools
      .filter(({ inputSchema }) => JSON.stringify(inputSchema).includes('"clientMutationId"'))
      .map(({ name }) => name),
  )('ends: an id for %s that is none', async (tool) => {
    expect(await category(tool, { clientMutationId: 'first', expectedUpdatedAt: null })).toBe(
      'invalid_arguments',
    );
  });

  const paged: readonly (readonly [string, Record<string, unknown>])[] = [
    ['get_entity', { kind: 'movie', include: ['assets'] }],
    ['get_set', { kind: 'movie_set' }],
    ['list_episodes', {}],
    ['read_feed', { feed: 'assets' }],
    ['list_relationships', {}],
    ['list_mutations', {}],
  ];
  it.each(paged)('ends: a cursor for %s that is another’s', async (tool, args) => {
    const id = typeof args.kind === 'string' ? { id: await someId(args.kind) } : {};
    const { steps } = await journey(tool, { ...args, ...id, cursor: 'bm90IG1pbmU.bm90IG1pbmU' });
    expect(steps.map(({ told }) => told.error?.category)).toEqual(['invalid_arguments', undefined]);
  });

  it('ends: a cursor of the same tool with other arguments', async () => {
    const { structuredContent } = await server.call('read_feed', { feed: 'assets', limit: 1 });
    const { nextCursor } = z.object({ nextCursor: z.string() }).parse(structuredContent);
    const { steps } = await journey('read_feed', { feed: 'sets', limit: 1, cursor: nextCursor });
    expect(steps.map(({ told }) => told.error?.category)).toEqual(['invalid_arguments', undefined]);
  });
});

describe('whoever follows next from what is not there', () => {
  const unknown: readonly (readonly [string, () => Record<string, unknown>])[] = [
    ['get_entity', () => ({ kind: 'show', id: unknownId })],
    ['get_set', () => ({ kind: 'boxset', id: unknownId })],
    ['get_owned', () => ({ type: 'asset', id: randomUUID() })],
    ['get_owned', () => ({ type: 'set', id: unknownId })],
    ['get_owned', () => ({ type: 'group', id: unknownId })],
    ['get_mutation_status', () => ({ clientMutationId: randomUUID() })],
    ['resume_mutation', () => ({ ...guard() })],
    ['edit_asset_metadata', () => ({ ...guard(), assetId: randomUUID(), languageCode: 'fr' })],
    ['select_preview_frame', () => ({ ...guard(), assetId: randomUUID(), selectedSourceFrame: 1 })],
    ['edit_group', () => ({ ...guard(), groupId: unknownId, title: 'Nothing' })],
  ];
  it.each(unknown)('ends: %s', async (tool, args) => {
    expect(await category(tool, args())).toBe('not_found');
  });

  it('ends: a season that a Set does not list', async () => {
    const { structuredContent } = await server.call('read_feed', {
      feed: 'sets',
      kind: 'show_set',
      limit: 1,
    });
    const { data } = z.object({ data: z.array(z.object({ setId: z.int() })) }).parse(structuredContent);
    const { steps } = await journey('get_set', { kind: 'show_set', id: data[0]?.setId, season: 99 });
    expect(steps[0]?.told.error?.category).toBe('not_found');
    expect(steps[1]?.told.error).toBeUndefined();
  });

  it('ends: targets of uploads and assignments, a person, a category, an account', async () => {
    const file = await writePoster(pictures.path);
    const add = { ...guard(), file, operation: 'add', slot: 'poster' };
    await journey('upload_asset', { ...add, targetKind: 'movie', targetId: unknownId });
    await journey('upload_asset', { ...add, ...guard(), targetKind: 'teapot', targetId: 1 });
    await journey('upload_asset', { ...add, ...guard(), setId: unknownId });
    await journey('upload_asset', { ...add, ...guard(), groupId: unknownId });
    await journey('upload_asset', {
      ...add,
      ...guard(),
      operation: 'replace',
      previousAssetId: randomUUID(),
      targetKind: 'movie',
      targetId: 1,
    });
    await journey('change_relationship', {
      ...guard(),
      targetKind: 'user',
      targetId: unknownId,
      relationship: 'hide',
    });
    const person = { setKind: 'talent_set', entryTargetKind: 'person', entryTargetId: unknownId };
    await journey('create_grouping_set', { ...guard(), ...person, titleBase: 'Nobody' });
    await journey('create_group', { ...guard(), kind: 'boxset', title: 'Nothing', setIds: [unknownId] });
  });

  it('ends: a snapshot that has expired, in a feed that has turned over', async () => {
    const first = await server.call('read_feed', { feed: 'assets', limit: 200 });
    const { nextCursor } = z.object({ nextCursor: z.string() }).parse(first.structuredContent);
    const gone = { data: null, error: { code: 'snapshot_expired', message: 'Gone.' } };
    const others = { data: [], meta: { snapshot: randomUUID(), page: 1, totalPages: 1, nextPage: null } };
    const answered = { method: 'GET', do: 'answer', when: 'before' } as const;
    await household.control.fail(
      { ...answered, path: '/feeds/assets/pages/*/*', status: 410, body: gone },
      { ...answered, path: '/feeds/assets', status: 200, body: others },
    );
    const { steps } = await journey('read_feed', { feed: 'assets', limit: 200, cursor: nextCursor });
    expect(steps.map(({ told }) => told.error?.category)).toEqual(['snapshot_expired', undefined]);
  });
});

describe('whoever follows next from a guard', () => {
  const guarded = changes.filter(({ revision }) => revision === 'read').map(({ name }) => name);
  it.each(guarded)('ends: a stale revision of %s', async (name) => {
    const args = await prepared(name);
    const tool = name.split(',')[0] ?? '';
    for (const expectedUpdatedAt of ['2001-01-01T00:00:00.000Z', null]) {
      const { steps, end } = await journey(tool, { ...args, ...guard(), expectedUpdatedAt });
      expect(['stale_revision', undefined]).toContain(steps[0]?.told.error?.category);
      expect(end).toBe('settled');
    }
  });

  it.each(changes.filter(({ revision }) => revision === 'none').map(({ name }) => name))(
    'ends: a revision where nothing has one, for %s',
    async (name) => {
      const args = { ...(await prepared(name)), expectedUpdatedAt: '2001-01-01T00:00:00.000Z' };
      expect(await category(name.split(',')[0] ?? '', args)).toBe('invalid_arguments');
    },
  );

  it.each(['upload_asset, add', 'edit_asset_metadata', 'create_group'])(
    'ends: the id of %s for something else',
    async (name) => {
      const tool = name.split(',')[0] ?? '';
      const args = await prepared(name);
      await journey(tool, args);
      const other = { create_group: { title: 'Another' } }[tool] ?? { languageCode: 'de' };
      expect(await category(tool, { ...args, ...other })).toBe('mutation_id_reused');
    },
  );

  it('ends: a place that is held, and the same bytes on their way', async () => {
    const into = await prepared('upload_asset, into a Set');
    await household.control.fail({
      method: 'POST',
      path: `/me/sets/${into.setId}/assets`,
      do: 'cut',
      when: 'before',
    });
    const open = await server.call('upload_asset', into);
    expect(open.structuredContent).toMatchObject({ outcome: 'unresolved' });
    const sameBytes = await journey('upload_asset', {
      ...into,
      ...guard(),
      expectedUpdatedAt: into.expectedUpdatedAt,
    });
    const samePlace = await journey('upload_asset', {
      ...into,
      clientMutationId: randomUUID(),
      file: await writePoster(pictures.path),
    });
    expect([sameBytes, samePlace].map(({ steps }) => steps[0]?.told.error?.category)).toContain('conflict');
    const effects = await household.control.effects();
    expect(effects.filter((one) => one.clientMutationId === into.clientMutationId)).toHaveLength(1);
  });

  it('ends: a file that can’t be sent', async () => {
    const args = await prepared('upload_asset, add');
    const text = path.join(pictures.path, 'text.png');
    await writeFile(text, 'this is no picture');
    const folder = path.dirname(pictures.path);
    for (const file of [
      text,
      `${text}.gone`,
      path.join(folder, 'x.png'),
      '/dev/zero',
      'x.png',
      'file:x',
      pictures.path,
    ]) {
      const { steps } = await journey('upload_asset', { ...args, file });
      expect(['upload_refused', 'invalid_arguments'], file).toContain(steps[0]?.told.error?.category);
    }
    const { ARTWORK_UPLOAD_ROOTS: _, ...closed } = env;
    const rootless = await startServer(closed);
    const { steps } = await journey('upload_asset', args, rootless);
    await rootless.stop();
    expect(steps[0]?.told).toMatchObject({
      error: { category: 'upload_refused' },
      next: { why: expect.any(String) },
    });
    expect(steps[0]?.told.next?.tool).toBeUndefined();
  });
});
