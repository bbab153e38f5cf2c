import type { App } from '../oauth/apps.ts';
import type { Connection } from '../oauth/connections.ts';
import { scopeWords } from '../oauth/scopes.ts';
import { type Content, type Html, html } from './html.ts';
import type { Page } from './page.ts';
import { time } from './time.ts';
import type { Visit } from './visit.ts';

const doneWords = {
  disconnected: 'Disconnected. The app can no longer act for you. Your artwork is as it was.',
  removed: 'The app is removed, and every connection made with it has ended.',
} as const;

/** What the page before has just done. */
export type Done = keyof typeof doneWords;

export function isDone(word: string | null): word is Done {
  return word !== null && Object.hasOwn(doneWords, word);
}

/** The Apps area (Authentication 3 and 12). */
export function appsPage(
  visit: Visit,
  facts: { connections: readonly Connection[]; apps: readonly App[]; done: Done | null },
): Page {
  const { accountPath } = visit.area.addresses;
  const main = html`<div class="head"><div><h1>Apps</h1><p class="soft">What acts for you in the catalogue, and what you have registered.</p></div>
<a class="button primary" href="${accountPath}/apps/new">Register an app</a></div>
${facts.done === null ? null : html`<div class="notice" role="status"><p>${doneWords[facts.done]}</p></div>`}
<section class="card" aria-labelledby="connected"><h2 id="connected">Connected apps</h2>
${connected(visit, facts.connections)}</section>
<section class="card" aria-labelledby="registered"><h2 id="registered">Apps you registered</h2>
${registered(accountPath, facts.apps)}</section>`;
  return { title: 'Apps', width: 'wide', main };
}

function connected(visit: Visit, connections: readonly Connection[]): Content {
  if (connections.length === 0) {
    return html`<p class="empty">No app is connected. When one asks to act for you and you approve, it appears here.</p>`;
  }
  return html`<ul class="entries">${connections.map((connection) => connectionEntry(visit, connection))}</ul>`;
}

function connectionEntry(visit: Visit, connection: Connection): Html {
  const { id, appName, createdAt, lastUsedAt } = connection;
  return html`<li><div class="what"><h3>${appName}</h3>
<p class="soft small">Connected ${time(createdAt)} · ${lastUsedAt === null ? 'not used yet' : html`last used ${time(lastUsedAt)}`}</p>
<ul class="tags" aria-label="What ${appName} may do">${connection.scopes.map((scope) => html`<li title="${scope}">${scopeWords(scope).title}</li>`)}</ul></div>
<form method="post" action="${visit.area.addresses.accountPath}/connections/${id}/disconnect">
<input type="hidden" name="form_token" value="${visit.formToken()}">
<button class="danger">Disconnect<span class="hidden"> ${appName}</span></button></form></li>`;
}

function registered(accountPath: string, apps: readonly App[]): Content {
  if (apps.length === 0) {
    return html`<p class="empty">You have registered none. An app that came with the catalogue needs no registration.</p>`;
  }
  return html`<ul class="entries">${apps.map(
    (app) => html`<li><div class="what"><h3><a href="${accountPath}/apps/${app.clientId}">${app.name}</a></h3>
<p class="soft small">${app.type === 'public' ? 'Public app' : 'Confidential server'} · registered ${time(app.createdAt)}<br><code>${app.redirectUri}</code></p></div></li>`,
  )}</ul>`;
}
