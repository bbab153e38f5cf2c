import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** What a host of 2026-07-28 says of itself in each request. */
export const inEachRequest = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

/** MCP by hand on bare pipes, so that no client's own time is measured. */
export function startRawClient(env) {
  const child = spawn(process.execPath, [cli], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map();
  let tell = () => {};
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method === 'notifications/progress') tell(message.params.message);
    waiting.get(message.id)?.resolve(message);
    waiting.delete(message.id);
  });
  const exit = once(child, 'exit');
  exit.then(([code]) => {
    for (const { reject } of waiting.values()) reject(new Error(`The server ended with ${code}.`));
  });
  // Whoever waits for an answer is told by the end itself.
  child.stdin.on('error', () => {});
  let lastId = 0;
  const request = (method, params) => {
    lastId += 1;
    const id = lastId;
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answer;
  };
  return {
    pid: child.pid,
    request,
    async initialize() {
      await request('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'bench', version: '0' },
      });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    },
    /** Whom the words of progress are told that a call makes while it lasts. */
    onProgress(listener) {
      tell = listener;
    },
    /** @throws where the call failed: a bench of failures would be fast and worthless. */
    async call(name, args) {
      const { result, error } = await request('tools/call', {
        name,
        arguments: args,
        _meta: { progressToken: name },
      });
      if (error !== undefined || result.isError)
        throw new Error(`${name}: ${JSON.stringify(error ?? result.content)}`);
      // Pictures stand beside a text alone.
      return result.structuredContent ?? JSON.parse(result.content[0].text);
    },
    async end() {
      child.stdin.end();
      await exit;
    },
  };
}
