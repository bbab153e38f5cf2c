import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { cli } from '../support/client.ts';
import { initialize, type RawServer, startRawServer } from '../support/raw-server.ts';
import { type ScriptedService, startScriptedService } from '../support/scripted-service.ts';
import { temporaryFolder } from '../support/temporary.ts';

let server: RawServer | undefined;
let service: ScriptedService | undefined;

afterEach(async () => {
  server?.process.kill('SIGKILL');
  await server?.exit();
  await server?.remove();
  await service?.close();
  service = undefined;
});

/** A server with a call in flight to a service that never answers. */
async function busyServer(): Promise<RawServer> {
  let asked: () => void = () => {};
  const arrived = new Promise<void>((resolve) => {
    asked = resolve;
  });
  service = await startScriptedService(() => asked());
  const started = await startRawServer({ ARTWORK_BASE_URL: service.baseUrl });
  server = started;
  started.send(initialize);
  await started.answer(1);
  started.send({ method: 'notifications/initialized' });
  started.send({
    id: 2,
    method: 'tools/call',
    params: { name: 'get_entity', arguments: { kind: 'show', id: 1 } },
  });
  await arrived;
  return started;
}

describe('the start', () => {
  it('waits for no catalogue and no store', async () => {
    // Nothing listens at the discard port, and the home can't be made.
    server = await startRawServer({ ARTWORK_BASE_URL: 'http://127.0.0.1:9', ARTWORK_HOME: '/dev/null/home' });
    server.send(initialize);
    const answer = await server.answer(1);
    expect(answer.result).toMatchObject({ serverInfo: { name: 'artwork-mcp' }, capabilities: { tools: {} } });
    server.send({ method: 'notifications/initialized' });
    server.send({ id: 2, method: 'tools/list' });
    const { tools } = (await server.answer(2)).result as { tools: unknown[] };
    expect(tools.length).toBeGreaterThan(0);
    server.send({
      id: 3,
      method: 'tools/call',
      params: { name: 'get_entity', arguments: { kind: 'show', id: 1 } },
    });
    expect(JSON.stringify((await server.answer(3)).result)).toContain('\\"category\\":\\"network\\"');
    server.process.stdin.end();
    expect(await server.exit()).toEqual({ code: 0, signal: null });
  });

  it('stops with one line that names an unusable setting', async () => {
    server = await startRawServer({ ARTWORK_BASE_URL: 'http://example.org' });
    expect((await server.exit()).code).toBe(2);
    expect(server.stderr()).toMatch(/^artwork-mcp: ARTWORK_BASE_URL [^\n]+\n$/);
    expect(server.lines()).toEqual([]);
  });
});

describe('the end, with a request in flight', () => {
  it('comes with the end of stdin', async () => {
    const busy = await busyServer();
    busy.process.stdin.end();
    expect(await busy.exit()).toEqual({ code: 0, signal: null });
    expect(busy.stderr()).toBe('');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('comes with %s', async (signal) => {
    const busy = await busyServer();
    busy.process.kill(signal);
    expect(await busy.exit()).toEqual({ code: 0, signal: null });
    expect(busy.stderr()).toBe('');
  });

  it('leaves nothing but MCP on stdout and closes its request', async () => {
    const busy = await busyServer();
    busy.process.stdin.end();
    await busy.exit();
    for (const line of busy.lines()) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    await expect.poll(() => service?.requests[0]?.closed).toBe(true);
  });
});

describe('a server whose files are taken away', () => {
  it('says so to each call, and answers what needs none of them', async () => {
    const folder = await temporaryFolder();
    try {
      const dist = path.join(folder.path, 'dist');
      cpSync(path.dirname(cli), dist, { recursive: true });
      server = await startRawServer(
        { ARTWORK_BASE_URL: 'http://127.0.0.1:9' },
        [],
        path.join(dist, 'cli.js'),
      );
      server.send(initialize);
      await server.answer(1);
      rmSync(dist, { recursive: true });
      const params = { name: 'new_mutation_ids', arguments: { count: 1 } };
      server.send({ id: 2, method: 'tools/call', params });
      server.send({ id: 3, method: 'tools/call', params });
      const told = { code: -32603, message: expect.any(String) };
      expect((await server.answer(2)).error).toEqual(told);
      expect((await server.answer(3)).error).toEqual(told);
      server.send({ id: 4, method: 'ping' });
      expect((await server.answer(4)).result).toEqual({});
      await expect
        .poll(() => server?.stderr())
        .toMatch(/^artwork-mcp error: the server can't be loaded \(Error\)\n$/);
    } finally {
      await folder.remove();
    }
  });
});
