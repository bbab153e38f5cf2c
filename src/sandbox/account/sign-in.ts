import { randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import { type Answer, type Exchange, readBody } from '../http.ts';
import { epochSeconds } from '../oauth/connection.ts';
import { type Account, accountOf, accountsFile, accountsOf, authenticate } from './accounts.ts';
import { accountPath, banner, type Html, html, page, seeOther } from './page.ts';
import { isGoodTicket, ticketParameter, useTicket } from './ticket.ts';

/** The fields of a sent form. */
export async function formOf({ request }: Exchange): Promise<URLSearchParams> {
  return new URLSearchParams((await readBody(request, 16_384)).toString('utf8'));
}

/** A sign-in page: for the Apps, or for the request of an app. */
export interface SignIn {
  /** Where its form is sent. */
  readonly action: string;
  /** What a ticket is used for: the id of an app's request, or nothing that comes again. */
  readonly purpose: string;
  readonly ticket: string;
  /** The app that waits; null: none. */
  readonly app: string | null;
  readonly next?: string;
}

/** Who has signed in with a form of the page; null where the page has to be shown again. */
export function signedInBy(
  context: Context,
  form: URLSearchParams,
  { ticket, purpose }: SignIn,
): Account | null {
  const chosen = form.get('account');
  if (chosen === null) {
    return authenticate(context, form.get('name') ?? '', form.get('password') ?? '') ?? null;
  }
  const account = accountOf(context, Number(chosen));
  return account !== undefined && useTicket(context, ticket, purpose) ? account : null;
}

/** @param refused the name that was just refused */
export function signInPage(context: Context, signIn: SignIn, refused?: string): Answer {
  const { action, app, ticket, purpose, next } = signIn;
  const chooses = isGoodTicket(context, ticket, purpose);
  const fields = html`<input type="hidden" name="next" value="${next ?? ''}"><input type="hidden" name="${ticketParameter}" value="${ticket}">`;
  const title = chooses ? 'Choose an account' : 'Sign in';
  const form = passwordForm(action, fields, refused);
  const main = html`<div class="card">
${banner(app ?? 'Apps')}
<h1>${title}</h1>
<p class="soft">${app === null ? 'to the artwork catalogue, to see and manage your Apps.' : html`to continue to <b>${app}</b>.`}</p>
${ticket === '' || chooses ? null : html`<div class="notice bad" role="status">This address let you choose an account once, or for ten minutes, and that is over.</div>`}
${
  chooses
    ? html`<form method="post" action="${action}">${fields}
<ul class="accounts">${accountsOf(context).map(({ id, name }) => html`<li><button name="account" value="${String(id)}">${name}</button></li>`)}</ul></form>
<p class="soft small">They are made-up artists, who came with this catalogue. You are asked for no password since this page was opened from your own computer account.</p>
<details${refused === undefined ? null : html` open`}><summary>Sign in with a password</summary>${form}</details>`
    : form
}
</div>
${
  chooses
    ? null
    : html`<div class="card"><h2>Which account?</h2>
<p>This catalogue came with a few accounts of made-up artists. Their names and passwords are in this file, which only you can read:</p>
<p><code class="value">${accountsFile(context.dataDir)}</code></p>
<p>Or run <code>artwork-mcp connect</code> in a terminal of this computer: the page that it opens lets you choose one without its password.</p></div>`
}`;
  return page({ status: refused === undefined ? 200 : 422, title, width: 'narrow', main });
}

function passwordForm(action: string, fields: Html, refused?: string): Html {
  // Both fields are marked: the page does not tell which of the two is wrong.
  const marks = refused === undefined ? null : html` aria-invalid="true" aria-describedby="problem"`;
  return html`${marks && html`<div class="notice bad" role="alert" id="problem">The name and password don’t belong together. Check both and try again.</div>`}
<form method="post" action="${action}">${fields}
<div class="field"><label for="name">Account name</label>
<input type="text" id="name" name="name" value="${refused ?? ''}" autocomplete="username" autocapitalize="none" spellcheck="false" required${marks ?? html` autofocus`}></div>
<div class="field"><label for="password">Password</label>
<input type="password" id="password" name="password" autocomplete="current-password" required${marks && html`${marks} autofocus`}></div>
<div class="actions"><button class="primary">Sign in</button></div>
</form>`;
}

const sessionSeconds = 14 * 24 * 60 * 60;

/** A person who is signed in to the Apps pages, which are below a path of their own. */
export interface Session {
  readonly account: Account;
  readonly path: string;
}

function cookieName({ folder }: Context): string {
  return `account_${folder.id.slice(0, 8)}`;
}

/**
 * Begins a session. Cookies ignore ports: every server of this machine that the browser visits would get the cookie, if
 * the session's pages did not have a path that nobody else knows.
 */
export function beginSession(context: Context, account: Account, next: string): Answer {
  const path = `${accountPath}/${randomBytes(32).toString('base64url')}`;
  const facts = [String(account.id), String(epochSeconds() + sessionSeconds)];
  const value = [...facts, context.folder.prove('session', [path, ...facts])].join('.');
  const cookie = `${cookieName(context)}=${value}; Path=${path}; Max-Age=${sessionSeconds}; HttpOnly; SameSite=Lax`;
  return seeOther(`${path}${next}`, { 'set-cookie': cookie });
}

export function endSession(context: Context, { path }: Session): Answer {
  const cookie = `${cookieName(context)}=; Path=${path}; Max-Age=0; HttpOnly; SameSite=Lax`;
  return seeOther(`${accountPath}/sign-in`, { 'set-cookie': cookie });
}

/** Who is signed in to the pages below this key; null: nobody. */
export function sessionOf(context: Context, { request, segment }: Exchange): Session | null {
  const path = `${accountPath}/${segment('key')}`;
  const value = cookieOf(request.headers.cookie, cookieName(context));
  const [id = '', until = '', proof = ''] = value.split('.');
  const isProven = context.folder.isProof(proof, 'session', [path, id, until]);
  if (!isProven || Number(until) <= epochSeconds()) return null;
  const account = accountOf(context, Number(id));
  return account === undefined ? null : { account, path };
}

function cookieOf(header: string | undefined, name: string): string {
  const pairs = header?.split(';').map((pair) => pair.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}
