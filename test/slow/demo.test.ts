import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cli } from '../support/client.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { atTerminal, terminalIsHere } from './pseudo-terminal.ts';

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
  // One Set is interrupted and resumed: each call as the one before it named it.
  const steps = [
    '→ find_titles {',
    '→ get_entity {',
    '→ view_artwork {',
    '→ connect_account {',
    '→ plan_set {',
    '"dryRun":true',
    '"outcome":"dry_run"',
    '→ create_media_set {',
    'SIGKILL',
    '→ get_mutation_status {',
    '"outcome":"interrupted"',
    '→ resume_mutation {',
    '"outcome":"succeeded"',
    '"counts":{"succeeded":62}',
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

it.skipIf(!terminalIsHere)('tells it on a terminal in colours, with a bar where it works', async () => {
  const text = await atTerminal(['demo'], { TMPDIR: folder.path });
  expect(text).toContain('\u001b[1m1. ');
  expect(text).toContain('\u001b[36m');
  expect(text).toMatch(/[█░]{20} \d+ of 62 files/);
});

it('tidies up when a person interrupts it in the middle', async () => {
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
    const begun = '"outcome":"dry_run"';
    if (!stdout.includes(begun) || before.includes(begun)) return;
    process.kill(-(child.pid ?? 0), 'SIGINT');
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  expect(code, stderr).toBe(1);
  expect(await readdir(folder.path)).toEqual([]);
  expect(leftRunning()).toEqual([]);
});
