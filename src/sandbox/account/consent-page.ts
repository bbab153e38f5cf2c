import type { App } from '../oauth/apps.ts';
import { type Scope, scopeWords } from '../oauth/scopes.ts';
import type { Account } from './accounts.ts';
import { type Html, html } from './html.ts';
import type { Page } from './page.ts';
import type { Visit } from './visit.ts';

export interface ConsentFacts {
  readonly uid: string;
  readonly app: App;
  readonly scopes: readonly Scope[];
  readonly account: Account;
  /** Null for the catalogue's own app. */
  readonly registeredBy: string | null;
}

/** Asks a person whether an app may act for them, scope by scope in plain words (Authentication 6). */
export function consentPage(visit: Visit, facts: ConsentFacts): Page {
  const { app, account } = facts;
  const action = `${visit.area.addresses.accountPath}/requests/${facts.uid}`;
  const token = html`<input type="hidden" name="form_token" value="${visit.formToken()}">`;
  const main = html`<div class="card">
<h1>Connect ${app.name}?</h1>
<p><b>${app.name}</b> would like to act for you, <b>${account.name}</b>, in the artwork catalogue.
<span class="soft">${origin(facts.registeredBy)}</span></p>
<h2>It would be able to</h2>
${scopeList(facts.scopes)}
<p class="soft small">It can’t delete artwork, sign in as you or change your account. You can disconnect it at any time in your <a href="${visit.area.addresses.accountPath}/apps">Apps</a>.</p>
<p class="soft small">Either answer takes you back to <code>${new URL(app.redirectUri).origin}</code>.</p>
<form method="post" action="${action}">${token}
<div class="actions">
<button name="decision" value="decline">Decline</button>
<button class="primary" name="decision" value="approve">Approve</button>
</div></form>
</div>
<form class="card" method="post" action="${action}">${token}
<p><span class="soft">Not ${account.name}?</span> <button class="plain" name="decision" value="switch">Use another account</button></p>
</form>`;
  return { title: `Connect ${app.name}?`, width: 'narrow', main };
}

function origin(registeredBy: string | null): string {
  return registeredBy === null
    ? 'It came with this catalogue.'
    : `It was registered here by ${registeredBy}.`;
}

/** Scopes with what they allow. */
export function scopeList(scopes: readonly Scope[]): Html {
  return html`<ul class="scopes">${scopes.map((scope) => {
    const { title, explanation } = scopeWords(scope);
    return html`<li><b>${title}</b><span>${explanation}</span></li>`;
  })}</ul>`;
}
