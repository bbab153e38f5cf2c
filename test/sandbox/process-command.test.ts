import { stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
});
