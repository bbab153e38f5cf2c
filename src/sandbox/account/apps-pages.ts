import type { Context } from '../context.ts';
import { type Answer, type Exchange, Refusal } from '../http.ts';
import {
  type App,
  appsOf,
  checkRegistration,
  findApp,
  type Problems,
  registerApp,
  removeApp,
  type Written,
} from '../oauth/apps.ts';
import { connectionsOf, disconnect, type ReviewedConnection } from '../oauth/connection.ts';
import { allScopes, scopeWords } from '../oauth/scopes.ts';
import { scopeList } from './consent.ts';
import { type Content, type Html, html, page, seeOther, timeElement } from './page.ts';
import { formOf, type Session } from './sign-in.ts';

/** A request of a person who is signed in. */
export interface SignedIn {
  readonly context: Context;
  readonly session: Session;
  readonly exchange: Exchange;
}

const doneWords: Readonly<Record<string, string>> = {
  disconnected: 'Disconnected. The app can no longer act for you. Your artwork is as it was.',
  removed: 'The app is removed, and every connection made with it has ended.',
};

function personOf({ session: { account, path } }: SignedIn) {
  return { name: account.name, path };
}

/** An account's apps (Authentication 3 and 12). */
export function showApps(here: SignedIn): Answer {
  const { context, session, exchange } = here;
  const done = doneWords[exchange.query.get('done') ?? ''];
  const connections = connectionsOf(context, session.account.id);
  const apps = appsOf(context.store, session.account.id);
  const main = html`<div class="head"><div><h1>Apps</h1><p class="soft">What acts for you in the catalogue, and what you have registered.</p></div>
<a class="button primary" href="${session.path}/apps/new">Register an app</a></div>
${done === undefined ? null : html`<div class="notice" role="status">${done}</div>`}
<section class="card"><h2>Connected apps</h2>
${connections.length === 0 ? html`<p class="soft">No app is connected. When one asks to act for you and you approve, it appears here.</p>` : html`<ul class="entries">${connections.map((one) => connectionEntry(here, one))}</ul>`}</section>
<section class="card"><h2>Apps you registered</h2>
${apps.length === 0 ? html`<p class="soft">You have registered none. The app that came with the catalogue needs no registration.</p>` : html`<ul class="entries">${apps.map((app) => appEntry(here, app))}</ul>`}</section>`;
  return page({ title: 'Apps', width: 'wide', main, person: personOf(here) });
}

function connectionEntry({ context, session }: SignedIn, connection: ReviewedConnection): Html {
  const name = findApp(context.store, connection.clientId)?.name ?? connection.clientId;
  return html`<li><div><h3>${name}</h3><p class="soft small">Connected ${timeElement(connection.createdAt)}</p>
<ul class="tags" aria-label="What ${name} may do">${connection.scopes.map((scope) => html`<li title="${scope}">${scopeWords(scope).title}</li>`)}</ul></div>
<form method="post" action="${session.path}/connections/${connection.id}/disconnect"><button class="danger">Disconnect<span class="hidden"> ${name}</span></button></form></li>`;
}

function appEntry({ session }: SignedIn, app: App): Html {
  return html`<li><div><h3><a href="${session.path}/apps/${app.clientId}">${app.name}</a></h3>
<p class="soft small">${app.type === 'public' ? 'Public app' : 'Confidential server'} · registered ${timeElement(app.createdAt ?? '')}<br><code>${app.redirectUri}</code></p></div></li>`;
}

export function showApp(here: SignedIn): Answer {
  return appPage(here, ownedApp(here), null);
}

/** @param notice the app was just registered; its client secret is shown this once */
function appPage(here: SignedIn, app: App, notice: { readonly clientSecret: string | null } | null): Answer {
  const { path } = here.session;
  const secret = notice?.clientSecret ?? null;
  const lost = html`<span class="soft">Shown once, when the app was registered. If it is lost, register the app anew.</span>`;
  const main = html`<p><a href="${path}/apps">← Apps</a></p>
<h1>${app.name}</h1>
${notice === null ? null : html`<div class="notice" role="status">The app is registered.${secret === null ? null : ' Copy the client secret now: it is shown this one time.'}</div>`}
<section class="card"><h2>What the app needs to know</h2>
<dl><dt>Client id</dt><dd><code class="value">${app.clientId}</code></dd>
${app.type === 'public' ? null : html`<dt>Client secret</dt><dd>${secret === null ? lost : html`<code class="value">${secret}</code>`}</dd>`}
<dt>Callback URL</dt><dd><code class="value">${app.redirectUri}</code></dd>
<dt>Client type</dt><dd>${app.type === 'public' ? 'Public: it sends its client id, and no secret' : 'Confidential server: it authenticates with HTTP Basic'}</dd>
<dt>Registered</dt><dd>${timeElement(app.createdAt ?? '')}</dd></dl></section>
<section class="card"><h2>What it may ask for</h2>${scopeList(app.scopes)}</section>
<section class="card"><details><summary>Remove this app</summary>
<p>All connections to it end at once. Artwork stays as it is. This can’t be undone.</p>
<form method="post" action="${path}/apps/${app.clientId}/remove"><button class="danger">Remove ${app.name}</button></form></details></section>`;
  return page({ title: app.name, width: 'wide', main, person: personOf(here) });
}

export function showRegister(here: SignedIn): Answer {
  return registerPage(here, { name: '', redirectUri: '', type: 'public', scopes: [] }, {});
}

export async function submitRegistration(here: SignedIn): Promise<Answer> {
  const { context, session } = here;
  const form = await formOf(here.exchange);
  const text = (name: string) => form.get(name) ?? '';
  const written = {
    name: text('name'),
    redirectUri: text('redirect_uri'),
    type: text('type'),
    scopes: form.getAll('scopes'),
  };
  const checked = checkRegistration(written);
  if ('problems' in checked) return registerPage(here, written, checked.problems);
  const { app, clientSecret } = registerApp(context.store, session.account.id, checked, context.now());
  return appPage(here, app, { clientSecret });
}

/** The registration form, with what was sent and what is wrong with it. */
function registerPage(here: SignedIn, written: Written, problems: Problems): Answer {
  const { path } = here.session;
  const wrong = Object.keys(problems).length > 0;
  const problem = (field: keyof Problems) =>
    problems[field] === undefined ? null : html`<p class="wrong" id="${field}-wrong">${problems[field]}</p>`;
  const marks = (field: keyof Problems) =>
    problems[field] === undefined ? null : html` aria-invalid="true" aria-describedby="${field}-wrong"`;
  const checked = (is: boolean) => (is ? html` checked` : null);
  const type = (value: string, title: string, hint: string) =>
    html`<label class="choice"><input type="radio" name="type" value="${value}"${checked(written.type === value)}><span><b>${title}</b><small>${hint}</small></span></label>`;
  const scopes: Content = allScopes.map((scope) => {
    const { title, explanation } = scopeWords(scope);
    return html`<label class="choice"><input type="checkbox" name="scopes" value="${scope}"${checked(written.scopes.includes(scope))}><span><b>${title}</b><small>${explanation} <code>${scope}</code></small></span></label>`;
  });
  const main = html`<p><a href="${path}/apps">← Apps</a></p>
<h1>Register an app</h1>
<p class="soft">Register each installation on its own, so that you can disconnect one and keep the others.</p>
${wrong ? html`<div class="notice bad" role="alert">Some of this can’t be registered. Correct what is marked.</div>` : null}
<form class="card" method="post" action="${path}/apps/new">
<div class="field"><label for="name">Name</label>${problem('name')}<input type="text" id="name" name="name" value="${written.name}" required${marks('name')}></div>
<div class="field"><label for="redirect_uri">Callback URL</label><p class="hint">The exact address to which a sign-in returns. It is compared letter by letter.</p>${problem('redirectUri')}<input type="text" id="redirect_uri" name="redirect_uri" value="${written.redirectUri}" inputmode="url" autocapitalize="none" spellcheck="false" required${marks('redirectUri')}></div>
<fieldset class="field"><legend>Client type</legend>${problem('type')}
${type('public', 'Public, native or self-hosted', 'It runs on a person’s computer and can keep no secret.')}
${type('confidential', 'Confidential server', 'It runs on a server, gets a client secret, and its callback uses https.')}</fieldset>
<fieldset class="field"><legend>What it may ask for</legend>${problem('scopes')}${scopes}</fieldset>
<div class="actions"><a class="button" href="${path}/apps">Cancel</a><button class="primary">Register</button></div>
</form>`;
  return page({
    status: wrong ? 422 : 200,
    title: 'Register an app',
    width: 'wide',
    main,
    person: personOf(here),
  });
}

export function submitRemoval(here: SignedIn): Answer {
  removeApp(here.context.store, ownedApp(here).clientId);
  return seeOther(`${here.session.path}/apps?done=removed`);
}

export function submitDisconnection({ context, session, exchange }: SignedIn): Answer {
  const isEnded = disconnect(context.store, session.account.id, exchange.segment('id'));
  if (!isEnded) throw notThere('connection');
  return seeOther(`${session.path}/apps?done=disconnected`);
}

function ownedApp({ context, session, exchange }: SignedIn): App {
  const app = findApp(context.store, exchange.segment('id'));
  if (app?.ownerId !== session.account.id) throw notThere('app');
  return app;
}

function notThere(what: string): Refusal {
  return new Refusal(404, 'not_found', `There is no such ${what}. It may be removed, or another account’s.`);
}
