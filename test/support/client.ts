import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { storeSettingsOf } from './test-store.ts';

/** The built program, as a host starts it. */
export const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');

export interface StartedServer {
  readonly client: Client;
  readonly pid: number;
  readonly home: string;
  stderr(): string;
  call(tool: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<CallToolResult>;
  stop(): Promise<void>;
}

/** Starts the built server over stdio with a real client; `env` is all that it sees beside PATH and HOME; `prepare` declares what the host can do. */
export async function startServer(
  env: Record<string, string> = {},
  prepare: (client: Client) => void = () => {},
): Promise<StartedServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'artwork-mcp-test-'));
  const home = env.ARTWORK_HOME ?? path.join(folder, 'home');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      ARTWORK_HOME: home,
      ...(await storeSettingsOf(home)),
      ...env,
    },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  const client = new Client({ name: 'test', version: '0' });
  prepare(client);
  await client.connect(transport);
  const { pid } = transport;
  if (pid === null) throw new Error('The server has no process.');
  return {
    client,
    pid,
    home,
    stderr: () => stderr,
    call: async (tool, args = {}, signal) =>
      CallToolResultSchema.parse(
        await client.callTool(
          { name: tool, arguments: args },
          undefined,
          signal === undefined ? {} : { signal },
        ),
      ),
    stop: async () => {
      await client.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The JSON of an error's text, behind its sentence. */
export function errorJson(text: string): string {
  const [sentence = '', ...json] = text.split('\n');
  if (!/^[a-z_]+( failed|: the change was (refused|not sent), and nothing was changed): .+\.$/.test(sentence))
    throw new Error(`No sentence: ${text.slice(0, 200)}`);
  return json.join('\n');
}

/** What an answer tells: the structured part, or with pictures the text. */
export function toldBy(result: CallToolResult): unknown {
  const [text] = result.content;
  if (result.isError === true || text?.type !== 'text') throw new Error(JSON.stringify(result).slice(0, 500));
  return JSON.parse(text.text);
}

/** The error envelope of a failed call. */
export function errorOf(result: CallToolResult): {
  error: Record<string, unknown>;
  next?: Record<string, unknown>;
} {
  const [text] = result.content;
  if (result.isError !== true || text?.type !== 'text')
    throw new Error(`No error: ${JSON.stringify(result).slice(0, 500)}`);
  return JSON.parse(errorJson(text.text));
}
