import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { allScopes, readSettings, SettingsError, toolsets } from '../src/settings.ts';

const read = (environment: Record<string, string> = {}, flags = {}) => readSettings(environment, flags);

describe('settings', () => {
  it('have a default each', () => {
    expect(read()).toMatchObject({
      baseUrl: null,
      authUrl: null,
      assetUrl: null,
      clientId: null,
      clientSecret: null,
      redirectUri: 'http://127.0.0.1:43917/callback',
      scopes: allScopes,
      user: 'default',
      uploadRoots: [],
      downloadRoot: null,
      readOnly: false,
      toolsets,
      logLevel: 'info',
    });
  });

  it('count an empty variable as unset', () => {
    expect(read({ ARTWORK_BASE_URL: '', ARTWORK_READ_ONLY: '', ARTWORK_TOOLSETS: '' })).toEqual(read());
  });

  it('count what a host left unfilled as unset', () => {
    const placeholder = '$'.concat('{user_config.one}');
    const unfilled = { ARTWORK_BASE_URL: placeholder, ARTWORK_CLIENT_SECRET: placeholder };
    expect(read(unfilled)).toEqual(read());
    const flags = { ARTWORK_BASE_URL: placeholder, ARTWORK_USER: '' };
    const environment = { ARTWORK_BASE_URL: 'https://a.example', ARTWORK_USER: 'mia' };
    expect(read(environment, flags)).toEqual(read(environment));
  });

  it('take . for the folder that the program was started in', () => {
    const roots = ['.', path.resolve('/art')].join(path.delimiter);
    expect(read({ ARTWORK_UPLOAD_ROOTS: roots }).uploadRoots).toEqual([process.cwd(), path.resolve('/art')]);
  });

  it('keep the data where it always is, also where a host empties HOME or fills it with a word', () => {
    for (const [home, data] of [
      ['', ''],
      ['home', 'data'],
    ]) {
      vi.stubEnv('HOME', home);
      vi.stubEnv('USERPROFILE', home);
      const settings = readSettings({ XDG_DATA_HOME: data, LOCALAPPDATA: data });
      expect(settings.home).toContain(path.join(userInfo().homedir, path.sep));
    }
  });

  it('let a flag win over the environment', () => {
    const environment = { ARTWORK_BASE_URL: 'https://a.example/api' };
    expect(read(environment, { ARTWORK_BASE_URL: 'https://b.example' }).baseUrl).toBe('https://b.example');
  });

  it('keep a path prefix and drop the slash at its end', () => {
    expect(read({ ARTWORK_BASE_URL: 'https://a.example/catalogue/v1/' }).baseUrl).toBe(
      'https://a.example/catalogue/v1',
    );
  });

  it.each([
    ['ARTWORK_BASE_URL', 'http://example.org'],
    ['ARTWORK_BASE_URL', 'ftp://example.org'],
    ['ARTWORK_BASE_URL', 'not a url'],
    ['ARTWORK_BASE_URL', 'https://user:word@example.org'],
    ['ARTWORK_BASE_URL', 'https://example.org/?a=1'],
    ['ARTWORK_AUTH_URL', 'http://192.168.1.1'],
    ['ARTWORK_ASSET_URL', 'https://example.org/below'],
    ['ARTWORK_REDIRECT_URI', 'http://example.org/callback'],
    ['ARTWORK_SCOPES', 'a"b'],
    ['ARTWORK_SCOPES', 'openid asset:write'],
    ['ARTWORK_USER', '../other'],
    ['ARTWORK_UPLOAD_ROOTS', 'relative/folder'],
    ['ARTWORK_DOWNLOAD_ROOT', 'pictures'],
    ['ARTWORK_HOME', 'data'],
    ['ARTWORK_HOME', '~/artwork-data'],
    ['ARTWORK_HOME', '$'.concat('{HOME}/artwork-data')],
    ['ARTWORK_READ_ONLY', 'yes'],
    ['ARTWORK_TOOLSETS', 'catalogue,unknown'],
    ['ARTWORK_LOG_LEVEL', 'loud'],
    ['ARTWORK_CLIENT_SECRET_FILE', '/no/such/file'],
  ])('refuse %s=%s in one line that names it', (name, value) => {
    let message = '';
    try {
      // With a secret, the default callback would be refused first.
      const redirect = name.includes('SECRET') ? { ARTWORK_REDIRECT_URI: 'https://a.example/' } : {};
      read({ ...redirect, [name]: value }).clientSecret?.read();
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      message = error.message;
    }
    expect(message).toContain(name);
    expect(message).not.toContain('\n');
    expect(message).not.toContain('word@');
  });

  it('take plain http for the three names of the loopback only', () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      expect(read({ ARTWORK_BASE_URL: `http://${host}:8080` }).baseUrl).toBe(`http://${host}:8080`);
    }
    expect(() => read({ ARTWORK_BASE_URL: 'http://127.0.0.2' })).toThrow(SettingsError);
    expect(() => read({ ARTWORK_BASE_URL: 'http://localhost.example.org' })).toThrow(SettingsError);
  });

  it('want an https callback for a client with a secret', () => {
    expect(() => read({ ARTWORK_CLIENT_SECRET: 'x' })).toThrow(/ARTWORK_REDIRECT_URI/);
    const settings = read({
      ARTWORK_CLIENT_SECRET: 'x',
      ARTWORK_REDIRECT_URI: 'https://a.example/callback?b=c',
    });
    expect(settings.clientSecret?.read()).toBe('x');
  });

  it('never show the secret when printed', () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'artwork-settings-')), 'secret');
    writeFileSync(file, 'canary-secret\n');
    const redirect = { ARTWORK_REDIRECT_URI: 'https://a.example/callback' };
    for (const given of [{ ARTWORK_CLIENT_SECRET: 'canary-secret' }, { ARTWORK_CLIENT_SECRET_FILE: file }]) {
      const settings = read({ ...redirect, ...given });
      expect(settings.clientSecret?.read()).toBe('canary-secret');
      expect(JSON.stringify(settings)).not.toContain('canary');
    }
  });
});
