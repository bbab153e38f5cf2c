import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlFormsOf, pagePath, shownPageOf, signIn } from '../support/sign-in.ts';
import { person } from './account-person.ts';
import { App, own, present, probe } from './oauth-app.ts';
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

describe('an app’s request', () => {
  it('can be answered with another account', async () => {
    const { visitor } = await person(server);
    const app = new App(server, own);
    const consent = await visitor.openPage(app.authorizationUrl('openid assets:write'));
    expect(consent.markup).toContain('<b>lanternroom</b>');
    const form = present(
      htmlFormsOf(consent).find(({ markup }) => markup.includes('value="switch"')),
      'form',
    );
    const asked = shownPageOf(await visitor.send(form, { decision: 'switch' }));
    expect(asked.url.pathname).toBe('/account/sign-in');
    const second = shownPageOf(await signIn(visitor, asked, server.accounts[1]));
    expect(second.markup).toContain('<b>halftone-hare</b>');
    const approve = present(
      htmlFormsOf(second).find(({ markup }) => markup.includes('value="approve"')),
      'form',
    );
    const left = await visitor.send(approve, { decision: 'approve' });
    if (!('leftFor' in left)) throw new Error('no callback');
    const { accessToken } = await app.exchange(left.leftFor);
    expect(await probe(server.baseUrl, present(accessToken, 'token'))).toMatchObject({
      body: { data: { accountId: 2 } },
    });
  });

  it('is answered once', async () => {
    const { visitor } = await person(server);
    const consent = await visitor.openPage(new App(server, own).authorizationUrl('openid'));
    const form = present(
      htmlFormsOf(consent).find(({ markup }) => markup.includes('value="approve"')),
      'form',
    );
    expect('leftFor' in (await visitor.send(form, { decision: 'approve' }))).toBe(true);
    const again = shownPageOf(await visitor.send(form, { decision: 'approve' }));
    expect([again.status, again.markup.includes('has been answered')]).toEqual([400, true]);
  });

  it('belongs to the browser it was opened in', async () => {
    const { visitor } = await person(server);
    const consent = await visitor.openPage(new App(server, own).authorizationUrl('openid'));
    const { visitor: other } = await person(server);
    expect((await other.openPage(consent.url)).status).toBe(400);
    const { visitor: stranger } = await person(server, 1);
    expect((await stranger.openPage(consent.url)).status).toBe(400);
  });

  it('is over when another person has signed in meanwhile', async () => {
    const { visitor } = await person(server);
    const consent = await visitor.openPage(new App(server, own).authorizationUrl('openid'));
    const asked = await visitor.openPage(`${account}/sign-in?next=/requests/x`);
    await signIn(visitor, asked, server.accounts[1]);
    expect(pagePath(await visitor.openPage(consent.url))).toBe('/account/sign-in');
    const approve = present(
      htmlFormsOf(consent).find(({ markup }) => markup.includes('value="approve"')),
      'form',
    );
    expect(shownPageOf(await visitor.send(approve, { decision: 'approve' })).status).toBe(403);
  });

  it('takes no other answer than the page offers', async () => {
    const { visitor } = await person(server);
    const consent = await visitor.openPage(new App(server, own).authorizationUrl('openid'));
    const form = present(
      htmlFormsOf(consent).find(({ markup }) => markup.includes('value="approve"')),
      'form',
    );
    expect(shownPageOf(await visitor.send(form, { decision: 'whatever' })).status).toBe(422);
    expect(shownPageOf(await visitor.send(form, {})).status).toBe(422);
  });
});
