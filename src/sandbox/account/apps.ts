import { appsOf, findApp, registerApp, removeApp } from '../oauth/apps.ts';
import { connectionsOf, endConnection, findConnection } from '../oauth/connections.ts';
import { checkRegistration } from '../oauth/registration.ts';
import { appPage } from './app-page.ts';
import { appsPage, isDone } from './apps-page.ts';
import { problemPage } from './problem-page.ts';
import { registerPage } from './register-page.ts';
import type { SignedIn } from './session.ts';
import type { Visit } from './visit.ts';

/** A visit of somebody who is signed in. */
export type OwnVisit = Visit & { readonly session: SignedIn };

/** `GET /account/apps` */
export function showApps(visit: OwnVisit): void {
  const { database } = visit.area;
  const done = visit.query.get('done');
  visit.send(
    200,
    appsPage(visit, {
      connections: connectionsOf(database, visit.session.account.id),
      apps: appsOf(database, visit.session.account.id),
      done: isDone(done) ? done : null,
    }),
  );
}

/** `GET /account/apps/new` */
export function showRegister(visit: OwnVisit): void {
  visit.send(200, registerPage(visit, { name: '', redirectUri: '', type: 'public', scopes: [] }, {}));
}

/** `POST /account/apps/new` */
export async function takeRegister(visit: OwnVisit): Promise<void> {
  const form = await visit.form();
  const written = {
    name: form.get('name') ?? '',
    redirectUri: form.get('redirect_uri') ?? '',
    type: form.get('type') ?? '',
    scopes: form.getAll('scopes'),
  };
  const checked = checkRegistration(written);
  if (!checked.ok) {
    visit.send(422, registerPage(visit, written, checked.problems));
    return;
  }
  const { account, sessionUid } = visit.session;
  const { app, clientSecret } = registerApp(visit.area.database, account.id, checked.registration);
  if (clientSecret !== null) visit.area.secrets.keep(app.clientId, sessionUid, clientSecret);
  visit.goTo(`/apps/${app.clientId}?done=registered`);
}

/** `GET /account/apps/{clientId}`: an app that this account registered. */
export function showApp(visit: OwnVisit, clientId: string): void {
  const app = findApp(visit.area.database, clientId);
  if (app === undefined || app.ownerId !== visit.session.account.id) {
    visit.send(404, noSuch('app'));
    return;
  }
  const clientSecret = visit.area.secrets.take(clientId, visit.session.sessionUid);
  visit.send(200, appPage(visit, app, { clientSecret, fresh: visit.query.get('done') === 'registered' }));
}

/** `POST /account/apps/{clientId}/remove` */
export async function takeRemove(visit: OwnVisit, clientId: string): Promise<void> {
  await visit.form();
  const app = findApp(visit.area.database, clientId);
  if (app === undefined || app.ownerId !== visit.session.account.id) {
    visit.send(404, noSuch('app'));
    return;
  }
  removeApp(visit.area.database, clientId);
  visit.goTo('/apps?done=removed');
}

/** `POST /account/connections/{id}/disconnect` (Authentication 12) */
export async function takeDisconnect(visit: OwnVisit, id: string): Promise<void> {
  await visit.form();
  const connection = findConnection(visit.area.database, id);
  if (connection === undefined || connection.accountId !== visit.session.account.id) {
    visit.send(404, noSuch('connection'));
    return;
  }
  endConnection(visit.area.database, id);
  visit.goTo('/apps?done=disconnected');
}

function noSuch(what: 'app' | 'connection') {
  return problemPage(
    what === 'app' ? 'There is no such app' : 'There is no such connection',
    'It may have been removed already, or belong to another account. Your Apps show what there is.',
  );
}
