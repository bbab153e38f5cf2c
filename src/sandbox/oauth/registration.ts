import { allScopes, isScope, type Scope } from './scopes.ts';

/** Public: no secret, `client_id` in the form. Confidential: HTTP Basic (Authentication 4). */
export type AppType = 'public' | 'confidential';

/** The values of an app's registration (Authentication 3). */
export interface Registration {
  readonly name: string;
  /** The exact callback URL as it was typed: it is compared letter by letter. */
  readonly redirectUri: string;
  readonly type: AppType;
  readonly scopes: readonly Scope[];
}

export interface WrittenRegistration {
  readonly name: string;
  readonly redirectUri: string;
  readonly type: string;
  readonly scopes: readonly string[];
}

/** What is wrong, by field, as a sentence that says what to do. */
export type RegistrationProblems = { readonly [field in keyof Registration]?: string };

type CheckedRegistration =
  | { readonly ok: true; readonly registration: Registration }
  | { readonly ok: false; readonly problems: RegistrationProblems };

/** Checks the values of the form by the rules of Authentication 3 to 5. */
export function checkRegistration(written: WrittenRegistration): CheckedRegistration {
  const name = written.name.normalize('NFC').trim();
  const redirectUri = written.redirectUri.trim();
  const type = written.type === 'public' || written.type === 'confidential' ? written.type : null;
  const scopes = written.scopes.filter(isScope);
  const problems: { -readonly [field in keyof Registration]?: string } = {};

  const nameProblem = checkName(name);
  if (nameProblem !== null) problems.name = nameProblem;
  const callbackProblem = checkCallback(redirectUri, type);
  if (callbackProblem !== null) problems.redirectUri = callbackProblem;
  if (type === null) problems.type = 'Choose one of the two types.';
  if (scopes.length === 0) problems.scopes = 'Choose at least one permission.';
  else if (scopes.length < written.scopes.length)
    problems.scopes = 'Choose from the permissions listed here.';

  if (type === null || Object.keys(problems).length > 0) return { ok: false, problems };
  return { ok: true, registration: { name, redirectUri, type, scopes } };
}

function checkName(name: string): string | null {
  if (name === '') return 'Give the app a name. It is what you will see when it asks for your approval.';
  if ([...name].length > 60) return 'Use 60 characters or fewer.';
  // Control characters and direction marks could make one name look like another.
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return 'Use letters, digits, spaces and punctuation only.';
  return null;
}

/** Parameters that the answer adds to the callback's query. */
const reserved = ['code', 'state', 'error', 'error_description', 'iss'];
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function checkCallback(written: string, type: AppType | null): string | null {
  if (written === '')
    return 'Enter the address that the app listens on, such as https://example.com/callback.';
  if (written.length > 2000) return 'Use an address of 2,000 characters or fewer.';
  const url = /^[\x21-\x7e]+$/.test(written) && URL.canParse(written) ? new URL(written) : null;
  if (url === null || !/^https?:\/\//i.test(written)) {
    return 'Enter a complete web address that starts with https://.';
  }
  if (url.username !== '' || url.password !== '') return 'Leave out the user name and password.';
  if (written.includes('#')) return 'Leave out the part from # on.';
  const taken = reserved.find((name) => url.searchParams.has(name));
  if (taken !== undefined) return `Leave "${taken}" out of the query: the sign-in puts it there.`;
  if (url.protocol === 'https:') return null;
  if (!loopback.has(url.hostname)) {
    return 'Use https://. Plain http:// is only for localhost, 127.0.0.1 and [::1].';
  }
  if (type === 'confidential') {
    return 'Use https://. Plain http:// on this computer is only for public apps.';
  }
  return null;
}

/**
 * Whether an app may be answered at a callback: at the registered one alone, with port and query (Authentication 5).
 * The catalogue's own app runs beside it, where another program may hold the port: any port does (RFC 8252, 7.3).
 */
export function isCallbackOf(clientId: string, registered: string, given: string): boolean {
  if (given === registered) return true;
  const at = URL.canParse(given) ? new URL(given) : null;
  if (clientId !== ownApp.clientId || at?.href !== given || at.port === '') return false;
  at.port = new URL(registered).port;
  return at.href === registered;
}

/** The app that every embedded catalogue has from the start, without registration. */
export const ownApp = {
  clientId: 'artwork-mcp',
  name: 'artwork-mcp',
  redirectUri: 'http://127.0.0.1:43917/callback',
  type: 'public',
  scopes: allScopes,
} as const satisfies Registration & { clientId: string };
