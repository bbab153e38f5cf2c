import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { allScopes } from '../support/account.ts';
import { freePort } from '../support/free-port.ts';
import {
  at,
  catalogue,
  dig,
  listAt,
  numberAt,
  type Person,
  startVisitor,
  visitor,
} from '../support/person.ts';
import { runCli, startConnect } from '../support/run-cli.ts';

/** An app of a person's own at the worker's catalogue, with which nobody has signed in. */
async function newApp() {
  const household = await catalogue();
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
  const app = await household.register({ type: 'public', redirectUri, scopes: allScopes });
  const { ARTWORK_HOME: _, ...env } = app;
  return { household, env };
}

async function unconnected() {
  const { household, env } = await newApp();
  onTestFinished(() => household.control.heal());
  return { household, me: await visitor(household.baseUrl, env) };
}

async function signIn(me: Person, household: Awaited<ReturnType<typeof catalogue>>, account = 0) {
  const begun = await me.call('connect_account', { scopes: [...allScopes] });
  expect((await fetch(await household.agree(at(begun, 'url'), account))).status).toBe(200);
}

describe('two hosts of one person', () => {
  let household: Awaited<ReturnType<typeof catalogue>>;
  let me: Awaited<ReturnType<typeof startVisitor>>;
  let other: typeof me;
  beforeAll(async () => {
    const app = await newApp();
    household = app.household;
    me = await startVisitor(household.baseUrl, app.env);
    other = await startVisitor(household.baseUrl, { ...app.env, ARTWORK_HOME: me.home });
  });
  afterEach(() => household.control.heal());
  afterAll(async () => {
    await other.leave();
    await me.leave();
  });

  it('a sign-in in the conversation serves every host of the machine, until it is disconnected', async () => {
    expect(dig(await me.call('account_status'), 'state')).toBe('not_connected');
    await signIn(me, household);
    const status = await other.call('account_status');
    expect(status).toMatchObject({ state: 'connected', scopes: expect.arrayContaining([...allScopes]) });
    // Where the key lies is for a person with a terminal.
    expect(status.text).not.toContain(me.home);
    expect((await other.call('find_upload_destinations', { kind: 'media_set' })).isError).toBe(false);
    expect((await other.call('disconnect_account')).isError).toBe(false);
    expect((await me.call('list_relationships')).error).toMatchObject({ category: 'not_connected' });
    expect((await household.control.requests()).map(({ path: at }) => at)).toContain(
      '/api/auth/oauth2/revoke',
    );
    // Harmless when there is none.
    expect((await runCli(['disconnect'], me.env)).code).toBe(0);
  });

  it('a token that is no longer good is renewed once, by however many calls at once', async () => {
    await signIn(me, household);
    const { control } = household;
    const tokens = async () =>
      (await control.requests()).filter(({ path: at }) => at.endsWith('/oauth2/token')).length;
    const before = await tokens();
    await control.fail({ method: 'GET', path: '/me/relationships', do: 'expire_token', when: 'before' });
    const hosts = [me, other, other];
    const answers = await Promise.all(hosts.map((host) => host.call('list_relationships')));
    expect(answers.map(({ isError }) => isError)).toEqual([false, false, false]);
    expect(await tokens()).toBe(before + 1);
  });

  it('a renewal whose answer is lost is not tried again: the connection asks for a new sign-in', async () => {
    await signIn(me, household);
    const { control } = household;
    await control.fail(
      { method: 'GET', path: '/me/relationships', do: 'expire_token', when: 'before' },
      { method: 'POST', path: '/api/auth/oauth2/token', do: 'cut', when: 'after' },
    );
    const answer = await me.call('list_relationships');
    expect(answer.error).toMatchObject({ category: 'reconnect_required' });
    const presented = (await control.requests()).filter(({ path: at }) =>
      at.endsWith('/oauth2/token'),
    ).length;
    expect((await other.call('list_relationships')).error).toMatchObject({
      category: 'reconnect_required',
    });
    expect((await control.requests()).filter(({ path: at }) => at.endsWith('/oauth2/token'))).toHaveLength(
      presented,
    );
    await signIn(me, household);
    expect((await me.call('list_relationships')).isError).toBe(false);
  });
});

it('the command prints the address alone, takes a pasted callback, and ends once it is stored', async () => {
  const { household, me } = await unconnected();
  const connecting = startConnect({ ...me.env });
  const url = await connecting.url();
  expect(new URL(url).pathname).toBe('/api/auth/oauth2/authorize');
  connecting.paste(await household.agree(url));
  expect(await connecting.end()).toMatchObject({ code: 0, stdout: `${url}\n` });
  const status = await runCli(['status', '--json'], me.env);
  expect(status.code).toBe(0);
  expect(JSON.parse(status.stdout)).toMatchObject({ state: 'connected' });
});

it('a person who declines, and a callback that is not of this sign-in, connect nothing', async () => {
  const { household, me } = await unconnected();
  const begun = await me.call('connect_account');
  const url = new URL(at(begun, 'url'));
  const strange = new URL(url.searchParams.get('redirect_uri') ?? '');
  strange.search = '?code=stolen&state=guessed';
  expect((await fetch(strange)).ok).toBe(false);
  await fetch(await household.agree(url.href, 0, 'decline'));
  expect(dig(await me.call('account_status'), 'state')).toBe('not_connected');
});

it('two users of one data directory are two accounts', async () => {
  const { household, me } = await unconnected();
  await signIn(me, household, 0);
  const second = await me.again({
    ARTWORK_USER: 'second',
    ARTWORK_REDIRECT_URI: me.env.ARTWORK_REDIRECT_URI ?? '',
  });
  expect(dig(await second.call('account_status'), 'state')).toBe('not_connected');
  await signIn(second, household, 1);
  const idsOf = async (one: Person) =>
    listAt(await one.call('find_upload_destinations', { kind: 'media_set' }), 'data').map((own) =>
      numberAt(own, 'id'),
    );
  const [mine, theirs] = [await idsOf(me), await idsOf(second)];
  expect(mine.filter((id) => theirs.includes(id))).toEqual([]);
});
