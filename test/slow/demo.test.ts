import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { slotsWords } from '../../src/model/slots.ts';
import { cli } from '../support/client.ts';
import { atTerminal, terminalIsHere } from '../support/pseudo-terminal.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** Processes whose command line names the folder: nothing of the demo is left running. */
function leftRunning(): string[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch {
        return []; // It has ended meanwhile.
      }
    })
    .filter((line) => line.includes(folder.path));
}

it('does the main job call by call, keeps the contact sheets, leaves nothing else', async () => {
  const { code, stdout, stderr } = await runCli(['demo', '--verbose'], {
    TMPDIR: folder.path,
    ARTWORK_HOME: '/nowhere',
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  // One Set is interrupted and resumed, another mended: each call as the one before it named it.
  const steps = [
    '→ find_titles {',
    '→ get_entity {',
    '→ view_artwork {',
    '→ connect_account {',
    '→ plan_set {',
    '"dryRun":true',
    '"outcome":"dry_run"',
    '→ create_media_set {',
    'when the server is killed (SIGKILL)',
    '→ get_mutation_status {',
    '"outcome":"processing"',
    '→ resume_mutation {',
    '"outcome":"succeeded"',
    `The service shows one Set with 62 ${slotsWords('titlecard')}`,
    '→ create_media_set {',
    '"outcome":"partial"',
    '→ new_mutation_ids {',
    '→ edit_set {',
    '"outcome":"succeeded"',
  ];
  let rest = stdout;
  for (const step of steps) {
    expect(rest).toContain(step);
    rest = rest.slice(rest.indexOf(step) + step.length);
  }
  const sheets = [...stdout.matchAll(/^ {2}(\/.+\.png)$/gm)].map(([, sheet]) => sheet ?? '');
  expect(sheets).toHaveLength(2);
  for (const sheet of sheets) expect(await sharp(sheet).metadata()).toMatchObject({ format: 'png' });
  const kept = path.dirname(sheets[0] ?? '');
  expect((await readdir(kept)).sort()).toEqual(sheets.map((sheet) => path.basename(sheet)).sort());
  expect(leftRunning()).toEqual([]);
});

/** The story, in its order. */
const story = [
  '1. Look around',
  'You: “What artwork is there for',
  'Sets were made for it:',
  '2. Your account',
  'You: “Connect my account.”',
  'Here the demo did so as',
  '3. A folder becomes a Set, and survives a crash',
  `You: “Here is a folder of 62 ${slotsWords('titlecard')}, make the Set.”`,
  'of 62 files 62 belong to an episode',
  'in the middle of its work.',
  `one Set with 62 ${slotsWords('titlecard')}: nothing twice, nothing lost.`,
  '4. What goes wrong is told, and mended',
  '3 of 4 are in the new Set.',
  '5. What to do next',
];

function requireStory(text: string): void {
  let rest = text;
  for (const part of story) {
    expect(rest).toContain(part);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
}

it('tells a story to a person, with two pictures and what to do next, and nothing of a terminal in a pipe', async () => {
  const { code, stdout, stderr } = await runCli(['demo'], { TMPDIR: folder.path });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  requireStory(stdout);
  for (const drawn of ['\u001b', '█', '░', '\r']) expect(stdout).not.toContain(drawn);
  expect(stdout).toContain(`claude mcp add artwork -- ${process.execPath} ${cli} serve `);
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
    const begun = 'Yes, send it.';
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
  expect(leftRunning()).toEqual([]);
});

it('ends where the story goes otherwise, and names the command that shows every answer', async () => {
  const preload = pathToFileURL(path.join(import.meta.dirname, '../support/break-uuids.mjs')).href;
  // In the server alone: the demo and its catalogue draw ids too.
  const inServer = encodeURIComponent(`if(process.argv.includes('serve'))await import('${preload}')`);
  const broken = { TMPDIR: folder.path, NODE_OPTIONS: `--import=data:text/javascript,${inServer}` };
  const { code, stderr } = await runCli(['demo'], broken);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^artwork-mcp: .+ Every answer: \S+ \S+cli\.js demo --verbose$/m);
});

it('names the folder for temporary files where that is none', async () => {
  const { code, stderr } = await runCli(['demo'], { TMPDIR: path.join(folder.path, 'none') });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^artwork-mcp: The demo needs a folder for temporary files, and \S+none can't be written \(ENOENT\): [^\n]+ TMPDIR\.\n$/,
  );
});
