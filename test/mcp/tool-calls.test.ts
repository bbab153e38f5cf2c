import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { definitions } from '../../src/definitions.ts';
import { connectServer } from '../../src/mcp/connect-server.ts';
import type { Dispatch } from '../../src/mcp/dispatch.ts';
import { createLists } from '../../src/mcp/prebuilt.ts';
import { createServer } from '../../src/mcp/server.ts';
import { readSettings } from '../../src/settings.ts';

/** A tool of each end: one answers, one tells of progress, one fails, one is not there, one waits to be cancelled. */
const dispatch: Dispatch = async (name, args, call) => {
  const text = (said: string) => ({
    result: { content: [{ type: 'text' as const, text: said }] },
    error: null,
  });
  switch (name) {
    case 'answers':
      return text(JSON.stringify(args ?? null));
    case 'progresses':
      await call.progress(3, 10, 'three');
      await call.progress(1, null, 'one of the next');
      return text('done');
    case 'fails':
      throw new TypeError('a defect');
    case 'waits':
      await sleep(60_000, undefined, { signal: call.signal }).catch(() => {});
      return text(`aborted: ${call.signal.aborted}`);
    case 'looks late':
      await sleep(20);
      seen.push([call.signal.aborted, call.signal.reason]);
      return text('looked');
    default:
      return null;
  }
};

/** What a tool saw that looked at its signal only once its call was cancelled. */
const seen: unknown[][] = [];

type Take = (message: JSONRPCMessage) => void;

/** Messages that come to the host for these, one after the other. */
async function heardFor(messages: readonly JSONRPCMessage[], by: 'the SDK' | 'us'): Promise<object[]> {
  const settings = readSettings({ ARTWORK_HOME: '/nowhere' });
  const answering = async () => ({ ...unused, dispatch });
  const options = { version: '1.2.3', settings, definitions, answering };
  const lists = createLists(options);
  const heard: object[] = [];
  const send = async (message: object) => void heard.push(message);
  const output = { send, read: async () => {} };
  const connectSdk = async () => {
    const { server } = createServer(options, lists);
    const transport: Transport = { start: async () => {}, send, close: async () => transport.onclose?.() };
    await server.connect(transport);
    const take: Take = (message) => transport.onmessage?.(message);
    return { take, close: () => server.close() };
  };
  const leftOut = () => void heard.push({ leftOut: true });
  const connected =
    by === 'us' ? await connectServer(options, lists, output, leftOut, null) : await connectSdk();
  for (const message of messages) {
    connected.take(message);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await connected.close();
  await new Promise((resolve) => setImmediate(resolve));
  return heard;
}

const never = () => Promise.reject(new Error('not asked for'));
const unused = {
  readResource: never,
  completeId: never,
  prompts: { read: () => null, complete: never },
};

interface Given {
  readonly name: string;
  readonly arguments?: Record<string, unknown>;
  readonly _meta?: { readonly progressToken: string };
}
type Step = 'call' | 'cancel';

describe('a call that is answered without the SDK', () => {
  it.each<readonly [string, Given, readonly Step[], number]>([
    ['is answered', { name: 'answers', arguments: { a: [1, { b: null }] } }, ['call'], 1],
    ['is answered without arguments', { name: 'answers' }, ['call'], 1],
    ['tells of progress', { name: 'progresses', _meta: { progressToken: 'p' } }, ['call'], 3],
    ['tells of none that was not asked for', { name: 'progresses' }, ['call'], 1],
    ['fails', { name: 'fails' }, ['call'], 1],
    ['names no tool', { name: 'get_sett' }, ['call'], 1],
    ['is cancelled', { name: 'waits' }, ['call', 'cancel'], 0],
    ['is cut off by the end', { name: 'waits' }, ['call'], 0],
    ['outlives the cancelling of another', { name: 'answers' }, ['cancel', 'call'], 1],
    ['is answered each time, where two have one id', { name: 'answers' }, ['call', 'call'], 2],
  ])('%s as by the SDK', async (_, given, steps, times) => {
    const messages = steps.map(
      (step): JSONRPCMessage =>
        step === 'call'
          ? { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { ...given } }
          : {
              jsonrpc: '2.0',
              method: 'notifications/cancelled',
              params: { requestId: 2, reason: 'not wanted' },
            },
    );
    const heard = await heardFor(messages, 'us');
    expect(heard).toEqual(await heardFor(messages, 'the SDK'));
    expect(heard).toHaveLength(times);
  });
});

it.each(['the SDK', 'us'] as const)(
  'a tool that looks late hears from %s that its call was cancelled',
  async (by) => {
    seen.length = 0;
    const params = { requestId: 2, reason: 'not wanted' };
    const messages: readonly JSONRPCMessage[] = [
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'looks late' } },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params },
    ];
    expect(await heardFor(messages, by)).toEqual([]);
    await expect.poll(() => seen).toEqual([[true, 'not wanted']]);
  },
);
