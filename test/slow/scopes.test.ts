import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allScopes, type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import type { StartedServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { read } from '../support/follower.ts';
import { temporaryFolder } from '../support/temporary.ts';
import type { Needs, Scope } from '../support/tool-file.ts';
import { toolFiles } from '../support/tool-files.ts';
import { Workshop } from '../support/workshop.ts';
import { writePoster } from '../support/unique-pictures.ts';

const resourceScopes: readonly Scope[] = [
  'assets:write',
  'assets:replace',
  'sets:write',
  'groups:write',
  'relationships:write',
];
const identity = ['openid', 'profile', 'offline_access'];

/**
 * What the interface document asks for (Authentication, Scopes; Endpoints), and beside it what the guard has to
 * read before it sends.
 */
const rows = toolFiles.flatMap(({ name: tool, changes = [], submission, rights = [] }) => [
  ...[...changes, ...(submission === undefined ? [] : [submission])].map(({ name, needs, prepare }) => ({
    name,
    tool,
    needs,
    call: async (workshop: Workshop) => ({ ...(await prepare(workshop)).arguments, dryRun: true }),
  })),
  ...rights.map(({ name, needs, call }) => ({ name: `${tool}, ${name}`, tool, needs, call })),
]);

/** What a connection may have been granted: one scope alone, and all but one. */
const connections: readonly { readonly user: string; readonly granted: readonly Scope[] }[] =
  resourceScopes.flatMap((scope) => [
    { user: `only ${scope.replace(':', ' ')}`, granted: [scope] },
    { user: `not ${scope.replace(':', ' ')}`, granted: resourceScopes.filter((other) => other !== scope) },
  ]);

let household: FailingHousehold;
let env: Record<string, string>;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let owner: StartedServer;
const calls = new Map<string, Record<string, unknown>>();

beforeAll(async () => {
  [household, pictures] = await Promise.all([startFailingHousehold(), temporaryFolder()]);
  env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path };
  owner = await startConnected(household, env);
  const workshop = new Workshop(owner, pictures.path);
  for (const { name, call } of rows) calls.set(name, await call(workshop));
});

afterAll(async () => {
  await owner.stop();
  await household.remove();
  await pictures.remove();
});

const isGranted = (needs: Needs, granted: readonly string[]) =>
  needs.every((any) => any.some((scope) => granted.includes(scope)));

describe.each(connections)('a connection with $granted', ({ user, granted }) => {
  let server: StartedServer;
  beforeAll(async () => {
    const scopes = [...identity, ...granted];
    server = await startConnected(household, { ...env, ARTWORK_USER: user }, { scopes });
  });
  afterAll(() => server.stop());

  it.each(rows)('$tool: $name', async ({ name, tool, needs }) => {
    const args = calls.get(name) ?? {};
    const told = read({ tool, arguments: args }, await server.call(tool, args));
    if (isGranted(needs, granted)) {
      expect(told.error).toBeUndefined();
      if (args.dryRun === true) expect(told.outcome).toBe('dry_run');
      return;
    }
    expect(told.error).toMatchObject({ category: 'scope_missing', code: 'scope_missing' });
    expect(told.error?.status).toBeUndefined();
    const missing = needs.filter((any) => !any.some((scope) => granted.includes(scope)));
    expect(told.error?.message).toContain(missing[0]?.[0]);
    expect(told.next?.tool).toBe('connect_account');
    const asked = z.object({ scopes: z.array(z.string()) }).parse(told.next?.arguments).scopes;
    expect(asked).toEqual(expect.arrayContaining([...identity, ...granted]));
    // One more sign-in is enough.
    expect(isGranted(needs, asked)).toBe(true);
  });

  it('has sent nothing that changes anything', async () => {
    const before = (await household.control.effects()).length;
    const { clientMutationId: _, dryRun: __, ...args } = calls.get('upload_asset, add') ?? {};
    const fresh = { ...args, clientMutationId: randomUUID() };
    const told = read({ tool: 'upload_asset', arguments: fresh }, await server.call('upload_asset', fresh));
    const added = (await household.control.effects()).length - before;
    expect(added).toBe(granted.includes('assets:write') ? 1 : 0);
    expect(told.outcome).toBe(granted.includes('assets:write') ? 'succeeded' : 'not_sent');
  });
});

describe('the scopes of identity', () => {
  const status = z.object({
    state: z.string(),
    explanation: z.string(),
    account: z.string().nullable(),
    subject: z.string().nullable(),
    scopes: z.array(z.string()),
    renewable: z.boolean(),
  });
  const without = async (scope: string) => {
    const scopes = allScopes.filter((other) => other !== scope);
    const server = await startConnected(household, { ...env, ARTWORK_USER: `without ${scope}` }, { scopes });
    const { structuredContent } = await server.call('account_status');
    return { server, told: status.parse(structuredContent) };
  };

  it('openid: without it, whose account it is is unknown, and it acts all the same', async () => {
    const { server, told } = await without('openid');
    expect(told).toMatchObject({ state: 'connected', subject: null });
    expect(told.explanation).toContain('openid');
    const args = { ...calls.get('upload_asset, add'), clientMutationId: randomUUID(), dryRun: false };
    const file = { ...args, file: await writePoster(pictures.path) };
    expect((await server.call('upload_asset', file)).structuredContent).toMatchObject({
      outcome: 'succeeded',
    });
    await server.stop();
  });

  it('profile: without it, the account is known by its subject', async () => {
    const { server, told } = await without('profile');
    expect(told).toMatchObject({ state: 'connected', subject: expect.any(String) });
    await server.stop();
  });

  it('offline_access: without it, nothing renews the connection', async () => {
    const { server, told } = await without('offline_access');
    expect(told).toMatchObject({ state: 'connected', renewable: false });
    expect(told.explanation).toContain('offline_access');
    await household.control.fail({
      method: 'GET',
      path: '/me/relationships',
      do: 'expire_token',
      when: 'before',
    });
    const ended = read(
      { tool: 'list_relationships', arguments: {} },
      await server.call('list_relationships'),
    );
    expect(ended).toMatchObject({
      error: { category: 'reconnect_required', details: { reason: 'no_refresh_token' } },
      next: { tool: 'connect_account' },
    });
    await server.stop();
  });
});
