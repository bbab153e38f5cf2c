import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { install, nodeFor } from './install.ts';
import { startStatelessBridge } from './stateless-bridge.ts';

interface Suite {
  readonly revision: string;
  readonly version: string;
  /** Those that need no tools, resources or prompts of the suite's own. */
  readonly scenarios: readonly string[];
  readonly flags: readonly string[];
  bridge(root: string, home: string): Promise<Bridge>;
}

export interface Bridge {
  readonly url: string;
  stop(): Promise<void>;
}

const suites: readonly Suite[] = [
  {
    revision: '2025-11-25',
    version: '0.1.16',
    scenarios: [
      'server-initialize',
      'ping',
      'completion-complete',
      'tools-list',
      'resources-list',
      'prompts-list',
    ],
    flags: [],
    bridge: startBridge,
  },
  {
    revision: '2026-07-28',
    version: '0.2.0-alpha.12',
    scenarios: [
      'server-stateless',
      'completion-complete',
      'tools-list',
      'resources-list',
      'sep-2164-resource-not-found',
      'prompts-list',
      'caching',
      'input-required-result-unsupported-methods',
      'input-required-result-ignore-extra-params',
    ],
    flags: ['--spec-version', '2026-07-28'],
    bridge: startStatelessBridge,
  },
];

interface Conformed {
  readonly scenario: string;
  readonly passed: boolean;
}

/**
 * Runs what of the protocol's conformance suite can be run against any server.
 * @returns a line for each scenario, and whether it passed
 */
export async function conform(root: string, home: string): Promise<Conformed[]> {
  const results: Conformed[] = [];
  for (const suite of suites) results.push(...(await runSuite(suite, root, home)));
  return results;
}

async function runSuite(suite: Suite, root: string, home: string): Promise<Conformed[]> {
  const installed = await install([['@modelcontextprotocol/conformance', suite.version]]);
  const node = await nodeFor(24);
  const bridge = await suite.bridge(root, home);
  try {
    const results: Conformed[] = [];
    for (const scenario of suite.scenarios) {
      const output = path.join(await mkdtemp(path.join(home, 'conformance-')), 'checks');
      const args = ['server', '--url', bridge.url, '--scenario', scenario, '-o', output, ...suite.flags];
      const run = promisify(execFile)(path.join(installed, 'node_modules/.bin/conformance'), args, {
        cwd: home,
        env: {
          PATH: [...(node === null ? [] : [node]), process.env.PATH ?? ''].join(path.delimiter),
          HOME: home,
        },
      });
      const passed = await run.then(
        () => true,
        () => failsForToolsAlone(output),
      );
      results.push({ scenario: `${suite.revision} ${scenario}`, passed });
    }
    return results;
  } finally {
    await bridge.stop();
  }
}

const checks = z.array(
  z.looseObject({
    status: z.string(),
    details: z.looseObject({ untestable: z.boolean().optional() }).optional(),
  }),
);

/** The suite fails what it can't check of a server that has no tool of the suite's own, and says so. */
async function failsForToolsAlone(output: string): Promise<boolean> {
  const written = (await readdir(output, { recursive: true })).filter((name) => name.endsWith('checks.json'));
  const all = await Promise.all(
    written.map(async (name) => checks.parse(JSON.parse(await readFile(path.join(output, name), 'utf8')))),
  );
  const failed = all.flat().filter(({ status }) => status === 'FAILURE');
  return failed.length > 0 && failed.every(({ details }) => details?.untestable === true);
}

/** The suite knows servers by HTTP alone: each of its sessions is passed on to a server over stdio. */
async function startBridge(root: string, home: string): Promise<Bridge> {
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
