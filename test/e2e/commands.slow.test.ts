import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { slotsWords } from '../../src/model/slots.ts';
import { cli } from '../support/client.ts';
import { runCli, typed } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

const commands = [
  'serve',
  'connect',
  'disconnect',
  'status',
  'mutations',
  'index',
  'doctor',
  'sandbox',
  'demo',
];

/** Some of the settings that matter for each: what else there is, `help settings` tells. */
const settingsOf: Readonly<Record<string, readonly string[]>> = {
  serve: ['--base-url', '--user', '--home', '--upload-roots', '--toolsets'],
  connect: ['--base-url', '--client-id', '--user'],
  disconnect: ['--user'],
  status: ['--base-url', '--user'],
  mutations: ['--user'],
  index: ['--index'],
  doctor: ['--user', '--upload-roots'],
  sandbox: ['--home'],
};

function rowOf(flag: string, lines: readonly string[]): number {
  return lines.findIndex((line) => line.startsWith(`  ${flag} `));
}

function expectExplained(flag: string, lines: readonly string[]): void {
  const row = rowOf(flag, lines);
  expect(lines[row], flag).toMatch(/^ {2}--\S+( \S+| "[^"]+")? {2,}\w.{10,}/);
  expect(lines[row + 1], flag).toMatch(/^ +e\.g\. /);
  expect(lines[row + 1], flag).toContain(flag);
}

/** How a command ends whose reader is gone, and what it says where anybody still listens. */
async function endsWithout(reader: 'stdout' | 'stderr', args: readonly string[]) {
  const folder = await temporaryFolder();
  const child = spawn(process.execPath, [cli, ...args], {
    env: { PATH: process.env.PATH ?? '', ARTWORK_HOME: folder.path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child[reader].destroy();
  let said = '';
  const other = reader === 'stdout' ? child.stderr : child.stdout;
  other.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  await folder.remove();
  return { code, said };
}

describe('a pipe whose reader is gone', () => {
  it.each([['help'], ['help settings'], ['mutations']])(
    'ends %s without a word where it is that of the answer',
    async (words) => {
      expect(await endsWithout('stdout', words.split(' '))).toEqual({ code: 1, said: '' });
    },
  );

  it('takes nothing from the answer and the exit code where it is that of what is told beside it', async () => {
    expect(await endsWithout('stderr', ['fly'])).toEqual({ code: 2, said: '' });
    const told = await endsWithout('stderr', [
      'index',
      '--base-url',
      'http://127.0.0.1:9',
      '--index',
      'passive',
    ]);
    expect(told).toMatchObject({ code: 1, said: expect.stringContaining('Titles ') });
  });

  if (existsSync('/dev/full'))
    it('is told apart from a disk that is full', async () => {
      const full = openSync('/dev/full', 'w');
      const child = spawn(process.execPath, [cli, 'help'], { stdio: ['ignore', full, 'pipe'] });
      let stderr = '';
      child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
        stderr += chunk;
      });
      const [code] = await once(child, 'close');
      closeSync(full);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: "artwork-mcp: the answer can't be written to stdout (ENOSPC).\n",
      });
    });
});

describe('the command line', () => {
  it('prints its version and its help', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    const help = await runCli(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const word of ['serve', 'sandbox', 'demo', '--base-url']) expect(help.stdout).toContain(word);
    expect((await runCli(['sandbox', '--help'])).stdout).toContain(
      'artwork-mcp sandbox [--port N] [--data DIR]',
    );
  });

  it.each([
    [['fly']],
    [['status', 'extra']],
    [['serve', import.meta.filename]],
    [['connect', '--scopes', 'openid bogus']],
    [['mutations', 'abandon', 'no-uuid']],
    [['--no-such-flag']],
    [['demo', '--port', '1']],
    [['sandbox', '--port', 'eighty']],
    [['serve', '--toolsets', 'unknown']],
    [['serve', '--read-only', 'perhaps']],
    [['mutations', 'abandon']],
  ])('answers the wrong usage %j with one line and 2', async (args) => {
    const home = await temporaryFolder();
    const { code, stdout, stderr } = await runCli(args, { ARTWORK_HOME: home.path });
    await home.remove();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^artwork-mcp: [^\n]+\n$/);
  });

  it.each([
    [['status', '--jsn'], "Unknown option '--jsn' (did you mean --json?). status has --json"],
    [['status', '-v'], "Unknown option '-v' (did you mean --version?)."],
    [['-v'], `They are explained here: ${typed} help serve\n`],
    [['connect', '--nobrowser'], '(did you mean --no-browser?). connect has --no-browser, --replace'],
    [['status', '--base-ur', 'x'], '(did you mean --base-url?)'],
    [['doctor', '--xyz'], "Unknown option '--xyz'. doctor has --json"],
    [['status', '--user'], `and the settings. They are explained here: ${typed} help status\n`],
    [['mutatons'], "there is no command 'mutatons' (did you mean mutations?)."],
    [['mutations', 'abandon'], `Those that can be given up: ${typed} mutations --open\n`],
    [['help', 'conect'], "there is no command 'conect' (did you mean connect?)."],
    [
      ['status', '--log-level', 'debag'],
      'artwork-mcp: --log-level must be one of error, warn, info, debug. Did you mean debug?',
    ],
    [['status', '--toolsets', 'catalog,me'], 'separated by commas. Did you mean catalogue?'],
    [['serve', '--read-only', 'maybe'], 'artwork-mcp: --read-only must be 1, true, 0 or false.'],
    [['status', '--home', 'data'], 'artwork-mcp: --home must be the absolute path of a folder'],
    [
      ['connect', '--scopes', 'bogus'],
      'no scope: bogus. There are: openid profile offline_access assets:write',
    ],
    [['connect', '--scopes', 'openid asset:write set:write'], 'Did you mean assets:write sets:write?'],
  ])('says of the wrong usage %j what there is', async (args, words) => {
    const { code, stderr } = await runCli(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
    expect(stderr).toMatch(/^artwork-mcp: [^\n]+\n$/);
  });

  it.each([
    [['--user', 'mia', 'connect'], 'connect [--flags]'],
    [['--read-only', '--user', 'mia', 'status'], 'status [--flags]'],
    [['--read-only', 'status'], 'status [--flags]'],
    [['--', 'doctor'], 'doctor [--flags]'],
    [['--user', 'mia', 'help'], 'help [--flags]'],
    [['--user', 'mia', 'serve', tmpdir()], 'serve [--flags]'],
    [['--user', 'mia', tmpdir()], 'serve [DIR…] [--flags]'],
    [['--user', 'mia', ''], 'serve [DIR…] [--flags]'],
  ])(
    'takes no word behind the flags of %j for a folder, and says how it is written',
    async (args, written) => {
      const home = await temporaryFolder();
      const { code, stdout, stderr } = await runCli(args, { ARTWORK_HOME: home.path });
      await home.remove();
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^artwork-mcp: [^\n]+\n$/);
      expect(stderr).toContain(`: ${typed} ${written}.`);
    },
  );

  it('repeats nothing to a terminal that steers it', async () => {
    const home = await temporaryFolder();
    const elsewhere = { ARTWORK_BASE_URL: 'http://127.0.0.1:9', ARTWORK_CLIENT_ID: 'app' };
    for (const args of [['mutations', 'abandon', '\u001b]0;x\u0007\u202e'], ['\u001b[31mfly']]) {
      const { code, stderr } = await runCli(args, { ...elsewhere, ARTWORK_HOME: home.path });
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/^artwork-mcp: [^\n\p{Cc}\p{Bidi_Control}]+\n$/u);
    }
    await home.remove();
  });

  it.each(commands)(
    'explains every option of %s and the settings that matter for it, each with an example, and what the exit code says',
    async (name) => {
      const { code, stdout, stderr } = await runCli(['help', name]);
      if (name === 'connect') expect(stdout).toBe((await runCli([name, '--help'])).stdout);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const [usage = '', ...lines] = stdout.split('\n');
      const own = [...usage.matchAll(/--[a-z-]+/g)].map(([flag]) => flag);
      for (const flag of [...own, ...(settingsOf[name] ?? [])]) expectExplained(flag, lines);
      const hidden = ['--upload-roots', '--user'].filter((flag) => !settingsOf[name]?.includes(flag));
      for (const flag of hidden) expect(rowOf(flag, lines), flag).toBe(-1);
      const examples = lines.slice(lines.findIndex((line) => /^Examples?:$/.test(line)) + 1);
      expect(examples.filter((line) => line.includes('artwork-mcp ')).length).toBeGreaterThan(0);
      expect(lines.filter((line) => /^ {2}[012] {2}\w/.test(line))).toHaveLength(3);
    },
  );

  it('explains every setting, with its variable and an example', async () => {
    const { code, stdout } = await runCli(['help', 'settings']);
    const lines = stdout.split('\n');
    const [, list = ''] = (await runCli(['--help'])).stdout.split('Settings:');
    const flags = [...(list.split('\n')[0] ?? '').matchAll(/--[a-z-]+/g)].map(([flag]) => flag);
    expect({ code, count: flags.length }).toEqual({ code: 0, count: 14 });
    for (const flag of flags) {
      expectExplained(flag, lines);
      const variable = `ARTWORK_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`;
      expect(lines[rowOf(flag, lines)]).toContain(`(${variable})`);
    }
    for (const secret of ['ARTWORK_CLIENT_SECRET', 'ARTWORK_CLIENT_SECRET_FILE']) {
      expect(lines[rowOf(secret, lines)], secret).toMatch(/^ {2}\S+ {2,}\w.{10,}/);
      expect(lines[rowOf(secret, lines) + 1], secret).toContain(`e.g. ${secret}=`);
    }
  });

  it('tells what the demo does before it is run', async () => {
    const { stdout } = await runCli(['demo', '--help']);
    for (const what of ['a sign-in', `62 ${slotsWords('titlecard')}`, 'Nothing leaves this machine'])
      expect(stdout).toContain(what);
  });

  it('names itself as it was started, so that what it advises can be typed', async () => {
    const folder = await temporaryFolder();
    const env = { PATH: process.env.PATH ?? '', ARTWORK_HOME: path.join(folder.path, 'home') };
    const run = (line: string) => execFileSync('/bin/sh', ['-c', line], { env, encoding: 'utf8' });
    const links = ['bin/artwork-mcp', 'node_modules/.bin/artwork-mcp'].map((to) =>
      path.join(folder.path, to),
    );
    for (const link of links) {
      await mkdir(path.dirname(link), { recursive: true });
      await symlink(cli, link);
    }
    const [byName = '', inProject = ''] = links;
    for (const [started, advised] of [
      [typed, typed],
      [byName, 'artwork-mcp'],
      [inProject, typed],
    ]) {
      const [, advice = ''] = run(`${started} status`).split('To sign in: ');
      expect(advice.trim()).toBe(`${advised} connect`);
      expect(run(`${started} help`).includes(`Here artwork-mcp stands for ${typed}`)).toBe(advised === typed);
    }
    expect(run(`${typed} connect --help`)).toContain('signs in on the service');
    await folder.remove();
  });

  it('takes a switch without a value before whatever comes behind it', async () => {
    const home = await temporaryFolder();
    const env = { ARTWORK_HOME: home.path, ARTWORK_BASE_URL: 'http://127.0.0.1:9', ARTWORK_CLIENT_ID: 'app' };
    for (const args of [
      ['status', '--read-only'],
      ['status', '--read-only', '1'],
      ['status', '--read-only', '--json'],
    ]) {
      expect(await runCli(args, env)).toMatchObject({ code: 0, stderr: '' });
    }
    await home.remove();
  });

  it('has no flag for a secret', async () => {
    const { code, stderr } = await runCli(['serve', '--client-secret', 'canary']);
    expect(code).toBe(2);
    expect(stderr).not.toContain('canary');
  });
});
