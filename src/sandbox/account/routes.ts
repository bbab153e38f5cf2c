import type { Context } from '../context.ts';
import { type Answer, type Exchange, Refusal, type Route } from '../http.ts';
import { chooseAccount } from './accounts.ts';
import { disconnectApp, register, remove, showApps, showRegister } from './apps-pages.ts';
import { showRequest, submitDecision } from './consent.ts';
import { accountPath, problemPage } from './page.ts';

/** Sign-in, consent and Apps pages below `{auth_url}/account`. */
export function accountRoutes(context: Context): readonly Route[] {
  const shows = (
    method: 'GET' | 'POST',
    path: string,
    show: (context: Context, exchange: Exchange) => ReturnType<Route['answer']>,
  ): Route => ({ method, path: `${accountPath}${path}`, answer: (at) => shown(() => show(context, at)) });
  return [
    shows('GET', '', chooseForApps),
    shows('GET', '/apps', chooseForApps),
    shows('GET', '/requests/{uid}', showRequest),
    shows('POST', '/requests/{uid}', submitDecision),
    shows('GET', '/{account}/apps', showApps),
    shows('GET', '/{account}/apps/new', showRegister),
    shows('POST', '/{account}/apps/new', register),
    shows('POST', '/{account}/apps/{id}/remove', remove),
    shows('POST', '/{account}/connections/{id}/disconnect', disconnectApp),
  ];
}

/** Shows a refusal as a page. */
async function shown(show: () => ReturnType<Route['answer']>): Promise<Answer | 'own'> {
  try {
    return await show();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return problemPage(error.status, 'That didn’t work', error.message);
  }
}

function chooseForApps(context: Context): Answer {
  return chooseAccount(context, 'to see and manage its Apps.', (id) => `${accountPath}/${id}/apps`);
}
