import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import * as operations from '../src/mutations/operations/index.ts';
import { prompts } from '../src/prompts/index.ts';
import { readSettings, toolsets } from '../src/settings.ts';
import { tools } from '../src/tools/index.ts';
import { runCli } from './support/run-cli.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const readme = read('README.md');

/** The rows of each table under a heading, cell by cell, without the head and the line under it. */
function rowsUnder(text: string, heading: string): string[][] {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  const lines = body.split('\n').filter((line) => line.startsWith('|'));
  return lines
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter((cells) => !cells.every((cell) => /^-*$/.test(cell)))
    .slice(1);
}

const quoted = (cell: string | undefined): string[] =>
  [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, words = '']) => words);

const configuration = z.object({
  args: z.array(z.string()),
  command: z.string(),
  env: z.record(z.string(), z.string()).default({}),
});
const hosts = z.union([
  z.object({ mcpServers: z.record(z.string(), configuration) }).transform((one) => one.mcpServers),
  z.object({ servers: z.record(z.string(), configuration) }).transform((one) => one.servers),
]);
const manifest = z
  .object({ bin: z.record(z.string(), z.string()), scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));

it('README names every tool under its toolset', () => {
  let toolset = '';
  const named = rowsUnder(readme, 'Tools').flatMap(([first, names]) => {
    toolset = quoted(first)[0] ?? toolset;
    return quoted(names).map((name) => `${toolset} ${name}`);
  });
  expect(named.sort()).toEqual(tools.map((tool) => `${tool.toolset} ${tool.name}`).sort());
});

it('README names every setting, with the defaults that stand in one word', async () => {
  const rows = rowsUnder(readme, 'Settings');
  const named = rows.flatMap(([names]) => quoted(names));
  const [, list = ''] = (await runCli(['--help'])).stdout.split('Settings:');
  const flags = [...(list.split('\n')[0] ?? '').matchAll(/--([a-z-]+)/g)].map(([, flag = '']) => flag);
  const variables = flags
    .filter((flag) => !['help', 'version'].includes(flag))
    .map((flag) => `ARTWORK_${flag.toUpperCase().replaceAll('-', '_')}`);
  const secrets = ['ARTWORK_CLIENT_SECRET', 'ARTWORK_CLIENT_SECRET_FILE'];
  expect(named.sort()).toEqual([...variables, ...secrets].sort());
  const defaults = readSettings({});
  const said = (name: string) => quoted(rows.find(([names]) => quoted(names).includes(name))?.[2])[0];
  expect(said('ARTWORK_REDIRECT_URI')).toBe(defaults.redirectUri);
  expect(said('ARTWORK_USER')).toBe(defaults.user);
  expect(said('ARTWORK_LOG_LEVEL')).toBe(defaults.logLevel);
  const [, meaning] = rows.find(([names]) => quoted(names).includes('ARTWORK_TOOLSETS')) ?? [];
  expect(quoted(meaning)[0]?.split(',').sort()).toEqual([...toolsets].sort());
});

it('README names every command', async () => {
  const { stdout } = await runCli(['--help']);
  const [, list = ''] = stdout.split('Commands:\n');
  const commands = [...list.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name);
  const named = rowsUnder(readme, 'Commands').flatMap(([names]) =>
    quoted(names).map((words) => words.split(' ')[1] ?? 'serve'),
  );
  expect([...new Set(named)].sort()).toEqual(commands.sort());
});

it('the configurations of hosts can be read, name the built program, and set what there is', () => {
  const blocks = [...readme.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => json);
  const known = rowsUnder(readme, 'Settings').flatMap(([names]) => quoted(names));
  expect(blocks).toHaveLength(2);
  for (const json of [...blocks, read('mcp.json.example')]) {
    for (const { command, args, env } of Object.values(hosts.parse(JSON.parse(json)))) {
      expect(command).toBe('node');
      expect(args[0]).toMatch(new RegExp(`/artwork-mcp/${manifest.bin['artwork-mcp']}$`));
      expect(known).toEqual(expect.arrayContaining(Object.keys(env)));
    }
  }
});

it.each(['README.md', 'AGENTS.md'])('%s names scripts that there are', (name) => {
  const scripts = [...read(name).matchAll(/npm run (?:--silent )?([a-z:]+)/g)].map(
    ([, script = '']) => script,
  );
  expect(scripts.length).toBeGreaterThan(0);
  expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(scripts));
});

it('the reference tells what each member of an argument is', () => {
  const rows = read('docs/reference.md').matchAll(/^\| `(\w+(?:\[\])?\.\w+)`[^|]*\|[^|]*\|(.*)\|$/gm);
  const members = [...rows].map(([, name, words = '']) => ({ name, words: words.trim() }));
  expect(members.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['items[].slot', 'declaredFiles[].file', 'metadata.finalised', 'add[].kind']),
  );
  expect(members.filter(({ words }) => words === '')).toEqual([]);
});

it('the reference is what the built program says of itself', () => {
  const check = () =>
    execFileSync(process.execPath, ['scripts/reference.mjs', '--check'], { cwd: root, stdio: 'pipe' });
  expect(check).not.toThrow();
});

it('each defence names a test that there is', () => {
  const security = read('docs/security.md');
  const headings = [...security.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  const rows = headings.flatMap((heading) => rowsUnder(security, heading));
  expect(rows.length).toBeGreaterThan(40);
  for (const [defence, shownBy] of rows) {
    const tests = quoted(shownBy);
    expect([defence, tests.length]).not.toEqual([defence, 0]);
    for (const test of tests) expect([test, existsSync(path.join(root, test))]).toEqual([test, true]);
  }
});

it('links lead to files that there are', () => {
  const docs = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
  for (const name of ['README.md', 'SECURITY.md', 'AGENTS.md', ...docs.map((one) => `docs/${one}`)]) {
    for (const [, to = ''] of read(name).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)) {
      const file = path.resolve(root, path.dirname(name), to);
      expect([to, existsSync(file)]).toEqual([to, true]);
    }
  }
});

it('each picture of the documents is shown in one', () => {
  const docs = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const words = ['README.md', ...docs.map((one) => `docs/${one}`)].map(read).join();
  for (const picture of readdirSync(path.join(root, 'docs/pictures')))
    expect(words).toContain(`pictures/${picture})`);
});

it('AGENTS.md says of each folder and file of src what lies where, and names files that are there', () => {
  const [, map = ''] = read('AGENTS.md').split('\n## Where to look\n');
  const [lines = ''] = map.split('\n## ');
  const missing: string[] = [];
  const named = new Set<string>();
  const namedFiles = new Set<string>();
  let folder = '';
  for (const line of lines.split('\n').filter((each) => each.startsWith('- '))) {
    folder = '';
    for (const word of quoted(line)) {
      if (word.endsWith('/')) {
        // A folder inside the one that the line began with, or one of src.
        const inside = `${folder.split('/')[0]}/${word}`;
        if (word === 'src/') continue;
        folder = [`${folder}${word}`, inside, word].find((each) => isFolder(each)) ?? '';
        named.add(folder.replace(/\/$/, ''));
        if (folder === '') missing.push(word);
      } else if (/^[a-z-]+(\|[a-z]+)*$/.test(word)) {
        const [first = '', ...others] = word.split('|');
        const stem = first.slice(0, first.lastIndexOf('-') + 1);
        for (const name of [first, ...others.map((other) => `${stem}${other}`)]) {
          if (!existsSync(path.join(root, 'src', folder, `${name}.ts`))) missing.push(`${folder}${name}`);
          namedFiles.add(`${folder}${name}`);
        }
      }
    }
  }
  expect(missing).toEqual([]);
  const found = readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true }).map((each) => ({
    isFolder: each.isDirectory(),
    path: path
      .relative(path.join(root, 'src'), path.join(each.parentPath, each.name))
      .split(path.sep)
      .join('/'),
  }));
  const all = found.filter((each) => each.path.split('/')[0] !== 'sandbox');
  const folders = all.filter((each) => each.isFolder).map((each) => each.path);
  expect(folders.filter((each) => !named.has(each))).toEqual([]);
  // "One file a tool", "one file a prompt" and "one file an operation" name these.
  for (const { toolset, name } of tools) namedFiles.add(`tools/${toolset}/${name.replaceAll('_', '-')}`);
  for (const { name } of prompts) namedFiles.add(`prompts/${name.replaceAll('_', '-')}`);
  for (const name of Object.keys(operations))
    namedFiles.add(`mutations/operations/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  const files = all.filter((each) => /(?<!\.d)\.ts$/.test(each.path)).map((each) => each.path.slice(0, -3));
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((each) => !namedFiles.has(each))).toEqual([]);
});

function isFolder(name: string): boolean {
  return existsSync(path.join(root, 'src', name, '.'));
}
