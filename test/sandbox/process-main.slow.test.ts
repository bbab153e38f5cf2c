import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, bundle } from '../support/bundle.ts';
import { startSandbox } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary.ts';

let built: Bundle;
beforeAll(async () => {
  built = await bundle({ sandbox: 'src/sandbox/main.ts' });
});
afterAll(() => built.remove());

/** Runs the program to its end; for what ends by itself. */
function run(...flags: string[]) {
  return spawnSync(process.execPath, [built.program('sandbox'), ...flags], { encoding: 'utf8' });
}

describe('the catalogue in a process of its own', () => {
  it('answers below its base path, and ends with 0 on SIGTERM', async () => {
    const sandbox = await startSandbox({ program: built.program('sandbox'), basePath: '/catalogue/v1' });
    expect(new URL(sandbox.baseUrl).pathname).toBe('/catalogue/v1');
    const answer = await fetch(`${sandbox.baseUrl}/shows/999999999`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ data: null, error: { code: 'not_found' } });
    expect(await sandbox.stop()).toBe(0);
    expect(sandbox.printed()).toContain('it received SIGTERM');
  });

  it.each([
    [],
    ['--data'],
    ['--data', 'x', '--port', '80'],
    ['--data', 'x', '--port', '99999'],
    ['--data', 'x', '--idle', 'long'],
    ['--what'],
  ])('refuses %j with one line and 2', (...flags) => {
    const { status, stdout, stderr } = run(...flags);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*Usage: sandbox --data DIR[^\n]*\n$/);
  });

  it('joins the one that runs on its folder, and keeps to its port', async () => {
    const sandbox = await startSandbox({ program: built.program('sandbox') });
    const { dataDir, port, baseUrl, pid } = sandbox;
    const second = run('--data', dataDir, '--port', String(port));
    expect(second.status).toBe(0);
    expect(second.stderr).toContain(`runs already, at ${baseUrl} (process ${pid}).`);
    const elsewhere = run('--data', dataDir, '--port', String(port === 20_000 ? 20_001 : 20_000));
    expect(elsewhere.status).toBe(1);
    expect(elsewhere.stderr).toMatch(
      /^[^\n]+This data folder's port is \d+, not \d+\. To move it, [^\n]+\n$/,
    );
    expect(await sandbox.stop()).toBe(0);
  });

  it('says in one line that its folder cannot be written', async () => {
    const folder = await temporaryFolder();
    // Permissions would not do: the superuser may write everywhere.
    const dataDir = path.join(folder.path, 'file', 'data');
    await writeFile(path.join(folder.path, 'file'), 'in the way');
    const { status, stderr } = run('--data', dataDir);
    await folder.remove();
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^[^\n]+ can't be written \(ENOTDIR\)\. Make it [^\n]+\n$/),
    });
    expect(stderr).toContain(`The data folder ${dataDir} `);
  });
});
