import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccountContext } from './context.ts';
import { type AccountSession, isSameText } from './session.ts';

/** A form that is refused: a sentence for the person, and the status to send. */
export class FormError extends Error {
  override readonly name = 'FormError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const maxBytes = 32 * 1024;

/**
 * Reads the form in a request body.
 * @throws FormError when the body is no form, or larger than any form here.
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') {
    throw new FormError(415, 'This address takes the forms of these pages only.');
  }
  const chunks: Buffer[] = [];
  // The request is not destroyed when the body is too large: the answer needs the same connection.
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('A request body is read as bytes.');
    length += chunk.length;
    if (length > maxBytes) break;
    chunks.push(chunk);
  }
  if (length > maxBytes) {
    // The rest has to be read too, or it would block the next request on this connection.
    request.resume();
    throw new FormError(413, 'What was sent is larger than any form here.');
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

/**
 * A token for the forms of a page. It is bound to a random cookie of this browser and to the session: another
 * site can't know it, and it becomes invalid when the person signs in or out.
 */
export function createFormToken(
  context: AccountContext,
  request: IncomingMessage,
  response: ServerResponse,
  session: AccountSession | null,
): string {
  const { cookies } = context.provider.createContext(request, response);
  let browser = cookies.get(cookieName(context), { signed: true });
  if (browser === undefined) {
    browser = randomBytes(16).toString('base64url');
    cookies.set(cookieName(context), browser, {
      httpOnly: true,
      sameSite: 'lax',
      signed: true,
      overwrite: true,
      path: context.addresses.accountPath,
    });
  }
  return context.keys.formToken([browser, session?.sessionUid ?? '']);
}

/** @throws FormError when the form comes from another site, or from an outdated page. */
export function verifyForm(
  context: AccountContext,
  request: IncomingMessage,
  response: ServerResponse,
  session: AccountSession | null,
  form: URLSearchParams,
): void {
  // Every browser sends the origin of a form; other programs may omit it.
  const { origin } = request.headers;
  if (origin !== undefined && origin !== context.addresses.authOrigin) {
    throw new FormError(403, 'This form was sent from another site, so nothing was done.');
  }
  const browser = context.provider
    .createContext(request, response)
    .cookies.get(cookieName(context), { signed: true });
  const expected =
    browser === undefined ? null : context.keys.formToken([browser, session?.sessionUid ?? '']);
  const given = form.get('form_token') ?? '';
  if (expected === null || !isSameText(given, expected)) {
    throw new FormError(
      403,
      'This page was out of date, so nothing was done. Go back, reload it and try again.',
    );
  }
}

function cookieName(context: AccountContext): string {
  return `catalogue_form_${context.keys.cookieSuffix}`;
}
