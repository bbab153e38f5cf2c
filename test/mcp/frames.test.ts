import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inEachRequest, initialize, type RawServer, startRawServer } from '../support/raw-server.ts';

let server: RawServer;
let id = 100;
/** Lines that the server had written before a test. */
let before = 0;

async function start(): Promise<void> {
  server = await startRawServer({ ARTWORK_BASE_URL: 'http://127.0.0.1:9' });
}
async function end(): Promise<void> {
  server.process.kill('SIGKILL');
  await server.exit();
  await server.remove();
}
beforeEach(() => {
  before = server.lines().length;
});

async function ask(method: string, params?: object) {
  id += 1;
  server.send({ id, method, ...(params === undefined ? {} : { params }) });
  return server.answer(id);
}
const open = () => ask('initialize', initialize.params);
const line = (message: unknown) => `${JSON.stringify(message)}\n`;
const own = inEachRequest();
const ids = { name: 'new_mutation_ids', arguments: { count: 1 } };
const long = 'x'.repeat(11 * 1024 * 1024);
const complete = { result: { resultType: 'complete' } };
const answers = () => server.lines().slice(before);
const errors = () => answers().filter((text) => text.includes('"error"'));

/** In one piece with what comes before it, as hosts that write in a hurry send it. */
async function stillAnswers(before: string, said: object): Promise<void> {
  id += 1;
  server.process.stdin.write(
    `${before}${line({ jsonrpc: '2.0', id, method: 'prompts/list', params: said })}`,
  );
  expect((await server.answer(id)).result).toHaveProperty('prompts');
}

describe.each([
  { era: '2025-11-25', said: {}, begin: open },
  { era: '2026-07-28', said: own, begin: async () => {} },
])('in $era', ({ said, begin }) => {
  beforeAll(async () => {
    await start();
    await begin();
  });
  afterAll(end);

  const request = { jsonrpc: '2.0', id: 7, method: 'tools/call' };

  it.each([
    ['before its parameters', { ...request, params: { long } }, 7],
    ['behind them', { method: 'tools/call', params: { long }, id: 'seven' }, 'seven'],
  ])('a message over 10 MiB is refused under its id %s', async (_, message, named) => {
    await stillAnswers(line(message), said);
    expect(errors().map((text) => JSON.parse(text))).toMatchObject([{ id: named, error: { code: -32600 } }]);
  });

  it('a message that wants no answer gets none, however long it is', async () => {
    await stillAnswers([{ jsonrpc: '2.0', id: 7, result: { long } }, [long], long].map(line).join(''), said);
    expect(errors()).toEqual([]);
  });

  it('lines that are no message are left out, and told of on stderr a few times', async () => {
    await stillAnswers(`\n\r\n${'no message\n{"jsonrpc":"2.0"}\n[]\n5\n'.repeat(40)}`, said);
    expect(answers()).toHaveLength(1);
    // Of many the first, the tenth and so on is told.
    expect(server.stderr().match(/^artwork-mcp warn: /gm)?.length).toBeLessThan(20);
  });

  it('a batch is answered message by message, and what is no message in it is left out', async () => {
    const asked = [1, 2].map((at) => ({
      jsonrpc: '2.0',
      id: `b${at}`,
      method: 'tools/call',
      params: { ...said, ...ids },
    }));
    await stillAnswers(
      line([asked[0], 5, [], { jsonrpc: '2.0', method: 'x' }, { ...asked[1], params: [] }]),
      said,
    );
    await server.answer('b1');
    expect(errors().map((text) => JSON.parse(text))).toMatchObject([{ id: 'b2', error: { code: -32602 } }]);
  });

  it('what a host writes out as null is left out, and of two requests with one id each is answered', async () => {
    const { _meta: meta } = { _meta: {}, ...said };
    const params = { ...ids, _meta: { ...meta, progressToken: null }, arguments: { count: '2' }, task: 5 };
    const before = answers().length;
    await stillAnswers(
      [params, { ...params, arguments: null }].map((one) => line({ ...request, params: one })).join(''),
      said,
    );
    await expect.poll(() => answers().length).toBe(before + 3);
    expect(errors().filter((text) => !text.includes('invalid_arguments'))).toEqual([]);
  });

  it.each(['1.5', '9007199254740993', '{"a":1}', 'null'])(
    'an id of %s is refused without one',
    async (wrong) => {
      await stillAnswers(
        `{"jsonrpc":"2.0","id":${wrong},"method":"prompts/list","params":${JSON.stringify(said)}}\n`,
        said,
      );
      expect(errors().map((text) => JSON.parse(text))).toEqual([
        { jsonrpc: '2.0', error: { code: -32600, message: expect.any(String) } },
      ]);
    },
  );

  it('parameters that are none are refused, those without end too', async () => {
    for (const [method, params] of [
      ['tools/call', { name: 'get_entity', arguments: [1] }],
      ['tools/call', { name: 5 }],
      ['tools/call', { name: 'x'.repeat(5_000_000) }],
      ['resources/read', {}],
      ['tools/list', { cursor: 5 }],
    ] as const) {
      const { error } = await ask(method, { ...said, ...params });
      expect([method, typeof Object(error).code]).toEqual([method, 'number']);
      expect(JSON.stringify(error).length).toBeLessThan(400);
    }
    const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const meta = JSON.stringify({ ...said, name: 'create_group' }).slice(1, -1);
    server.process.stdin.write(
      `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{${meta},"arguments":{"extra":${nested}}}}\n`,
    );
    const many = { items: Array.from({ length: 20_000 }, () => ({ wrong: 1 })) };
    const endless = await ask('tools/call', { ...said, name: 'edit_set', arguments: many });
    for (const { result } of [await server.answer(8), endless]) {
      expect(JSON.stringify(result)).toContain('invalid_arguments');
      expect(JSON.stringify(result).length).toBeLessThan(2_000);
    }
  });

  it('a host that asks and does not read has to wait, and is then answered all of it', async () => {
    const { stdout, stdin } = server.process;
    stdout.pause();
    for (let asked = 1_000; asked < 1_400; asked++) {
      stdin.write(line({ jsonrpc: '2.0', id: asked, method: 'tools/call', params: { ...said, ...ids } }));
    }
    stdout.resume();
    for (let asked = 1_000; asked < 1_400; asked++) await server.answer(asked);
  });
});

describe.each([
  { how: 'does not read', prepare: () => server.process.stdout.pause() },
  { how: 'has closed its side', prepare: () => server.process.stdout.destroy() },
])('a host that $how', ({ prepare }) => {
  beforeEach(async () => {
    await start();
    await open();
  });
  afterEach(end);
  const flood = () => {
    prepare();
    for (let asked = 0; asked < 500; asked++)
      server.process.stdin.write(line({ jsonrpc: '2.0', id: asked, method: 'tools/list' }));
  };

  it('leaves no server behind once it closes stdin', async () => {
    flood();
    server.process.stdin.end();
    expect(await server.exit()).toEqual({ code: 0, signal: null });
  });

  it('leaves none behind although it has written more than is read ahead', async () => {
    flood();
    const { stdin } = server.process;
    const more = line({ jsonrpc: '2.0', id: 1, method: 'ping', params: { long: 'x'.repeat(1024 * 1024) } });
    const gone = server.exit();
    const full = Array.from({ length: 10 }, () => new Promise((resolve) => stdin.write(more, resolve)));
    await Promise.race([Promise.all(full), gone]);
    // The end of stdin comes behind what the server reads no more.
    stdin.write(more);
    stdin.destroy();
    expect(await gone).toEqual({ code: 0, signal: null });
  });
});

describe('one process', () => {
  beforeAll(start);
  afterAll(end);

  it('answers each request by what it says of itself, whatever came before', async () => {
    expect(await ask('server/discover', own)).toMatchObject({
      result: { supportedVersions: ['2026-07-28'] },
    });
    expect(await ask('tools/call', { ...own, ...ids })).toMatchObject(complete);
    expect(await ask('tools/call', ids)).toMatchObject({ error: { code: -32602 } });
    server.process.stdin.write('\ufeff');
    expect(await open()).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    const asked = Array.from({ length: 20 }, (_, at) => ask('tools/call', at % 2 ? ids : { ...own, ...ids }));
    for (const [at, answer] of (await Promise.all(asked)).entries()) {
      expect(Object(answer.result).resultType).toBe(at % 2 ? undefined : 'complete');
    }
  });

  it('never holds a message as a whole, however long it is', async () => {
    const { stdin, pid } = server.process;
    const pieces = 20;
    stdin.write('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"long":"');
    for (let piece = 0; piece < pieces; piece++) if (!stdin.write(long)) await once(stdin, 'drain');
    await stillAnswers('"}}\n', own);
    if (process.platform !== 'linux') return;
    const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    expect(Number(peak) * 1024).toBeLessThan(pieces * long.length);
  });

  it('refuses another revision, whatever came before', async () => {
    const another = inEachRequest({}, { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' });
    const refused = { error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } } };
    for (const method of ['server/discover', 'tools/list', 'tools/call', 'no/such']) {
      expect(await ask(method, another)).toMatchObject(refused);
    }
  });

  it('asks a host of 2026-07-28 nothing, and ignores what wants no answer', async () => {
    server.send({ method: 'notifications/cancelled', params: { requestId: 'none' } });
    server.send({ method: 'tools/call', params: { ...own, ...ids } });
    server.send({ id: 1, result: { roots: [] } });
    const able = inEachRequest({ elicitation: { url: {} }, roots: {}, sampling: {} });
    expect(await ask('tools/call', { ...able, name: 'connect_account', arguments: {} })).toMatchObject(
      complete,
    );
    expect(answers()).toHaveLength(1);
  });
});
