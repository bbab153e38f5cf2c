import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { install, nodeFor } from './install.ts';

/** Those that need no tools, resources or prompts of the suite's own. */
const scenarios = [
  'server-initialize',
  'ping',
  'completion-complete',
  'tools-list',
  'resources-list',
  'prompts-list',
];

/**
 * Runs what of the protocol's conformance suite can be run against any server.
 * @returns a line for each scenario, and whether it passed
 */
export async function conform(root: string, home: string): Promise<{ scenario: string; passed: boolean }[]> {
  const installed = await install([['@modelcontextprotocol/conformance', '0.1.16']]);
  const node = await nodeFor(24);
  const bridge = await startBridge(root, home);
  try {
    const results: { scenario: string; passed: boolean }[] = [];
    for (const scenario of scenarios) {
      const args = ['server', '--url', bridge.url, '--scenario', scenario];
      const run = promisify(execFile)(path.join(installed, 'node_modules/.bin/conformance'), args, {
        cwd: home,
        env: {
          PATH: [...(node === null ? [] : [node]), process.env.PATH ?? ''].join(path.delimiter),
          HOME: home,
        },
      });
      const passed = await run.then(
        () => true,
        () => false,
      );
      results.push({ scenario, passed });
    }
    return results;
  } finally {
    await bridge.stop();
  }
}

/** The suite knows servers by HTTP alone: each of its sessions is passed on to a server over stdio. */
async function startBridge(root: string, home: string) {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const servers: StdioClientTransport[] = [];
  const open = async () => {
    const front = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, front),
    });
    const back = new StdioClientTransport({
      command: process.execPath,
      args: [path.join(root, 'dist/cli.js')],
      env: { PATH: process.env.PATH ?? '', HOME: home, ARTWORK_HOME: home },
      stderr: 'ignore',
    });
    servers.push(back);
    back.onmessage = (message) => void front.send(message);
    front.onmessage = (message) => void back.send(message);
    await back.start();
    await front.start();
    return front;
  };
  const http = createServer((request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id'] ?? ''));
    const answering = known === undefined ? open() : Promise.resolve(known);
    answering
      .then((front) => front.handleRequest(request, response))
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('The bridge has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    async stop() {
      await Promise.all(servers.map((server) => server.close()));
      http.closeAllConnections();
      http.close();
    },
  };
}
