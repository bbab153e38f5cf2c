import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';

describe('the command line', () => {
  it('prints its version and its help', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    const help = await runCli(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const word of ['serve', 'sandbox', 'demo', '--base-url']) expect(help.stdout).toContain(word);
    expect((await runCli(['sandbox', '--help'])).stdout).toContain(
      'artwork-mcp sandbox [--port N] [--data DIR]',
    );
  });

  it.each([
    [['fly']],
    [['serve', 'extra']],
    [['--no-such-flag']],
    [['demo', '--port', '1']],
    [['sandbox', '--port', 'eighty']],
    [['serve', '--toolsets', 'unknown']],
    [['serve', '--read-only', 'perhaps']],
    [['mutations', 'abandon']],
  ])('answers the wrong usage %j with one line and 2', async (args) => {
    const { code, stdout, stderr } = await runCli(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^artwork-mcp: [^\n]+\n$/);
  });

  it('has no flag for a secret', async () => {
    const { code, stderr } = await runCli(['serve', '--client-secret', 'canary']);
    expect(code).toBe(2);
    expect(stderr).not.toContain('canary');
  });
});
