import type { Context } from '../context.ts';
import { type Answer, type Exchange, Refusal } from '../http.ts';
import { type App, findApp } from '../oauth/apps.ts';
import { providerOf } from '../oauth/routes.ts';
import { identityScopes, knownScopes, resourceScopes, type Scope, scopeWords } from '../oauth/scopes.ts';
import { type Account, accountOf } from './accounts.ts';
import { accountPath, banner, type Html, html, page, requestPage, seeOther } from './page.ts';
import { formOf, type SignIn, signedInBy, signInPage } from './sign-in.ts';

/** An authorization request that waits for a person's decision. */
interface Waiting {
  readonly uid: string;
  readonly app: App;
  readonly scopes: readonly Scope[];
  readonly callback: string;
  readonly ticket: string;
}

/**
 * `GET /account/requests/{uid}`: the sign-in, and the consent page for who has just signed in. A request that is begun
 * again asks again: what a browser has from earlier ones counts for nothing.
 */
export async function showRequest(context: Context, exchange: Exchange): Promise<Answer> {
  const waiting = await waitingRequest(context, exchange);
  const account = signedInFor(context, waiting.uid, exchange.query.get('as'));
  return account === null ? signInPage(context, signInFor(waiting)) : consentPage(context, waiting, account);
}

/** `POST /account/requests/{uid}/sign-in` */
export async function submitRequestSignIn(context: Context, exchange: Exchange): Promise<Answer> {
  const waiting = await waitingRequest(context, exchange);
  const form = await formOf(exchange);
  const account = signedInBy(context, form, signInFor(waiting));
  if (account === null) return signInPage(context, signInFor(waiting), form.get('name') ?? '');
  return seeOther(`${requestPage(waiting.uid)}?as=${proofOf(context, waiting.uid, account.id)}`);
}

/** `POST /account/requests/{uid}`: the person approves or declines. */
export async function submitDecision(context: Context, exchange: Exchange): Promise<Answer | 'own'> {
  const waiting = await waitingRequest(context, exchange);
  const form = await formOf(exchange);
  const account = signedInFor(context, waiting.uid, form.get('as'));
  if (account === null) return signInPage(context, signInFor(waiting));
  const { request, response } = exchange;
  const provider = await providerOf(context);
  response.setHeader('cache-control', 'no-store');
  if (form.get('decision') !== 'approve') {
    await provider.interactionFinished(request, response, {
      error: 'access_denied',
      error_description: 'The person declined the request',
    });
    return 'own';
  }
  const accountId = String(account.id);
  const grant = new provider.Grant({ accountId, clientId: waiting.app.clientId });
  const among = (some: readonly Scope[]) => waiting.scopes.filter((scope) => some.includes(scope)).join(' ');
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
  const isHere = cookies.get(provider.cookieName('interaction'), { signed: true }) === uid;
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
  const scopes = knownScopes(text('scope'));
  return { uid, app, scopes, callback: text('redirect_uri'), ticket: text('ticket') };
}

function signInFor({ uid, app, ticket }: Waiting): SignIn {
  return { action: `${requestPage(uid)}/sign-in`, purpose: uid, ticket, app: app.name };
}

/** Says in the address, and in the form, who has signed in for this one request. */
function proofOf({ folder }: Context, uid: string, accountId: number): string {
  return `${accountId}.${folder.prove('request', [uid, String(accountId)])}`;
}

function signedInFor(context: Context, uid: string, written: string | null): Account | null {
  const [id = '', proof = ''] = written?.split('.') ?? [];
  if (!context.folder.isProof(proof, 'request', [uid, id])) return null;
  return accountOf(context, Number(id)) ?? null;
}

/** Asks whether an app may act for a person, scope by scope in plain words (Authentication 6). */
function consentPage(context: Context, { uid, app, scopes, callback }: Waiting, account: Account): Answer {
  const owner = app.ownerId === null ? undefined : accountOf(context, app.ownerId);
  const origin = owner ? `It was registered here by ${owner.name}.` : 'It came with this catalogue.';
  const main = html`<div class="card">
${banner(app.name)}
<h1>Connect ${app.name}?</h1>
<p><b>${app.name}</b> would like to act for you, <b>${account.name}</b>, in the artwork catalogue. <span class="soft">${origin}</span></p>
<h2>It would be able to</h2>
${scopeList(scopes)}
<form method="post" action="${requestPage(uid)}"><input type="hidden" name="as" value="${proofOf(context, uid, account.id)}">
<div class="actions">
<button name="decision" value="decline">Decline</button>
<button class="primary" name="decision" value="approve">Approve</button>
</div></form>
<p class="soft small">It can’t delete artwork, sign in as you or change your account. You can disconnect it at any time in your <a href="${accountPath}/apps">Apps</a>. Either answer takes you back to <code>${new URL(callback).origin}</code>.</p>
<p class="small"><span class="soft">Not ${account.name}?</span> <a href="${requestPage(uid)}">Use another account</a></p>
</div>`;
  return page({ title: `Connect ${app.name}?`, width: 'narrow', main, callback });
}

/** A list of scopes with what each allows. */
export function scopeList(scopes: readonly Scope[]): Html {
  return html`<ul class="scopes">${scopes.map((scope) => {
    const { title, explanation } = scopeWords(scope);
    return html`<li><b>${title}</b><span>${explanation}</span></li>`;
  })}</ul>`;
}
