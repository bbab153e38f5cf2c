import { execFile } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { install, npm, pack } from '../../scripts/pack.mjs';
import { mcpb } from '../../scripts/pack-mcpb.mjs';
import { temporaryFolder } from '../support/temporary.ts';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
/** On Windows npx is a script, which only a shell runs. */
const shell = process.platform === 'win32';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

async function started(
  command: string,
  args: string[],
  env: Record<string, string>,
  cwd: string,
): Promise<Client> {
  const transport = new StdioClientTransport({ command, args, env, cwd, stderr: 'ignore' });
  const client = new Client({ name: 'test', version: '0' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

it('the tarball installs without a script in 55 MB, and serves on a machine without anything of it', async () => {
  const before = readFileSync(path.join(root, 'package.json'), 'utf8');
  const tarball = await pack(path.join(folder.path, 'packed'));
  expect(readFileSync(path.join(root, 'package.json'), 'utf8')).toBe(before);
  const installed = path.join(folder.path, 'installed');
  await mkdir(installed);
  install(tarball, installed);
  const modules = path.join(installed, 'node_modules');
  const manifest = z.looseObject({
    dependencies: z.record(z.string(), z.string()).optional(),
    scripts: z.record(z.string(), z.string()).optional(),
  });
  const read = (file: string) => manifest.parse(JSON.parse(readFileSync(path.join(modules, file), 'utf8')));
  expect(Object.keys(read('artwork-mcp/package.json').dependencies ?? {})).toEqual([
    'libsql',
    'sharp',
    '@napi-rs/keyring',
  ]);
  for (const name of ['NOTICE', 'README.md', 'docs'])
    expect(existsSync(path.join(modules, 'artwork-mcp', name))).toBe(true);
  const files = readdirSync(modules, { recursive: true, encoding: 'utf8' });
  const sizes = files.map((file) => lstatSync(path.join(modules, file))).filter((stats) => stats.isFile());
  expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(55_000_000);
  for (const file of files) {
    if (path.basename(file) !== 'package.json') continue;
    const { scripts = {} } = read(file);
    expect([file, scripts.preinstall, scripts.install, scripts.postinstall]).toEqual([
      file,
      undefined,
      undefined,
      undefined,
    ]);
  }

  const home = path.join(folder.path, 'home');
  await mkdir(home);
  const setting = (key: string) => npm(['config', 'get', key]).trim();
  const env = {
    ...{ PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home },
    NPM_CONFIG_USERCONFIG: setting('userconfig'),
    NPM_CONFIG_CACHE: setting('cache'),
    NPM_CONFIG_PREFER_OFFLINE: 'true',
  };
  const words = ['--yes', `--package=${tarball}`, 'artwork-mcp'];
  expect((await run('npx', [...words, '--version'], { cwd: home, env, shell })).stdout.trim()).toMatch(
    /^\d+\.\d+\.\d+$/,
  );
  const client = await started('npx', words, env, home);
  const { structuredContent } = await client.callTool({ name: 'list_episodes', arguments: { limit: 1 } });
  const episodes = z
    .object({ data: z.tuple([z.object({ show: z.object({ id: z.int() }) })]) })
    .parse(structuredContent);
  const items = [{ kind: 'show', id: episodes.data[0].show.id }];
  const { content } = await client.callTool({ name: 'view_artwork', arguments: { items } });
  expect(content).toContainEqual(expect.objectContaining({ type: 'image' }));
});

it('the bundle for Claude Desktop is made, can be written by nobody else, and serves where nothing is filled in', async () => {
  const program = path.join(root, 'scripts/pack-mcpb.mjs');
  // The laxest of all.
  const { stdout } = await run('sh', [
    '-c',
    'umask 000 && exec "$0" "$@"',
    process.execPath,
    program,
    folder.path,
  ]);
  const unpacked = path.join(folder.path, 'unpacked');
  await run('npx', ['--yes', '--prefer-offline', mcpb, 'unpack', stdout.trim(), unpacked], { shell });
  const { stdout: lax } = await run('find', [unpacked, '-type', 'f', '-perm', '/022']);
  expect(lax).toBe('');
  const config = z.object({ args: z.array(z.string()), env: z.record(z.string(), z.string()) });
  const manifest = z.object({ server: z.object({ mcp_config: config }) });
  const { args, env } = manifest.parse(JSON.parse(readFileSync(path.join(unpacked, 'manifest.json'), 'utf8')))
    .server.mcp_config;
  // Placeholders that a person has not filled in stay as they are.
  const filled = args.map((word) => word.replace(`\${__dirname}`, unpacked));
  const all = { ...env, PATH: process.env.PATH ?? '', HOME: path.join(folder.path, 'bundled') };
  const client = await started(process.execPath, filled, all, folder.path);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('view_artwork');
  expect((await client.callTool({ name: 'list_episodes', arguments: { limit: 1 } })).isError).not.toBe(true);
});
