import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definitions } from '../../src/definitions.ts';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { hurried, registered, signInThrough, startConnected } from '../support/connected.ts';
import { describeJourney, follow, type Journey, writeJourneys } from '../support/follower.ts';
import { temporaryFolder } from '../support/temporary.ts';
import type { Prepared } from '../support/tool-file.ts';
import { argumentsOf, changes, type MutationTool, mutationTools, toolFiles } from '../support/tool-files.ts';
import { Workshop } from '../support/workshop.ts';

let household: FailingHousehold;
let env: Record<string, string>;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let server: StartedServer;
let mutations: readonly MutationTool[];
/** A call of every tool, good but for the connection. */
const calls = new Map<string, Record<string, unknown>>();
const needAccount = toolFiles.filter((tool) => tool.needsAccount).map(({ name }) => name);

beforeAll(async () => {
  [household, pictures] = await Promise.all([startFailingHousehold(), temporaryFolder()]);
  env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path, ...hurried };
  server = await startConnected(household, env);
  mutations = mutationTools(server, pictures.path);
  const workshop = new Workshop(server, pictures.path);
  for (const tool of toolFiles) calls.set(tool.name, await argumentsOf(tool, workshop));
});

afterAll(async () => {
  await writeJourneys('follower-connection');
  await server.stop();
  await household.remove();
  await pictures.remove();
});

async function journey(host: StartedServer, tool: string, args = calls.get(tool)): Promise<Journey> {
  if (args === undefined) throw new Error(`No call of ${tool} is known.`);
  const found = await follow(host, { tool, arguments: args });
  expect(found.end, describeJourney(found)).not.toBe('astray');
  return found;
}

const categories = ({ steps }: Journey) => steps.map(({ tool, told }) => told.error?.category ?? tool);

describe('whoever follows next without a connection', () => {
  let nobody: StartedServer;
  beforeAll(async () => {
    nobody = await startServer({ ...env, ARTWORK_USER: 'nobody' });
  });
  afterAll(() => nobody.stop());

  it.each(needAccount)('ends at the sign-in: %s', async (tool) => {
    expect(categories(await journey(nobody, tool)).slice(0, 3)).toEqual([
      'not_connected',
      'connect_account',
      'account_status',
    ]);
  });

  it('ends, though somebody else has the port of the callback', async () => {
    const { port, hostname } = new URL(env.ARTWORK_REDIRECT_URI ?? '');
    const busy = await startServer({ ...env, ARTWORK_USER: 'late' });
    const other = createServer().listen(Number(port), hostname);
    await once(other, 'listening').catch(() => undefined);
    try {
      expect(categories(await journey(busy, 'list_relationships')).slice(0, 2)).toEqual([
        'not_connected',
        'conflict',
      ]);
    } finally {
      other.close();
      await busy.stop();
    }
  });

  it('ends at a person, where the callback is not on this machine', async () => {
    const app = { type: 'confidential', redirectUri: 'https://elsewhere.example/callback' } as const;
    const remote = await startServer(await household.register({ ...app, scopes: ['sets:write'] }));
    const found = await journey(remote, 'find_upload_destinations');
    await remote.stop();
    expect(categories(found)).toEqual(['not_connected', 'not_connected']);
    expect(found.end).toBe('person');
  });
});

describe('whoever follows next in read-only mode', () => {
  let careful: StartedServer;
  beforeAll(async () => {
    careful = await startServer({ ...env, ARTWORK_READ_ONLY: '1' });
  });
  afterAll(() => careful.stop());

  const hidden = definitions.tools
    .filter(({ toolset, definition }) => toolset === 'curate' && !definition.annotations.readOnlyHint)
    .map(({ definition }) => definition.name);
  it.each(hidden)('ends at a person: %s', async (tool) => {
    const found = await journey(careful, tool);
    expect(categories(found)).toEqual(['read_only']);
    expect(found.end).toBe('person');
  });
});

describe('whoever follows next after the connection has died', () => {
  let dead: StartedServer;
  beforeAll(async () => {
    dead = await startConnected(household, { ...env, ARTWORK_USER: 'dead' });
    await household.control.fail(
      { method: 'GET', path: '/me/relationships', do: 'expire_token', when: 'before' },
      {
        method: 'POST',
        path: '/api/auth/oauth2/token',
        do: 'answer',
        when: 'before',
        status: 400,
        body: { error: 'invalid_grant' },
      },
    );
    await dead.call('list_relationships');
  });
  afterAll(() => dead.stop());

  it.each(needAccount)('ends at the sign-in: %s', async (tool) => {
    expect(categories(await journey(dead, tool)).slice(0, 3)).toEqual([
      'reconnect_required',
      'connect_account',
      'account_status',
    ]);
  });
});

async function effectsOf({ made }: Prepared): Promise<number> {
  return (await household.control.effects()).filter(made).length;
}

describe('whoever follows next when the token expires', () => {
  it.each(changes)('before the request of $name: it is made once at most', async ({ name }) => {
    const tool = mutations.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`There is no ${name}.`);
    for (const when of ['before', 'after'] as const) {
      const prepared = await tool.prepare();
      await household.control.fail({ method: 'POST', ...prepared.post, do: 'expire_token', when });
      const found = await journey(server, tool.tool, prepared.arguments);
      // A list that does not show a creation may follow later, so only a person can tell what a 401 has done.
      const isChange = !['create_group', 'create_grouping_set'].includes(tool.tool);
      const outcome = found.steps.at(-1)?.told.outcome;
      if (isChange || when === 'after') {
        expect(outcome, describeJourney(found)).toBe('succeeded');
        expect(await effectsOf(prepared)).toBe(1);
      } else {
        expect([outcome, found.end], describeJourney(found)).toEqual(['unresolved', 'person']);
        expect(await effectsOf(prepared)).toBe(0);
      }
      prepared.free?.();
    }
  });

  const token = { method: 'POST', path: '/api/auth/oauth2/token' } as const;
  const json = (error: string) => ({ error, error_description: 'As it was told.' });
  const renewals = [
    { name: 'is refused', fault: { do: 'answer', when: 'before', status: 400, body: json('invalid_grant') } },
    {
      name: 'is refused to the client',
      fault: { do: 'answer', when: 'before', status: 401, body: json('invalid_client') },
    },
    {
      name: 'is asked for too often',
      fault: { do: 'answer', when: 'before', status: 429, body: json('slow_down') },
    },
    { name: 'fails', fault: { do: 'answer', when: 'before', status: 500, body: '' } },
    { name: 'is cut off', fault: { do: 'cut', when: 'before' } },
    { name: 'is granted, and its answer lost', fault: { do: 'cut', when: 'after' } },
    { name: 'is answered with half an answer', fault: { do: 'truncate' } },
    {
      name: 'is answered with garbage',
      fault: { do: 'answer', when: 'after', status: 200, body: '<h1>Hello</h1>' },
    },
  ];
  const mutated = ['upload_asset, add', 'edit_asset_metadata', 'create_group'];
  it.each(renewals)('and its renewal $name', async ({ name: how, fault }) => {
    const passes = how === 'is asked for too often';
    const host = await startConnected(household, { ...env, ARTWORK_USER: 'renewing' });
    try {
      for (const name of mutated) {
        const tool = mutations.find((one) => one.name === name);
        const prepared = await tool?.prepare();
        if (tool === undefined || prepared === undefined) throw new Error(`There is no ${name}.`);
        await signInThrough(host, household);
        await household.control.fail(
          { method: 'POST', ...prepared.post, do: 'expire_token', when: 'before' },
          { ...token, ...fault },
        );
        const { steps } = await journey(host, tool.tool, prepared.arguments);
        // The refresh token was not used up, and the connection is as good as before: nobody has to sign in.
        if (passes) expect(steps.map((step) => step.tool)).not.toContain('connect_account');
        expect(await effectsOf(prepared)).toBeLessThanOrEqual(1);
        await household.control.heal();
      }
    } finally {
      await host.stop();
    }
  });
});
