import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type OwnVisit,
  showApp,
  showApps,
  showRegister,
  takeDisconnect,
  takeRegister,
  takeRemove,
} from './apps.ts';
import type { Area } from './area.ts';
import { FormError } from './form.ts';
import { icon } from './icon.ts';
import { problemPage } from './problem-page.ts';
import { showRequest, takeDecision } from './requests.ts';
import { showSignIn, takeSignIn, takeSignOut } from './sign-in.ts';
import { style } from './style.ts';
import { openVisit, type Visit } from './visit.ts';

interface Route {
  readonly method: 'GET' | 'POST';
  /** What follows `/account`; a group is handed on. */
  readonly path: RegExp;
  /** `own`: signs somebody in first. */
  readonly run:
    | { readonly for: 'anybody'; readonly show: (visit: Visit, id: string) => void | Promise<void> }
    | { readonly for: 'account'; readonly show: (visit: OwnVisit, id: string) => void | Promise<void> };
}

const anybody = (
  method: Route['method'],
  path: RegExp,
  show: (visit: Visit, id: string) => void | Promise<void>,
) => ({ method, path, run: { for: 'anybody', show } }) satisfies Route;
const account = (
  method: Route['method'],
  path: RegExp,
  show: (visit: OwnVisit, id: string) => void | Promise<void>,
) => ({ method, path, run: { for: 'account', show } }) satisfies Route;

const routes: readonly Route[] = [
  anybody('GET', /^\/?$/, (visit) => visit.goTo('/apps')),
  anybody('GET', /^\/sign-in$/, showSignIn),
  anybody('POST', /^\/sign-in$/, takeSignIn),
  anybody('POST', /^\/sign-out$/, takeSignOut),
  anybody('GET', /^\/requests\/([\w-]+)$/, showRequest),
  anybody('POST', /^\/requests\/([\w-]+)$/, takeDecision),
  account('GET', /^\/apps$/, showApps),
  account('GET', /^\/apps\/new$/, showRegister),
  account('POST', /^\/apps\/new$/, takeRegister),
  account('GET', /^\/apps\/([\w-]+)$/, showApp),
  account('POST', /^\/apps\/([\w-]+)\/remove$/, takeRemove),
  account('POST', /^\/connections\/([\w-]+)\/disconnect$/, takeDisconnect),
];

/** Answers a request for one of the account's pages. @param path what follows `/account`. */
export async function answerPage(
  area: Area,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (method === 'GET' && path === '/style.css') return sendFile(response, 'text/css; charset=utf-8', style);
  if (method === 'GET' && path === '/icon.svg') return sendFile(response, 'image/svg+xml', icon);

  const visit = await openVisit(area, request, response);
  const here = routes.filter((route) => route.path.test(path));
  const route = here.find((candidate) => candidate.method === method);
  if (route === undefined) {
    if (here.length > 0) response.setHeader('allow', here.map((candidate) => candidate.method).join(', '));
    visit.send(
      here.length > 0 ? 405 : 404,
      problemPage('There is no such page', 'Your Apps are where the account’s pages begin.'),
    );
    return;
  }
  try {
    const id = route.path.exec(path)?.[1] ?? '';
    if (route.run.for === 'anybody') await route.run.show(visit, id);
    else if (visit.session !== null) await route.run.show({ ...visit, session: visit.session }, id);
    else visit.goTo(method === 'GET' ? `/sign-in?${new URLSearchParams({ next: path })}` : '/sign-in');
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    visit.send(error.status, problemPage('That didn’t work', error.message));
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
