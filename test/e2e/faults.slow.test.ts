import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorCategories } from '../../src/errors.ts';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { hurried, registered, startConnected } from '../support/connected.ts';
import { diesWhenClaimed } from '../support/die-when-claimed.ts';
import { read, type Told } from '../support/follower.ts';
import { type MutationTool, mutationTools } from '../support/tool-files.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';

let household: FailingHousehold;
let env: Record<string, string>;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let server: StartedServer;
let mutations: readonly MutationTool[];

beforeAll(async () => {
  [household, pictures] = await Promise.all([startFailingHousehold(), temporaryFolder()]);
  env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path, ...hurried };
  server = await startConnected(household, env);
  mutations = mutationTools(server, pictures.path);
});
beforeEach(() => household.control.heal());

afterAll(async () => {
  await server.stop();
  await household.remove();
  await pictures.remove();
});

/** Each category that a test has seen. */
const seen = new Set<string>();

async function tell(tool: string, args: Record<string, unknown>, host = server): Promise<Told> {
  const told = read({ tool, arguments: args }, await host.call(tool, args));
  if (told.error !== undefined) seen.add(told.error.category);
  return told;
}

async function prepare(name: string) {
  const tool = mutations.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no ${name}.`);
  return tool.prepare();
}

const body = { error: { code: 'test.told', message: 'As it was told.', details: { seen: 1 }, issues: [] } };
const always = { count: 100 };

it('what is too much for one answer is left out, and counted', async () => {
  const record = (id: number) => ({
    id,
    kind: 'media_set',
    family: 'media',
    title: 'x'.repeat(2_000),
    target: null,
  });
  const body = { data: Array.from({ length: 40 }, (_, id) => record(id)) };
  const where = { method: 'GET', path: '/me/upload-destinations' } as const;
  await household.control.fail({ ...where, do: 'answer', when: 'before', status: 200, body });
  const { structuredContent } = await server.call('find_upload_destinations', { kind: 'media_set' });
  const some = z.object({
    data: z.array(z.unknown()).nonempty(),
    omitted: z.tuple([z.object({ section: z.literal('data'), total: z.literal(40), returned: z.int() })]),
  });
  const { data, omitted } = some.parse(structuredContent);
  expect(omitted[0].returned).toBe(data.length);
});

describe('an error of the category', () => {
  it('invalid_arguments: of ours, and of the service with its own code', async () => {
    const ours = await tell('get_entity', { kind: 'movie', id: 'one' });
    expect(ours.error).toMatchObject({
      code: 'invalid_arguments',
      category: 'invalid_arguments',
      issues: [{ path: ['id'] }],
    });
    expect(ours.error?.status).toBeUndefined();
    const { arguments: args, post } = await prepare('edit_group');
    const issue = { code: 'field.invalid', message: 'No.', path: ['description'] };
    const refused = { error: { ...body.error, code: 'body.invalid', issues: [issue] } };
    for (const status of [400, 422]) {
      await household.control.fail({
        method: 'POST',
        ...post,
        do: 'answer',
        when: 'before',
        status,
        body: refused,
      });
      const theirs = await tell('edit_group', { ...args, clientMutationId: randomUUID() });
      expect(theirs).toMatchObject({
        error: {
          category: 'invalid_arguments',
          code: 'body.invalid',
          status,
          details: { seen: 1 },
          issues: [issue],
        },
        outcome: 'refused',
        next: { tool: 'new_mutation_ids' },
      });
    }
  });

  it('not_found: the service’s 404', async () => {
    const told = await tell('get_entity', { kind: 'movie', id: 987_654_321 });
    expect(told.error).toMatchObject({ category: 'not_found', code: 'not_found', status: 404 });
    expect(told.next).toEqual({ why: expect.stringContaining('find_titles') });
  });

  it('snapshot_expired: the service’s 410 where the feed has turned over, with the call that starts again', async () => {
    const { structuredContent } = await server.call('read_feed', { feed: 'sets', limit: 200 });
    const { nextCursor } = z.object({ nextCursor: z.string() }).parse(structuredContent);
    const gone = { data: null, error: { code: 'feed.snapshot_expired', message: 'Gone.' } };
    const others = { data: [], meta: { snapshot: randomUUID(), page: 1, totalPages: 1, nextPage: null } };
    const answered = { method: 'GET', do: 'answer', when: 'before' } as const;
    await household.control.fail(
      { ...answered, path: '/feeds/sets/pages/*/*', status: 410, body: gone },
      { ...answered, path: '/feeds/sets', status: 200, body: others },
    );
    const told = await tell('read_feed', { feed: 'sets', limit: 200, cursor: nextCursor });
    expect(told.error).toMatchObject({
      category: 'snapshot_expired',
      code: 'feed.snapshot_expired',
      status: 410,
    });
    expect(told.next).toMatchObject({ tool: 'read_feed', arguments: { feed: 'sets', limit: 200 } });
    expect(told.next?.arguments).not.toHaveProperty('cursor');
  });

  it('not_connected: nobody has signed in', async () => {
    const nobody = await startServer({ ...env, ARTWORK_USER: 'nobody' });
    const told = await tell('list_relationships', {}, nobody);
    await nobody.stop();
    expect(told).toMatchObject({
      error: { category: 'not_connected', code: 'not_connected' },
      next: { tool: 'connect_account', arguments: {} },
    });
  });

  it('reconnect_required: a 401 that a new token does not cure', async () => {
    const unauthorized = { do: 'answer', when: 'before', status: 401, body, ...always } as const;
    await household.control.fail({ method: 'GET', path: '/me/sets/*', ...unauthorized });
    const told = await tell('get_owned', { type: 'set', id: 1 });
    expect(told).toMatchObject({
      error: { category: 'reconnect_required', code: 'test.told', status: 401 },
      next: { tool: 'connect_account', arguments: {} },
    });
  });

  it('scope_missing: before anything is sent', async () => {
    const scopes = ['openid', 'offline_access', 'groups:write'];
    const some = await startConnected(household, { ...env, ARTWORK_USER: 'some' }, { scopes });
    const told = await tell('list_relationships', {}, some);
    await some.stop();
    expect(told).toMatchObject({
      error: {
        category: 'scope_missing',
        code: 'scope_missing',
        details: { missingScopes: ['relationships:write'] },
      },
      next: { tool: 'connect_account', arguments: { scopes: [...scopes, 'relationships:write'] } },
    });
  });

  it('forbidden: somebody else’s, or a 403 with every scope granted', async () => {
    const set = await otherPeoplesSet();
    const told = await tell('get_owned', { type: 'set', id: set });
    expect(told.error).toMatchObject({ category: 'forbidden', status: 403 });
    const { arguments: args, post } = await prepare('edit_group');
    await household.control.fail({
      method: 'POST',
      ...post,
      do: 'answer',
      when: 'before',
      status: 403,
      body,
    });
    const refused = await tell('edit_group', args);
    expect(refused).toMatchObject({
      error: { category: 'forbidden', code: 'test.told', status: 403 },
      outcome: 'refused',
    });
    expect(refused.next?.tool).toBeUndefined();
  });

  it('stale_revision: by the guard, and by the service’s 409 when one more read shows another', async () => {
    const { arguments: args, post } = await prepare('edit_asset_metadata');
    const old = await tell('edit_asset_metadata', { ...args, expectedUpdatedAt: '2001-01-01T00:00:00.000Z' });
    expect(old).toMatchObject({
      error: {
        category: 'stale_revision',
        code: 'stale_revision',
        details: { actualUpdatedAt: args.expectedUpdatedAt },
      },
      outcome: 'not_sent',
      next: { tool: 'get_owned', arguments: { type: 'asset', id: args.assetId } },
    });
    // Somebody is faster, between the guard's look and the request.
    await household.control.fail({ method: 'POST', ...post, do: 'delay', when: 'before', milliseconds: 400 });
    const slow = tell('edit_asset_metadata', args);
    const faster = { ...args, clientMutationId: randomUUID(), languageCode: 'de' };
    while ((await household.control.left(post.path)) > 0);
    expect(await tell('edit_asset_metadata', faster)).toMatchObject({ outcome: 'succeeded' });
    const told = await slow;
    expect(told).toMatchObject({
      error: { category: 'stale_revision', status: 409 },
      outcome: 'refused',
      next: { tool: 'get_owned', arguments: { type: 'asset', id: args.assetId } },
    });
    expect(told.error?.code).not.toBe('');
  });

  it('conflict: a 409 where the revision is as it was', async () => {
    const { arguments: args, post } = await prepare('edit_group');
    await household.control.fail({
      method: 'POST',
      ...post,
      do: 'answer',
      when: 'before',
      status: 409,
      body,
    });
    const told = await tell('edit_group', args);
    expect(told).toMatchObject({
      error: { category: 'conflict', code: 'test.told', status: 409 },
      outcome: 'refused',
      next: { tool: 'get_owned', arguments: { type: 'group', id: args.groupId } },
    });
  });

  it('conflict: a place that an upload holds which is not settled', async () => {
    const { arguments: args, post } = await prepare('upload_asset, into a Set');
    await household.control.fail({ method: 'POST', ...post, do: 'cut', when: 'before' });
    expect(await tell('upload_asset', args)).toMatchObject({
      outcome: 'unresolved',
      next: { tool: 'get_mutation_status' },
    });
    const file = await writePoster(pictures.path);
    const second = await tell('upload_asset', { ...args, clientMutationId: randomUUID(), file });
    const { clientMutationId, expectedUpdatedAt } = args;
    expect(second).toMatchObject({
      error: { category: 'conflict', code: 'conflict', details: { heldBy: clientMutationId } },
      outcome: 'not_sent',
      next: { tool: 'resume_mutation', arguments: { clientMutationId, expectedUpdatedAt } },
    });
  });

  it('mutation_id_reused: the id of something else', async () => {
    const { arguments: args } = await prepare('create_group');
    expect(await tell('create_group', args)).toMatchObject({ outcome: 'succeeded' });
    const told = await tell('create_group', { ...args, title: 'Another' });
    expect(told).toMatchObject({
      error: {
        category: 'mutation_id_reused',
        code: 'mutation_id_reused',
        details: { operation: 'create_group' },
      },
      clientMutationId: args.clientMutationId,
      next: { tool: 'new_mutation_ids', arguments: { count: 1 } },
    });
    expect(told.outcome).toBeUndefined();
  });

  it('upload_refused: by this side, and by the service with its limit', async () => {
    const { arguments: args } = await prepare('upload_asset, add');
    const text = path.join(pictures.path, 'text.png');
    await writeFile(text, 'this is no picture');
    const ours = await tell('upload_asset', { ...args, file: text });
    expect(ours).toMatchObject({
      error: { category: 'upload_refused', code: 'upload_refused' },
      outcome: 'not_sent',
    });
    const large = await writePoster(pictures.path, randomUUID().repeat(600_000));
    const theirs = await tell('upload_asset', { ...args, file: large });
    expect(theirs).toMatchObject({
      error: { category: 'upload_refused', code: 'asset.file.maxSize', details: { maxBytes: 20_971_520 } },
    });
    // What it has said is pointed out from then on, before anything is sent.
    const again = { ...args, clientMutationId: randomUUID(), file: large, dryRun: true };
    const { structuredContent } = await server.call('upload_asset', again);
    expect(structuredContent).toMatchObject({
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'too_large' })]),
    });
  });

  it('read_only: a tool that changes something', async () => {
    const careful = await startServer({ ...env, ARTWORK_READ_ONLY: '1' });
    const told = await tell('create_group', (await prepare('create_group')).arguments, careful);
    await careful.stop();
    expect(told.error).toMatchObject({ category: 'read_only', code: 'read_only' });
    expect(told.next?.tool).toBeUndefined();
  });

  it('rate_limited: a 429, with the wait that it asks for', async () => {
    const wait = {
      do: 'answer',
      when: 'before',
      status: 429,
      body,
      headers: { 'retry-after': '120' },
    } as const;
    await household.control.fail({ method: 'GET', path: '/me/relationships', ...wait });
    const reading = await tell('list_relationships', {});
    expect(reading.error).toMatchObject({ category: 'rate_limited', code: 'test.told', status: 429 });
    expect(reading.error?.details).toMatchObject({ retryAfterSeconds: 120, retryAt: expect.any(String) });
    const { arguments: args, post } = await prepare('edit_group');
    await household.control.fail({ method: 'POST', ...post, ...wait });
    const { clientMutationId } = args;
    expect(await tell('edit_group', args)).toMatchObject({
      error: { category: 'rate_limited', status: 429, details: { retryAfterSeconds: 120 } },
      outcome: 'refused',
      next: { tool: 'edit_group', arguments: { clientMutationId, groupId: args.groupId } },
    });
  });

  it('is told shortly in the list that a person reads', async () => {
    const { arguments: args, post } = await prepare('create_group');
    const error = { ...body.error, message: `As it was told, ${'at length, '.repeat(40)}.` };
    const refusal = { do: 'answer', when: 'before', status: 422, body: { error } } as const;
    await household.control.fail({ method: 'POST', ...post, ...refusal });
    expect(await tell('create_group', args)).toMatchObject({ outcome: 'refused' });
    const { arguments: done } = await prepare('create_group');
    expect(await tell('create_group', done)).toMatchObject({ outcome: 'succeeded' });
    const rows = (await runCli(['mutations'], env)).stdout.split('\n');
    const rowOf = (id: unknown) => rows.find((line) => line.includes(String(id)));
    expect(rowOf(args.clientMutationId)).toMatch(
      / refused .* test\.told: "The service answered 422: “As it was told, .{60,100}…"$/,
    );
    expect(rowOf(done.clientMutationId)).toMatch(/ succeeded .* {2}[^{"]+ \(new boxset\)$/);
  });

  it('service_unavailable: 5xx of a read', async () => {
    for (const status of [500, 502, 503]) {
      await household.control.heal();
      await household.control.fail({
        method: 'GET',
        path: '/movies/*',
        do: 'answer',
        when: 'before',
        status,
        body,
        ...always,
      });
      const told = await tell('get_entity', { kind: 'movie', id: 1 });
      expect(told.error).toMatchObject({ category: 'service_unavailable', code: 'test.told', status });
    }
  });

  it('network: no answer', async () => {
    await household.control.fail({ method: 'GET', path: '/movies/*', do: 'cut', when: 'before', ...always });
    expect((await tell('get_entity', { kind: 'movie', id: 1 })).error).toMatchObject({
      category: 'network',
      code: 'network',
    });
    const { arguments: args, guard } = await prepare('edit_group');
    await household.control.fail({
      method: 'GET',
      path: guard?.path ?? '',
      do: 'cut',
      when: 'before',
      ...always,
    });
    const told = await tell('edit_group', args);
    expect(told).toMatchObject({ error: { category: 'network' }, outcome: 'not_sent' });
    expect(told.next?.tool).toBeUndefined();
  });

  it('bad_response: what is no answer of the service', async () => {
    await household.control.fail({
      method: 'GET',
      path: '/movies/*',
      do: 'answer',
      when: 'before',
      status: 200,
      body: '<h1>Hello</h1>',
    });
    const told = await tell('get_entity', { kind: 'movie', id: 1 });
    expect(told.error).toMatchObject({ category: 'bad_response', code: 'bad_response' });
  });

  /** An upload whose process ends once it has claimed it. */
  async function dieWhenClaimed() {
    const { arguments: args, made } = await prepare('upload_asset, add');
    const doomed = await startServer({ ...env, ...diesWhenClaimed });
    await expect(doomed.call('upload_asset', args)).rejects.toThrow('Connection closed');
    await doomed.stop();
    return { clientMutationId: args.clientMutationId, made };
  }

  /** The sentence above the JSON of an error. */
  async function sentenceOf(clientMutationId: string) {
    const [told] = (await server.call('get_mutation_status', { clientMutationId })).content;
    return told?.type === 'text' ? told.text.split('\n')[0] : undefined;
  }

  it('cancelled: what was claimed and never sent, told by the status', async () => {
    const { clientMutationId, made } = await dieWhenClaimed();
    const { stdout } = await runCli(['mutations'], env);
    expect(stdout.split('\n').find((line) => line.includes(String(clientMutationId)))).toMatch(
      / not_sent .* interrupted before anything was sent$/,
    );
    const told = await tell('get_mutation_status', { clientMutationId });
    expect(told).toMatchObject({
      error: {
        category: 'cancelled',
        code: 'process_ended',
        message: expect.stringContaining('The process that was to send it ended before anything was sent.'),
      },
      outcome: 'not_sent',
      clientMutationId,
      next: { tool: 'upload_asset', arguments: { clientMutationId } },
    });
    expect(await sentenceOf(clientMutationId)).toBe(
      'get_mutation_status: the change ended not_sent (process_ended: the process that was to send it ended before). Nothing was changed.',
    );
    const next = await tell('upload_asset', told.next?.arguments ?? {});
    expect(next).toMatchObject({ outcome: 'succeeded', clientMutationId });
    expect((await household.control.effects()).filter(made)).toHaveLength(1);
  });

  it('cancelled: what a person gave up before it was sent', async () => {
    const { clientMutationId } = await dieWhenClaimed();
    expect(await runCli(['mutations', 'abandon', clientMutationId], env)).toMatchObject({ code: 0 });
    const told = await tell('get_mutation_status', { clientMutationId });
    expect(told).toMatchObject({
      error: { category: 'cancelled', code: 'abandoned' },
      outcome: 'not_sent',
      next: { why: expect.stringContaining('A person gave this mutation up') },
    });
    expect(await sentenceOf(clientMutationId)).toContain(
      '(abandoned: a person gave it up before it was sent)',
    );
  });

  it('cancelled: a host that gives a call up is not answered, and the server goes on', async () => {
    await household.control.fail({ method: 'GET', path: '/movies/*', do: 'silence', when: 'before' });
    const given = new AbortController();
    const call = server.call('get_entity', { kind: 'movie', id: 1 }, given.signal);
    given.abort('enough');
    await expect(call).rejects.toThrow('enough');
    expect((await server.call('account_status')).isError).toBeUndefined();
  });

  it('internal: a defect of this server, whose words stay in its log', async () => {
    const preload = pathToFileURL(path.join(import.meta.dirname, '../support/break-uuids.mjs')).href;
    const broken = await startServer({ ...env, NODE_OPTIONS: `--import=${preload}` });
    const call = { tool: 'new_mutation_ids', arguments: { count: 1 } };
    const result = await broken.call(call.tool, call.arguments);
    await broken.stop();
    const { error } = read(call, result);
    expect(error).toMatchObject({ category: 'internal', code: 'internal' });
    seen.add('internal');
    expect(JSON.stringify(result)).not.toContain('secret');
  });
});

it('a text of the service that is too long is shortened, and is no error', async () => {
  const told = await answeredWith({ id: 1, kind: 'movie', title: 'Long', overview: 'x'.repeat(68_000) });
  expect(told).toEqual({});
});

/** What get_entity tells of a film that the service describes so. */
async function answeredWith(data: object): Promise<Told> {
  const body = { data };
  await household.control.fail({
    method: 'GET',
    path: '/movies/*',
    do: 'answer',
    when: 'before',
    status: 200,
    body,
  });
  return tell('get_entity', { kind: 'movie', id: 1 });
}

async function otherPeoplesSet(): Promise<number> {
  const other = await startConnected(household, { ...env, ARTWORK_USER: 'other' }, { account: 1 });
  const { structuredContent } = await other.call('find_upload_destinations', { kind: 'media_set' });
  await other.stop();
  return z
    .int()
    .parse(z.object({ data: z.array(z.looseObject({ id: z.int() })) }).parse(structuredContent).data[0]?.id);
}

it('leaves no category out', () => {
  expect(errorCategories.filter((category) => !seen.has(category))).toEqual([]);
});
