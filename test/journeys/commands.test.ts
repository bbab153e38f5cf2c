import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { dig, listAt, newOwner } from '../support/person.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

describe('the command line', () => {
  it.each([
    [['fly']],
    [['status', 'extra']],
    [['--no-such-flag']],
    [['connect', '--scopes', 'openid bogus']],
    [['status', '--base-url', 'http://catalogue.example/api']],
    [['status', '--user']],
    [['--read-only', 'status']],
    [['mutations', 'abandon']],
    [['mutations', 'abandon', 'the-last-one']],
    [['sandbox', '--port', '0']],
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

  it.each([
    ['ARTWORK_CLIENT_SECRET_FILE', { ARTWORK_REDIRECT_URI: 'https://app.example/callback' }],
    ['ARTWORK_STORE_FILE', { ARTWORK_STORE_KEY_FILE: '/no/such/key' }],
    ['ARTWORK_STORE_KEY_FILE', { ARTWORK_STORE: 'postgres://127.0.0.1:9/artwork' }],
  ])('starts no server with a missing file of %s', async (name, more) => {
    const { code, stdout, stderr } = await runCli([], { ...more, [name]: '/no/such/file' });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^artwork-mcp: ${name} [^\n]+\n$`));
  });

  it.each([
    [['help', 'connect'], '--no-browser'],
    [['connect', '-h'], '--no-browser'],
    [['help', 'settings'], 'ARTWORK_STORE_KEY_FILE'],
  ])('explains %j, and needs no setting for it', async (args, named) => {
    const { code, stdout, stderr } = await runCli(args, { ARTWORK_BASE_URL: 'nonsense' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(named);
  });

  it('takes --read-only without a value, also before a word', async () => {
    const folder = await temporaryFolder();
    const args = ['mutations', '--read-only', 'abandon', 'the-last-one'];
    const { code, stderr } = await runCli(args, { ARTWORK_HOME: path.join(folder.path, 'home') });
    expect({ code, about: stderr.includes('the-last-one') }).toEqual({ code: 2, about: true });
    await folder.remove();
  });

  // What each command says of itself is in docs/reference.md, which is made of it.
  it('tells its version and its commands', async () => {
    expect((await runCli(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const { code, stdout } = await runCli(['--help']);
    expect(code).toBe(0);
    const named = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
    const commands = ['connect', 'disconnect', 'status', 'mutations', 'doctor', 'index', 'update', 'sandbox'];
    expect(named).toEqual(expect.arrayContaining([...commands, 'demo']));
  });
});

it('status, mutations and doctor say in JSON what a person has, before and after a sign-in', async () => {
  const me = await newOwner();
  const nobody = { ...me.env, ARTWORK_USER: 'nobody-yet' };
  const empty = await runCli(['status', '--json'], nobody);
  expect(empty.code).toBe(0);
  expect(JSON.parse(empty.stdout)).toMatchObject({ state: 'not_connected' });
  const appless = { ARTWORK_HOME: me.env.ARTWORK_HOME ?? '', ARTWORK_BASE_URL: 'http://127.0.0.1:9/api' };
  const withoutApp = await runCli(['status', '--json'], appless);
  expect(withoutApp.code).toBe(0);
  expect(JSON.parse(withoutApp.stdout)).toMatchObject({ state: 'not_connected', clientId: null });
  // What a host leaves as a placeholder or empty counts as unset.
  const placeholders = { ARTWORK_ASSET_URL: '', ARTWORK_UPLOAD_ROOTS: `\${user_config.upload_roots}` };
  const full = await runCli(['status', '--json'], { ...me.env, ...placeholders });
  expect(JSON.parse(full.stdout)).toMatchObject({ state: 'connected' });
  expect(full.stdout).not.toMatch(/access_token|refresh_token/);
  const mutations = await runCli(['mutations', '--open', '--json'], me.env);
  expect(mutations.code).toBe(0);
  const doctor = await runCli(['doctor', '--json'], me.env);
  expect(doctor.code).toBe(0);
});

it('doctor fails, and names what is wrong, where the service is not there', async () => {
  const folder = await temporaryFolder();
  const settings = { ARTWORK_BASE_URL: 'http://127.0.0.1:9/api', ARTWORK_CLIENT_ID: 'app' };
  const env = { ...settings, ARTWORK_HOME: path.join(folder.path, 'home') };
  const { code, stdout } = await runCli(['doctor', '--json'], env);
  expect(code).toBe(1);
  const ill = listAt(JSON.parse(stdout), 'checks').filter((check) => dig(check, 'outcome') === 'ill');
  expect(ill.map((check) => dig(check, 'name'))).toContain('service');
  await folder.remove();
});
