import type { IncomingMessage, ServerResponse } from 'node:http';
import { seeOther, sendPage } from './answer.ts';
import type { Area } from './area.ts';
import { readForm } from './form.ts';
import { checkForm, formToken } from './form-guard.ts';
import { type Page, wholePage } from './page.ts';
import { currentSession, type SignedIn } from './session.ts';

/** One request for one of the account's pages. */
export interface Visit {
  readonly area: Area;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly session: SignedIn | null;
  /** For the forms of the page that is about to be sent. */
  formToken(): string;
  /** The form that was sent. @throws FormError when it is not one of this browser's own. */
  form(): Promise<URLSearchParams>;
  /** @param callback where a form of this page may end: the app's callback URL. */
  send(status: number, page: Page, callback?: string): void;
  /** @param path below the account's pages. */
  goTo(path: string): void;
}

export async function openVisit(
  area: Area,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Visit> {
  const session = await currentSession(area, request, response);
  const { accountPath } = area.addresses;
  const queryStart = (request.url ?? '').indexOf('?');
  let token: string | null = null;
  const visit: Visit = {
    area,
    request,
    response,
    query: new URLSearchParams(queryStart === -1 ? '' : (request.url ?? '').slice(queryStart)),
    session,
    formToken() {
      token ??= formToken(area, request, response, session);
      return token;
    },
    async form() {
      const form = await readForm(request);
      checkForm(area, request, response, session, form);
      return form;
    },
    send(status, page, callback) {
      const signedIn = session === null ? null : { name: session.account.name, formToken: visit.formToken() };
      sendPage(response, status, wholePage({ accountPath, signedIn }, page), callback);
    },
    goTo(path) {
      seeOther(response, `${accountPath}${path}`);
    },
  };
  return visit;
}
