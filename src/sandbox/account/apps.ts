import { type App, appsOf, findApp, registerApp, removeApp } from '../oauth/apps.ts';
import { connectionsOf, endConnection, findConnection } from '../oauth/connections.ts';
import { checkRegistration } from '../oauth/registration.ts';
import { appPage, appsPage, isDoneNotice, registerPage } from './apps-pages.ts';
import type { PageExchange } from './page-exchange.ts';
import { problemPage } from './page.ts';
import type { AccountSession } from './session.ts';

/** A request of a person who is signed in. */
export type SignedInExchange = PageExchange & { readonly session: AccountSession };

/** `GET /account/apps` */
export function showApps(exchange: SignedInExchange): void {
  const { database } = exchange.context;
  const done = exchange.query.get('done');
  exchange.send(
    200,
    appsPage(exchange, {
      connections: connectionsOf(database, exchange.session.account.id),
      apps: appsOf(database, exchange.session.account.id),
      done: isDoneNotice(done) ? done : null,
    }),
  );
}

/** `GET /account/apps/new` */
export function showRegister(exchange: SignedInExchange): void {
  exchange.send(200, registerPage(exchange, { name: '', redirectUri: '', type: 'public', scopes: [] }, {}));
}

/** `POST /account/apps/new` */
export async function submitRegistration(exchange: SignedInExchange): Promise<void> {
  const form = await exchange.form();
  const written = {
    name: form.get('name') ?? '',
    redirectUri: form.get('redirect_uri') ?? '',
    type: form.get('type') ?? '',
    scopes: form.getAll('scopes'),
  };
  const checked = checkRegistration(written);
  if (!checked.ok) {
    exchange.send(422, registerPage(exchange, written, checked.problems));
    return;
  }
  const { account, sessionUid } = exchange.session;
  const { app, clientSecret } = registerApp(exchange.context.database, account.id, checked.registration);
  if (clientSecret !== null) exchange.context.secrets.put(app.clientId, sessionUid, clientSecret);
  exchange.goTo(`/apps/${app.clientId}?done=registered`);
}

/** `GET /account/apps/{clientId}`: an app that this account registered. */
export function showApp(exchange: SignedInExchange, clientId: string): void {
  const app = ownedApp(exchange, clientId);
  if (app === undefined) {
    exchange.send(404, notFoundPage('app'));
    return;
  }
  const clientSecret = exchange.context.secrets.take(clientId, exchange.session.sessionUid);
  exchange.send(
    200,
    appPage(exchange, app, { clientSecret, fresh: exchange.query.get('done') === 'registered' }),
  );
}

/** `POST /account/apps/{clientId}/remove` */
export async function submitRemoval(exchange: SignedInExchange, clientId: string): Promise<void> {
  await exchange.form();
  if (ownedApp(exchange, clientId) === undefined) return exchange.send(404, notFoundPage('app'));
  removeApp(exchange.context.database, clientId);
  exchange.goTo('/apps?done=removed');
}

/** `POST /account/connections/{id}/disconnect` (Authentication 12) */
export async function submitDisconnection(exchange: SignedInExchange, id: string): Promise<void> {
  await exchange.form();
  const connection = findConnection(exchange.context.database, id);
  if (connection?.accountId !== exchange.session.account.id)
    return exchange.send(404, notFoundPage('connection'));
  endConnection(exchange.context.database, id);
  exchange.goTo('/apps?done=disconnected');
}

function ownedApp({ context, session }: SignedInExchange, clientId: string): App | undefined {
  const app = findApp(context.database, clientId);
  return app?.ownerId === session.account.id ? app : undefined;
}

function notFoundPage(what: 'app' | 'connection') {
  return problemPage(
    what === 'app' ? 'There is no such app' : 'There is no such connection',
    'It may have been removed already, or belong to another account. Your Apps show what there is.',
  );
}
