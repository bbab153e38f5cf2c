import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Words before the cursor, and what is offered there. */
const everywhere: readonly (readonly [typed: readonly string[], offered: readonly string[]])[] = [
  [['artwork-mcp', 'conn'], ['connect']],
  [['artwork-mcp', 'com'], ['completion']],
  [['artwork-mcp', 'connect', '--no'], ['--no-browser']],
  [['artwork-mcp', 'index', '--st'], ['--status']],
  [['artwork-mcp', '--read'], ['--read-only']],
  [['artwork-mcp', 'connect', '--user', 'mia', '--rep'], ['--replace']],
  [['artwork-mcp', 'serve', '--index', 'pa'], ['passive']],
  [['artwork-mcp', 'serve', '--log-level', 'de'], ['debug']],
  [['artwork-mcp', 'connect', '--scopes', 'assets:r'], ['assets:replace']],
  [['artwork-mcp', 'mutations', 'a'], ['abandon']],
  [['artwork-mcp', 'completion', 'f'], ['fish']],
  [['artwork-mcp', 'help', 'doc'], ['doctor']],
  [['artwork-mcp', 'help', 'set'], ['settings']],
  [['artwork-mcp', 'sandbox', '--data', 'pos'], ['posters']],
  [['artwork-mcp', 'serve', 'pos'], ['posters']],
  [['artwork-mcp', 'status', '--no'], []],
  [['artwork-mcp', 'status', 'conn'], []],
];

/** Names of folders that a shell would run or take apart, each with what is typed of it. */
const hostile: readonly (readonly [typed: string, name: string])[] = [
  ['run', 'run$(touch ran)'],
  ['tick', 'tick`touch ran`'],
  ['semi', 'semi;touch ran;'],
  ['apos', "apos'trophe"],
  ['quote', 'quote"d'],
  ['two', 'two words'],
  ['glob', 'glob*'],
  ['dollar', 'dollar$HOME'],
  ['and', 'and&touch ran&'],
];

/** Whether it can be started; where it can't, the reason is told. */
function isHere(shell: string): boolean {
  const here = spawnSync(shell, ['-c', 'exit 0']).status === 0;
  if (!here) process.stderr.write(`No ${shell} on this machine: its completion is not tried.\n`);
  return here;
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const fileOf = (shell: string) => path.join(folder.path, shell);

beforeAll(async () => {
  folder = await temporaryFolder();
  await mkdir(path.join(folder.path, 'here', 'posters'), { recursive: true });
  await writeFile(path.join(folder.path, 'here', 'positions.txt'), '');
  for (const name of [...hostile.map(([, name]) => name), 'star*', 'starfish'])
    await mkdir(path.join(folder.path, 'here', name));
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const { code, stdout, stderr } = await runCli(['completion', shell]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await writeFile(fileOf(shell), stdout);
  }
});
afterAll(() => folder.remove());

/** Runs a script in a shell that reads nothing of this machine's user. */
function run(shell: string, args: readonly string[]): string {
  return execFileSync(shell, [...args], {
    cwd: path.join(folder.path, 'here'),
    env: { PATH: process.env.PATH ?? '', HOME: folder.path, TERM: 'dumb', LANG: 'C.UTF-8' },
    encoding: 'utf8',
  });
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.split('\t')[0]?.trim().replace(/\/$/, '') ?? '')
    .filter((line) => line !== '');

describe.skipIf(!isHere('bash'))('completion in bash', () => {
  /** As bash calls it for its line, which it breaks at `=` too. */
  const complete = (typed: readonly string[]) =>
    linesOf(
      run('bash', [
        '--norc',
        '--noprofile',
        '-c',
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _artwork_mcp; compgen -W "$'.concat(
          '{COMPREPLY[*]}"; true',
        ),
        'bash',
        fileOf('bash'),
        ...typed,
      ]),
    );

  it.each(everywhere)('of %j offers %j', (typed, offered) => {
    const colon = offered.map((word) => word.replace(/^.*:/, ''));
    expect(complete(typed.flatMap((word) => word.split(/(:)/)))).toEqual(colon);
  });

  it('knows a value behind an equals sign', () => {
    expect(complete(['artwork-mcp', 'serve', '--index', '='])).toEqual(['on', 'passive', 'off']);
    expect(complete(['artwork-mcp', 'serve', '--index', '=', 'o'])).toEqual(['on', 'off']);
  });

  it('completes on the key that a person presses', async () => {
    const typed = [
      ['artwork-mcp', 'disc'],
      ['artwork-mcp', 'serve', '--log-level=w'],
      ['artwork-mcp', 'serve', 'pos'],
      ['artwork-mcp', 'connect', '--scopes', 'assets:r'],
    ];
    expect(await atTheKeys('bash --norc --noprofile -i', 'bash', typed)).toEqual([
      ['disconnect'],
      ['serve', '--log-level=warn'],
      ['serve', 'posters/'],
      ['connect', '--scopes', 'assets:replace'],
    ]);
  });

  it.each([
    ['as it is', ''],
    ['before 4.0', 'enable -n compopt\n'],
  ])('inserts a folder of any name as one word, %s', async (_, before) => {
    expect(await foldersAtTheKeys('bash --norc --noprofile -i', 'bash', before)).toEqual(named);
  });

  it('offers a folder of any name as it is', () => {
    const source =
      'compopt() { :; }; source "$1"; COMP_WORDS=(artwork-mcp serve star); COMP_CWORD=2; _artwork_mcp';
    const told = `${source}; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(
      linesOf(run('bash', ['--norc', '--noprofile', '-c', told, 'bash', fileOf('bash')])).sort(),
    ).toEqual(['star*', 'starfish']);
  });
});

describe.skipIf(!isHere('fish'))('completion in fish', () => {
  const complete = (typed: readonly string[]) =>
    linesOf(
      run('fish', [
        '--no-config',
        '-c',
        'source $argv[1]; complete -C $argv[2]',
        fileOf('fish'),
        typed.join(' '),
      ]),
    );

  it.each(everywhere)('of %j offers %j', (typed, offered) => {
    expect(complete(typed)).toEqual(offered);
  });
});

describe.skipIf(!isHere('zsh'))('completion in zsh', () => {
  it('offers on the key that a person presses what the other shells offer', async () => {
    const said = await atTheKeys(
      'zsh -f -i',
      'zsh',
      everywhere.map(([typed]) => typed),
    );
    const expected = everywhere.map(([typed, [offered = typed.at(-1)]]) => [...typed.slice(1, -1), offered]);
    expect(said.map((words) => words.map((word) => word.replace(/\/$/, '')))).toEqual(expected);
  });

  it('inserts a folder of any name as one word', async () => {
    expect(await foldersAtTheKeys('zsh -f -i', 'zsh')).toEqual(named);
  });
});

const named = hostile.map(([, name]) => ['serve', name]);

/** What a program gets where the beginning of a folder's name is typed and completed, and nothing of it is run. */
async function foldersAtTheKeys(shell: string, script: string, before = ''): Promise<string[][]> {
  const typed = hostile.map(([beginning]) => ['artwork-mcp', 'serve', beginning]);
  const said = await atTheKeys(shell, script, typed, before);
  expect(await readdir(path.join(folder.path, 'here'))).not.toContain('ran');
  return said.map((words) => words.map((word) => word.replace(/\/$/, '')));
}

/** Types lines into a shell at a terminal, a tab behind each, and answers the words that the program then gets. */
async function atTheKeys(
  shell: string,
  script: string,
  lines: readonly (readonly string[])[],
  before = '',
): Promise<string[][]> {
  const setup = path.join(folder.path, `${script}-setup`);
  const loaded = script === 'zsh' ? 'autoload -Uz compinit; compinit -u -D\n' : '';
  const program = `artwork-mcp() { printf 'GOT %s|' "$@"; printf 'END\\n'; }`;
  await writeFile(setup, `${before}${loaded}source ${fileOf(script)}\n${program}\nPS1='ready> '\n`);
  const child = spawn('script', ['-qec', shell, '/dev/null'], {
    cwd: path.join(folder.path, 'here'),
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder.path,
      TERM: 'linux',
      LANG: 'C.UTF-8',
      INPUTRC: '/dev/null',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let seen = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    seen += chunk;
  });
  const closed = once(child, 'close');
  child.stdin.write(`source ${setup}\n`);
  await expect.poll(() => seen).toMatch(/ready> /);
  const said: string[][] = [];
  for (const line of lines) {
    seen = '';
    child.stdin.write(`${line.join(' ')}\t\n`);
    await expect.poll(() => seen).toMatch(/END\r?\n[\s\S]*ready> /);
    const [, words = ''] = /((?:GOT [^|]*\|)+)END\r?\n/.exec(seen) ?? [];
    said.push([...words.matchAll(/GOT ([^|]*)\|/g)].map(([, word = '']) => word));
  }
  child.stdin.write('exit\n');
  await closed;
  return said;
}
