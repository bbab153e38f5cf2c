import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';

export interface StdioClient {
  /** Of the server. */
  readonly pid: number;
  /** A caller that wants to hear of progress is told in the server's words. @throws where the connection ends */
  call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    onProgress?: (message: string) => void,
  ): Promise<CallToolResult>;
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
  const transport = new StdioClientTransport({
    command,
    args: [...options.args],
    env: { ...env },
    stderr: 'inherit',
  });
  await client.connect(transport);
  const { pid } = transport;
  if (pid === null) throw new Error('The server has ended already.');
  return {
    pid,
    call: async (tool, args, onProgress) =>
      CallToolResultSchema.parse(
        await client.callTool(
          { name: tool, arguments: { ...args } },
          undefined,
          onProgress === undefined
            ? {}
            : { onprogress: ({ message }: { message?: string | undefined }) => onProgress(message ?? '') },
        ),
      ),
    toolNames: async () => (await client.listTools()).tools.map((tool) => tool.name),
    close: () => client.close(),
  };
}
