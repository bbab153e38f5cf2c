import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inEachRequest, initialize, type RawServer, startRawServer } from '../support/raw-server.ts';

let server: RawServer;

beforeEach(async () => {
  server = await startRawServer({ ARTWORK_BASE_URL: 'http://127.0.0.1:9' });
});

afterEach(async () => {
  server.process.kill('SIGKILL');
  await server.exit();
  await server.remove();
});

let id = 100;
async function ask(method: string, params?: object) {
  id += 1;
  server.send({ id, method, ...(params === undefined ? {} : { params }) });
  return server.answer(id);
}
const own = inEachRequest();
const ids = { name: 'new_mutation_ids', arguments: { count: 1 } };
const complete = { result: { resultType: 'complete' } };
const initialized = { result: { protocolVersion: '2025-11-25' } };
const opening = initialize.params;

describe('one process', () => {
  it('answers each request by what it says of itself, whatever came before', async () => {
    expect(await ask('server/discover', own)).toMatchObject({
      result: { supportedVersions: ['2026-07-28'] },
    });
    expect(await ask('tools/call', { ...own, ...ids })).toMatchObject(complete);
    expect(await ask('initialize', opening)).toMatchObject(initialized);
    const plain = await ask('tools/call', ids);
    expect(plain).toHaveProperty('result.structuredContent');
    expect(plain).not.toHaveProperty('result.resultType');
    expect(await ask('tools/call', { ...own, ...ids })).toMatchObject(complete);
    expect(await ask('tools/list', own)).toMatchObject(complete);
    expect(await ask('tools/list')).not.toHaveProperty('result.resultType');
  });

  it('takes arguments of null for none', async () => {
    await ask('initialize', opening);
    const none = { name: 'new_mutation_ids' };
    for (const said of [{}, own]) {
      const { result } = await ask('tools/call', { ...said, ...none });
      expect((await ask('tools/call', { ...said, ...none, arguments: null })).result).toEqual(result);
    }
  });

  it('says in its own words that arguments are no object', async () => {
    await ask('initialize', opening);
    for (const said of [{}, own]) {
      for (const wrong of [[], 'none', 7]) {
        expect(await ask('tools/call', { ...said, ...ids, arguments: wrong })).toMatchObject({
          error: { code: -32602, message: 'params has no sound arguments' },
        });
      }
    }
  });

  it('answers both at the same time', async () => {
    await ask('initialize', opening);
    const asked = Array.from({ length: 20 }, (_, index) =>
      ask('tools/call', index % 2 ? ids : { ...own, ...ids }),
    );
    const answers = await Promise.all(asked);
    expect(answers.map((answer) => Object(answer.result).resultType)).toEqual(
      asked.map((_, index) => (index % 2 ? undefined : 'complete')),
    );
  });

  it('takes no request that names no revision before there was an initialize', async () => {
    const refused = { error: { code: -32602, message: expect.stringContaining('initialize') } };
    expect(await ask('server/discover')).toMatchObject(refused);
    expect(await ask('tools/call', ids)).toMatchObject(refused);
    await ask('tools/call', { ...own, ...ids });
    expect(await ask('tools/call', ids)).toMatchObject(refused);
    expect(await ask('tools/list', { _meta: { progressToken: 1 } })).toMatchObject(refused);
    expect(await ask('ping')).toMatchObject({ result: {} });
    expect(await ask('initialize', opening)).toMatchObject(initialized);
    expect(await ask('tools/call', ids)).toHaveProperty('result.structuredContent');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['first', async () => {}],
    ['after a call', () => ask('tools/call', { ...own, ...ids })],
    ['after an initialize', () => ask('initialize', opening)],
  ])('refuses another revision %s', async (_, before) => {
    await before();
    const another = inEachRequest({}, { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' });
    for (const method of ['server/discover', 'tools/list', 'tools/call', 'initialize', 'no/such'])
      expect(await ask(method, another)).toMatchObject({
        error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } },
      });
  });

  it('ignores what wants no answer, and says of an answer to nothing that it is no message', async () => {
    server.send({ method: 'notifications/initialized' });
    server.send({ method: 'notifications/roots/list_changed' });
    server.send({ method: 'notifications/cancelled', params: { requestId: 'none' } });
    server.send({ method: 'notifications/cancelled', params: own });
    server.send({ method: 'tools/call', params: { ...own, ...ids } });
    await ask('tools/call', { ...own, ...ids });
    server.send({ method: 'notifications/cancelled', params: { requestId: 'none' } });
    server.send({ id: 1, result: { roots: [] } });
    expect(await ask('tools/call', { ...own, ...ids })).toMatchObject(complete);
    expect(server.lines()).toHaveLength(2);
    await expect.poll(() => server.stderr()).toMatch(/^artwork-mcp warn: a line on stdin[^\n]+\n$/);
  });
});

describe('what a host of 2026-07-28 gets', () => {
  it('is never a request, though it declares that it shows addresses', async () => {
    const able = inEachRequest({ elicitation: { form: {}, url: {} }, roots: {}, sampling: {} });
    const answer = await ask('tools/call', { ...able, name: 'connect_account', arguments: {} });
    expect(answer).toMatchObject(complete);
    expect(server.lines().filter((line) => line.includes('"method"'))).toEqual([]);
  });

  it('is nothing more of a call that it has cancelled', async () => {
    const service = createServer().listen(0, '127.0.0.1');
    await once(service, 'listening');
    const address = service.address();
    if (address === null || typeof address === 'string') throw new Error('There is no port.');
    const other = await startRawServer({ ARTWORK_BASE_URL: `http://127.0.0.1:${address.port}` });
    try {
      const asked = once(service, 'request');
      const { _meta } = inEachRequest({}, { progressToken: 'p' });
      const params = { _meta, name: 'get_entity', arguments: { kind: 'show', id: 1 } };
      other.send({ id: 7, method: 'tools/call', params });
      const [request] = await asked;
      const ended = once(request.socket, 'close');
      other.send({ method: 'notifications/cancelled', params: { requestId: 7 } });
      await ended;
      other.send({ id: 8, method: 'tools/call', params: { ...own, ...ids } });
      await other.answer(8);
      expect(other.lines()).toHaveLength(1);
    } finally {
      other.process.kill('SIGKILL');
      await other.exit();
      await other.remove();
      service.closeAllConnections();
      service.close();
    }
  });

  it('says what wrong parameters lack, and names no fault of its own', async () => {
    const wrong: [string, object][] = [
      ['tools/call', { name: 5 }],
      ['tools/call', { arguments: {} }],
      ['resources/read', { uri: 5 }],
      ['prompts/get', { arguments: { show: 5 }, name: 'curate_show' }],
      ['completion/complete', { ref: { type: 'none' } }],
      ['tools/list', { cursor: {} }],
      ['tools/call', { ...ids, inputResponses: [] }],
    ];
    for (const [method, params] of wrong)
      expect([method, await ask(method, { ...own, ...params })]).toMatchObject([
        method,
        { error: { code: -32602 } },
      ]);
  });

  it('is an answer to what is nested without end', async () => {
    const nested = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const { _meta: meta } = inEachRequest();
    const members = JSON.stringify(meta).slice(1, -1);
    const call = JSON.stringify(ids).slice(1, -1);
    for (const [one, params] of [
      [1, `"_meta":{${members},"x":${nested}},${call}`],
      [2, `"_meta":{${members.replace('":{}', `":{"extensions":{"x":${nested}}}`)}},${call}`],
      [3, `"_meta":{${members}},${call},"inputResponses":{"roots":${nested}}`],
    ] as const)
      server.process.stdin.write(
        `{"jsonrpc":"2.0","id":${one},"method":"tools/call","params":{${params}}}\n`,
      );
    for (const one of [1, 2, 3]) expect(await server.answer(one)).toMatchObject(complete);
    expect(server.stderr()).toBe('');
  });
});
