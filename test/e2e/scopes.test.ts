import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as operations from '../../src/mutations/operations/index.ts';
import { allScopes, type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import type { StartedServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { read } from '../support/follower.ts';
import { mutationTools } from '../support/mutation-tools.ts';
import { submissionTools } from '../support/submission-tools.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';

const resourceScopes = [
  'assets:write',
  'assets:replace',
  'sets:write',
  'groups:write',
  'relationships:write',
] as const;
type Scope = (typeof resourceScopes)[number];
const identity = ['openid', 'profile', 'offline_access'];

/** All of these are needed, of each any one. */
type Needs = readonly (readonly Scope[])[];
const anyAsset: readonly Scope[] = ['assets:write', 'assets:replace'];

/**
 * What the interface document asks for (Authentication, Scopes; Endpoints), and beside it what the guard has to
 * read before it sends.
 */
const rows: readonly { readonly name: string; readonly tool: string; readonly needs: Needs }[] = [
  { name: 'an Asset', tool: 'get_owned', needs: [anyAsset] },
  { name: 'a Set', tool: 'get_owned', needs: [['sets:write']] },
  { name: 'a group', tool: 'get_owned', needs: [['groups:write']] },
  { name: 'destinations in Talent Sets', tool: 'find_upload_destinations', needs: [['sets:write']] },
  { name: 'destinations in media Sets', tool: 'find_upload_destinations', needs: [['sets:write']] },
  { name: 'destinations in groups', tool: 'find_upload_destinations', needs: [['groups:write']] },
  { name: 'relationships', tool: 'list_relationships', needs: [['relationships:write']] },
  { name: 'upload_asset, add', tool: 'upload_asset', needs: [['assets:write']] },
  { name: 'upload_asset, replace', tool: 'upload_asset', needs: [['assets:replace']] },
  { name: 'upload_asset, into a Set', tool: 'upload_asset', needs: [['assets:write'], ['sets:write']] },
  {
    name: 'upload_asset, poster of a group',
    tool: 'upload_asset',
    needs: [['assets:write'], ['groups:write']],
  },
  { name: 'replaced poster of a group', tool: 'upload_asset', needs: [['assets:replace'], ['groups:write']] },
  { name: 'edit_asset_metadata', tool: 'edit_asset_metadata', needs: [['assets:write']] },
  { name: 'select_preview_frame', tool: 'select_preview_frame', needs: [['assets:replace']] },
  { name: 'create_group', tool: 'create_group', needs: [['groups:write']] },
  { name: 'edit_group', tool: 'edit_group', needs: [['groups:write']] },
  { name: 'create_grouping_set', tool: 'create_grouping_set', needs: [['sets:write']] },
  { name: 'assign_grouping_assets', tool: 'assign_grouping_assets', needs: [['sets:write']] },
  { name: 'change_relationship', tool: 'change_relationship', needs: [['relationships:write']] },
  { name: 'create_media_set', tool: 'create_media_set', needs: [['sets:write'], ['assets:write']] },
  { name: 'edit_set', tool: 'edit_set', needs: [['sets:write'], ['assets:write']] },
  { name: 'edit_set, its metadata', tool: 'edit_set', needs: [['sets:write']] },
];

it('are told of each operation of the table', () => {
  const told = new Set(rows.map(({ tool }) => tool));
  const names = Object.values(operations).map(({ name }): string => name);
  expect(names.filter((name) => !told.has(name))).toEqual([]);
});

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
  const tools = mutationTools(owner, pictures.path);
  for (const { name, prepare } of tools) calls.set(name, { ...(await prepare()).arguments, dryRun: true });
  for (const { name, prepare } of submissionTools(owner, pictures.path)) {
    calls.set(name, { ...(await prepare()).arguments, dryRun: true });
  }
  const { items: _, ...metadataOnly } = calls.get('edit_set') ?? {};
  const group = calls.get('upload_asset, poster of a group');
  const edit = calls.get('edit_asset_metadata');
  calls.set('edit_set, its metadata', metadataOnly);
  calls.set('an Asset', { type: 'asset', id: edit?.assetId });
  calls.set('a Set', { type: 'set', id: calls.get('upload_asset, into a Set')?.setId });
  calls.set('a group', { type: 'group', id: group?.groupId });
  calls.set('destinations in Talent Sets', { kind: 'talent_set' });
  calls.set('destinations in media Sets', { kind: 'media_set' });
  calls.set('destinations in groups', { kind: 'boxset' });
  calls.set('relationships', {});
  calls.set('replaced poster of a group', await replacedPoster(group ?? {}));
  // The first one has its poster now.
  const another = tools.find(({ name }) => name === 'upload_asset, poster of a group');
  const onto = await another?.prepare();
  calls.set('upload_asset, poster of a group', { ...onto?.arguments, dryRun: true });
});

afterAll(async () => {
  await owner.stop();
  await household.remove();
  await pictures.remove();
});

/** A call that replaces the poster which the given call, made in earnest, has added. */
async function replacedPoster({
  dryRun: _,
  ...add
}: Record<string, unknown>): Promise<Record<string, unknown>> {
  const first = await owner.call('upload_asset', { ...add, clientMutationId: randomUUID() });
  const receipt = z.object({ receipt: z.object({ assetId: z.string(), updatedAt: z.string() }) });
  const { assetId, updatedAt } = receipt.parse(first.structuredContent).receipt;
  const replace = { operation: 'replace', previousAssetId: assetId, expectedUpdatedAt: updatedAt };
  return { ...add, ...replace, clientMutationId: randomUUID(), dryRun: true };
}

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
