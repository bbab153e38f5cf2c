import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cli } from '../support/client.ts';
import { atTerminal, terminalIsHere } from '../support/pseudo-terminal.ts';
import { isRunning } from '../support/is-running.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** The address of the demo's own catalogue, and the servers that it named. */
function traces(stdout: string) {
  const port = Number(/127\.0\.0\.1:(\d+)\/metadata/.exec(stdout)?.[1]);
  const pids = [...stdout.matchAll(/process (\d+)/g)].map(([, pid]) => Number(pid));
  return { port, pids };
}

/** The catalogue's port is free again: nobody was left behind to hold it. */
async function requireNobody(stdout: string): Promise<void> {
  const { port, pids } = traces(stdout);
  await expect(fetch(`http://127.0.0.1:${port}/shows/1`)).rejects.toThrow('fetch failed');
  expect(pids.filter(isRunning)).toEqual([]);
}

it('does the main job frame by frame, keeps the contact sheets, leaves nothing else', async () => {
  const { code, stdout, stderr } = await runCli(['demo', '--verbose'], {
    TMPDIR: folder.path,
    ARTWORK_HOME: '/nowhere',
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const tool of ['list_episodes', 'get_entity', 'get_set', 'read_feed', 'view_artwork']) {
    expect(stdout).toContain(`> ${tool} {`);
  }

  // As models write it, whom the schema tells of the word.
  expect(stdout).toContain('"expectedUpdatedAt":"none"');
  expect(stdout).not.toContain('"expectedUpdatedAt":null');

  // One Set is interrupted, resumed and edited, another mended: each call as the one before it named it.
  const steps = [
    '> plan_set {',
    '"dryRun":true',
    '"outcome":"dry_run"',
    '> create_media_set {',
    'is killed: SIGKILL.)',
    '(The call has no answer: its server is gone.)',
    '(A new server is started',
    '> get_mutation_status {',
    '"outcome":"processing"',
    '> resume_mutation {',
    '"outcome":"succeeded"',
    "(The catalogue's own record: 62 files received, 1 Set made.)",
    '> edit_set {',
    '"outcome":"succeeded"',
    '> create_media_set {',
    '"outcome":"partial"',
    '> new_mutation_ids {',
    '> edit_set {',
    '"outcome":"succeeded"',
  ];
  let rest = stdout;
  for (const step of steps) {
    expect(rest).toContain(step);
    rest = rest.slice(rest.indexOf(step) + step.length);
  }
  const { pids } = traces(stdout);
  expect(new Set(pids).size).toBe(2);

  const sheets = [...stdout.matchAll(/^Contact sheet: (.+\.png)$/gm)].map(([, sheet]) => sheet ?? '');
  expect(sheets).toHaveLength(2);
  for (const sheet of sheets) expect(await sharp(sheet).metadata()).toMatchObject({ format: 'png' });
  const home = /^Data folder: (.+)$/m.exec(stdout)?.[1] ?? '';
  await expect(stat(home)).rejects.toMatchObject({ code: 'ENOENT' });
  expect((await readdir(path.dirname(home))).sort()).toEqual(
    sheets.map((sheet) => path.basename(sheet)).sort(),
  );
  await requireNobody(stdout);
});

/** The story, in its order. */
const story = [
  '1. Look around',
  'You: “What artwork is there for',
  'pictures, on one sheet:',
  '2. Your account',
  'You: “Connect my account.”',
  'Here the demo did so as',
  '3. Changes, each guarded',
  'stale_revision',
  'it had arrived',
  '4. A folder becomes a Set, and survives a crash',
  'You: “Here is a folder of 62 title cards, make the Set.”',
  'of 62 files 62 belong to an episode',
  'the server is killed in the middle of its work.',
  '62 files received, 1 Set made.',
  '5. What goes wrong is told, and mended',
  '3 of 4 are in the new Set.',
  '6. What to do next',
];

function requireStory(text: string): void {
  let rest = text;
  for (const part of story) {
    expect(rest).toContain(part);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
  // A person reads no frames: no JSON, and no tool's name but that in the words of the refusal.
  expect(text).not.toMatch(/\{"|^> \w/m);
}

it('tells a story to a person, with two pictures and what to do next, and nothing of a terminal in a pipe', async () => {
  const { code, stdout, stderr } = await runCli(['demo'], { TMPDIR: folder.path });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  requireStory(stdout);
  for (const drawn of ['\u001b', '█', '░', '\r']) expect(stdout).not.toContain(drawn);
  const [before = '', after = ''] = stdout.split('6. What to do next');
  const pictures = [...after.matchAll(/^ {2}(\/.+\.png)$/gm)].map(([, picture]) => picture ?? '');
  expect(pictures).toHaveLength(2);
  for (const picture of pictures) {
    expect(before).toContain(`  ${picture}\n`);
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'png' });
  }
  expect(after).toContain(`claude mcp add artwork -- ${process.execPath} ${cli} serve `);
});

it.skipIf(!terminalIsHere)('tells it on a terminal in colours, with a bar where it works', async () => {
  const text = await atTerminal(['demo'], { TMPDIR: folder.path });
  expect(text).toContain('\u001b[1m1. Look around\u001b[22m');
  expect(text).toContain('\u001b[36mYou: “Connect my account.”');
  expect(text).toMatch(/[█░]{20} \d+ of 62 items/);
  requireStory(stripVTControlCharacters(text));
});

it.each([
  { how: 'interrupts it', signal: 'SIGINT' },
  { how: 'has seen enough', signal: 'SIGHUP' },
] as const)('tidies up when a person $how in the middle', async ({ signal }) => {
  // A group of its own, which is what a terminal sends the signal to.
  const child = spawn(process.execPath, [cli, 'demo', '--verbose'], {
    env: { PATH: process.env.PATH ?? '', TMPDIR: folder.path },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const before = stdout;
    stdout += chunk;
    const begun = '# The same for real';
    if (!stdout.includes(begun) || before.includes(begun)) return;
    if (signal === 'SIGINT') process.kill(-(child.pid ?? 0), signal);
    else child.stdout.destroy();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `artwork-mcp: The demo was interrupted (${signal}).\n`,
  });
  expect(await readdir(folder.path)).toEqual([]);
  expect(traces(stdout).pids).toHaveLength(1);
  await requireNobody(stdout);
});

it('runs beside another one, whatever holds the callback port of the catalogue’s own app', async () => {
  const taken = createServer().listen(43917, '127.0.0.1');
  // Another program that holds the port serves as well.
  await Promise.race([once(taken, 'listening'), once(taken, 'error').catch(() => {})]);
  try {
    const both = await Promise.all([1, 2].map(() => runCli(['demo'], { TMPDIR: folder.path })));
    for (const { code, stdout, stderr } of both) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      requireStory(stdout);
    }
  } finally {
    taken.close();
  }
});

it('says why a call failed, in the words of the answer', async () => {
  const preload = pathToFileURL(path.join(import.meta.dirname, '../support/break-uuids.mjs')).href;
  // In the server alone: the demo and its catalogue draw ids too.
  const inServer = encodeURIComponent(`if(process.argv.includes('serve'))await import('${preload}')`);
  const broken = { TMPDIR: folder.path, NODE_OPTIONS: `--import=data:text/javascript,${inServer}` };
  const { code, stderr } = await runCli(['demo'], broken);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^artwork-mcp: connect_account failed: connect_account failed inside this server .+ What it answers: \S+ \S+cli\.js demo --verbose$/m,
  );
});

it('names the folder for temporary files where that is none', async () => {
  const { code, stderr } = await runCli(['demo'], { TMPDIR: path.join(folder.path, 'none') });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^artwork-mcp: The demo needs a folder for temporary files, and \S+none can't be written \(ENOENT\): [^\n]+ TMPDIR\.\n$/,
  );
});
