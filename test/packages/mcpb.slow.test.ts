import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { mcpb } from '../../scripts/pack-mcpb.mjs';
import { temporaryFolder } from '../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let unpacked = '';
let bundle = '';

beforeAll(async () => {
  folder = await temporaryFolder();
  const program = path.resolve(import.meta.dirname, '../../scripts/pack-mcpb.mjs');
  // The laxest of all.
  const packing = ['-c', 'umask 000 && exec "$0" "$@"', process.execPath, program, folder.path];
  const { stdout } = await promisify(execFile)('sh', packing);
  bundle = stdout.trim();
  unpacked = path.join(folder.path, 'unpacked');
  const npx = ['--yes', '--prefer-offline', mcpb, 'unpack', bundle, unpacked];
  await promisify(execFile)('npx', npx, { shell: process.platform === 'win32' });
});
afterAll(() => folder.remove());

/** Starts the server as a host does that has filled in what is given, and left all else as it stands. */
async function start(given: Readonly<Record<string, string>>): Promise<Client> {
  const manifest = z
    .object({
      server: z.object({
        mcp_config: z.object({ args: z.array(z.string()), env: z.record(z.string(), z.string()) }),
      }),
    })
    .parse(JSON.parse(await readFile(path.join(unpacked, 'manifest.json'), 'utf8')));
  const filled = (word: string) =>
    Object.entries({ __dirname: unpacked, ...given }).reduce(
      (text, [name, value]) => text.replace(`\${${name}}`, value),
      word,
    );
  const { args, env } = manifest.server.mcp_config;
  const home = path.join(folder.path, 'home');
  await mkdir(home, { recursive: true });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: args.map(filled),
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
    },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '0' });
  await client.connect(transport);
  return client;
}

it('holds what one platform needs, and nothing of the machine that packed it', async () => {
  expect((await stat(bundle)).size).toBeLessThan(25_000_000);
  for (const name of ['package.json', 'package-lock.json', 'node_modules/.package-lock.json'])
    expect([name, existsSync(path.join(unpacked, name))]).toEqual([name, false]);
  for (const name of ['LICENSE', 'NOTICE', 'sbom.cdx.json', 'package.json'])
    expect(existsSync(path.join(unpacked, 'node_modules/artwork-mcp', name))).toBe(true);
});

it('can be read and run by whoever has it, and written by nobody else, whatever the umask of who packed it', async () => {
  const entries = await readdir(unpacked, { recursive: true, withFileTypes: true });
  const modes = await Promise.all(
    entries.map(async (entry) => {
      const { mode } = await stat(path.join(entry.parentPath, entry.name));
      return entry.isFile() ? (mode & 0o777).toString(8) : 'folder';
    }),
  );
  // An unpacked folder is the installing person's: a bundle says nothing of it.
  expect([...new Set(modes)].sort()).toEqual(['644', '755', 'folder']);
});

it('serves where a person filled in nothing', async () => {
  const client = await start({});
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('view_artwork');
    const { isError } = await client.callTool({ name: 'list_episodes', arguments: { limit: 1 } });
    expect(isError).not.toBe(true);
  } finally {
    await client.close();
  }
});

it('serves with a folder for uploads and a switch', async () => {
  const artwork = path.join(folder.path, 'artwork');
  await mkdir(artwork);
  const client = await start({ 'user_config.upload_roots': artwork, 'user_config.read_only': 'true' });
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('upload_asset');
  } finally {
    await client.close();
  }
});
