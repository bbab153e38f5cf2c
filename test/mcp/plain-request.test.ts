import {
  CallToolRequestSchema,
  InitializeRequestSchema,
  type JSONRPCMessage,
  JSONRPCRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { definitions } from '../../src/definitions.ts';
import { connectServer } from '../../src/mcp/connect-server.ts';
import {
  createLists,
  createPrebuilt,
  isPlainInitialize,
  isPlainRequest,
  isPlainToolCall,
} from '../../src/mcp/prebuilt.ts';
import { readSettings } from '../../src/settings.ts';

const relatedTask = 'io.modelcontextprotocol/related-task';

/** What is nearly right, so that both answers are met often. */
const odd = fc.oneof(
  fc.constantFrom(null, true, 1, 1.5, 2 ** 53, 'a', '2.0', undefined),
  fc.constant([]),
  fc.constant({}),
);
const mostly = <Value>(right: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 40, arbitrary: right }, { weight: 1, arbitrary: odd });
const object = fc.dictionary(fc.constantFrom('a', 'form', 'url', 'taskId', '__proto__'), odd, { maxKeys: 2 });
type Shape = Record<string, fc.Arbitrary<unknown>>;
/** @param rare members that only the SDK judges */
const members = (shape: Shape, needed: readonly string[] = [], rare: Shape = {}): fc.Arbitrary<unknown> => {
  const record = (all: Shape) =>
    fc.record(
      Object.fromEntries(
        Object.entries(all).map(([name, each]) => [
          name,
          needed.includes(name) ? each : fc.option(each, { nil: undefined }),
        ]),
      ),
    );
  return fc.oneof(
    { weight: 20, arbitrary: record(shape) },
    { weight: 1, arbitrary: record({ ...shape, ...rare, extra: odd }) },
  );
};
const meta = members({ progressToken: mostly(fc.oneof(fc.string(), fc.integer())), other: odd }, [], {
  [relatedTask]: mostly(fc.record({ taskId: mostly(fc.string()) })),
});
const capabilities = members(
  {
    roots: mostly(members({ listChanged: mostly(fc.boolean()) })),
    sampling: mostly(members({ context: mostly(object), tools: mostly(object) })),
    elicitation: mostly(
      members({
        form: mostly(members({}, [], { applyDefaults: mostly(fc.boolean()) })),
        url: mostly(members({})),
      }),
    ),
    experimental: mostly(fc.dictionary(fc.string(), mostly(object), { maxKeys: 2 })),
    extensions: mostly(
      fc.dictionary(
        fc.constantFrom('io.modelcontextprotocol/ui', 'x'),
        mostly(fc.constantFrom({}, { mimeTypes: ['text/html;profile=mcp-app'] }, { mimeTypes: 'text/html' })),
        { maxKeys: 2 },
      ),
    ),
  },
  [],
  { tasks: mostly(object) },
);
const client = members(
  {
    name: mostly(fc.string()),
    version: mostly(fc.string()),
    title: mostly(fc.string()),
    websiteUrl: mostly(fc.string()),
    description: mostly(fc.string()),
  },
  ['name', 'version'],
  { icons: mostly(fc.constant([])) },
);
const initializeParams = members(
  {
    protocolVersion: mostly(fc.constantFrom('2025-11-25', '2025-06-18', '2024-10-07', '1999-01-01', '')),
    capabilities: mostly(capabilities),
    clientInfo: mostly(client),
    _meta: mostly(meta),
  },
  ['protocolVersion', 'capabilities', 'clientInfo'],
);
const callParams = members(
  { name: mostly(fc.string()), arguments: mostly(object), _meta: mostly(meta) },
  ['name'],
  { task: mostly(object) },
);
const listParams = members({ _meta: mostly(meta) }, [], { cursor: odd });
const requestOf = (method: fc.Arbitrary<unknown>, params: fc.Arbitrary<unknown>) =>
  members(
    {
      jsonrpc: mostly(fc.constant('2.0')),
      id: mostly(fc.oneof(fc.string(), fc.integer())),
      method,
      params: mostly(params),
    },
    ['jsonrpc', 'id', 'method'],
  )
    // As it comes from the wire.
    .map((request): unknown => JSON.parse(JSON.stringify(request)));

const lists = ['ping', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
const initialize = requestOf(fc.constant('initialize'), initializeParams);
const call = requestOf(fc.constant('tools/call'), callParams);
const listing = requestOf(fc.constantFrom(...lists), listParams);
const anyRequest = fc.oneof(initialize, call, listing, requestOf(mostly(fc.string()), object));

it('takes no request that the SDK does not take, and takes it for the same', () => {
  const taken = { request: 0, call: 0, initialize: 0 };
  fc.assert(
    fc.property(anyRequest, (given) => {
      if (!isPlainRequest(given)) return;
      taken.request += 1;
      expect(JSONRPCRequestSchema.safeParse(given).success).toBe(true);
      if (isPlainToolCall(given)) {
        taken.call += 1;
        const { name, arguments: args } = CallToolRequestSchema.parse(given).params;
        expect([given.params.name, withoutProto(given.params.arguments)]).toEqual([name, args]);
      }
      if (isPlainInitialize(given)) {
        taken.initialize += 1;
        const { params } = InitializeRequestSchema.parse(given);
        expect(params.protocolVersion).toBe(given.params.protocolVersion);
        expect(params.capabilities.extensions).toEqual(withoutProto(given.params.capabilities.extensions));
      }
    }),
    { numRuns: 6_000 },
  );
  for (const times of Object.values(taken)) expect(times).toBeGreaterThan(300);
});

it('answers every opening and every list as the SDK answers it', async () => {
  const compared = { initialize: 0, listing: 0 };
  await fc.assert(
    fc.asyncProperty(
      initialize,
      fc.array(listing, { maxLength: 5 }),
      fc.boolean(),
      async (opening, others, readOnly) => {
        const settings = readSettings({
          ARTWORK_HOME: '/nowhere',
          ARTWORK_READ_ONLY: readOnly ? '1' : '0',
          ARTWORK_TOOLSETS: readOnly ? 'me,account' : '',
        });
        const options = {
          version: '1.2.3',
          settings,
          definitions,
          answering: () => Promise.reject(new Error('no call')),
        };
        const prebuilt = createPrebuilt(options, createLists(options));
        if (!isPlainRequest(opening)) return;
        const opened = prebuilt.answer(opening);
        if (opened === null) return;
        const heard = new Map<unknown, unknown>();
        const output = {
          send: async (message: object) => void ('id' in message && heard.set(message.id, message)),
          read: async () => {},
        };
        const sdk = await connectServer(options, createLists(options), output, () => {}, null);
        sdk.take(opening);
        await settled();
        expect(heard.get(opening.id)).toEqual({ jsonrpc: '2.0', id: opening.id, result: opened });
        compared.initialize += 1;
        for (const [at, other] of others.entries()) {
          if (!isPlainRequest(other)) continue;
          const asked = { ...other, id: `list ${at}` };
          const answer = prebuilt.answer(asked);
          if (answer === null) continue;
          sdk.take(asked);
          await settled();
          expect(heard.get(asked.id)).toEqual({ jsonrpc: '2.0', id: asked.id, result: answer });
          compared.listing += 1;
        }
        await sdk.close();
      },
    ),
    { numRuns: 400 },
  );
  expect(compared.initialize).toBeGreaterThan(50);
  expect(compared.listing).toBeGreaterThan(50);
});

it('introduces the host to a server of the SDK that comes later, without another answer', async () => {
  const settings = readSettings({ ARTWORK_HOME: '/nowhere' });
  const options = {
    version: '1.2.3',
    settings,
    definitions,
    answering: () => Promise.reject(new Error('no call')),
  };
  const sent: object[] = [];
  const output = { send: async (message: object) => void sent.push(message), read: async () => {} };
  const opening: unknown = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {
        extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [definitions.app.mimeType] } },
      },
      clientInfo: { name: 'host', version: '1' },
    },
  };
  if (!isPlainRequest(opening) || !isPlainInitialize(opening)) throw new Error('not plain');
  const sdk = await connectServer(options, createLists(options), output, () => {}, opening);
  expect(sent).toEqual([]);
  sdk.take({
    jsonrpc: '2.0',
    id: 1,
    method: 'resources/list',
    params: { cursor: 'x' },
  } satisfies JSONRPCMessage);
  await settled();
  expect(sent).toEqual([{ jsonrpc: '2.0', id: 1, result: { resources: [definitions.app] } }]);
  await sdk.close();
});

/** The SDK answers from a chain of promises. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The SDK leaves that name out. */
function withoutProto(value: object | undefined): object | undefined {
  return value === undefined
    ? undefined
    : Object.fromEntries(Object.entries(value).filter(([name]) => name !== '__proto__'));
}
