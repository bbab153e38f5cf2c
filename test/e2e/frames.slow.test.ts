import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inEachRequest, initialize, type RawServer, startRawServer } from '../support/raw-server.ts';

let server: RawServer;

interface Era {
  readonly name: string;
  open(): Promise<void>;
  /** Of each request. */
  readonly own: object;
  /** What is answered at once, and what it is answered. */
  readonly easy: { readonly method: string; readonly result: object };
}

async function open(declared: object = {}): Promise<void> {
  const params = { ...initialize.params, capabilities: declared };
  server.send({ ...initialize, params });
  await server.answer(1);
  server.send({ method: 'notifications/initialized' });
}

const legacy: Era = { name: '2025-11-25', open, own: {}, easy: { method: 'ping', result: {} } };
const modern: Era = {
  name: '2026-07-28',
  open: async () => {},
  own: inEachRequest(),
  easy: {
    method: 'prompts/list',
    result: expect.objectContaining({ resultType: 'complete', prompts: expect.anything() }),
  },
};
const isModern = (own: object) => own === modern.own;

beforeEach(async () => {
  server = await startRawServer({ ARTWORK_BASE_URL: 'http://127.0.0.1:9' });
});

afterEach(async () => {
  server.process.kill('SIGKILL');
  await server.exit();
  await server.remove();
});

const long = 'x'.repeat(11 * 1024 * 1024);
const call = (padding: string) => ({ name: 'get_entity', arguments: { kind: 'show', id: 1, padding } });
const line = (message: Record<string, unknown>) => `${JSON.stringify(message)}\n`;

describe.each([legacy, modern])('in $name', ({ open, own, easy }) => {
  beforeEach(() => open());

  /** In one piece with what comes before it, as hosts that write in a hurry send it. */
  async function stillAnswers(id: number, before: string): Promise<void> {
    const request = { jsonrpc: '2.0', id, method: easy.method, params: own };
    server.process.stdin.write(`${before}${line(request)}`);
    expect((await server.answer(id)).result).toEqual(easy.result);
  }

  describe('a message that is too long', () => {
    it.each([
      ['before its parameters', { jsonrpc: '2.0', id: 7, method: 'tools/call', params: call(long) }, 7],
      ['behind its parameters', { method: 'tools/call', params: call(long), jsonrpc: '2.0', id: 7 }, 7],
      ['in words', { jsonrpc: '2.0', method: 'tools/call', id: 'seven', params: call(long) }, 'seven'],
    ])('is refused under its id, %s, and the next one is answered', async (_, message, id) => {
      await stillAnswers(8, line(message));
      const refusals = server.lines().filter((text) => text.includes('"error"'));
      expect(refusals.map((text) => JSON.parse(text))).toEqual([
        { jsonrpc: '2.0', id, error: { code: -32600, message: expect.stringContaining('10 MiB') } },
      ]);
      await expect
        .poll(() => server.stderr())
        .toMatch(/^artwork-mcp warn: a message of \d+ bytes was left out[^\n]+\n$/);
    });

    it.each([
      ['a notification', { jsonrpc: '2.0', method: 'notifications/progress', params: { id: 7, long } }],
      ['an answer', { jsonrpc: '2.0', id: 7, result: { long } }],
      ['an answer that holds words of a request', { jsonrpc: '2.0', result: { long, method: 'a' }, id: 7 }],
      [
        'a request whose id has lost its digits',
        `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping","params":{"a":"${long}"}}`,
      ],
      ['several in one', [{ jsonrpc: '2.0', id: 7, method: 'ping', params: { long } }]],
      ['no message at all', long],
    ])('is left out without an answer where it is %s', async (_, message) => {
      const written = typeof message === 'string' && message !== long ? message : JSON.stringify(message);
      await stillAnswers(8, `${written}\n`);
      expect(server.lines().some((text) => text.includes('"error"'))).toBe(false);
      await expect
        .poll(() => server.stderr())
        .toMatch(/^artwork-mcp warn: a message of \d+ bytes was left out[^\n]+\n$/);
    });

    it('is never held as a whole, and one of the longest size is read', async () => {
      const pieces = 30;
      const write = async (text: string) => {
        if (!server.process.stdin.write(text)) await once(server.process.stdin, 'drain');
      };
      await write('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"long":"');
      for (let piece = 0; piece < pieces; piece++) await write(long);
      await stillAnswers(8, '"}}\n');
      expect((await server.answer(7)).error).toMatchObject({ code: -32600 });
      if (process.platform === 'linux') {
        const [, peak] =
          /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8')) ?? [];
        expect(Number(peak) * 1024).toBeLessThan(pieces * long.length);
      }
      const padding = 'x'.repeat(10 * 1024 * 1024 - 500);
      const params = { ...own, name: 'no_such_tool', arguments: { padding } };
      server.send({ id: 9, method: 'tools/call', params });
      expect((await server.answer(9)).error).toMatchObject({ code: -32602 });
    });
  });

  describe('a line that is no message', () => {
    it('is left out, which is said of the first, the tenth and so on, and the server goes on', async () => {
      const before = server.lines().length;
      const bad = 'this is no message\n{"jsonrpc":"2.0"}\n[]\nnull\n5\n';
      await stillAnswers(8, bad.repeat(40));
      const warning = 'artwork-mcp warn: a line on stdin is no message of the protocol; it was left out';
      await expect
        .poll(() => server.stderr())
        .toBe(`${warning}\n${warning} (10 such lines so far)\n${warning} (100 such lines so far)\n`);
      expect(server.lines()).toHaveLength(before + 1);
    });

    it('is skipped where it is blank', async () => {
      await stillAnswers(8, '\n\r\n \t\n'.repeat(10_000));
      await stillAnswers(9, 'no message\n');
      await expect.poll(() => server.stderr()).toMatch(/^artwork-mcp warn: a line on stdin[^\n]+\n$/);
    });

    it.each(['1.5', '9007199254740993', '1e400', '{"a":1}', '[1]', 'null', 'true'])(
      'is refused without an id where it is a request with the id %s',
      async (id) => {
        const params = JSON.stringify(own);
        await stillAnswers(8, `{"jsonrpc":"2.0","id":${id},"method":"${easy.method}","params":${params}}\n`);
        expect(server.lines().filter((text) => text.includes('"error"'))).toEqual([
          expect.stringMatching(/^\{"jsonrpc":"2.0","error":\{"code":-32600,/),
        ]);
        await expect.poll(() => server.stderr()).toMatch(/^artwork-mcp warn: a line on stdin[^\n]+\n$/);
      },
    );
  });

  it.each([
    ['tools/call', { name: 'get_entity', arguments: [1] }, 'arguments'],
    ['tools/call', { name: 'get_entity', arguments: 'kind' }, 'arguments'],
    ['tools/call', { name: 5 }, 'name'],
    ['tools/call', undefined, 'params'],
    ['resources/read', {}, 'uri'],
    ['prompts/get', { name: 5 }, 'name'],
    ['tools/list', { cursor: 5 }, 'cursor'],
  ])('names what is wrong with the parameters of %s: %j', async (method, params, told) => {
    server.send({
      id: 8,
      method,
      params: params === undefined && !isModern(own) ? params : { ...own, ...params },
    });
    expect((await server.answer(8)).error).toEqual({
      code: expect.any(Number),
      message: expect.stringContaining(told),
    });
  });

  describe('a host that asks and does not read', () => {
    const ids = { name: 'new_mutation_ids', arguments: { count: 50 } };
    const peakBytes = (): number => {
      const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
    };

    it.each([
      ['the opening', async () => {}],
      [
        'the SDK',
        async () => {
          server.send({ id: 7, method: 'tools/call', params: { ...own, ...ids } });
          await server.answer(7);
        },
      ],
    ])('has to wait for %s, and is then answered all of it', async (_, reach) => {
      await reach();
      const asked = 6_000;
      const { stdin, stdout } = server.process;
      let answers = 0;
      let bytes = 0;
      stdout.removeAllListeners('data').pause();
      for (let id = 100; id < 100 + asked; id++)
        stdin.write(line({ jsonrpc: '2.0', id, method: 'tools/list', params: own }));
      stdout.on('data', (text: string) => {
        answers += text.split('\n').length - 1;
        bytes += text.length;
      });
      // For as long the host is busy with something else.
      await sleep(2_000);
      stdout.resume();
      await expect.poll(() => answers).toBe(asked);
      // One chunk of its requests alone asks for a tenth of it.
      if (process.platform === 'linux') expect(peakBytes()).toBeLessThan(bytes / 2);
    });

    it('is no matter for the log, however many calls are answered at once', async () => {
      server.process.stdout.pause();
      for (let id = 100; id < 300; id++)
        server.send({ id, method: 'tools/call', params: { ...own, ...ids } });
      await sleep(2_000);
      server.process.stdout.resume();
      for (let id = 100; id < 300; id++) await server.answer(id);
      expect(server.stderr()).toBe('');
    });
  });

  it('answers a completion of whatever was typed', async () => {
    const typed = `${' '.repeat(3_000_000)}x`;
    const ref = { type: 'ref/prompt', name: 'curate_show' };
    server.send({
      id: 8,
      method: 'completion/complete',
      params: { ...own, ref, argument: { name: 'show', value: typed } },
    });
    expect((await server.answer(8)).result).toMatchObject({
      completion: { values: [], total: 0, hasMore: false },
    });
  });

  it('refuses arguments that are nested without end, as arguments', async () => {
    const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const written = (id: number, tool: string, argument: string) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{${JSON.stringify(own).slice(1, -1)}${isModern(own) ? ',' : ''}"name":"${tool}","arguments":{"${argument}":${nested}}}}\n`;
    server.process.stdin.write(written(8, 'find_titles', 'query') + written(9, 'create_group', 'extra'));
    for (const id of [8, 9]) {
      expect(JSON.stringify((await server.answer(id)).result)).toContain('nested deeper than 100 levels');
    }
    expect(server.stderr()).toBe('');
  });

  it('refuses arguments of endless lists and names by one rule, not entry by entry', async () => {
    const wrong = Array.from({ length: 100_000 }, (_, index) => ({ wrong: index }));
    const unknown = Object.fromEntries(wrong.map((value, index) => [`unknown_${index}`, value]));
    const calls = [
      { name: 'edit_set', arguments: { items: wrong } },
      { name: 'get_entity', arguments: { kind: 'movie', id: 1, ...unknown } },
    ];
    for (const [index, call] of calls.entries()) {
      server.send({ id: 20 + index, method: 'tools/call', params: { ...own, ...call } });
      const answer = JSON.stringify((await server.answer(20 + index)).result);
      expect(answer).toContain('no list and no object may have more than 10000 entries');
      expect(answer.length).toBeLessThan(2_000);
    }
  });

  it('repeats no more than the beginning of a name that is no tool', async () => {
    server.send({ id: 8, method: 'tools/call', params: { ...own, name: 'x'.repeat(5_000_000) } });
    const { error } = await server.answer(8);
    expect(JSON.stringify(error).length).toBeLessThan(300);
  });
});

describe('the opening of a conversation', () => {
  const roots = () => server.lines().filter((line) => JSON.parse(line).method === 'roots/list');
  const apps = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };

  it('may begin with a ping, and what the host declares after it counts', async () => {
    server.send({ id: 7, method: 'ping' });
    expect((await server.answer(7)).result).toEqual({});
    await open({ roots: {} });
    const file = '/nowhere/poster.png';
    server.send({
      id: 8,
      method: 'tools/call',
      params: { name: 'view_artwork', arguments: { items: [{ file }] } },
    });
    await expect.poll(roots).toHaveLength(1);
  });

  it('may come a second time, and what the host declares then counts', async () => {
    await open();
    server.send({ id: 7, method: 'resources/list' });
    expect((await server.answer(7)).result).toEqual({ resources: [] });
    await open(apps);
    server.send({ id: 8, method: 'resources/list' });
    expect((await server.answer(8)).result).toEqual({
      resources: [expect.objectContaining({ name: 'page' })],
    });
  });

  it('may stand behind a byte order mark', async () => {
    server.process.stdin.write('\ufeff');
    await open();
  });
});
