import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataFolder, ensureSandbox, stopSandbox } from '../../src/sandbox/launch.ts';
import { fillFolder } from '../support/filled.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { browserIsHere, openBrowser } from './account-browser.ts';

if (!browserIsHere) process.stderr.write('No /usr/bin/chromium: nobody chooses an account in a browser.\n');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await temporaryFolder();
  home = path.join(folder.path, 'home');
  await mkdir(home, { mode: 0o700 });
  await fillFolder(dataFolder(home));
  await ensureSandbox({ home });
  env = { ARTWORK_HOME: home };
});
afterAll(async () => {
  await stopSandbox({ home });
  await folder.remove();
});

describe('connect to the embedded catalogue', () => {
  it.skipIf(!browserIsHere)('lets the person choose an account in their browser with one click', async () => {
    // The desktop's own opener, which tells what it was started with.
    const bin = path.join(folder.path, 'bin');
    const opened = path.join(folder.path, 'opened');
    await mkdir(bin);
    await writeFile(
      path.join(bin, 'xdg-open'),
      `#!/bin/sh\nprintf '%s\\n' "$@" > ${opened}.new\nmv ${opened}.new ${opened}\n`,
    );
    await chmod(path.join(bin, 'xdg-open'), 0o755);
    const connecting = runCli(['connect'], { ...env, PATH: `${bin}:${process.env.PATH}` });
    await expect.poll(() => readFile(opened, 'utf8').catch(() => null)).not.toBeNull();
    const given = (await readFile(opened, 'utf8')).trim();

    const browser = await openBrowser();
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    await page.goto(given);
    await page.getByRole('link', { name: 'saltprint' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText(/^Connected/).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await browser.close();
    const { stderr, ...ended } = await connecting;
    expect(ended).toEqual({ code: 0, stdout: `${given}\n` });
    expect(stderr).toContain('Connected as saltprint.');
    expect((await runCli(['status'], env)).stdout).toMatch(/^Account +saltprint$/m);
  });
});
