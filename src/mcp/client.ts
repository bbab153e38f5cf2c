import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';

export interface StdioClient {
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<CallToolResult>;
  toolNames(): Promise<string[]>;
  close(): Promise<void>;
}

/** A host in small: starts a server over stdio and speaks MCP with it, as Claude does. */
export async function startStdioClient(options: {
  readonly name: string;
  readonly version: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}): Promise<StdioClient> {
  const client = new Client({ name: options.name, version: options.version });
  const { command, env } = options;
  await client.connect(
    new StdioClientTransport({ command, args: [...options.args], env: { ...env }, stderr: 'inherit' }),
  );
  return {
    call: async (tool, args) =>
      CallToolResultSchema.parse(await client.callTool({ name: tool, arguments: { ...args } })),
    toolNames: async () => (await client.listTools()).tools.map((tool) => tool.name),
    close: () => client.close(),
  };
}
