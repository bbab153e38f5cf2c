import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { protectedMount } from '../../src/sandbox/me/mount.ts';
import { type Sandbox, serveSandbox } from '../../src/sandbox/serve.ts';
import type { Mount } from '../../src/sandbox/server-context.ts';
import { fillFolder } from '../support/filled.ts';
import { temporaryFolder } from '../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let sandbox: Sandbox;
beforeAll(async () => {
  folder = await temporaryFolder();
  await fillFolder(folder.path);
  sandbox = await serveSandbox({
    dataDir: folder.path,
    port: 0,
    mounts: [brokenMount, brokenProtectedMount],
  });
});
afterAll(async () => {
  await sandbox.close();
  await folder.remove();
});

/** Fails with an error that quotes the path, as a defect may. */
const brokenMount: Mount = () => (request) => {
  if (!request.url?.startsWith('/broken/')) return false;
  throw new Error(`No part answers ${decodeURIComponent(request.url)}`);
};

/** The same in a protected operation: its database fails with the path. */
const brokenProtectedMount: Mount = async (context) => {
  let opened = false;
  const database = new Proxy(context.database, {
    get: (target, name, receiver) => {
      if (opened && name === 'first') throw new Error(`No row for ${hostile}`);
      return Reflect.get(target, name, receiver);
    },
  });
  const options = { publicationLagMs: 0, processingOf: () => null };
  const handler = await protectedMount(options)({ ...context, database });
  opened = true;
  return handler;
};

const hostile = [
  '\u001b]0;title\u0007',
  '\u001b[2J\u001b[31mred',
  '\u009b31m',
  'back\u0008space',
  '\r\n2026-01-01T00:00:00.000Z [1] a line of its own',
  '\u2028\u202eturned\u202c',
].join(' ');

/** What is written to stderr for a request. */
async function logOf(path: string, headers: Record<string, string> = {}): Promise<string> {
  const written: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    written.push(String(chunk));
    return true;
  });
  try {
    const [response] = await once(get(`${sandbox.origin}${path}`, { headers }), 'response');
    response.resume();
    await once(response, 'end');
    expect(response.statusCode).toBe(500);
  } finally {
    write.mockRestore();
  }
  return written.join('');
}

it.each([
  ['a public path', `/broken/${encodeURIComponent(hostile)}`, {}],
  ['a protected operation', '/me/relationships', { authorization: 'Bearer token' }],
])('a defect of %s is logged without what a terminal obeys, and as one entry', async (_, path, headers) => {
  const log = await logOf(path, headers);
  expect(log).toContain('red');
  expect(log).toContain('a line of its own');
  expect(log).toContain('log.test.ts');
  expect(log.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u);
  // Every further line of an entry is indented.
  expect(log.split('\n').filter((line) => /^\S/.test(line))).toEqual([
    expect.stringMatching(/^embedded catalogue: Error: No /),
  ]);
});
