import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { definitions } from '../../../src/definitions.ts';
import { createOpening } from '../../../src/mcp/legacy/opening.ts';
import { connectLegacyServer } from '../../../src/mcp/legacy/server.ts';
import type { Request } from '../../../src/mcp/messages.ts';
import { readSettings } from '../../../src/settings.ts';

const relatedTask = 'io.modelcontextprotocol/related-task';

/** What is nearly right, so that both answers are met often. */
const odd = fc.constantFrom<unknown>(null, true, 1, 1.5, 2 ** 53, 'a', '2.0', undefined, [], {});
const mostly = (right: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 40, arbitrary: right }, { weight: 1, arbitrary: odd });
type Shape = Record<string, fc.Arbitrary<unknown>>;
/** @param rare members that only the SDK judges */
const members = (shape: Shape, needed: readonly string[] = [], rare: Shape = {}): fc.Arbitrary<unknown> => {
  const record = (all: Shape) =>
    fc.record(
      Object.fromEntries(
        Object.entries(all).map(([name, each]) => [
          name,
          needed.includes(name) ? mostly(each) : fc.option(mostly(each), { nil: undefined }),
        ]),
      ),
    );
  const more = record({ ...shape, ...rare, extra: odd });
  return fc.oneof({ weight: 20, arbitrary: record(shape) }, { weight: 1, arbitrary: more });
};
const texts = (...names: string[]): Shape => Object.fromEntries(names.map((name) => [name, fc.string()]));
const object = fc.dictionary(fc.constantFrom('a', 'form', 'taskId', '__proto__'), odd, { maxKeys: 2 });
const meta = members({ progressToken: fc.oneof(fc.string(), fc.integer()), other: odd }, [], {
  [relatedTask]: object,
});
const capabilities = members(
  {
    roots: members({ listChanged: fc.boolean() }),
    sampling: members({ context: object, tools: object }),
    elicitation: members({ form: members({}, [], { applyDefaults: fc.boolean() }), url: members({}) }),
    extensions: fc.constantFrom(
      {},
      { 'io.modelcontextprotocol/ui': { mimeTypes: [definitions.app.mimeType] } },
      { x: [] },
    ),
  },
  [],
  { tasks: object },
);
const initializeParams = members(
  {
    protocolVersion: fc.constantFrom('2025-11-25', '2025-06-18', '2024-10-07', '1999-01-01', ''),
    capabilities,
    clientInfo: members(texts('name', 'version', 'title'), ['name', 'version'], { icons: fc.constant([]) }),
    _meta: meta,
  },
  ['protocolVersion', 'capabilities', 'clientInfo'],
);
/** As it comes over the wire, whether it is a request or not. */
const written = (message: unknown): Request => JSON.parse(JSON.stringify(message));
const requestOf = (method: fc.Arbitrary<string>, params: fc.Arbitrary<unknown>) =>
  fc
    .record({
      jsonrpc: mostly(fc.constant('2.0')),
      id: mostly(fc.oneof(fc.string(), fc.integer())),
      method,
      params,
    })
    .map(written);

const lists = ['ping', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
const initialize = requestOf(fc.constant('initialize'), initializeParams);
const listing = requestOf(fc.constantFrom(...lists), members({ _meta: meta }, [], { cursor: odd }));

const optionsWith = (env: Record<string, string> = {}) => ({
  version: '1.2.3',
  settings: readSettings({ ARTWORK_HOME: '/nowhere', ...env }),
  definitions,
  answering: () => Promise.reject(new Error('no call')),
});
type Options = ReturnType<typeof optionsWith>;

/** What the SDK's server writes for these messages. */
async function writtenBySdk(
  options: Options,
  messages: readonly Request[],
  heard: Request | null = null,
): Promise<string> {
  const output = new PassThrough();
  let written = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  const server = await connectLegacyServer(options, heard, output);
  for (const message of messages) if (!server.take(message)) output.write('left out\n');
  const answers = messages.length;
  await expect.poll(() => written.split('\n').length - 1, { interval: 1 }).toBeGreaterThanOrEqual(answers);
  await server.close();
  output.end();
  return written;
}

it('answers every opening and every list byte for byte as the SDK does', async () => {
  const compared = { initialize: 0, listing: 0 };
  await fc.assert(
    fc.asyncProperty(
      initialize,
      fc.array(listing, { maxLength: 5 }),
      fc.boolean(),
      async (first, others, readOnly) => {
        const options = optionsWith(
          readOnly ? { ARTWORK_READ_ONLY: '1', ARTWORK_TOOLSETS: 'me,account' } : {},
        );
        const opening = createOpening(options);
        const told = [first, ...others].map((message) => ({ message, answer: opening.answer(message) }));
        const answered = told.filter(({ answer }) => answer !== null);
        const answers = answered.map(({ answer }) => answer).join('');
        if (opening.heard() === null) return;
        const asked = answered.map(({ message }) => message);
        expect(await writtenBySdk(options, asked)).toBe(answers);
        compared.initialize += 1;
        compared.listing += asked.length - 1;
      },
    ),
    { numRuns: 200 },
  );
  expect(compared.initialize).toBeGreaterThan(5);
  expect(compared.listing).toBeGreaterThan(5);
});

const messageOf = (message: object) => written({ jsonrpc: '2.0', ...message });
const apps = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [definitions.app.mimeType] } } };
const begun = messageOf({
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: apps, clientInfo: { name: 'host', version: '1' } },
});

it.each<[string, object]>([
  ['a call', { id: 2, method: 'tools/call', params: { name: 'account_status' } }],
  ['a second opening', { id: 2, method: 'initialize', params: {} }],
  ['a list that goes on', { id: 2, method: 'tools/list', params: { cursor: 'x' } }],
  ['a request that is a task', { id: 2, method: 'tools/list', params: { _meta: { 'x/task': {} } } }],
  ['an unknown method', { id: 2, method: 'server/discover' }],
])('leaves %s to the SDK', (_, message) => {
  const opening = createOpening(optionsWith());
  expect(opening.answer(messageOf(message))).toBeNull();
  expect(opening.answer(begun)).not.toBeNull();
  expect(opening.answer(messageOf(message))).toBeNull();
});

it("introduces the host to the SDK's server that comes later, without another answer", async () => {
  const unknown = messageOf({ id: 7, method: 'no/such/method' });
  const list = messageOf({ id: 1, method: 'resources/list', params: { cursor: 'x' } });
  const written = await writtenBySdk(optionsWith(), [unknown, list], begun);
  expect(
    written
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { jsonrpc: '2.0', id: 7, error: { code: -32601, message: 'Method not found' } },
    { jsonrpc: '2.0', id: 1, result: { resources: [definitions.app] } },
  ]);
});
