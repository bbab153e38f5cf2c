import type { Context } from '../context.ts';
import { type Answer, type Exchange, Refusal } from '../http.ts';
import {
  type App,
  appsOf,
  checkRegistration,
  findApp,
  registerApp,
  removeApp,
  type Written,
} from '../oauth/apps.ts';
import { connectionsOf, disconnect, type ReviewedConnection } from '../oauth/connection.ts';
import { allScopes, scopeWords } from '../oauth/scopes.ts';
import { type Account, accountOf } from './accounts.ts';
import { type Content, formOf, type Html, html, page, seeOther, timeElement } from './page.ts';

/** The account whose Apps are shown, and the path of its pages. */
function ownerOf(context: Context, { segment }: Exchange): Account & { readonly path: string } {
  const account = accountOf(context, segment('account'));
  if (account === undefined) throw notThere('account');
  return { ...account, path: `/account/${account.id}` };
}

/** The apps that may act for an account, with what each may do, and those that it registered (Authentication 3, 12). */
export function showApps(context: Context, exchange: Exchange): Answer {
  const owner = ownerOf(context, exchange);
  const connections = connectionsOf(context, owner.id);
  const connected = connections.map((connection) => {
    const name = findApp(context.store, connection.clientId)?.name ?? connection.clientId;
    return connectionEntry(owner.path, name, connection);
  });
  const registered = appsOf(context.store, owner.id).map((app) => appEntry(owner.path, app));
  const main = html`<div class="head"><div><h1>Apps</h1><p class="soft">What acts for you in the catalogue, and what you have registered.</p></div>
<a class="button primary" href="${owner.path}/apps/new">Register an app</a></div>
<section class="card"><h2>Connected apps</h2>
${connected.length === 0 ? html`<p class="soft">No app is connected. When one asks to act for you and you approve, it appears here.</p>` : html`<ul class="entries">${connected}</ul>`}</section>
<section class="card"><h2>Apps you registered</h2>
${registered.length === 0 ? html`<p class="soft">You have registered none. The app that came with the catalogue needs no registration.</p>` : html`<ul class="entries">${registered}</ul>`}</section>`;
  return page({ title: 'Apps', width: 'wide', main, person: owner });
}

function connectionEntry(path: string, name: string, { id, createdAt, scopes }: ReviewedConnection): Html {
  return html`<li><div><h3>${name}</h3><p class="soft small">Connected ${timeElement(createdAt)}</p>
<ul class="tags" aria-label="What ${name} may do">${scopes.map((scope) => html`<li title="${scope}">${scopeWords(scope).title}</li>`)}</ul></div>
<form method="post" action="${path}/connections/${id}/disconnect"><button class="danger" aria-label="Disconnect ${name}">Disconnect</button></form></li>`;
}

function appEntry(path: string, { name, type, clientId, redirectUri }: App): Html {
  return html`<li><div><h3>${name}</h3>
<p class="soft small">${type === 'public' ? 'Public app' : 'Confidential server'} <code>${clientId}</code><br>returns to <code>${redirectUri}</code></p></div>
<form method="post" action="${path}/apps/${clientId}/remove"><button class="danger" aria-label="Remove ${name} and all connections to it">Remove</button></form></li>`;
}

export function showRegister(context: Context, exchange: Exchange): Answer {
  const empty = { name: '', redirectUri: '', type: 'public', scopes: [] };
  return registerPage(ownerOf(context, exchange), empty, []);
}

export async function register(context: Context, exchange: Exchange): Promise<Answer> {
  const owner = ownerOf(context, exchange);
  const form = await formOf(exchange);
  const text = (name: string) => form.get(name) ?? '';
  const written = {
    name: text('name'),
    redirectUri: text('redirect_uri'),
    type: text('type'),
    scopes: form.getAll('scopes'),
  };
  const checked = checkRegistration(written);
  if ('problems' in checked) return registerPage(owner, written, checked.problems);
  const { app, clientSecret } = registerApp(context.store, owner.id, checked, context.now());
  const main = html`<p><a href="${owner.path}/apps">← Apps</a></p>
<h1>${app.name} is registered</h1>
<section class="card">
<dl><dt>Client id</dt><dd><code class="value">${app.clientId}</code></dd>
${clientSecret === null ? null : html`<dt>Client secret</dt><dd><code class="value">${clientSecret}</code> Copy it now: it is shown this one time.</dd>`}
<dt>Callback URL</dt><dd><code class="value">${app.redirectUri}</code></dd></dl></section>`;
  return page({ title: app.name, width: 'wide', main, person: owner });
}

/** The registration form, with what was sent and what is wrong with it. */
function registerPage(
  owner: { readonly name: string; readonly path: string },
  written: Written,
  problems: readonly string[],
): Answer {
  const wrong = problems.length > 0;
  const checked = (is: boolean) => (is ? html` checked` : null);
  const type = (value: string, title: string, hint: string) =>
    html`<label class="choice"><input type="radio" name="type" value="${value}"${checked(written.type === value)}><span><b>${title}</b><small>${hint}</small></span></label>`;
  const scopes: Content = allScopes.map((scope) => {
    const { title, explanation } = scopeWords(scope);
    return html`<label class="choice"><input type="checkbox" name="scopes" value="${scope}"${checked(written.scopes.includes(scope))}><span><b>${title}</b><small>${explanation} <code>${scope}</code></small></span></label>`;
  });
  const main = html`<p><a href="${owner.path}/apps">← Apps</a></p>
<h1>Register an app</h1>
<p class="soft">Register each installation on its own, so that you can disconnect one and keep the others.</p>
${wrong ? html`<div class="notice" role="alert"><ul>${problems.map((problem) => html`<li>${problem}</li>`)}</ul></div>` : null}
<form class="card" method="post" action="${owner.path}/apps/new">
<div class="field"><label for="name">Name</label><input type="text" id="name" name="name" value="${written.name}" required></div>
<div class="field"><label for="redirect_uri">Callback URL</label><p class="hint">The exact address to which a sign-in returns. It is compared letter by letter.</p><input type="text" id="redirect_uri" name="redirect_uri" value="${written.redirectUri}" inputmode="url" autocapitalize="none" spellcheck="false" required></div>
<fieldset class="field"><legend>Client type</legend>
${type('public', 'Public, native or self-hosted', 'It runs on a person’s computer and can keep no secret.')}
${type('confidential', 'Confidential server', 'It runs on a server, gets a client secret, and its callback uses https.')}</fieldset>
<fieldset class="field"><legend>What it may ask for</legend>${scopes}</fieldset>
<div class="actions"><a class="button" href="${owner.path}/apps">Cancel</a><button class="primary">Register</button></div>
</form>`;
  return page({ status: wrong ? 422 : 200, title: 'Register an app', width: 'wide', main, person: owner });
}

export function remove(context: Context, exchange: Exchange): Answer {
  const owner = ownerOf(context, exchange);
  const app = findApp(context.store, exchange.segment('id'));
  if (app?.ownerId !== owner.id) throw notThere('app');
  removeApp(context.store, app.clientId);
  return seeOther(`${owner.path}/apps`);
}

export function disconnectApp(context: Context, exchange: Exchange): Answer {
  const owner = ownerOf(context, exchange);
  if (!disconnect(context.store, owner.id, exchange.segment('id'))) throw notThere('connection');
  return seeOther(`${owner.path}/apps`);
}

function notThere(what: string): Refusal {
  return new Refusal(404, 'not_found', `There is no such ${what}. It may be removed, or another account’s.`);
}
