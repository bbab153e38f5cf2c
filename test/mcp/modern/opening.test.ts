import { type JSONRPCMessage, Server, type Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { definitions } from '../../../src/definitions.ts';
import type { Request } from '../../../src/mcp/messages.ts';
import { createModernOpening } from '../../../src/mcp/modern/opening.ts';
import { createLists, introduction } from '../../../src/mcp/surface.ts';
import { readSettings } from '../../../src/settings.ts';

/** What is nearly right, so that both verdicts are met often. */
const odd = fc.constantFrom<unknown>(null, true, 1, 1.5, 'a', '2026-07-28', undefined, [], {}, { a: 1 });
const mostly = (right: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 30, arbitrary: right }, { weight: 1, arbitrary: odd });
/** Any member but those needed may be missing, and one may be there that the revision does not know. */
const members = (shape: Record<string, fc.Arbitrary<unknown>>, needed: readonly string[] = []) => {
  const all = Object.entries(shape).map(([name, each]): [string, fc.Arbitrary<unknown>] => [
    name,
    mostly(each),
  ]);
  const model: Record<string, fc.Arbitrary<unknown>> = { ...Object.fromEntries(all), extra: odd };
  return fc.record(model, { requiredKeys: [...needed] });
};
const object = fc.constantFrom({}, { a: 1 }, { b: {} });
const capabilities = members({
  roots: members({ listChanged: fc.boolean() }),
  sampling: members({ context: object, tools: object }),
  elicitation: members({ form: members({ applyDefaults: fc.boolean() }), url: object }),
  experimental: fc.constantFrom({}, { a: {} }),
  extensions: fc.constantFrom({}, { 'io.modelcontextprotocol/ui': {} }, { x: { a: 1 } }),
});
const client = members({ name: fc.string(), version: fc.string(), title: fc.string() }, ['name', 'version']);
const meta = fc.record(
  {
    'io.modelcontextprotocol/protocolVersion': fc.oneof(
      { weight: 20, arbitrary: fc.constant('2026-07-28') },
      { weight: 3, arbitrary: fc.constantFrom('2099-01-01', '2025-11-25', '', 5, null, []) },
    ),
    'io.modelcontextprotocol/clientCapabilities': fc.oneof(
      { weight: 20, arbitrary: capabilities },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    'io.modelcontextprotocol/clientInfo': mostly(client),
    'io.modelcontextprotocol/logLevel': mostly(fc.constantFrom('debug', 'info', 'emergency')),
    progressToken: fc.oneof(fc.string(), fc.integer()),
    traceparent: odd,
  },
  { requiredKeys: ['io.modelcontextprotocol/protocolVersion', 'io.modelcontextprotocol/clientCapabilities'] },
);
const lists = ['server/discover', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
const gone = ['ping', 'logging/setLevel', 'resources/subscribe', 'no/such', 'tasks/get'];
const request = fc.record({
  id: fc.oneof(fc.string(), fc.integer()),
  method: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...lists) },
    { weight: 1, arbitrary: fc.constantFrom(...gone) },
  ),
  params: fc.record({ _meta: meta, cursor: mostly(fc.string()) }, { requiredKeys: ['_meta'] }),
});

const optionsWith = (env: Record<string, string> = {}) => ({
  version: '1.2.3',
  settings: readSettings({ ARTWORK_HOME: '/nowhere', ...env }),
  definitions,
});
type Options = ReturnType<typeof optionsWith>;

/** What the SDK answers to a request that comes first. */
async function answeredBySdk(options: Options, message: Request): Promise<Record<string, unknown>> {
  const { serverInfo, ...introduced } = introduction(options);
  const offered = createLists(options);
  const caching = { ttlMs: 3_600_000, cacheScope: 'public' as const };
  const cacheHints = Object.fromEntries(lists.map((method) => [method, caching]));
  const transport: Transport = {
    start: async () => {},
    send: async (sent) => void answer({ ...sent }),
    close: async () => {},
  };
  let answer: (sent: Record<string, unknown>) => void = () => {};
  const answered = new Promise<Record<string, unknown>>((resolve) => {
    answer = resolve;
  });
  const handle = serveStdio(
    () => {
      const server = new Server(serverInfo, { ...introduced, cacheHints });
      server.setRequestHandler('tools/list', () => offered.tools(true));
      server.setRequestHandler('prompts/list', () => offered.prompts());
      server.setRequestHandler('resources/list', () => offered.resources(true));
      server.setRequestHandler('resources/templates/list', () => offered.resourceTemplates());
      return server;
    },
    { transport, legacy: 'reject' },
  );
  const { params, ...rest } = message;
  const taken: JSONRPCMessage = { ...rest, params: Object(params) };
  transport.onmessage?.(taken);
  const sent = await answered;
  await handle.close();
  return sent;
}

type Message = Request & { readonly params?: { readonly _meta?: Record<string, unknown> } };

const errorIn = (message: Record<string, unknown>) => {
  const { code, data } = Object(message.error);
  // Of a cursor that is none the SDK says that the fault is its own.
  return code === -32602 || code === -32603 ? { code: -32602 } : { code, data };
};

it('answers each list as the SDK does, and refuses what the SDK refuses, with its codes', async () => {
  const met = new Map<unknown, number>();
  await fc.assert(
    fc.asyncProperty(request, fc.boolean(), async (asked, readOnly) => {
      const options = optionsWith(readOnly ? { ARTWORK_READ_ONLY: '1', ARTWORK_TOOLSETS: 'me,account' } : {});
      const message: Message = JSON.parse(JSON.stringify({ jsonrpc: '2.0', ...asked }));
      const verdict = createModernOpening(options).judge(message);
      if (!('answer' in verdict)) throw new Error(`${message.method} needs no SDK.`);
      const own = JSON.parse(verdict.answer);
      const its = await answeredBySdk(options, message);
      const kind = own.error?.code ?? 'result';
      met.set(kind, (met.get(kind) ?? 0) + 1);
      const version = message.params?._meta?.['io.modelcontextprotocol/protocolVersion'];
      if (typeof version === 'string' && version !== '2026-07-28') {
        // The SDK judges the rest of it first, by a revision that it does not name.
        expect(errorIn(own)).toEqual({
          code: -32022,
          data: { supported: ['2026-07-28'], requested: version },
        });
        expect([-32022, -32602]).toContain(errorIn(its).code);
      } else if (its.error === undefined) expect(own).toEqual(JSON.parse(JSON.stringify(its)));
      else expect([own.id, errorIn(own)]).toEqual([its.id, errorIn(its)]);
    }),
    { numRuns: 200 },
  );
  for (const kind of ['result', -32602, -32601, -32022]) expect(met.get(kind)).toBeGreaterThan(1);
});

const sound = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const judged = (method: string, params: object) => {
  const request = { jsonrpc: '2.0', id: 1, method, params: { _meta: sound, ...params } };
  return createModernOpening(optionsWith()).judge(JSON.parse(JSON.stringify(request)));
};

it.each<[string, object]>([
  ['tools/call', { name: 'watch' }],
  ['prompts/get', { name: 'recover', arguments: { show: '' } }],
  ['resources/read', { uri: '' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: '' }, argument: { name: '', value: '' } }],
])(
  'leaves %s to the SDK where its parameters are sound, and says itself what they lack',
  (method, params) => {
    expect(judged(method, params)).toMatchObject({ forServer: { id: 1, method } });
    for (const name of Object.keys(params)) {
      const lacking = { answer: expect.stringContaining(`"code":-32602,"message":"params lacks ${name}"`) };
      if (name !== 'arguments')
        expect(judged(method, { ...params, [name]: undefined })).toMatchObject(lacking);
      const wrong = { answer: expect.stringContaining(`params has no sound ${name}`) };
      expect(judged(method, { ...params, [name]: 5 })).toMatchObject(wrong);
    }
  },
);

it.each<[string, object]>([
  ['answers that are no object', { inputResponses: 5 }],
  ['an answer that is none', { inputResponses: { roots: 'none' } }],
  ['a state that is no string', { requestState: {} }],
])('refuses a call with %s, which the SDK takes', (_, params) => {
  expect(judged('tools/call', { name: 'watch', ...params })).toMatchObject({
    answer: expect.stringContaining('-32602'),
  });
});

it.each<[string, object]>([
  ['a progress token that is none', { progressToken: [] }],
  ['no capabilities', { 'io.modelcontextprotocol/clientCapabilities': undefined }],
])('refuses a request with %s', (_, meta) => {
  for (const method of [...lists, 'tools/call']) {
    const refused = judged(method, { _meta: { ...sound, ...meta } });
    expect(refused).toMatchObject({ answer: expect.stringContaining('-32602') });
  }
});

it('tells the SDK no more of a request than it takes', () => {
  const known = { ...sound, progressToken: 7 };
  const foreign = { 'io.modelcontextprotocol/related-task': 5, traceparent: {} };
  expect(judged('tools/call', { _meta: { ...known, ...foreign }, name: 'watch' })).toEqual({
    forServer: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { _meta: known, name: 'watch' } },
  });
});

it('never sends anything on a subscription, and takes none', () => {
  const refused = judged('subscriptions/listen', { notifications: { toolsListChanged: true } });
  expect(refused).toMatchObject({ answer: expect.stringContaining('-32601') });
});

it('knows no initialize that names this revision', () => {
  expect(judged('initialize', {})).toMatchObject({ answer: expect.stringContaining('-32601') });
});

it('lists the same whatever a host declares', () => {
  const apps = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [definitions.app.mimeType] } } };
  for (const method of lists) {
    const bare = judged(method, {});
    expect(
      judged(method, { _meta: { ...sound, 'io.modelcontextprotocol/clientCapabilities': apps } }),
    ).toEqual(bare);
    expect(bare).toMatchObject({ answer: expect.stringContaining('"cacheScope":"public"') });
  }
});
