import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../connections/scripted-provider.ts';
import { freePort } from '../support/free-port.ts';
import { initialize, type RawServer, startRawServer } from '../support/raw-server.ts';
import { runCli } from '../support/run-cli.ts';
import { json, startScriptedService } from '../support/scripted-service.ts';
import { startConnect } from '../support/start-connect.ts';
import { temporaryFolder } from '../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let provider: ScriptedProvider;
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  provider = await startScriptedProvider({ mark: 'canary' });
  ends.push(folder.remove, provider.close);
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** Calls a tool, whatever comes of it. */
async function call(server: RawServer, id: number, name: string, args: Record<string, unknown> = {}) {
  server.send({ id, method: 'tools/call', params: { name, arguments: args } });
  return JSON.stringify(await server.answer(id));
}

it('writes a whole session in lines that can be pasted: no token, no account, no home', async () => {
  const mia = path.join(folder.path, 'mia.lane');
  const home = path.join(mia, '.local', 'artwork');
  await mkdir(home, { recursive: true, mode: 0o700 });
  // Its words are others' words, which steer a terminal and quote what it was asked with.
  const service = await startScriptedService(({ headers, url: asked }, response) => {
    const message = `Refused\n"${asked}" for ${JSON.stringify(headers)} \u001b[31m\u202e`;
    json(response, 500, { error: { code: 'broken', message, issues: [] } });
  });
  ends.push(service.close);
  const env = {
    HOME: mia,
    ARTWORK_HOME: home,
    ARTWORK_BASE_URL: service.baseUrl,
    ARTWORK_AUTH_URL: provider.baseUrl,
    ARTWORK_CLIENT_ID: 'app',
    ARTWORK_REDIRECT_URI: `http://127.0.0.1:${await freePort()}/callback`,
    ARTWORK_UPLOAD_ROOTS: path.join(mia, 'posters'),
    ARTWORK_DOWNLOAD_ROOT: path.join(mia, 'not there'),
    ARTWORK_LOG_LEVEL: 'debug',
  };
  const claims = { sub: 'subject-4711', name: 'Mia Lane' };
  const own = { ...env, ARTWORK_BASE_URL: provider.baseUrl };
  provider.faults.push({ kind: 'amend', fields: {}, claims });
  const connecting = startConnect(own);
  await fetch(provider.approve(await connecting.url()));
  expect(await connecting.end()).toMatchObject({ code: 0 });
  expect((await runCli(['status', '--json'], own)).stdout).toContain('subject-4711');

  let log = '';
  for (const settings of [own, env]) {
    const server = await startRawServer(settings);
    server.send(initialize);
    await server.answer(1);
    server.process.stdin.write(`no message of the protocol ${mia} \u001b[31m\n`);
    await call(server, 2, 'account_status');
    await call(server, 3, 'get_owned', { type: 'set', id: 4711 });
    await call(server, 4, 'find_titles', { query: 'mia' });
    await call(server, 5, 'get_entity', { kind: 'show', id: 1, more: `\n${mia}` });
    await call(server, 6, 'list_relationships');
    await call(server, 7, 'view_artwork', { items: [{ file: path.join(mia, 'posters', 'one.png') }] });
    // The index is damaged under it, which it says where.
    const titles = path.join(home, 'titles');
    for (const name of await readdir(titles).catch(() => []))
      if (name.endsWith('.db')) await writeFile(path.join(titles, name), Buffer.alloc(8_192, 7));
    await call(server, 8, 'find_titles', { query: 'mia' });
    server.process.stdin.end();
    await server.exit();
    log += server.stderr();
    await server.remove();
  }
  const lines = log.split('\n').slice(0, -1);
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines)
    expect(line).toMatch(/^artwork-mcp (error|warn|info|debug): [^\p{Cc}\p{Bidi_Control}]+$/u);
  for (const part of ['canary-', 'subject-4711', 'Mia Lane', 'mia.lane', folder.path])
    expect(log).not.toContain(part);
  // What it tells of is still to be found.
  expect(log).toContain('~/posters does not exist');
});
