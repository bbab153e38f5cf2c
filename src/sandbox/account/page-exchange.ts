import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccountContext } from './context.ts';
import { createFormToken, readForm, verifyForm } from './forms.ts';
import { type Page, renderPage, seeOther, sendPage } from './page.ts';
import { type AccountSession, currentSession } from './session.ts';

/** One request for an account page, with its response. */
export interface PageExchange {
  readonly context: AccountContext;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly session: AccountSession | null;
  /** A token for the forms of the page that is about to be sent. */
  formToken(): string;
  /**
   * The form in the request body.
   * @throws FormError when the form is not from this browser.
   */
  form(): Promise<URLSearchParams>;
  /** @param callback the app's callback URL, where a form of this page may redirect to. */
  send(status: number, page: Page, callback?: string): void;
  /** @param path below `/account`. */
  goTo(path: string): void;
}

export async function openPageExchange(
  context: AccountContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<PageExchange> {
  const session = await currentSession(context, request, response);
  const { accountPath } = context.addresses;
  const queryStart = (request.url ?? '').indexOf('?');
  let token: string | null = null;
  const exchange: PageExchange = {
    context: context,
    request,
    response,
    query: new URLSearchParams(queryStart === -1 ? '' : (request.url ?? '').slice(queryStart)),
    session,
    formToken() {
      token ??= createFormToken(context, request, response, session);
      return token;
    },
    async form() {
      const form = await readForm(request);
      verifyForm(context, request, response, session, form);
      return form;
    },
    send(status, page, callback) {
      const signedIn =
        session === null ? null : { name: session.account.name, formToken: exchange.formToken() };
      sendPage(response, status, renderPage({ accountPath, signedIn }, page), callback);
    },
    goTo(path) {
      seeOther(response, `${accountPath}${path}`);
    },
  };
  return exchange;
}
