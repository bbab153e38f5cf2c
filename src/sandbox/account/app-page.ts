import type { App } from '../oauth/apps.ts';
import { scopeList } from './consent-page.ts';
import { type Content, html } from './html.ts';
import type { Page } from './page.ts';
import { time } from './time.ts';
import type { Visit } from './visit.ts';

/** One app that this account registered. Its secret is shown once, just after the registration. */
export function appPage(
  visit: Visit,
  app: App,
  shown: { clientSecret: string | null; fresh: boolean },
): Page {
  const { accountPath } = visit.area.addresses;
  const main = html`<p class="back"><a href="${accountPath}/apps">← Apps</a></p>
<h1>${app.name}</h1>
${shown.fresh ? html`<div class="notice" role="status"><p>The app is registered. ${shown.clientSecret === null ? null : 'Copy the client secret now: it is shown this one time.'}</p></div>` : null}
<section class="card" aria-labelledby="settings"><h2 id="settings">What the app needs to know</h2>
<dl><dt>Client id</dt><dd><code class="value">${app.clientId}</code></dd>
${secret(app, shown.clientSecret)}
<dt>Callback URL</dt><dd><code class="value">${app.redirectUri}</code></dd>
<dt>Client type</dt><dd>${app.type === 'public' ? 'Public: it sends its client id, and no secret' : 'Confidential server: it authenticates with HTTP Basic'}</dd>
<dt>Registered</dt><dd>${time(app.createdAt)}</dd></dl></section>
<section class="card" aria-labelledby="asks"><h2 id="asks">What it may ask for</h2>${scopeList(app.scopes)}</section>
<section class="card"><details><summary>Remove this app</summary>
<p>Everybody who connected it is disconnected at once. Artwork stays as it is. This can’t be undone.</p>
<form method="post" action="${accountPath}/apps/${app.clientId}/remove">
<input type="hidden" name="form_token" value="${visit.formToken()}">
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
