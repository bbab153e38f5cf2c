import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { mkdir, open, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cli } from '../support/client.ts';
import { fillFolder } from '../support/filled.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

describe('artwork-mcp sandbox', () => {
  it.each(['0', '1', '80', '1023', '65536', '99999', '-1', '1e4', ''])(
    'refuses --port %j before it touches the data folder',
    async (port) => {
      const data = path.join(folder.path, 'data');
      expect(await runCli(['sandbox', `--port=${port}`, '--data', data])).toEqual({
        code: 2,
        stdout: '',
        stderr: 'artwork-mcp: --port must be a number from 1024 to 65535.\n',
      });
      await expect(stat(data)).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );

  it('says at once that its folder can be made nowhere', async () => {
    const dangling = path.join(folder.path, 'dangling');
    await symlink(path.join(folder.path, 'nowhere'), dangling);
    // Node's own recursive mkdir never comes back from the first.
    for (const above of [...(process.platform === 'linux' ? ['/proc'] : []), dangling]) {
      const data = path.join(above, 'x', 'y');
      const { code, stdout, stderr } = await runCli(['sandbox', '--data', data]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^artwork-mcp: [^\n]+\n$/);
      expect(stderr).toContain(`The data folder ${data} can't be written (ENOENT).`);
    }
  });

  it('says where it answers, that it ends, and nothing else on any Node that it promises', async () => {
    const data = path.join(folder.path, 'data');
    await fillFolder(data);
    const child = spawn(process.execPath, [cli, 'sandbox', '--data', data], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'exit');
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    const answers = new Promise<void>((resolve) => {
      child.stderr.on('data', (chunk: Buffer) => {
        stderr += chunk.toString();
        if (stderr.includes(' answers at ')) resolve();
      });
    });
    await Promise.race([answers, ended]);
    child.kill('SIGTERM');
    await ended;
    expect(stdout).toBe('');
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^The embedded catalogue answers at http:\/\/127\.0\.0\.1:\d+; its data is in /),
      expect.stringMatching(/^The embedded catalogue ends: /),
    ]);
  });

  // Windows has neither such signals nor named pipes among files.
  it.skipIf(process.platform === 'win32')(
    'is ended by a signal while its folder does not answer',
    async () => {
      const data = path.join(folder.path, 'data');
      await mkdir(data, { mode: 0o700 });
      const pipe = path.join(data, 'identity.json');
      execFileSync('mkfifo', [pipe]);
      const child = spawn(process.execPath, [cli, 'sandbox', '--data', data], { stdio: 'ignore' });
      const exit = once(child, 'exit');
      // This end can be opened once the other one is being read.
      const silent = await vi.waitFor(() => open(pipe, constants.O_WRONLY | constants.O_NONBLOCK), {
        timeout: 100_000,
        interval: 20,
      });
      child.kill('SIGTERM');
      expect(await exit).toEqual([null, 'SIGTERM']);
      await silent.close();
    },
  );
});
