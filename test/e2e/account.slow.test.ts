import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allScopes, type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { runCli } from '../support/run-cli.ts';
import { isSlowRun, share } from '../support/share.ts';
import { startConnect } from '../support/start-connect.ts';

let household: Household;
const servers: StartedServer[] = [];

beforeAll(async () => {
  household = await startHousehold();
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

afterAll(() => household.remove());

async function publicApp(scopes: readonly string[] = allScopes): Promise<Record<string, string>> {
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
  return await household.register({ type: 'public', redirectUri, scopes });
}

async function serve(
  env: Record<string, string>,
  prepare?: (client: Client) => void,
): Promise<StartedServer> {
  const server = await startServer(env, prepare);
  servers.push(server);
  return server;
}

const begun = z.object({ state: z.literal('waiting'), url: z.url() });
const status = z.looseObject({ state: z.string(), signIn: z.unknown() });
const found = z.object({ data: z.array(z.object({ id: z.int() })) });
const families = z.object({ data: z.array(z.object({ family: z.string().optional() })) });

const statusOf = async (server: StartedServer) =>
  status.parse((await server.call('account_status')).structuredContent);

async function connect(
  server: StartedServer,
  args: Record<string, unknown> = {},
  account = 0,
): Promise<string> {
  const { url } = begun.parse((await server.call('connect_account', args)).structuredContent);
  const callback = await household.agree(url, account);
  return await (await fetch(callback)).text();
}

describe('an account', () => {
  it('is connected once, and acts in every host of the machine until it is disconnected', async () => {
    const env = await publicApp();
    const [one, two] = [await serve(env), await serve(env)];
    expect(await statusOf(one)).toMatchObject({ state: 'not_connected', signIn: null });
    const refused = errorOf(await two.call('find_upload_destinations', { kind: 'media_set' }));
    expect(refused).toMatchObject({
      error: { category: 'not_connected' },
      next: { tool: 'connect_account' },
    });

    await connect(one);
    expect(await statusOf(one)).toMatchObject({
      state: 'connected',
      signIn: { state: 'done' },
      scopes: expect.arrayContaining([...allScopes]),
    });
    const connected = status.extend({ account: z.string() }).parse(await statusOf(two));
    expect(connected).toMatchObject({ state: 'connected', signIn: null });
    // Who asks for a link all the same hears who is signed in.
    const again = await (await serve(env)).call('connect_account');
    expect(again.structuredContent).toMatchObject({
      state: 'waiting',
      next: { why: expect.stringContaining(`The account "${connected.account}" is signed in already`) },
    });

    const destinations = await two.call('find_upload_destinations', { kind: 'media_set' });
    const [set] = found.parse(destinations.structuredContent).data;
    // What a record says of itself is what the tool takes.
    const { data } = families.parse(destinations.structuredContent);
    for (const family of new Set(data.map((record) => record.family))) {
      const again = await two.call('find_upload_destinations', { kind: 'media_set', family });
      expect(again.isError).toBeUndefined();
    }
    const owned = await two.call('get_owned', { type: 'set', id: set?.id });
    expect(owned.structuredContent).toMatchObject({
      type: 'set',
      id: set?.id,
      updatedAt: expect.any(String),
    });
    const relationships = await one.call('list_relationships');
    expect(relationships.isError).toBeUndefined();

    const gone = await one.call('disconnect_account');
    expect(gone.structuredContent).toMatchObject({ outcome: 'disconnected' });
    expect(errorOf(await two.call('list_relationships')).error.category).toBe('not_connected');
    expect((await one.call('disconnect_account')).structuredContent).toMatchObject({
      outcome: 'not_connected',
    });
    // What the sign-in made has ended, so that it tells nothing any more.
    expect(await statusOf(one)).toMatchObject({
      state: 'not_connected',
      signIn: null,
      unsettledMutations: 0,
    });
  });

  it('that an earlier sign-in has connected waits for no later one, which still counts if it is completed', async () => {
    const server = await serve(await publicApp());
    const begin = async () => begun.parse((await server.call('connect_account')).structuredContent).url;
    const [first, second] = [await begin(), await begin()];
    expect(await statusOf(server)).toMatchObject({ signIn: { state: 'waiting', url: second } });
    await fetch(await household.agree(first, 0));
    const connected = await statusOf(server);
    expect(connected).toMatchObject({ state: 'connected', signIn: { state: 'superseded' } });
    expect(connected.next).toBeUndefined();
    await fetch(await household.agree(second, 0));
    expect(await statusOf(server)).toMatchObject({ state: 'connected', signIn: { state: 'done' } });
    // One that is begun once the account is connected is waited for.
    const third = await begin();
    expect(await statusOf(server)).toMatchObject({ signIn: { state: 'waiting', url: third } });
    await server.call('disconnect_account');
  });

  if (isSlowRun())
    it('is one per user: nothing of one is seen by the other', async () => {
      const env = await publicApp();
      const [ada, ben] = [
        await serve({ ...env, ARTWORK_USER: 'ada' }),
        await serve({ ...env, ARTWORK_USER: 'ben' }),
      ];
      await connect(ada, {}, 0);
      expect(await statusOf(ben)).toMatchObject({ state: 'not_connected', account: null });
      await connect(ben, {}, 1);
      const [first, second] = [await statusOf(ada), await statusOf(ben)];
      expect(first.account).not.toBe(second.account);
      const mine = found.parse(
        (await ada.call('find_upload_destinations', { kind: 'media_set' })).structuredContent,
      );
      const foreign = errorOf(await ben.call('get_owned', { type: 'set', id: mine.data[0]?.id }));
      expect(foreign.error).toMatchObject({ category: 'forbidden', status: 403 });
      await ada.call('disconnect_account');
      expect(await statusOf(ben)).toMatchObject({ state: 'connected' });
    });

  it('names the scope that is missing, and the call that asks for it with all others', async () => {
    const server = await serve(await publicApp());
    await connect(server, { scopes: ['openid', 'offline_access', 'assets:write'] });
    const { error, next } = errorOf(await server.call('list_relationships'));
    expect(error).toMatchObject({
      category: 'scope_missing',
      message: expect.stringContaining('relationships:write'),
    });
    expect(next).toMatchObject({ tool: 'connect_account' });
    const asked = z.object({ arguments: z.object({ scopes: z.array(z.string()) }) }).parse(next);
    await connect(server, asked.arguments);
    expect((await server.call('list_relationships')).isError).toBeUndefined();
  });

  it('is not replaced by another account, and the new grant is given back', async () => {
    const env = await publicApp();
    const server = await serve(env);
    await connect(server, {}, 0);
    const { account } = await statusOf(server);
    await connect(server, {}, 1);
    expect(await statusOf(server)).toMatchObject({
      account,
      signIn: { state: 'failed', code: 'other_account' },
    });
    expect((await server.call('list_relationships')).isError).toBeUndefined();
  });

  it('stays unconnected when the person declines', async () => {
    const server = await serve(await publicApp());
    const { url } = begun.parse((await server.call('connect_account')).structuredContent);
    await fetch(await household.agree(url, 0, 'decline'));
    expect(await statusOf(server)).toMatchObject({
      state: 'not_connected',
      signIn: { state: 'failed', code: 'access_denied' },
      // The person has said no: no call of ours asks again by itself.
      next: { why: expect.stringContaining('connect_account') },
    });
    expect((await statusOf(server)).next).not.toHaveProperty('tool');
  });

  it('leaves it to the person while their sign-in waits', async () => {
    const server = await serve(await publicApp());
    begun.parse((await server.call('connect_account')).structuredContent);
    const { signIn, next } = await statusOf(server);
    expect(signIn).toMatchObject({ state: 'waiting' });
    expect(next).toEqual({ why: expect.stringContaining('person') });
  });

  it('begins no sign-in for a scope that there is not', async () => {
    const server = await serve(await publicApp());
    const scopes = ['openid', 'asset:write', 'set:write', 'assets:write'];
    const { error, next } = errorOf(await server.call('connect_account', { scopes }));
    expect(error).toMatchObject({
      category: 'invalid_arguments',
      message: expect.stringContaining('did you mean "assets:write"?'),
    });
    expect(next).toMatchObject({ tool: 'connect_account' });
    const unsure = errorOf(await server.call('connect_account', { scopes: ['openid', 'fly', 'set:write'] }));
    expect(unsure.error.message).toContain('"fly", "set:write" (did you mean');
    expect(unsure.next).toBeUndefined();
    expect(await statusOf(server)).toMatchObject({ signIn: null });
    // What is named as next can be called as it stands.
    const { arguments: right } = z.object({ arguments: z.record(z.string(), z.unknown()) }).parse(next);
    expect(
      begun.loose().parse((await server.call('connect_account', right)).structuredContent),
    ).toMatchObject({
      scopes: ['openid', 'assets:write', 'sets:write'],
    });
  });

  it('is offered to a host that shows addresses itself, whatever it answers', async () => {
    const [accept, decline, cancel] = ['accept', 'decline', 'cancel'] as const;
    for (const action of share([decline], [accept, decline, cancel])) {
      const shown: unknown[] = [];
      const server = await serve(await publicApp(), (client) => {
        client.registerCapabilities({ elicitation: { url: {} } });
        client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
          shown.push(params);
          return { action };
        });
      });
      await connect(server);
      expect(shown).toEqual([
        expect.objectContaining({ mode: 'url', url: expect.stringContaining(household.baseUrl) }),
      ]);
      expect(await statusOf(server)).toMatchObject({ state: 'connected' });
    }
  });

  it('can be connected in read-only mode, where it is read only', async () => {
    const server = await serve({ ...(await publicApp()), ARTWORK_READ_ONLY: '1' });
    const names = (await server.client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['connect_account', 'get_owned']));
    await connect(server);
    expect((await server.call('list_relationships')).isError).toBeUndefined();
  });

  it('has tools that the settings hide, of which a call says by which', async () => {
    const server = await serve({ ...(await publicApp()), ARTWORK_TOOLSETS: 'catalogue,account' });
    await expect(server.call('upload_asset')).rejects.toThrow(
      'upload_asset is switched off here: ARTWORK_TOOLSETS leaves out its toolset, curate.',
    );
    await expect(server.call('acount_status')).rejects.toThrow('did you mean account_status?');
    await expect(server.call('uploadasset')).rejects.toThrow(/There is no tool named uploadasset$/);
    const careful = await serve({ ...(await publicApp()), ARTWORK_READ_ONLY: '1' });
    const { error, next } = errorOf(await careful.call('upload_asset'));
    expect(error).toMatchObject({
      category: 'read_only',
      message: expect.stringContaining('ARTWORK_READ_ONLY'),
    });
    expect(next).toEqual({ why: expect.stringContaining('unsetting ARTWORK_READ_ONLY') });
  });

  it('needs a registered app on a service that is not the embedded catalogue', async () => {
    const server = await serve({ ARTWORK_HOME: household.home, ARTWORK_BASE_URL: household.baseUrl });
    const { error, next } = errorOf(await server.call('connect_account'));
    expect(error.code).toBe('client_id_missing');
    expect(next).toEqual({ why: expect.stringContaining('ARTWORK_CLIENT_ID') });
  });
});

describe('the command connect', () => {
  it('prints the address alone on stdout, takes the callback, and ends with 0', async () => {
    const env = await publicApp();
    const connecting = startConnect(env);
    const url = await connecting.url();
    await fetch(await household.agree(url));
    const { code, stdout, stderr } = await connecting.end();
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${url}\n` });
    expect(stderr).toContain('Connected as');
    const [, until = ''] = /^This waits for 10 minutes, until (\d\d:\d\d)\.$/m.exec(stderr) ?? [];
    expect(until).not.toBe('');

    const told = await runCli(['status', '--json'], env);
    expect(JSON.parse(told.stdout)).toMatchObject({ state: 'connected', user: 'default' });
    const readable = await runCli(['status'], env);
    expect(readable).toMatchObject({ code: 0, stderr: '' });
    expect(readable.stdout).toContain('Secrets');
    expect(await runCli(['disconnect'], env)).toMatchObject({ code: 0, stderr: '' });
    expect(await runCli(['disconnect'], env)).toMatchObject({
      code: 0,
      stdout: 'There was no connection.\n',
    });
    expect(JSON.parse((await runCli(['status', '--json'], env)).stdout)).toMatchObject({
      state: 'not_connected',
    });
  });

  if (isSlowRun())
    it('takes the pasted callback of a confidential client, after lines that are not it', async () => {
      const redirectUri = 'https://elsewhere.example/artwork/callback?from=test';
      const env = await household.register({ type: 'confidential', redirectUri, scopes: allScopes });
      const connecting = startConnect(env);
      const callback = await household.agree(await connecting.url());
      connecting.paste('not an address');
      connecting.paste(callback.replace(/state=[^&]+/, 'state=another'));
      connecting.paste(callback);
      const { code, stderr } = await connecting.end();
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stderr).not.toContain(env.ARTWORK_CLIENT_SECRET);
      expect(JSON.parse((await runCli(['status', '--json'], env)).stdout)).toMatchObject({
        state: 'connected',
      });
      expect(await runCli(['disconnect'], env)).toMatchObject({ code: 0 });
    });

  if (isSlowRun())
    it('replaces another account on a person’s word only', async () => {
      const env = await publicApp();
      const signInAs = async (account: number, ...flags: string[]) => {
        const connecting = startConnect(env, ...flags);
        await fetch(await household.agree(await connecting.url(), account));
        return await connecting.end();
      };
      expect(await signInAs(0)).toMatchObject({ code: 0 });
      const refused = await signInAs(1);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('--replace');
      expect(await signInAs(1, '--replace')).toMatchObject({ code: 0 });
    });
});
