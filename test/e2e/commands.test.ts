import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

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

  it('repeats nothing to a terminal that steers it', async () => {
    const home = await temporaryFolder();
    const elsewhere = { ARTWORK_BASE_URL: 'http://127.0.0.1:9', ARTWORK_CLIENT_ID: 'app' };
    for (const args of [['mutations', 'abandon', '\u001b]0;x\u0007\u202e'], ['\u001b[31mfly']]) {
      const { code, stderr } = await runCli(args, { ...elsewhere, ARTWORK_HOME: home.path });
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/^artwork-mcp: [^\n\p{Cc}\p{Bidi_Control}]+\n$/u);
    }
    await home.remove();
  });

  it('has no flag for a secret', async () => {
    const { code, stderr } = await runCli(['serve', '--client-secret', 'canary']);
    expect(code).toBe(2);
    expect(stderr).not.toContain('canary');
  });
});
