import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { install, installedParts } from '../../scripts/installed-size.mjs';
import { npm, pack } from '../../scripts/pack.mjs';
import { temporaryFolder } from '../support/temporary.ts';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** On Windows npx is a script, which only a shell runs. */
const shell = process.platform === 'win32';

/** Bytes that the packages of a user may take. */
const room = 55_000_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let tarball = '';
let installed = '';
let before = '';

beforeAll(async () => {
  folder = await temporaryFolder();
  before = readFileSync(path.join(root, 'package.json'), 'utf8');
  tarball = await pack(path.join(folder.path, 'packed'));
  installed = path.join(folder.path, 'installed');
  await mkdir(installed);
  install(tarball, installed);
});
afterAll(() => folder.remove());

/** A machine on which nothing of this project ever ran; npm's own settings and what it has fetched stay. */
async function cleanMachine(name: string): Promise<{ cwd: string; env: Record<string, string> }> {
  const home = path.join(folder.path, name);
  await mkdir(home);
  const setting = (key: string) => npm(['config', 'get', key]).trim();
  return {
    cwd: home,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      TMPDIR: home,
      NPM_CONFIG_USERCONFIG: setting('userconfig'),
      NPM_CONFIG_CACHE: setting('cache'),
      NPM_CONFIG_PREFER_OFFLINE: 'true',
    },
  };
}

const ours = () => path.join(installed, 'node_modules', 'artwork-mcp');
const read = (file: string) => readFileSync(path.join(ours(), file), 'utf8');
const manifest = z.looseObject({ dependencies: z.record(z.string(), z.string()), version: z.string() });

describe('the tarball', () => {
  it('holds what is needed, and its manifest names only what is installed beside the bundle', () => {
    expect(readdirSync(ours()).sort()).toEqual([
      'AGENTS.md',
      'CHANGELOG.md',
      'LICENSE',
      'NOTICE',
      'README.md',
      'SECURITY.md',
      'dist',
      'docs',
      'mcp.json.example',
      'package.json',
      'sbom.cdx.json',
    ]);
    const kinds = readdirSync(path.join(ours(), 'dist'), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.extname(file),
    );
    expect([...new Set(kinds)].sort()).toEqual(['', '.gz', '.js', '.json', '.ttf', '.txt']);
    const packed = manifest.parse(JSON.parse(read('package.json')));
    expect(Object.keys(packed.dependencies)).toEqual(['libsql', 'sharp', '@napi-rs/keyring']);
    for (const key of ['scripts', 'devDependencies', 'knip']) expect(packed).not.toHaveProperty(key);
    expect(readFileSync(path.join(root, 'package.json'), 'utf8')).toBe(before);
  });

  it('leads with no link of its texts out of itself', () => {
    const texts = readdirSync(ours(), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.md'),
    );
    expect(texts).toContain('README.md');
    for (const text of texts)
      for (const [, to = ''] of read(text).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g))
        expect([text, to, existsSync(path.resolve(ours(), path.dirname(text), to))]).toEqual([
          text,
          to,
          true,
        ]);
  });

  it('brings a notice and a bill of materials of what is in it', () => {
    const bundled = z.array(z.string()).parse(JSON.parse(read('dist/bundled.json')));
    const bill = z
      .object({
        bomFormat: z.literal('CycloneDX'),
        components: z.array(
          z.object({ name: z.string(), version: z.string(), licenses: z.array(z.unknown()) }),
        ),
      })
      .parse(JSON.parse(read('sbom.cdx.json')));
    const billed = new Set(bill.components.map(({ name, version }) => `${name} ${version}`));
    const notice = read('NOTICE');
    expect(bundled.length).toBeGreaterThan(50);
    for (const one of bundled) {
      const { name, version } = z
        .object({ name: z.string(), version: z.string() })
        .parse(JSON.parse(readFileSync(path.join(root, one, 'package.json'), 'utf8')));
      expect([one, billed.has(`${name} ${version}`)]).toEqual([one, true]);
      expect(notice).toContain(`\n${name} ${version} (`);
    }
    const beside = readdirSync(path.join(installed, 'node_modules'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /^(?:@[^/\\]+[/\\])?[^/\\@]+[/\\]package\.json$/.test(file))
      .map((file) =>
        z
          .object({ name: z.string(), version: z.string() })
          .parse(JSON.parse(readFileSync(path.join(installed, 'node_modules', file), 'utf8'))),
      )
      .filter(({ name }) => name !== 'artwork-mcp');
    expect(beside.length).toBeGreaterThan(5);
    for (const { name } of beside)
      expect([name, bill.components.some((one) => one.name === name)]).toEqual([name, true]);
  });

  it('takes 55 MB at most once it is installed, and runs nothing while it is', async () => {
    const parts = await installedParts(installed);
    const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
    const told = parts.slice(0, 12).map(({ part, bytes }) => `${part} ${(bytes / 1e6).toFixed(1)}`);
    expect(total, told.join(', ')).toBeLessThanOrEqual(room);
    for (const file of readdirSync(path.join(installed, 'node_modules'), {
      recursive: true,
      encoding: 'utf8',
    })) {
      if (path.basename(file) !== 'package.json') continue;
      const { scripts } = z
        .object({ scripts: z.record(z.string(), z.string()).optional() })
        .parse(JSON.parse(readFileSync(path.join(installed, 'node_modules', file), 'utf8')));
      for (const step of ['preinstall', 'install', 'postinstall'])
        expect([file, scripts?.[step]]).toEqual([file, undefined]);
    }
  });
});

describe('npx with the tarball, on a machine without anything of it', () => {
  const npx = (...words: string[]) => ['--yes', `--package=${tarball}`, 'artwork-mcp', ...words];

  it('answers --version', async () => {
    const { cwd, env } = await cleanMachine('version');
    const { stdout } = await run('npx', npx('--version'), { cwd, env, shell });
    expect(stdout.trim()).toBe(manifest.parse(JSON.parse(read('package.json'))).version);
  });

  it('serves a client over stdio, with the pictures of its own catalogue', async () => {
    const { cwd, env } = await cleanMachine('serve');
    const transport = new StdioClientTransport({ command: 'npx', args: npx(), cwd, env, stderr: 'ignore' });
    const client = new Client({ name: 'test', version: '0' });
    await client.connect(transport);
    try {
      expect((await client.listTools()).tools.length).toBeGreaterThan(20);
      const { structuredContent } = await client.callTool({
        name: 'list_episodes',
        arguments: { limit: 1 },
      });
      const [episode] = z
        .object({ data: z.array(z.object({ show: z.object({ id: z.int() }) })) })
        .parse(structuredContent).data;
      const items = [{ kind: 'show', id: episode?.show.id }];
      const sheet = await client.callTool({ name: 'view_artwork', arguments: { items } });
      const { content } = z.object({ content: z.array(z.object({ type: z.string() })) }).parse(sheet);
      expect(content.map(({ type }) => type)).toContain('image');
    } finally {
      await client.close();
    }
  });

  it('runs the demo', async () => {
    const { cwd, env } = await cleanMachine('demo');
    const { stdout } = await run('npx', npx('demo', '--verbose'), { cwd, env, shell, maxBuffer: 2 ** 26 });
    expect(stdout).toContain('"outcome":"succeeded"');
  });
});
