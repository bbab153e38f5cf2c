import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Area } from './area.ts';
import { FormError } from './form.ts';
import type { SignedIn } from './session.ts';

/**
 * A token for the forms of a page. It is bound to a random cookie of this browser and to the session, so no
 * other site can know one, and one from before signing in or out is worth nothing after.
 */
export function formToken(
  area: Area,
  request: IncomingMessage,
  response: ServerResponse,
  session: SignedIn | null,
): string {
  const { cookies } = area.provider.createContext(request, response);
  let browser = cookies.get(cookieName(area), { signed: true });
  if (browser === undefined) {
    browser = randomBytes(16).toString('base64url');
    cookies.set(cookieName(area), browser, {
      httpOnly: true,
      sameSite: 'lax',
      signed: true,
      overwrite: true,
      path: area.addresses.accountPath,
    });
  }
  return area.keys.formToken([browser, session?.sessionUid ?? '']);
}

/** @throws FormError when the form comes from another site, or from a page that is out of date. */
export function checkForm(
  area: Area,
  request: IncomingMessage,
  response: ServerResponse,
  session: SignedIn | null,
  form: URLSearchParams,
): void {
  // Every browser names the origin of a form; a program may leave it out.
  const { origin } = request.headers;
  if (origin !== undefined && origin !== area.addresses.authOrigin) {
    throw new FormError(403, 'This form was sent from another site, so nothing was done.');
  }
  const browser = area.provider
    .createContext(request, response)
    .cookies.get(cookieName(area), { signed: true });
  const expected = browser === undefined ? null : area.keys.formToken([browser, session?.sessionUid ?? '']);
  const given = form.get('form_token') ?? '';
  if (expected === null || !same(given, expected)) {
    throw new FormError(
      403,
      'This page was out of date, so nothing was done. Go back, reload it and try again.',
    );
  }
}

function cookieName(area: Area): string {
  return `catalogue_form_${area.keys.mark}`;
}

function same(given: string, expected: string): boolean {
  const one = Buffer.from(given);
  const other = Buffer.from(expected);
  return one.length === other.length && timingSafeEqual(one, other);
}
