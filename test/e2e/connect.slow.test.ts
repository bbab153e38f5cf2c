import { once } from 'node:events';
import { createServer } from 'node:http';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../connections/scripted-provider.ts';
import { errorOf, startServer } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { runCli, typed } from '../support/run-cli.ts';
import { share } from '../support/share.ts';
import { type Connecting, startConnect } from '../support/start-connect.ts';
import { temporaryFolder } from '../support/temporary.ts';

let provider: ScriptedProvider;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let callback: string;

beforeEach(async () => {
  provider = await startScriptedProvider();
  folder = await temporaryFolder();
  callback = `http://127.0.0.1:${await freePort()}/callback`;
  env = {
    ARTWORK_HOME: folder.path,
    ARTWORK_BASE_URL: provider.baseUrl,
    ARTWORK_CLIENT_ID: 'app',
    ARTWORK_REDIRECT_URI: callback,
  };
});

afterEach(async () => {
  await provider.close();
  await folder.remove();
});

async function connect(...flags: string[]) {
  const connecting = startConnect(env, ...flags);
  await fetch(provider.approve(await connecting.url()));
  return connecting.end();
}

/** Answers of no sign-in, one after the other, until so many have come back. */
async function sendBogus(most: number): Promise<'goes on' | 'ended'> {
  for (let sent = 0; sent < most; sent++) {
    const answered = await fetch(`${callback}?state=bogus&code=bogus`, { redirect: 'manual' }).then(
      () => true,
      () => false,
    );
    if (!answered) return 'ended';
    await sleep(100);
  }
  return 'goes on';
}

/** For so long the last page is kept. */
const pageMs = 3_000;

describe('connect', () => {
  it('ends once it is connected, whatever else goes on to come to its callback', async () => {
    const connecting: Connecting = startConnect(env);
    const url = await connecting.url();
    expect(await sendBogus(3)).toBe('goes on');
    await fetch(provider.approve(url));
    // A page that somebody was sent to is kept for 3 s, in which no more than 30 of these come.
    const how = await sendBogus(150);
    if (how === 'goes on') connecting.signal('SIGKILL');
    expect(how).toBe('ended');
    const { code, stderr } = await connecting.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Connected as') });
  });

  it('shows its last page to a browser whose request waited while the process was stopped', async () => {
    const connecting = startConnect(env);
    const answered = await fetch(provider.approve(await connecting.url()), { redirect: 'manual' });
    await answered.arrayBuffer();
    const shown = new URL(answered.headers.get('location') ?? '', callback);
    connecting.signal('SIGSTOP');
    const page = fetch(shown);
    await sleep(pageMs + 1_000);
    connecting.signal('SIGCONT');
    expect(await (await page).text()).toContain('is now signed in');
    expect(await connecting.end()).toMatchObject({ code: 0 });
  });

  it('lets the browser in behind many connections that send no whole request', async () => {
    const connecting = startConnect(env);
    const url = await connecting.url();
    const silent = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const socket = createConnection({ host: '127.0.0.1', port: Number(new URL(callback).port) });
        // The oldest are closed to let others in.
        socket.on('error', () => {});
        await once(socket, 'connect');
        if (index % 2 === 0) socket.write('GET /callback?state=a HTTP/1.1\r\nx: ');
        return socket;
      }),
    );
    await fetch(provider.approve(url));
    const { code, stderr } = await connecting.end();
    for (const socket of silent) socket.destroy();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Connected as') });
  });

  it.each(share([8.64e12], [8.64e12, -1, 0.0001, 'soon']))(
    'takes a service that says expires_in %s',
    async (told) => {
      provider.faults.push({ kind: 'amend', fields: { expires_in: told } });
      expect(await connect()).toMatchObject({ code: 0 });
      expect(await runCli(['status'], env)).toMatchObject({ code: 0, stderr: '' });
    },
  );
});

describe('a second sign-in', () => {
  it('is refused at once where one waits in another process, which goes on', async () => {
    const first = startConnect(env);
    const url = await first.url();
    for (const flags of [[], ['--no-browser']]) {
      const { code, stdout, stderr } = await runCli(['connect', ...flags], env);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(
        /^artwork-mcp: Another sign-in of artwork-mcp waits at \S+ in process \d+, .+\n$/,
      );
      expect(stderr).toContain('ten minutes at most');
      expect(stderr).not.toContain('paste');
    }
    const server = await startServer(env);
    const refused = errorOf(await server.call('connect_account'));
    expect(refused.error).toMatchObject({ category: 'conflict', code: 'sign_in_waits' });
    expect(refused.next).toEqual({ why: expect.stringContaining('ends it where it waits') });
    await fetch(provider.approve(url));
    expect(await first.end()).toMatchObject({ code: 0 });
    // The other way round, and what is said of it leads on.
    await server.call('connect_account');
    const second = await runCli(['connect', '--no-browser'], env);
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('or ends it where it waits') });
    await server.stop();
    expect(await connect()).toMatchObject({ code: 0 });
  });

  it('that has to be pasted takes its answer also where it came to another one that waits', async () => {
    const other = createServer((_, response) => response.end()).listen(
      Number(new URL(callback).port),
      '127.0.0.1',
    );
    await once(other, 'listening');
    expect(await runCli(['connect'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^artwork-mcp: \S+ is in use by another program: .*--no-browser.*\n$/),
    });
    const pasting = startConnect(env);
    const answer = provider.approve(await pasting.url());
    other.close();
    await once(other, 'close');
    const listening = startConnect(env);
    const url = await listening.url();

    const page = await fetch(answer);
    const text = await page.text();
    expect({ status: page.status, url: page.url }).toEqual({ status: 400, url: answer.href });
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).toContain('copy the whole address of this page');
    for (const name of ['code', 'state']) {
      const secret = answer.searchParams.get(name) ?? 'none';
      expect(text + JSON.stringify([...page.headers])).not.toContain(secret);
    }
    const codeless = new URL(page.url);
    codeless.searchParams.delete('code');
    pasting.paste(codeless.href);
    pasting.paste(`${callback}?artwork-mcp-page=another`);
    pasting.paste(page.url);
    const { code, stderr } = await pasting.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Connected as') });
    expect(stderr).toContain('Another program holds the port');
    expect(stderr.match(/The code is missing from that address/g)).toHaveLength(2);

    // The one that listens is where it was, and took nothing of it.
    await fetch(provider.approve(url));
    const ended = await listening.end();
    expect(ended.code).toBe(0);
    expect(ended.stderr).not.toContain(answer.searchParams.get('code') ?? '');
  });
});

describe('status', () => {
  it('tells a renewal only where there was one', async () => {
    provider.faults.push({ kind: 'amend', fields: { expires_in: 0 } });
    expect(await connect()).toMatchObject({ code: 0 });
    expect((await runCli(['status'], env)).stdout).not.toContain('Renewed');
    expect(JSON.parse((await runCli(['status', '--json'], env)).stdout)).toMatchObject({
      signedInAt: expect.any(String),
      renewedAt: null,
    });
    const server = await startServer(env);
    await server.call('list_relationships');
    await server.stop();
    expect((await runCli(['status'], env)).stdout).toMatch(/^Renewed +\d{4}-/m);
  });

  it('says once that a person has to sign in again, with the command; to a model with the call', async () => {
    await runCli(['disconnect'], env);
    provider.faults.push({ kind: 'amend', fields: { expires_in: 0 } });
    expect(await connect()).toMatchObject({ code: 0 });
    provider.faults.push({ kind: 'refuse', status: 400, body: { error: 'invalid_grant' } });
    const server = await startServer(env);
    expect((await server.call('list_relationships')).isError).toBe(true);
    const { structuredContent } = await server.call('account_status');
    expect(structuredContent).toMatchObject({
      state: 'reconnect_required',
      next: { tool: 'connect_account', arguments: {} },
    });
    await server.stop();
    const { stdout } = await runCli(['status'], env);
    expect(stdout.match(/sign in again/gi)).toHaveLength(1);
    expect(stdout).toContain(`\nNext          Sign in again: ${typed} connect\n`);
    // No catalogue of this program's own is asked.
    expect(stdout).toContain(`Service       ${provider.baseUrl}\n`);
  });
});
