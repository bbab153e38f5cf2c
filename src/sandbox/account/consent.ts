import type { Context } from '../context.ts';
import { type Answer, type Exchange, Refusal } from '../http.ts';
import { type App, findApp } from '../oauth/apps.ts';
import { providerOf } from '../oauth/routes.ts';
import { identityScopes, knownScopes, resourceScopes, type Scope, scopeWords } from '../oauth/scopes.ts';
import { type Account, accountOf, chooseAccount } from './accounts.ts';
import { accountPath, formOf, html, page, requestPage } from './page.ts';

/** An authorization request that waits for a person's decision. */
interface Waiting {
  readonly uid: string;
  readonly app: App;
  readonly scopes: readonly Scope[];
  readonly callback: string;
}

/** `GET /account/requests/{uid}`: the choice of an account, and the consent page for the one that was chosen. */
export async function showRequest(context: Context, exchange: Exchange): Promise<Answer> {
  const waiting = await waitingRequest(context, exchange);
  const account = accountOf(context, exchange.query.get('account'));
  if (account !== undefined) return consentPage(context, waiting, account);
  const { app, uid } = waiting;
  return chooseAccount(
    context,
    html`to continue to <b>${app.name}</b>.`,
    (id) => `${requestPage(uid)}?account=${id}`,
  );
}

/** `POST /account/requests/{uid}`: the person approves or declines. */
export async function submitDecision(context: Context, exchange: Exchange): Promise<'own'> {
  const { app, scopes } = await waitingRequest(context, exchange);
  const form = await formOf(exchange);
  const { request, response } = exchange;
  const provider = await providerOf(context);
  response.setHeader('cache-control', 'no-store');
  const account = accountOf(context, form.get('account'));
  if (account === undefined || form.get('decision') !== 'approve') {
    await provider.interactionFinished(request, response, {
      error: 'access_denied',
      error_description: 'The person declined the request',
    });
    return 'own';
  }
  const accountId = String(account.id);
  const grant = new provider.Grant({ accountId, clientId: app.clientId });
  const among = (some: readonly Scope[]) => scopes.filter((scope) => some.includes(scope)).join(' ');
  grant.addOIDCScope(among(identityScopes));
  grant.addResourceScope(`${context.baseUrl}/me`, among(resourceScopes));
  const grantId = await grant.save();
  await provider.interactionFinished(request, response, { login: { accountId }, consent: { grantId } });
  return 'own';
}

/** @throws Refusal when the request is over, or was opened in another browser */
async function waitingRequest(context: Context, { request, response, segment }: Exchange): Promise<Waiting> {
  const provider = await providerOf(context);
  const uid = segment('uid');
  const { cookies } = provider.createContext(request, response);
  const isHere = cookies.get(provider.cookieName('interaction')) === uid;
  const interaction = isHere ? await provider.Interaction.find(uid) : undefined;
  const text = (name: string) => {
    const value = interaction?.params[name];
    return typeof value === 'string' ? value : '';
  };
  const app = findApp(context.store, text('client_id'));
  if (interaction === undefined || app === undefined) {
    throw new Refusal(
      400,
      'request_over',
      'This request has been answered, or waited too long. Go back to the app and connect again.',
    );
  }
  return { uid, app, scopes: knownScopes(text('scope')), callback: text('redirect_uri') };
}

/** Asks whether an app may act for a person, scope by scope in plain words (Authentication 6). */
function consentPage(context: Context, { uid, app, scopes, callback }: Waiting, account: Account): Answer {
  const owner = accountOf(context, String(app.ownerId));
  const origin = owner ? `It was registered here by ${owner.name}.` : 'It came with this catalogue.';
  const allowed = scopes.map((scope) => {
    const { title, explanation } = scopeWords(scope);
    return html`<li><b>${title}</b><span>${explanation}</span></li>`;
  });
  const main = html`<div class="card">
<h1>Connect ${app.name}?</h1>
<p><b>${app.name}</b> would like to act for you, <b>${account.name}</b>, in the artwork catalogue. <span class="soft">${origin}</span></p>
<h2>It would be able to</h2>
<ul class="scopes">${allowed}</ul>
<form method="post" action="${requestPage(uid)}"><input type="hidden" name="account" value="${String(account.id)}">
<div class="actions">
<button name="decision" value="decline">Decline</button>
<button class="primary" name="decision" value="approve">Approve</button>
</div></form>
<p class="soft small">It can’t delete artwork, sign in as you or change your account. You can disconnect it at any time in your <a href="${accountPath}/${String(account.id)}/apps">Apps</a>. Either answer takes you back to <code>${new URL(callback).origin}</code>.</p>
<p class="small"><span class="soft">Not ${account.name}?</span> <a href="${requestPage(uid)}">Use another account</a></p>
</div>`;
  return page({ title: `Connect ${app.name}?`, width: 'narrow', main, callback });
}
