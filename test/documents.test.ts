import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { definitions } from '../src/definitions.ts';
import { readSettings, toolsets } from '../src/settings.ts';
import { runCli } from './support/run-cli.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const readme = read('README.md');
const docs = readdirSync(path.join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
/** What somebody reads who looks a name up. */
const documents = ['README.md', ...docs].map(read).join('\n');

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
  [...(cell ?? '').matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => words);

/** Names of variables, wherever a document has them in code. */
const documentedSettings = () => quoted(documents).filter((words) => /^ARTWORK_[A-Z_]+$/.test(words));

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

it('the documents name every tool', () => {
  const names = definitions.tools.map(({ definition }) => definition.name);
  expect(names.filter((name) => !documents.includes(`\`${name}\``))).toEqual([]);
});

it('the documents name every setting, with the defaults that stand in one word', async () => {
  const [, list = ''] = (await runCli(['--help'])).stdout.split('Settings:');
  const flags = [...(list.split('\n')[0] ?? '').matchAll(/--([a-z-]+)/g)].map(([, flag = '']) => flag);
  const variables = flags
    .filter((flag) => !['help', 'version'].includes(flag))
    .map((flag) => `ARTWORK_${flag.toUpperCase().replaceAll('-', '_')}`);
  const named = documentedSettings();
  expect(named).toEqual(
    expect.arrayContaining([...variables, 'ARTWORK_CLIENT_SECRET', 'ARTWORK_CLIENT_SECRET_FILE']),
  );
  const defaults = readSettings({});
  const rows = documents.split('\n').filter((line) => line.startsWith('| `ARTWORK_'));
  const rowOf = (name: string) => quoted(rows.find((row) => row.startsWith(`| \`${name}\` |`)));
  expect(rowOf('ARTWORK_REDIRECT_URI').at(-1)).toBe(defaults.redirectUri);
  expect(rowOf('ARTWORK_USER').at(-1)).toBe(defaults.user);
  expect(rowOf('ARTWORK_LOG_LEVEL').at(-1)).toBe(defaults.logLevel);
  expect(rowOf('ARTWORK_TOOLSETS')[1]?.split(',').sort()).toEqual([...toolsets].sort());
});

it('the documents name every command, and no other', async () => {
  const { stdout } = await runCli(['--help']);
  const [, list = ''] = stdout.split('Commands:\n');
  const commands = [...list.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name);
  const named = quoted(documents).flatMap((words) => /^artwork-mcp ([a-z]+)/.exec(words)?.[1] ?? []);
  expect([...new Set(named)].filter((name) => name !== 'help').sort()).toEqual(commands.sort());
});

it('the configurations of hosts can be read, name the built program, and set what there is', () => {
  const blocks = [...readme.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => json);
  const known = documentedSettings();
  expect(blocks.length).toBeGreaterThan(0);
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
  for (const name of ['README.md', 'SECURITY.md', 'AGENTS.md', ...docs]) {
    for (const [, to = ''] of read(name).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)) {
      const file = path.resolve(root, path.dirname(name), to);
      expect([to, existsSync(file)]).toEqual([to, true]);
    }
  }
});

it('each picture of the documents is shown in one', () => {
  for (const picture of readdirSync(path.join(root, 'docs/pictures')))
    expect(documents).toContain(`pictures/${picture})`);
});
