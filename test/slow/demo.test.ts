import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cli } from '../support/client.ts';
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

it('does the main job call by call, and leaves nothing', async () => {
  const env = { TMPDIR: folder.path, ARTWORK_HOME: '/nowhere' };
  const { code, stdout, stderr } = await runCli(['demo'], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  // One Set is interrupted and resumed: each call as the one before it named it.
  const calls = [...stdout.matchAll(/^ {2}→ (\w+) \{/gm)].map(([, tool]) => tool);
  expect([...new Set(calls)]).toEqual([
    ...['connect_account', 'account_status', 'find_titles', 'get_entity', 'plan_set', 'create_media_set'],
    ...['get_mutation_status', 'resume_mutation'],
  ]);
  // The dry run, and the call that is killed.
  expect(calls.filter((tool) => tool === 'create_media_set')).toHaveLength(2);
  expect(stdout).toContain('SIGKILL');
  expect(await readdir(folder.path)).toEqual([]);
  expect(leftRunning()).toEqual([]);
});

it('tidies up when a person interrupts it in the middle', async () => {
  // A group of its own, which is what a terminal sends the signal to.
  const child = spawn(process.execPath, [cli, 'demo'], {
    env: { PATH: process.env.PATH ?? '', TMPDIR: folder.path },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const before = stdout;
    stdout += chunk;
    const begun = '→ create_media_set';
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
