import type { Context } from '../context.ts';
import { type Answer, type Exchange, Refusal, type Route } from '../http.ts';
import { ensurePasswords } from './accounts.ts';
import {
  type SignedIn,
  showApp,
  showApps,
  showRegister,
  submitDisconnection,
  submitRegistration,
  submitRemoval,
} from './apps-pages.ts';
import { showRequest, submitDecision, submitRequestSignIn } from './consent.ts';
import { accountPath, problemPage, seeOther } from './page.ts';
import { beginSession, endSession, formOf, sessionOf, signedInBy, signInPage } from './sign-in.ts';
import { ticketParameter } from './ticket.ts';

type PageAnswer = Promise<Answer | 'own'> | Answer | 'own';

/** Sign-in, consent and Apps pages below `{auth_url}/account`. */
export function accountRoutes(context: Context): readonly Route[] {
  ensurePasswords(context);
  /** A page that everybody can open. */
  const open = (
    method: 'GET' | 'POST',
    path: string,
    show: (context: Context, exchange: Exchange) => PageAnswer,
  ): Route => ({ method, path: `${accountPath}${path}`, answer: (at) => shown(() => show(context, at)) });
  /** A page of a person who is signed in, below the path of their session. */
  const own = (method: 'GET' | 'POST', path: string, show: (here: SignedIn) => PageAnswer) =>
    open(method, `/{key}${path}`, (_, exchange) => {
      const session = sessionOf(context, exchange);
      return session === null ? toSignIn('') : show({ context, session, exchange });
    });
  return [
    open('GET', '', () => toSignIn('')),
    open('GET', '/apps', () => toSignIn('/apps')),
    open('GET', '/sign-in', showSignIn),
    open('POST', '/sign-in', submitSignIn),
    open('GET', '/requests/{uid}', showRequest),
    open('POST', '/requests/{uid}', submitDecision),
    open('POST', '/requests/{uid}/sign-in', submitRequestSignIn),
    open('GET', '/apps/new', () => toSignIn('/apps/new')),
    own('POST', '/sign-out', ({ session }) => endSession(context, session)),
    own('GET', '/apps', showApps),
    own('GET', '/apps/new', showRegister),
    own('POST', '/apps/new', submitRegistration),
    own('GET', '/apps/{id}', showApp),
    own('POST', '/apps/{id}/remove', submitRemoval),
    own('POST', '/connections/{id}/disconnect', submitDisconnection),
  ];
}

/** Shows a refusal as a page. */
async function shown(show: () => PageAnswer): Promise<Answer | 'own'> {
  try {
    return await show();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return problemPage(error.status, 'That didn’t work', error.message);
  }
}

function toSignIn(next: string): Answer {
  const query = next === '' ? '' : `?${new URLSearchParams({ next })}`;
  return seeOther(`${accountPath}/sign-in${query}`);
}

function showSignIn(context: Context, { query }: Exchange): Answer {
  return signInPage(context, forApps(query));
}

async function submitSignIn(context: Context, exchange: Exchange): Promise<Answer> {
  const form = await formOf(exchange);
  const signIn = forApps(form);
  const account = signedInBy(context, form, signIn);
  if (account === null) return signInPage(context, signIn, form.get('name') ?? '');
  return beginSession(context, account, signIn.next);
}

function forApps(given: URLSearchParams) {
  const next = given.get('next') === '/apps/new' ? '/apps/new' : '/apps';
  const ticket = given.get(ticketParameter) ?? '';
  // A ticket opens the Apps once: nothing else has this purpose.
  return { action: `${accountPath}/sign-in`, purpose: crypto.randomUUID(), ticket, app: null, next };
}
