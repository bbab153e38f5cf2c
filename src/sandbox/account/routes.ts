import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  showApp,
  showApps,
  showRegister,
  type SignedInExchange,
  submitDisconnection,
  submitRegistration,
  submitRemoval,
} from './apps.ts';
import { pageKeyOfRequest, showRequest, submitDecision } from './consent.ts';
import type { AccountContext } from './context.ts';
import { FormError } from './forms.ts';
import { openPageExchange, type PageExchange, queryOf } from './page-exchange.ts';
import { problemPage } from './page.ts';
import { pageKeyParameter } from './session.ts';
import { showSignIn, submitChoice, submitSignIn, submitSignOut } from './sign-in.ts';
import { icon, style } from './style.ts';

type Show<Exchange> = (exchange: Exchange, id: string) => void | Promise<void>;

interface PageRoute {
  readonly method: 'GET' | 'POST';
  /** What follows `/account`; a captured group is passed to the handler. */
  readonly path: RegExp;
  /** `account`: the person has to sign in first. */
  readonly run:
    | { readonly for: 'everyone'; readonly show: Show<PageExchange> }
    | { readonly for: 'account'; readonly show: Show<SignedInExchange> };
}

const openRoute = (method: PageRoute['method'], path: RegExp, show: Show<PageExchange>) =>
  ({ method, path, run: { for: 'everyone', show } }) satisfies PageRoute;
const accountRoute = (method: PageRoute['method'], path: RegExp, show: Show<SignedInExchange>) =>
  ({ method, path, run: { for: 'account', show } }) satisfies PageRoute;

const routes: readonly PageRoute[] = [
  openRoute('GET', /^\/?$/, (exchange) => exchange.goTo('/apps')),
  openRoute('GET', /^\/sign-in$/, showSignIn),
  openRoute('POST', /^\/sign-in$/, submitSignIn),
  openRoute('POST', /^\/sign-in\/choice$/, submitChoice),
  openRoute('GET', /^\/requests\/([\w-]+)$/, showRequest),
  openRoute('POST', /^\/requests\/([\w-]+)$/, submitDecision),
  accountRoute('POST', /^\/sign-out$/, submitSignOut),
  accountRoute('GET', /^\/apps$/, showApps),
  accountRoute('GET', /^\/apps\/new$/, showRegister),
  accountRoute('POST', /^\/apps\/new$/, submitRegistration),
  accountRoute('GET', /^\/apps\/([\w-]+)$/, showApp),
  accountRoute('POST', /^\/apps\/([\w-]+)\/remove$/, submitRemoval),
  accountRoute('POST', /^\/connections\/([\w-]+)\/disconnect$/, submitDisconnection),
];

/**
 * Answers a request for an account page.
 * @param path what follows `/account`: the key of a session's pages, where there is one, and the page.
 */
export async function handlePageRequest(
  context: AccountContext,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (method === 'GET' && path === '/style.css') return sendFile(response, 'text/css; charset=utf-8', style);
  if (method === 'GET' && path === '/icon.svg') return sendFile(response, 'image/svg+xml', icon);

  const [, pageKey = null, page = ''] = /^(?:\/([\w-]{43})(?=\/|$))?(.*)$/.exec(path) ?? [];
  const key = pageKey ?? queryOf(request).get(pageKeyParameter) ?? (await pageKeyOfRequest(context, page));
  const exchange = await openPageExchange(context, request, response, key);
  const here = routes.filter((route) => route.path.test(page));
  const route = here.find((candidate) => candidate.method === method);
  if (route === undefined) {
    if (here.length > 0) response.setHeader('allow', here.map((candidate) => candidate.method).join(', '));
    exchange.send(
      here.length > 0 ? 405 : 404,
      problemPage('There is no such page', 'Your Apps are where the account’s pages begin.'),
    );
    return;
  }
  try {
    const id = route.path.exec(page)?.[1] ?? '';
    if (route.run.for === 'everyone') await route.run.show(exchange, id);
    else if (exchange.session !== null) await route.run.show({ ...exchange, session: exchange.session }, id);
    else exchange.goTo(method === 'GET' ? `/sign-in?${new URLSearchParams({ next: page })}` : '/sign-in');
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    exchange.send(error.status, problemPage('That didn’t work', error.message));
  }
}

function sendFile(response: ServerResponse, type: string, text: string): void {
  response
    .writeHead(200, {
      'content-type': type,
      'cache-control': 'max-age=300',
      'x-content-type-options': 'nosniff',
    })
    .end(text);
}
