import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { definitions } from '../../src/definitions.ts';
import { heardIn } from '../../src/mcp/messages.ts';
import {
  createLegacyOpening,
  createModernOpening,
  namesRevision,
  toldToServer,
} from '../../src/mcp/opening.ts';
import { readSettings } from '../../src/settings.ts';

const options = (env: Record<string, string> = {}) => ({
  version: '1.2.3',
  settings: readSettings({ ARTWORK_HOME: '/nowhere', ...env }),
  definitions,
});
const version = 'io.modelcontextprotocol/protocolVersion';
const capabilities = 'io.modelcontextprotocol/clientCapabilities';
const sound = { [version]: '2026-07-28', [capabilities]: {} };

function requestOf(method: string, params: unknown = {}) {
  const message: unknown = JSON.parse(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const heard = heardIn(message);
  if (heard.is !== 'request') throw new Error(`It is ${heard.is}.`);
  return heard.request;
}
const answerIn = (text: string) => JSON.parse(text);

const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
const handled: readonly [string, object][] = [
  ['tools/call', { name: 'watch' }],
  ['resources/read', { uri: '' }],
];

describe('what a line holds', () => {
  it.each<[string, unknown, object]>([
    ['a request', { jsonrpc: '2.0', id: 1, method: 'ping' }, { is: 'request' }],
    ['params that are null', { jsonrpc: '2.0', id: 1, method: 'ping', params: null }, { is: 'request' }],
    [
      'members that are null',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', arguments: null, _meta: null } },
      { is: 'request', request: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } } },
    ],
    [
      'a token that is null',
      { jsonrpc: '2.0', id: 1, method: 'a', params: { _meta: { progressToken: null, b: 1 } } },
      { is: 'request', request: { jsonrpc: '2.0', id: 1, method: 'a', params: { _meta: { b: 1 } } } },
    ],
    [
      'a token of another kind',
      { jsonrpc: '2.0', id: 1, method: 'a', params: { _meta: { progressToken: [] } } },
      { is: 'unsound', id: 1 },
    ],
    [
      'params that are a list',
      { jsonrpc: '2.0', id: 'x', method: 'ping', params: [] },
      { is: 'unsound', id: 'x' },
    ],
    [
      'a meta that is a text',
      { jsonrpc: '2.0', id: 1, method: 'a', params: { _meta: 'b' } },
      { is: 'unsound' },
    ],
    ['an id that is no integer', { jsonrpc: '2.0', id: 1.5, method: 'ping' }, { is: 'unsound', id: null }],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }, { is: 'unsound', id: null }],
    ['another JSON-RPC', { id: 1, method: 'ping' }, { is: 'unsound', id: 1 }],
    ['a method that is a number', { jsonrpc: '2.0', id: 1, method: 5 }, { is: 'unsound', id: 1 }],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, { is: 'ignored' }],
    [
      'a cancellation',
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4 } },
      { is: 'cancelled', requestId: 4 },
    ],
    ['one of nothing', { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} }, { is: 'ignored' }],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }, { is: 'answer' }],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } }, { is: 'answer' }],
    ['an answer to nothing', { jsonrpc: '2.0', result: {} }, { is: 'no message' }],
    ['a number', 5, { is: 'no message' }],
    ['nothing', null, { is: 'no message' }],
  ])('%s', (_, message, heard) => {
    expect(heardIn(message)).toMatchObject(heard);
  });
});

describe('a host that begins with initialize', () => {
  const begin = (params: object) => {
    const opening = createLegacyOpening(options());
    const answer = opening(requestOf('initialize', params));
    return { opening, answer: answerIn(String(answer)) };
  };
  const ask = (opening: ReturnType<typeof createLegacyOpening>, method: string, params: object = {}) => {
    const answer = opening(requestOf(method, params));
    return typeof answer === 'string' ? answerIn(answer) : answer;
  };

  it('is answered in each version that the SDK speaks, and else in its newest', () => {
    for (const protocolVersion of SUPPORTED_PROTOCOL_VERSIONS)
      expect(begin({ protocolVersion }).answer).toMatchObject({ id: 1, result: { protocolVersion } });
    const [newest] = SUPPORTED_PROTOCOL_VERSIONS;
    expect(begin({ protocolVersion: '1999-01-01' }).answer.result).toMatchObject({
      protocolVersion: newest,
      serverInfo: { name: 'artwork-mcp', version: '1.2.3' },
      instructions: definitions.instructions,
    });
    expect(begin({}).answer).toMatchObject({ error: { code: -32602 } });
  });

  it('is told of MCP Apps where it knows them', () => {
    const uris = ({ result }: { result: { tools: { _meta: { ui?: unknown } }[] } }) =>
      result.tools.filter(({ _meta: { ui } }) => ui !== undefined).length;
    const apps = { 'io.modelcontextprotocol/ui': { mimeTypes: [definitions.app.mimeType] } };
    const knows = begin({ protocolVersion: '2025-11-25', capabilities: { extensions: apps } }).opening;
    const others = [
      {},
      { capabilities: null },
      { capabilities: { extensions: { 'io.modelcontextprotocol/ui': 5 } } },
    ];
    expect(uris(ask(knows, 'tools/list'))).toBeGreaterThan(0);
    expect(ask(knows, 'resources/list')).toMatchObject({ result: { resources: [definitions.app] } });
    for (const other of others) {
      const { opening } = begin({ protocolVersion: '2025-11-25', ...other });
      expect(uris(ask(opening, 'tools/list'))).toBe(0);
      expect(ask(opening, 'resources/list')).toMatchObject({ result: { resources: [] } });
    }
  });

  it('is asked to begin so, but for a ping', () => {
    const opening = createLegacyOpening(options());
    for (const method of [...lists, 'tools/call', 'no/such'])
      expect(ask(opening, method)).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(ask(opening, 'ping')).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it.each(handled)('has %s handled, with what its host declares', (method, params) => {
    const { opening } = begin({
      protocolVersion: '2025-11-25',
      capabilities: { roots: {} },
      clientInfo: { name: 'host' },
    });
    expect(ask(opening, method, params)).toEqual({ declaresRoots: true });
    expect(ask(opening, 'no/such')).toMatchObject({ error: { code: -32601 } });
    expect(ask(opening, 'server/discover')).toMatchObject({ error: { code: -32601 } });
  });
});

describe('a host that names its revision in each request', () => {
  const judge = (method: string, params: object = {}, env: Record<string, string> = {}) => {
    const request = requestOf(method, { _meta: sound, ...params });
    if (!namesRevision(request)) throw new Error('It names none.');
    const answer = createModernOpening(options(env))(request);
    return answer === null ? toldToServer(request) : answerIn(answer);
  };

  it.each(['server/discover', ...lists])('is answered %s, the same whatever it declares', (method) => {
    const answer = judge(method);
    expect(answer).toMatchObject({ result: { resultType: 'complete', cacheScope: 'public' } });
    const declared = { _meta: { ...sound, [capabilities]: { extensions: {}, roots: null }, traceparent: 5 } };
    expect(judge(method, { ...declared, cursor: 'x' })).toEqual(answer);
  });

  it.each<[string, string, object, number]>([
    ['another revision', 'tools/list', { _meta: { ...sound, [version]: '2099-01-01' } }, -32022],
    ['a revision that is none', 'tools/list', { _meta: { ...sound, [version]: 5 } }, -32602],
    ['no capabilities', 'server/discover', { _meta: { [version]: '2026-07-28' } }, -32602],
    ['a cursor that is none', 'tools/list', { cursor: 5 }, -32602],
    ['answers that are none', 'tools/call', { name: 'watch', inputResponses: { roots: 'none' } }, -32602],
    ['what went with the revision before', 'initialize', { protocolVersion: '2025-11-25' }, -32601],
    ['a ping', 'ping', {}, -32601],
    ['a subscription', 'subscriptions/listen', {}, -32601],
  ])('is refused %s', (_, method, params, code) => {
    expect(judge(method, params)).toMatchObject({ id: 1, error: { code } });
  });

  it.each(handled)('has %s handled, and is told what its parameters lack', (method, params) => {
    expect(judge(method, params)).toMatchObject({ id: 1, method, params });
    for (const name of Object.keys(params)) {
      if (name !== 'arguments')
        expect(judge(method, { ...params, [name]: undefined })).toMatchObject({ error: { code: -32602 } });
      expect(judge(method, { ...params, [name]: 5 })).toMatchObject({ error: { code: -32602 } });
    }
  });

  it('tells a handler no more of a request than it takes', () => {
    const meta = { ...sound, progressToken: 7, [capabilities]: { roots: {}, sampling: 5 }, traceparent: {} };
    expect(judge('tools/call', { _meta: meta, name: 'watch', requestState: 5 })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { _meta: { ...sound, progressToken: 7, [capabilities]: { roots: {} } }, name: 'watch' },
    });
  });

  it('is not shown what the settings leave out', () => {
    const names = judge('tools/list', {}, { ARTWORK_READ_ONLY: '1', ARTWORK_TOOLSETS: 'me,curate' }).result
      .tools;
    expect(names.map(({ name }: { name: string }) => name)).toContain('get_owned');
    expect(names.map(({ name }: { name: string }) => name)).not.toContain('create_group');
  });
});
