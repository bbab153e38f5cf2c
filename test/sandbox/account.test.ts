import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlFormsOf, formTo, pagePath, shownPageOf, signIn, Visitor } from '../support/sign-in.ts';
import { heading, person } from './account-person.ts';
import { App, connect, own, probe, register } from './oauth-app.ts';
import { type AuthorizationServer, startServer, temporaryFolder } from './oauth-server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: AuthorizationServer;
let account: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startServer({ dataDir: folder.path });
  account = `${server.authUrl}/account`;
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

describe('signing in', () => {
  it('leads to where one wanted to go', async () => {
    const visitor = new Visitor();
    const asked = await visitor.openPage(`${account}/apps/new`);
    expect([pagePath(asked), heading(asked)]).toEqual(['/account/sign-in', 'Sign in']);
    const arrived = shownPageOf(await signIn(visitor, asked, server.accounts[0]));
    expect([pagePath(arrived), heading(arrived)]).toEqual(['/account/apps/new', 'Register an app']);
  });

  it.each(['https://elsewhere.example/', '//elsewhere.example', '/apps/../../me', '/api/auth/jwks'])(
    'leads nowhere else: %s',
    async (next) => {
      const visitor = new Visitor();
      const asked = await visitor.openPage(`${account}/sign-in?${new URLSearchParams({ next })}`);
      const form = formTo(asked, '/sign-in');
      const arrived = shownPageOf(await visitor.send(form, { ...server.accounts[0], next }));
      expect([arrived.url.origin, pagePath(arrived)]).toEqual([server.authUrl, '/account/apps']);
    },
  );

  it('doesn’t mind the case of the name, and minds everything of the password', async () => {
    const [{ name, password }, other] = server.accounts;
    const attempt = async (attempted: { name: string; password: string }) => {
      const visitor = new Visitor();
      return shownPageOf(await signIn(visitor, await visitor.openPage(`${account}/sign-in`), attempted));
    };
    expect(pagePath(await attempt({ name: name.toUpperCase(), password }))).toBe('/account/apps');
    for (const wrong of [
      { name, password: '' },
      { name, password: password.toUpperCase() },
      { name, password: other.password },
      { name: 'nobody', password },
      { name: '', password: '' },
    ]) {
      const refused = await attempt(wrong);
      expect([refused.status, heading(refused)]).toEqual([422, 'Sign in']);
      expect(refused.markup).toContain('role="alert"');
      expect(refused.markup).not.toContain(password);
    }
  });

  it('starts a session under a new id', async () => {
    const { visitor, apps } = await person(server);
    const before = visitor.cookiesFor(new URL(`${account}/apps`));
    const again = await visitor.openPage(`${account}/sign-in?next=/requests/x`);
    await signIn(visitor, again, server.accounts[1]);
    const after = visitor.cookiesFor(new URL(`${account}/apps`));
    const session = (cookies: string) => /catalogue_session_[0-9a-f]+=([\w-]+)/.exec(cookies)?.[1];
    expect(session(after)).not.toBe(session(before));
    const replay = await fetch(apps.url, { headers: { cookie: before }, redirect: 'manual' });
    expect(replay.status).toBe(303);
  });

  it('sets cookies that scripts can’t read and other sites can’t use', async () => {
    const visitor = new Visitor();
    const form = formTo(await visitor.openPage(`${account}/sign-in`), '/sign-in');
    const body = new URLSearchParams(form.fields);
    body.set('name', server.accounts[0].name);
    body.set('password', server.accounts[0].password);
    const cookie = visitor.cookiesFor(form.action);
    const response = await fetch(form.action, {
      method: 'POST',
      body,
      headers: { cookie },
      redirect: 'manual',
    });
    const session = response.headers.getSetCookie().filter((line) => line.startsWith('catalogue_session'));
    expect(session).toHaveLength(2);
    for (const line of session) expect(line).toMatch(/; samesite=lax; httponly$/);
  });

  it('ends with signing out, and the apps stay connected', async () => {
    const { visitor, accessToken } = await connect(server);
    const left = shownPageOf(
      await visitor.send(formTo(await visitor.openPage(`${account}/apps`), '/sign-out'), {}),
    );
    expect(left.url.pathname).toBe('/account/sign-in');
    expect((await visitor.openPage(`${account}/apps`)).url.pathname).toBe('/account/sign-in');
    expect((await probe(server.baseUrl, accessToken)).status).toBe(200);
  });
});

describe('every page', () => {
  it('is not cached, not framed, and runs no script', async () => {
    const { visitor } = await person(server);
    const consent = await visitor.openPage(new App(server, own).authorizationUrl('openid'));
    const signInPage = await new Visitor().openPage(`${account}/sign-in`);
    const broken = await visitor.openPage(`${server.authUrl}/api/auth/oauth2/authorize`);
    const nowhere = await visitor.openPage(`${account}/nowhere`);
    expect([broken.status, nowhere.status]).toEqual([400, 404]);
    for (const seen of [consent, signInPage, broken, nowhere, await visitor.openPage(`${account}/apps`)]) {
      const policy = seen.headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'");
      expect(policy).toContain("base-uri 'none'; frame-ancestors 'none'");
      expect(seen.headers.get('x-frame-options')).toBe('DENY');
      expect(seen.headers.get('cache-control')).toContain('no-store');
      expect(seen.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(seen.markup).not.toMatch(/<script|<style|\son\w+=|\sstyle=|javascript:/i);
    }
    expect(consent.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://127.0.0.1:43917;",
    );
  });

  it('shows other people’s words as words', async () => {
    const name = `<b onclick="x()">&"'</b>`;
    const identity = register(server, { name });
    const { visitor } = await person(server);
    const consent = await visitor.openPage(new App(server, identity).authorizationUrl('openid'));
    expect(consent.markup).toContain('&#60;b onclick=&#34;x()&#34;&#62;&#38;&#34;&#39;&#60;/b&#62;');
    expect(consent.markup).not.toContain('<b onclick');
  });

  it('names the app, who registered it, and each scope in plain words', async () => {
    const { visitor } = await person(server, 1);
    const url = new App(server, register(server)).authorizationUrl(
      'openid profile offline_access assets:replace',
    );
    const { markup } = await visitor.openPage(url);
    expect(markup).toContain('<h1>Connect Poster shelf?</h1>');
    expect(markup).toContain('It was registered here by lanternroom.');
    const listed = [...markup.matchAll(/<li><b>([^<]*)/g)].map(([, title]) => title);
    expect(listed).toEqual(['Replace artwork', 'Know your account', 'See your name', 'Stay connected']);
  });
});

describe('a form', () => {
  it.each([
    ['without its token', { form_token: '' }, 403],
    ['with another token', { form_token: 'x'.repeat(43) }, 403],
  ])('is refused %s', async (_, changes, status) => {
    const { visitor, apps } = await person(server);
    const signOut = formTo(apps, '/sign-out');
    expect(shownPageOf(await visitor.send(signOut, changes)).status).toBe(status);
    expect(pagePath(await visitor.openPage(`${account}/apps`))).toBe('/account/apps');
  });

  it('is refused with the token of another browser, session or time', async () => {
    const first = await person(server);
    const second = await person(server);
    const form = formTo(first.apps, '/sign-out');
    expect(pagePath(shownPageOf(await second.visitor.send(form, {})))).toBe('/account/sign-in');
    const ofSecond = { ...formTo(second.apps, '/sign-out'), fields: form.fields };
    expect(shownPageOf(await second.visitor.send(ofSecond, {})).status).toBe(403);
    const stranger = formTo(await first.visitor.openPage(`${account}/sign-in?next=/requests/x`), '/sign-in');
    await signIn(
      first.visitor,
      await first.visitor.openPage(`${account}/sign-in?next=/requests/x`),
      server.accounts[1],
    );
    expect(pagePath(shownPageOf(await first.visitor.send(form, {})))).toBe('/account/sign-in');
    expect(shownPageOf(await first.visitor.send(stranger, { ...server.accounts[0] })).status).toBe(403);
  });

  it('is refused from another site, though everything else is right', async () => {
    const { visitor, apps } = await person(server);
    const form = formTo(apps, '/sign-out');
    const cookie = visitor.cookiesFor(form.action);
    for (const origin of ['https://elsewhere.example', 'null', 'http://127.0.0.1:1']) {
      const headers = { cookie, origin };
      const response = await fetch(form.action, {
        method: 'POST',
        body: form.fields,
        headers,
        redirect: 'manual',
      });
      expect(response.status).toBe(403);
    }
  });

  it('is read only as a form, and only up to its size', async () => {
    const send = async (type: string, body: string) =>
      (await fetch(`${account}/sign-in`, { method: 'POST', body, headers: { 'content-type': type } })).status;
    expect(await send('application/json', '{}')).toBe(415);
    expect(await send('application/x-www-form-urlencoded', `name=${'x'.repeat(4_000_000)}`)).toBe(413);
  });

  it('has no address that is read', async () => {
    const { visitor, apps } = await person(server);
    for (const form of htmlFormsOf(apps).filter(({ action }) => action.pathname.endsWith('/sign-out'))) {
      const seen = await visitor.openPage(form.action);
      expect([seen.status, seen.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });
});

describe('accounts.json', () => {
  it('is for its owner alone, and the same after every start', async () => {
    const file = path.join(folder.path, 'accounts.json');
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
    const before = await readFile(file, 'utf8');
    const passwords = server.accounts.map(({ password }) => password);
    expect(new Set(passwords).size).toBe(2);
    for (const password of passwords) expect(password).toMatch(/^(?:[a-z2-9]{5}-){3}[a-z2-9]{5}$/);
    const second = await startServer({ dataDir: folder.path });
    await second.stop();
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('that is damaged stops the start and says what to do', async () => {
    const other = await temporaryFolder();
    try {
      for (const text of ['{', '[]\n', '{"accounts":[{"name":"lanternroom"}]}\n']) {
        await writeFile(path.join(other.path, 'accounts.json'), text);
        await expect(startServer({ dataDir: other.path })).rejects.toThrow(
          'accounts.json is damaged. Delete it',
        );
      }
    } finally {
      await other.remove();
    }
  });
});
