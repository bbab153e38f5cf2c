import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { owner, visitor } from '../support/person.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

describe('the command line', () => {
  it.each([
    [['fly']],
    [['status', 'extra']],
    [['--no-such-flag']],
    [['connect', '--scopes', 'openid bogus']],
    [['mutations', 'abandon', 'no-uuid']],
    [['sandbox', '--port', 'eighty']],
    [['serve', '--toolsets', 'unknown']],
    [['status', '--base-url', 'http://catalogue.example/api']],
    [['status', '--redirect-uri', 'ftp://127.0.0.1/x']],
  ])('ends %j with 2 and one line on stderr, and touches nothing', async (args) => {
    const folder = await temporaryFolder();
    const home = path.join(folder.path, 'home');
    const { code, stdout, stderr } = await runCli(args, { ARTWORK_HOME: home });
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
      code: 2,
      stdout: '',
      lines: 1,
    });
    expect(existsSync(home)).toBe(false);
    await folder.remove();
  });

  it('tells its version, and helps with each command', async () => {
    expect((await runCli(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const { code, stdout } = await runCli(['--help']);
    expect(code).toBe(0);
    for (const command of [
      'connect',
      'disconnect',
      'status',
      'mutations',
      'doctor',
      'index',
      'update',
      'sandbox',
      'demo',
    ]) {
      expect(stdout).toContain(command);
      expect((await runCli([command, '--help'])).code).toBe(0);
    }
  });
});

it('status, mutations and doctor say in JSON what a person has, before and after a sign-in', async () => {
  const me = await owner();
  const nobody = { ...me.env, ARTWORK_USER: 'nobody-yet' };
  const empty = await runCli(['status', '--json'], nobody);
  expect(empty.code).toBe(0);
  expect(JSON.parse(empty.stdout)).toMatchObject({ state: 'not_connected' });
  const full = await runCli(['status', '--json'], me.env);
  expect(JSON.parse(full.stdout)).toMatchObject({ state: 'connected' });
  expect(full.stdout).not.toMatch(/access_token|refresh_token/);
  const mutations = await runCli(['mutations', '--open', '--json'], me.env);
  expect(mutations.code).toBe(0);
  const doctor = await runCli(['doctor', '--json'], me.env);
  expect(doctor.code).toBe(0);
});

it('doctor fails, and names what is wrong, where the service is not there or the data is open to others', async () => {
  const me = await visitor('http://127.0.0.1:9/api', { ARTWORK_CLIENT_ID: 'app' });
  const unreachable = await runCli(['doctor', '--json'], me.env);
  expect(unreachable.code).toBe(1);
  await mkdir(me.home, { recursive: true });
  await chmod(me.home, 0o777);
  expect((await runCli(['doctor'], me.env)).code).toBe(1);
});

it('settings that a host leaves as placeholders or empty count as unset', async () => {
  const me = await owner();
  const { code } = await runCli(['status', '--json'], {
    ...me.env,
    ...{ ARTWORK_ASSET_URL: '', ARTWORK_UPLOAD_ROOTS: `\${user_config.upload_roots}` },
  });
  expect(code).toBe(0);
});
