import { type App, findApp } from '../oauth/apps.ts';
import { identityScopes, knownScopes, resourceScopes } from '../oauth/scopes.ts';
import { seeOther } from './answer.ts';
import { consentPage } from './consent-page.ts';
import { FormError } from './form.ts';
import type { SignedIn } from './session.ts';
import { signOut } from './session.ts';
import type { Visit } from './visit.ts';

/** An app's request that waits for a person's word. */
type Request = Awaited<ReturnType<Visit['area']['provider']['interactionDetails']>>;

/** `GET /account/requests/{uid}`: to the sign-in first, when somebody has to; then the consent page. */
export async function showRequest(visit: Visit, uid: string): Promise<void> {
  const request = await openRequest(visit, uid);
  const { session } = visit;
  if (request.prompt.name === 'login') {
    if (session !== null && session.sessionUid !== request.session?.uid) await startAgain(visit, request);
    else visit.goTo(`/sign-in?${new URLSearchParams({ next: `/requests/${uid}` })}`);
    return;
  }
  const app = appOf(visit, request);
  const page = consentPage(visit, {
    uid,
    app,
    scopes: knownScopes(parameter(request, 'scope')),
    account: signedIn(session).account,
    registeredBy:
      app.ownerId === null ? null : (visit.area.accounts.find(app.ownerId)?.name ?? 'a former account'),
  });
  visit.send(200, page, app.redirectUri);
}

/** `POST /account/requests/{uid}`: approved, declined, or somebody else wants to decide. */
export async function takeDecision(visit: Visit, uid: string): Promise<void> {
  const form = await visit.form();
  const request = await openRequest(visit, uid);
  const { area, response } = visit;
  const { account } = signedIn(visit.session);
  response.setHeader('cache-control', 'no-store');
  switch (form.get('decision')) {
    case 'approve': {
      const grant = new area.provider.Grant({
        accountId: String(account.id),
        clientId: appOf(visit, request).clientId,
      });
      const scopes = knownScopes(parameter(request, 'scope'));
      grant.addOIDCScope(scopes.filter((scope) => identityScopes.some((own) => own === scope)));
      grant.addResourceScope(
        area.addresses.resource,
        scopes.filter((scope) => resourceScopes.some((own) => own === scope)),
      );
      const grantId = await grant.save();
      await area.provider.interactionFinished(visit.request, response, { consent: { grantId } });
      return;
    }
    case 'decline':
      await area.provider.interactionFinished(visit.request, response, {
        error: 'access_denied',
        error_description: 'The person declined the request',
      });
      return;
    case 'switch':
      await signOut(area, visit.request, response);
      await startAgain(visit, request);
      return;
    default:
      throw new FormError(422, 'Choose one of the buttons of the page.');
  }
}

/**
 * The request that this browser was sent here with. A consent belongs to the session that it was asked of;
 * a sign-in makes a session of its own.
 * @throws FormError when the request is over, or was opened in another browser or by another account.
 */
async function openRequest(visit: Visit, uid: string): Promise<Request> {
  const { provider } = visit.area;
  const { cookies } = provider.createContext(visit.request, visit.response);
  if (cookies.get(provider.cookieName('interaction'), { signed: true }) !== uid) throw over();
  const request = await provider.Interaction.find(uid);
  if (request === undefined) throw over();
  if (request.prompt.name !== 'login' && request.session?.uid !== visit.session?.sessionUid) throw over();
  return request;
}

function over(): FormError {
  return new FormError(
    400,
    'This request has been answered, or waited too long. Go back to the app and connect again.',
  );
}

/** After signing in or out, the app's request is judged from the start. */
async function startAgain(visit: Visit, request: Request): Promise<void> {
  const again = new URLSearchParams();
  for (const [name, value] of Object.entries(request.params)) {
    if (typeof value === 'string') again.set(name, value);
  }
  // The sign-in that it may have asked for has just happened.
  const prompt = parameter(request, 'prompt')
    .split(' ')
    .filter((word) => word !== 'login' && word !== '');
  if (prompt.length > 0) again.set('prompt', prompt.join(' '));
  else again.delete('prompt');
  await request.destroy();
  seeOther(visit.response, `${visit.area.addresses.authorizePath}?${again}`);
}

function appOf(visit: Visit, request: Request): App {
  const app = findApp(visit.area.database, parameter(request, 'client_id'));
  if (app === undefined)
    throw new FormError(400, 'The app was removed while it waited. There is nothing to approve.');
  return app;
}

function parameter(request: Request, name: string): string {
  const value = request.params[name];
  return typeof value === 'string' ? value : '';
}

function signedIn(session: SignedIn | null): SignedIn {
  if (session === null) throw over();
  return session;
}
