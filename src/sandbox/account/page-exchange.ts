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
  /** Root-relative path that the addresses of this session's pages begin with; without a session, of all pages. */
  readonly pagesPath: string;
  /** A token for the forms of the page that is about to be sent. */
  formToken(): string;
  /**
   * The form in the request body.
   * @throws FormError when the form is not from this browser.
   */
  form(): Promise<URLSearchParams>;
  /** @param callback the app's callback URL, where a form of this page may redirect to. */
  send(status: number, page: Page, callback?: string): void;
  /** @param path below `pagesPath`. */
  goTo(path: string): void;
}

/** @param pageKey as the address of the page has it, or the authorization request that it answers; null: it has none. */
export async function openPageExchange(
  context: AccountContext,
  request: IncomingMessage,
  response: ServerResponse,
  pageKey: string | null,
): Promise<PageExchange> {
  const session = await currentSession(context, request, response, pageKey);
  const { accountPath } = context.addresses;
  const pagesPath = session === null ? accountPath : pagesPathOf(context, session.pageKey);
  let token: string | null = null;
  const exchange: PageExchange = {
    context: context,
    request,
    response,
    query: queryOf(request),
    session,
    pagesPath,
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
      sendPage(response, status, renderPage({ accountPath, pagesPath, signedIn }, page), callback);
    },
    goTo(path) {
      seeOther(response, `${pagesPath}${path}`);
    },
  };
  return exchange;
}

/** Root-relative path that the addresses of a session's pages begin with. */
export function pagesPathOf({ addresses }: AccountContext, pageKey: string): string {
  return `${addresses.accountPath}/${pageKey}`;
}

/** The query of a request. */
export function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  return new URLSearchParams(url.split('?').slice(1).join('?'));
}
