import type { App } from '../oauth/apps.ts';
import type { Connection } from '../oauth/connections.ts';
import type { RegistrationProblems, WrittenRegistration } from '../oauth/registration.ts';
import { allScopes, scopeWords } from '../oauth/scopes.ts';
import { scopeList } from './consent.ts';
import { type Content, type Html, html, timeElement } from './html.ts';
import type { PageExchange } from './page-exchange.ts';
import type { Page } from './page.ts';

const doneWords = {
  disconnected: 'Disconnected. The app can no longer act for you. Your artwork is as it was.',
  removed: 'The app is removed, and every connection made with it has ended.',
} as const;

/** What the previous request has done. */
type DoneNotice = keyof typeof doneWords;

export function isDoneNotice(word: string | null): word is DoneNotice {
  return word !== null && Object.hasOwn(doneWords, word);
}

/** The page with an account's apps (Authentication 3 and 12). */
export function appsPage(
  exchange: PageExchange,
  facts: { connections: readonly Connection[]; apps: readonly App[]; done: DoneNotice | null },
): Page {
  const { pagesPath } = exchange;
  const main = html`<div class="head"><div><h1>Apps</h1><p class="soft">What acts for you in the catalogue, and what you have registered.</p></div>
<a class="button primary" href="${pagesPath}/apps/new">Register an app</a></div>
${facts.done === null ? null : html`<div class="notice" role="status"><p>${doneWords[facts.done]}</p></div>`}
<section class="card" aria-labelledby="connected"><h2 id="connected">Connected apps</h2>
${connected(exchange, facts.connections)}</section>
<section class="card" aria-labelledby="registered"><h2 id="registered">Apps you registered</h2>
${registered(pagesPath, facts.apps)}</section>`;
  return { title: 'Apps', width: 'wide', main };
}

function connected(exchange: PageExchange, connections: readonly Connection[]): Content {
  if (connections.length === 0) {
    return html`<p class="empty">No app is connected. When one asks to act for you and you approve, it appears here.</p>`;
  }
  return html`<ul class="entries">${connections.map((connection) => connectionEntry(exchange, connection))}</ul>`;
}

function connectionEntry(exchange: PageExchange, connection: Connection): Html {
  const { id, appName, createdAt, lastUsedAt } = connection;
  return html`<li><div class="what"><h3>${appName}</h3>
<p class="soft small">Connected ${timeElement(createdAt)} · ${lastUsedAt === null ? 'not used yet' : html`last used ${timeElement(lastUsedAt)}`}</p>
<ul class="tags" aria-label="What ${appName} may do">${connection.scopes.map((scope) => html`<li title="${scope}">${scopeWords(scope).title}</li>`)}</ul></div>
<form method="post" action="${exchange.pagesPath}/connections/${id}/disconnect">
<input type="hidden" name="form_token" value="${exchange.formToken()}">
<button class="danger">Disconnect<span class="hidden"> ${appName}</span></button></form></li>`;
}

function registered(pagesPath: string, apps: readonly App[]): Content {
  if (apps.length === 0) {
    return html`<p class="empty">You have registered none. An app that came with the catalogue needs no registration.</p>`;
  }
  return html`<ul class="entries">${apps.map(
    (app) => html`<li><div class="what"><h3><a href="${pagesPath}/apps/${app.clientId}">${app.name}</a></h3>
<p class="soft small">${app.type === 'public' ? 'Public app' : 'Confidential server'} · registered ${timeElement(app.createdAt)}<br><code>${app.redirectUri}</code></p></div></li>`,
  )}</ul>`;
}

/** The page of one registered app. It shows the client secret once, right after the registration. */
export function appPage(
  exchange: PageExchange,
  app: App,
  shown: { clientSecret: string | null; fresh: boolean },
): Page {
  const { pagesPath } = exchange;
  const main = html`<p class="back"><a href="${pagesPath}/apps">← Apps</a></p>
<h1>${app.name}</h1>
${shown.fresh ? html`<div class="notice" role="status"><p>The app is registered. ${shown.clientSecret === null ? null : 'Copy the client secret now: it is shown this one time.'}</p></div>` : null}
<section class="card" aria-labelledby="settings"><h2 id="settings">What the app needs to know</h2>
<dl><dt>Client id</dt><dd><code class="value">${app.clientId}</code></dd>
${secret(app, shown.clientSecret)}
<dt>Callback URL</dt><dd><code class="value">${app.redirectUri}</code></dd>
<dt>Client type</dt><dd>${app.type === 'public' ? 'Public: it sends its client id, and no secret' : 'Confidential server: it authenticates with HTTP Basic'}</dd>
<dt>Registered</dt><dd>${timeElement(app.createdAt)}</dd></dl></section>
<section class="card" aria-labelledby="asks"><h2 id="asks">What it may ask for</h2>${scopeList(app.scopes)}</section>
<section class="card"><details><summary>Remove this app</summary>
<p>All connections to it end at once. Artwork stays as it is. This can’t be undone.</p>
<form method="post" action="${pagesPath}/apps/${app.clientId}/remove">
<input type="hidden" name="form_token" value="${exchange.formToken()}">
<button class="danger">Remove ${app.name}</button></form></details></section>`;
  return { title: app.name, width: 'wide', main };
}

function secret(app: App, clientSecret: string | null): Content {
  if (app.type === 'public') return null;
  const value =
    clientSecret === null
      ? html`<span class="soft">Shown once, when the app was registered. If it is lost, register the app anew.</span>`
      : html`<code class="value">${clientSecret}</code>`;
  return html`<dt>Client secret</dt><dd>${value}</dd>`;
}

/** The registration form (Authentication 3), with the values that were sent and what is wrong with them. */
export function registerPage(
  exchange: PageExchange,
  written: WrittenRegistration,
  problems: RegistrationProblems,
): Page {
  const { pagesPath } = exchange;
  const wrong = Object.keys(problems).length;
  const main = html`<p class="back"><a href="${pagesPath}/apps">← Apps</a></p>
<h1>Register an app</h1>
<p class="soft">Register each installation on its own, so that you can disconnect one and keep the others.</p>
${wrong === 0 ? null : html`<div class="notice bad" role="alert"><p>${wrong === 1 ? 'One answer needs another look.' : `${wrong} answers need another look.`} Nothing is registered yet.</p></div>`}
<form class="card" method="post" action="${pagesPath}/apps/new" novalidate>
<input type="hidden" name="form_token" value="${exchange.formToken()}">
<div class="field"><label for="name">Name</label>
<p class="hint" id="name-hint">You will see it when the app asks for your approval.</p>${problem('name', problems.name)}
<input type="text" id="name" name="name" value="${written.name}" maxlength="200" autocomplete="off" required${described('name', problems.name)}></div>
<div class="field"><label for="redirect_uri">Callback URL</label>
<p class="hint" id="redirect_uri-hint">Exactly as the app sends it, with path and query. It starts with https://; a public app may also use http:// with localhost, 127.0.0.1 or [::1].</p>${problem('redirect_uri', problems.redirectUri)}
<input type="url" id="redirect_uri" name="redirect_uri" value="${written.redirectUri}" placeholder="https://example.com/callback" autocomplete="off" spellcheck="false" required${described('redirect_uri', problems.redirectUri)}></div>
<fieldset class="field"${describedByProblem('type', problems.type)}><legend>Client type</legend>${problem('type', problems.type)}
${choice('radio', 'type', 'public', 'Public', 'Runs on a person’s own computer or server, and can’t keep a secret.', written.type === 'public')}
${choice('radio', 'type', 'confidential', 'Confidential server', 'Runs on a server that keeps a client secret. It needs an https:// callback.', written.type === 'confidential')}
</fieldset>
<fieldset class="field"${describedByProblem('scopes', problems.scopes)}><legend>Permissions it may ask for</legend>${problem('scopes', problems.scopes)}
${allScopes.map((scope) => {
  const { title, explanation } = scopeWords(scope);
  return choice('checkbox', 'scopes', scope, title, explanation, written.scopes.includes(scope));
})}
</fieldset>
<div class="actions"><a class="button" href="${pagesPath}/apps">Cancel</a><button class="primary">Register app</button></div>
</form>`;
  return { title: 'Register an app', width: 'wide', main };
}

function problem(id: string, sentence: string | undefined): Content {
  return sentence === undefined ? null : html`<p class="wrong" id="${id}-problem">${sentence}</p>`;
}

/** Screen readers read the problem of a group of choices together with its legend. */
function describedByProblem(id: string, sentence: string | undefined): Content {
  return sentence === undefined ? null : html` aria-describedby="${id}-problem"`;
}

function described(id: string, sentence: string | undefined): Html {
  return sentence === undefined
    ? html` aria-describedby="${id}-hint"`
    : html` aria-invalid="true" aria-describedby="${id}-problem ${id}-hint"`;
}

function choice(
  kind: 'radio' | 'checkbox',
  name: string,
  value: string,
  title: string,
  explanation: string,
  chosen: boolean,
): Html {
  return html`<label class="choice"><input type="${kind}" name="${name}" value="${value}"${chosen ? html` checked` : null}><span><b>${title}</b><span>${explanation}</span></span></label>
`;
}
