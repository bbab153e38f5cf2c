import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readCredentials } from '../support/credentials.ts';
import { type Bundle, bundle } from '../support/bundle.ts';
import { fillFolder } from '../support/filled.ts';
import { signInAndAnswerConsent, registerApp, signIn, Visitor } from '../support/sign-in.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { App, present } from './oauth-app.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let built: Bundle;
beforeAll(async () => {
  folder = await temporaryFolder();
  await fillFolder(folder.path);
  built = await bundle({ catalogue: 'test/sandbox/oauth-program.ts' });
});
afterAll(async () => {
  await built.remove();
  await folder.remove();
});

it('as one bundled program, prints nothing of its own and no secret', async () => {
  const child = spawn(process.execPath, [built.program('catalogue'), folder.path], { stdio: 'pipe' });
  const exit = once(child, 'exit');
  try {
    const lines: string[] = [];
    const stdout = createInterface(child.stdout).on('line', (line) => lines.push(line));
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    await Promise.race([once(stdout, 'line'), exit]);
    const baseUrl = present(lines[0], `a first line (${errors})`);
    const server = { baseUrl, authUrl: baseUrl };
    const account = present((await readCredentials(folder.path))[0], 'account');

    const visitor = new Visitor();
    await signIn(visitor, await visitor.openPage(`${baseUrl}/account/apps`), account);
    const redirectUri = 'https://shelf.example/callback';
    const scopes = ['openid', 'offline_access', 'assets:write'];
    const registration = { name: 'Poster shelf', type: 'confidential', redirectUri, scopes } as const;
    const identity = { ...(await registerApp(visitor, baseUrl, registration)), redirectUri };
    const app = new App(server, identity);
    const callback = await signInAndAnswerConsent(visitor, app.authorizationUrl(scopes.join(' ')), account);
    const tokens = await app.exchange(callback);
    const renewed = await app.refresh(present(tokens.refreshToken, 'refresh token'));
    expect((await app.exchange(callback)).status).toBe(400);
    expect((await app.revoke(present(renewed.refreshToken, 'refresh token'))).status).toBe(200);
    expect((await visitor.openPage(`${baseUrl}/api/auth/oauth2/authorize`)).status).toBe(400);

    child.kill();
    await exit;
    expect(lines).toEqual([baseUrl]);
    expect(errors).toBe('');
  } finally {
    child.kill('SIGKILL');
    await exit;
  }
});
