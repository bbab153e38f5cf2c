import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawTicket } from '../../src/sandbox/account/ticket.ts';
import { allScopes } from '../../src/sandbox/oauth/scopes.ts';
import { ensureIdentity } from '../../src/sandbox/process/identity.ts';
import { formTo, htmlFormsOf, shownPageOf, type SeenPage, Visitor } from '../support/sign-in.ts';
import { heading } from './account-person.ts';
import { App, register } from './oauth-app.ts';
import { type AuthorizationServer, startServer, temporaryFolder } from './oauth-server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: AuthorizationServer;
let draw: () => string;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startServer({ dataDir: folder.path });
  const identity = await ensureIdentity(folder.path);
  draw = () => drawTicket(identity);
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const signInUrl = (ticket: string) => `${server.authUrl}/account/sign-in?${new URLSearchParams({ ticket })}`;
const asChoice = (seen: SeenPage) =>
  htmlFormsOf(seen).find(({ action }) => action.pathname.endsWith('/choice'));

async function choose(visitor: Visitor, seen: SeenPage, account = '1'): Promise<SeenPage> {
  return shownPageOf(await visitor.send(formTo(seen, '/sign-in/choice'), { account }));
}

describe('a ticket of the person who has the data folder', () => {
  it('lets them choose an account on the page of an app, and another one after that', async () => {
    const app = new App(
      server,
      register(server, { redirectUri: 'http://127.0.0.1:9/callback', type: 'public' }),
    );
    const url = app.authorizationUrl(allScopes.join(' '));
    url.searchParams.set('ticket', draw());
    const visitor = new Visitor();
    const offered = await visitor.openPage(url);
    expect(heading(offered)).toBe('Choose an account');
    for (const { name } of server.accounts) expect(offered.markup).toContain(`>${name}</button>`);
    const consent = await choose(visitor, offered, '2');
    expect(consent.markup).toContain(`<b>${server.accounts[1].name}</b>`);
    const again = shownPageOf(
      await visitor.send(formTo(consent, consent.url.pathname), { decision: 'switch' }),
    );
    expect(heading(again)).toBe('Choose an account');
    expect((await choose(visitor, again)).markup).toContain(`<b>${server.accounts[0].name}</b>`);
  });

  it('signs in once, also after the catalogue was started again', async () => {
    const ticket = draw();
    const [first, second] = [new Visitor(), new Visitor()];
    const [seen, held] = [await first.openPage(signInUrl(ticket)), await second.openPage(signInUrl(ticket))];
    expect(heading(await choose(first, seen))).toBe('Apps');
    expect(await choose(second, held)).toMatchObject({ status: 403 });
    expect(second.cookiesFor(new URL(`${server.authUrl}/account/apps`))).not.toContain('session');
    await server.stop();
    server = await startServer({ dataDir: folder.path });
    const late = await new Visitor().openPage(signInUrl(ticket));
    expect(heading(late)).toBe('Sign in');
    expect(late.markup).toContain('that is over');
  });

  it('is nobody else’s to make, and ends', async () => {
    const other = await temporaryFolder();
    const foreign = drawTicket(await ensureIdentity(other.path));
    await other.remove();
    const [until = '', nonce = '', proof = ''] = draw().split('.');
    const identity = await ensureIdentity(folder.path);
    const past = String(Math.floor(Date.now() / 1000) - 1);
    const made = [
      foreign,
      [String(Number(until) + 1), nonce, proof].join('.'),
      [until, randomBytes(16).toString('hex'), proof].join('.'),
      [until, nonce, randomBytes(32).toString('hex')].join('.'),
      [until, nonce].join('.'),
      [past, nonce, identity.prove('sign-in', [past, nonce])].join('.'),
      'x',
      '..',
    ];
    for (const ticket of made) {
      const visitor = new Visitor();
      const seen = await visitor.openPage(signInUrl(ticket));
      expect(asChoice(seen), ticket).toBeUndefined();
      expect(seen.markup).not.toContain(`>${server.accounts[0].name}</button>`);
      // Who knows where the form goes can send it without having seen one.
      const form = {
        ...formTo(seen, '/sign-in'),
        action: new URL(`${server.authUrl}/account/sign-in/choice`),
      };
      expect(shownPageOf(await visitor.send(form, { account: '1', ticket })).status).toBe(403);
    }
  });

  it('is not needed for the password, which another user of the machine does not have', async () => {
    const seen = await new Visitor().openPage(`${server.authUrl}/account/sign-in`);
    expect(asChoice(seen)).toBeUndefined();
    expect(heading(seen)).toBe('Sign in');
    const visitor = new Visitor();
    const form = formTo(await visitor.openPage(signInUrl(draw())), '/sign-in');
    const { name, password } = server.accounts[0];
    expect(shownPageOf(await visitor.send(form, { name, password: 'wrong' })).markup).toContain(
      'belong together',
    );
    expect(heading(shownPageOf(await visitor.send(form, { name, password })))).toBe('Apps');
  });

  it('is not spent by a form of another site, nor under another name of the machine', async () => {
    const ticket = draw();
    const visitor = new Visitor();
    const form = formTo(await visitor.openPage(signInUrl(ticket)), '/sign-in/choice');
    const send = async (headers: Record<string, string>, fields = form.fields) => {
      const body = new URLSearchParams([...fields, ['account', '1']]).toString();
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await request(form.action, { method: 'POST', headers: { ...type, ...headers }, body });
      await answer.body.dump();
      return { status: answer.statusCode, cookies: String(answer.headers['set-cookie'] ?? '') };
    };
    const cookie = visitor.cookiesFor(form.action);
    const without = new URLSearchParams([...form.fields].filter(([name]) => name !== 'form_token'));
    for (const refused of [
      await send({ cookie, origin: 'http://evil.example' }),
      await send({ cookie, origin: 'null' }),
      await send({ origin: form.action.origin }),
      await send({ cookie, origin: form.action.origin }, without),
    ]) {
      expect(refused.status).toBe(403);
      expect(refused.cookies).not.toContain('session');
    }
    // A name of the attacker that has been bound to this address: the page is left for our own.
    const rebound = await send({ cookie, host: `rebound.example:${server.port}` });
    expect(rebound.cookies).not.toContain('session');
    expect(rebound.status).toBe(303);
    expect(await send({ cookie, origin: form.action.origin })).toMatchObject({ status: 303 });
  });
});
