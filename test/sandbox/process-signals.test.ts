import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, bundle } from '../support/bundle.ts';
import { startSandbox } from '../support/sandbox.ts';

let built: Bundle;
beforeAll(async () => {
  built = await bundle({ sandbox: 'src/sandbox/main.ts' });
});
afterAll(() => built.remove());

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

  it.each([[], ['--data'], ['--data', 'x', '--port', '80'], ['--data', 'x', '--idle', 'long'], ['--what']])(
    'refuses %j with one line and 2',
    (...flags) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [built.program('sandbox'), ...flags], {
        encoding: 'utf8',
      });
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^[^\n]*Usage: sandbox --data DIR[^\n]*\n$/);
    },
  );
});
