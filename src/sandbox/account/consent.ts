import { type App, findApp } from '../oauth/apps.ts';
import { identityScopes, knownScopes, resourceScopes, type Scope, scopeWords } from '../oauth/scopes.ts';
import type { Account } from './accounts.ts';
import { FormError } from './forms.ts';
import { type Html, html } from './html.ts';
import type { PageExchange } from './page-exchange.ts';
import { type Page, seeOther } from './page.ts';
import { pageKeyParameter, signOut } from './session.ts';
import { ticketParameter } from './ticket.ts';

/** An authorization request that waits for a person's decision. */
type AppRequest = Awaited<ReturnType<PageExchange['context']['provider']['interactionDetails']>>;

/** `GET /account/requests/{uid}`: the sign-in first, where it is needed; then the consent page. */
export async function showRequest(exchange: PageExchange, uid: string): Promise<void> {
  const request = await openRequest(exchange, uid);
  const { session } = exchange;
  if (session !== null && session.sessionUid !== request.session?.uid) {
    // They have just signed in for it.
    await restartRequest(exchange, request, { [pageKeyParameter]: session.pageKey });
    return;
  }
  // Another server may have got the cookie of a session. Without the page's key the person signs in first.
  if (session === null || request.prompt.name === 'login') {
    const ticket = parameter(request, ticketParameter);
    const query = new URLSearchParams({
      next: `/requests/${uid}`,
      ...(ticket === '' ? {} : { [ticketParameter]: ticket }),
    });
    seeOther(exchange.response, `${exchange.context.addresses.accountPath}/sign-in?${query}`);
    return;
  }
  const app = appOf(exchange, request);
  const callback = parameter(request, 'redirect_uri');
  const page = consentPage(exchange, {
    uid,
    app,
    callback,
    scopes: knownScopes(parameter(request, 'scope')),
    account: session.account,
    registeredBy:
      app.ownerId === null ? null : (exchange.context.accounts.find(app.ownerId)?.name ?? 'a former account'),
  });
  exchange.send(200, page, callback);
}

/** `POST /account/requests/{uid}`: the person approves, declines, or switches to another account. */
export async function submitDecision(exchange: PageExchange, uid: string): Promise<void> {
  const request = await openRequest(exchange, uid);
  const form = await exchange.form();
  const { context, response } = exchange;
  const { session } = exchange;
  if (session === null || session.sessionUid !== request.session?.uid) throw requestOver();
  const { account } = session;
  response.setHeader('cache-control', 'no-store');
  switch (form.get('decision')) {
    case 'approve': {
      const grant = new context.provider.Grant({
        accountId: String(account.id),
        clientId: appOf(exchange, request).clientId,
      });
      const scopes = knownScopes(parameter(request, 'scope'));
      grant.addOIDCScope(scopes.filter((scope) => identityScopes.some((own) => own === scope)));
      grant.addResourceScope(
        context.addresses.resource,
        scopes.filter((scope) => resourceScopes.some((own) => own === scope)),
      );
      const grantId = await grant.save();
      await context.provider.interactionFinished(exchange.request, response, { consent: { grantId } });
      return;
    }
    case 'decline':
      await context.provider.interactionFinished(exchange.request, response, {
        error: 'access_denied',
        error_description: 'The person declined the request',
      });
      return;
    case 'switch':
      await signOut(context, exchange.request, response);
      // Who came with a ticket chooses again with another one: this is the same browser, and it was signed in.
      await restartRequest(
        exchange,
        request,
        context.tickets.isGenuine(parameter(request, ticketParameter))
          ? { [ticketParameter]: context.tickets.draw() }
          : {},
      );
      return;
    default:
      throw new FormError(422, 'Choose one of the buttons of the page.');
  }
}

/**
 * The authorization request that this browser was redirected with. A consent belongs to one session, and each
 * sign-in starts a new session.
 * @throws FormError when the request is over, or was opened in another browser.
 */
async function openRequest(exchange: PageExchange, uid: string): Promise<AppRequest> {
  const { provider } = exchange.context;
  const { cookies } = provider.createContext(exchange.request, exchange.response);
  if (cookies.get(provider.cookieName('interaction'), { signed: true }) !== uid) throw requestOver();
  const request = await provider.Interaction.find(uid);
  if (request === undefined) throw requestOver();
  return request;
}

/** The key of the pages of the session that began an authorization request; null: it was begun without one. */
export async function pageKeyOfRequest(
  { provider }: PageExchange['context'],
  page: string,
): Promise<string | null> {
  const uid = /^\/requests\/([\w-]+)$/.exec(page)?.[1];
  const request = uid === undefined ? undefined : await provider.Interaction.find(uid);
  const key = request?.params[pageKeyParameter];
  return typeof key === 'string' ? key : null;
}

function requestOver(): FormError {
  return new FormError(
    400,
    'This request has been answered, or waited too long. Go back to the app and connect again.',
  );
}

/** Starts the app's authorization request again, after a sign-in or sign-out. @param own parameters of ours */
async function restartRequest(
  exchange: PageExchange,
  request: AppRequest,
  own: Readonly<Record<string, string>>,
): Promise<void> {
  const again = new URLSearchParams();
  for (const [name, value] of Object.entries(request.params)) {
    if (typeof value === 'string' && name !== pageKeyParameter) again.set(name, value);
  }
  for (const [name, value] of Object.entries(own)) again.set(name, value);
  // The sign-in that the app may have asked for has just happened.
  const prompt = parameter(request, 'prompt')
    .split(' ')
    .filter((word) => word !== 'login' && word !== '');
  if (prompt.length > 0) again.set('prompt', prompt.join(' '));
  else again.delete('prompt');
  await request.destroy();
  seeOther(exchange.response, `${exchange.context.addresses.authorizePath}?${again}`);
}

function appOf(exchange: PageExchange, request: AppRequest): App {
  const app = findApp(exchange.context.database, parameter(request, 'client_id'));
  if (app === undefined)
    throw new FormError(400, 'The app was removed while it waited. There is nothing to approve.');
  return app;
}

function parameter(request: AppRequest, name: string): string {
  const value = request.params[name];
  return typeof value === 'string' ? value : '';
}

interface ConsentFacts {
  readonly uid: string;
  readonly app: App;
  /** Where either answer goes. */
  readonly callback: string;
  readonly scopes: readonly Scope[];
  readonly account: Account;
  /** Null for the catalogue's own app. */
  readonly registeredBy: string | null;
}

/** Asks a person whether an app may act for them, scope by scope in plain words (Authentication 6). */
function consentPage(exchange: PageExchange, facts: ConsentFacts): Page {
  const { app, account } = facts;
  const action = `${exchange.context.addresses.accountPath}/requests/${facts.uid}`;
  const token = html`<input type="hidden" name="form_token" value="${exchange.formToken()}">`;
  const main = html`<div class="card">
<h1>Connect ${app.name}?</h1>
<p><b>${app.name}</b> would like to act for you, <b>${account.name}</b>, in the artwork catalogue.
<span class="soft">${origin(facts.registeredBy)}</span></p>
<h2>It would be able to</h2>
${scopeList(facts.scopes)}
<p class="soft small">It can’t delete artwork, sign in as you or change your account. You can disconnect it at any time in your <a href="${exchange.pagesPath}/apps">Apps</a>.</p>
<p class="soft small">Either answer takes you back to <code>${new URL(facts.callback).origin}</code>.</p>
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

/** A list of scopes with what each allows. */
export function scopeList(scopes: readonly Scope[]): Html {
  return html`<ul class="scopes">${scopes.map((scope) => {
    const { title, explanation } = scopeWords(scope);
    return html`<li><b>${title}</b><span>${explanation}</span></li>`;
  })}</ul>`;
}
