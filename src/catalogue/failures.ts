import { ArtworkError, codeOf, type Failure, type Issue } from '../errors.ts';
import { AnswerTooLarge, type Exchange, type Head, retryAfterMs } from '../http/exchange.ts';
import { ForbiddenAddress } from '../http/reach.ts';
import { quotedSentence } from '../text.ts';
import type { ParsedBody } from './answer.ts';
import { boundRecord, cutText, isRecord, type JsonRecord } from './records/members.ts';

/** What the service said went wrong (interface document, Errors), in whichever shape it said it. */
export interface ServiceError {
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly issues: readonly Issue[] | undefined;
}

/** Characters of JSON that are kept of an error's `details`. */
const longestDetails = 4000;
/** A grouped edit has at most so many items. */
const mostIssues = 300;

/**
 * Finds the error in an answer's JSON: `{error: {…}}`, `{data: null, error: {…}}`, OAuth's
 * `{error: "code", error_description}`, or the members themselves. Null when it holds none.
 */
export function serviceError(json: unknown): ServiceError | null {
  if (!isRecord(json)) return null;
  const { error } = json;
  if (typeof error === 'string') return serviceError({ code: error, message: json.error_description });
  const { code, message, details, issues } = isRecord(error) ? error : json;
  if (typeof code !== 'string' && typeof message !== 'string') return null;
  return {
    code: textOf(code, 200),
    message: textOf(message, 1000),
    details: isRecord(details) ? boundRecord(details, longestDetails) : undefined,
    issues: Array.isArray(issues) ? issues.slice(0, mostIssues).filter(isRecord).map(issueOf) : undefined,
  };
}

function issueOf({ code, message, path }: JsonRecord): Issue {
  const steps = Array.isArray(path) ? path.slice(0, 10) : [];
  return {
    code: textOf(code, 100) ?? '',
    message: textOf(message, 300) ?? '',
    path: steps.map((step) => textOf(typeof step === 'number' ? String(step) : step, 100) ?? ''),
  };
}

function textOf(value: unknown, longest: number): string | undefined {
  return typeof value === 'string' && value !== '' ? cutText(value, longest) : undefined;
}

/** The first error that one of these records tells as its `error` (interface document, Resources: `{ data, error? }`). */
export function errorIn(...records: readonly JsonRecord[]): ServiceError | null {
  const told = records.find(({ error }) => error !== undefined && error !== null);
  if (told === undefined) return null;
  // An error of another shape is still one.
  const unread = { code: undefined, message: undefined, details: undefined, issues: undefined };
  return serviceError({ error: told.error }) ?? unread;
}

/** What a status means where the service's code says no more. */
const failures: Readonly<Partial<Record<number, Failure>>> = {
  400: 'invalid_arguments',
  403: 'forbidden',
  404: 'not_found',
  408: 'service_unavailable',
  409: 'conflict',
  410: 'snapshot_expired',
  413: 'upload_refused',
  415: 'upload_refused',
  422: 'invalid_arguments',
  429: 'rate_limited',
};

function failureOf(status: number, code: string | undefined, isAuthorized: boolean): Failure {
  if (code?.startsWith('asset.file.') === true) return 'upload_refused';
  if (status === 401) return isAuthorized ? 'reconnect_required' : 'not_connected';
  return failures[status] ?? (status >= 500 ? 'service_unavailable' : 'bad_response');
}

/** What is said where the service gave no words of its own. */
const fallbacks: Readonly<Partial<Record<Failure, string>>> = {
  not_found: 'there is nothing at this address, so ARTWORK_BASE_URL may be wrong',
  snapshot_expired: 'the snapshot is gone; start again at the first page',
  rate_limited: 'too many requests',
  service_unavailable: 'it is not available at the moment',
};

const redirected =
  'a redirect, which is not followed; set ARTWORK_BASE_URL, or ARTWORK_ASSET_URL for images, to the final address';

/** The error of an answer whose status is not 2xx. `isAuthorized`: the request carried an access token. */
export function refusalOfAnswer(head: Head, body: ParsedBody, isAuthorized: boolean): ArtworkError {
  const { status, headers } = head;
  const error = body.json ? serviceError(body.value) : null;
  if (status === 403 && !body.json) {
    // A page of the network, or of a guard in front: it says nothing of what the account may do.
    const message =
      'The answer 403 is not in JSON, so it may come from a proxy or firewall before the service. Open ARTWORK_BASE_URL in a browser: it may ask for a sign-in or a check.';
    return new ArtworkError('bad_response', message, { status });
  }
  const failure = failureOf(status, error?.code, isAuthorized);
  const said = error?.message ?? error?.code;
  const unsaid = status < 400 ? redirected : (fallbacks[failure] ?? 'it gave no reason');
  const words = said === undefined ? unsaid : quotedSentence(said);
  const message = `The service answered ${status}: ${words}.`;
  const wait = retryAfterMs(headers);
  if (wait === null) return new ArtworkError(failure, message, { ...error, status });
  const retryAt = new Date(Date.now() + wait).toISOString();
  const retryAfterSeconds = Math.ceil(wait / 1000);
  return new ArtworkError(failure, `${message} It asks to wait ${retryAfterSeconds} seconds.`, {
    ...error,
    status,
    details: { ...error?.details, retryAfterSeconds, retryAt },
  });
}

/** Whether the failure of a connection may be gone at the next try. A wrong certificate or an unknown name stays. */
export function mayFailurePass(error: Error): boolean {
  return /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENET\w+|UND_ERR_SOCKET|UND_ERR_\w+_TIMEOUT)$/.test(
    codeOf(error) ?? '',
  );
}

/** Whether the other end refused the connection, so that nothing was sent. */
export function wasConnectionRefused(error: Error): boolean {
  return codeOf(error) === 'ECONNREFUSED';
}

/** The error to show for a request that got no whole answer. Only the fault's code is told, never its text. */
export function networkFailure(origin: string, result: Exclude<Exchange, { end: 'answered' }>): ArtworkError {
  const { error } = result;
  if (error instanceof ArtworkError) return error;
  const status = result.end === 'cut' ? result.head.status : undefined;
  const errorOf = (failure: Failure, message: string) =>
    new ArtworkError(failure, message, { cause: error, status });
  if (error instanceof AnswerTooLarge) return errorOf('bad_response', error.message);
  if (error instanceof ForbiddenAddress) {
    return errorOf('invalid_arguments', `${origin} is not a public address; it is not fetched.`);
  }
  const code = codeOf(error);
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return errorOf('cancelled', 'The client was closed.');
  }
  if (code === 'UND_ERR_INVALID_ARG') {
    return errorOf('invalid_arguments', 'A header of the request holds characters that HTTP does not allow.');
  }
  const malformed = ['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'];
  if (error.name === 'HTTPParserError' || malformed.includes(code ?? '')) {
    return errorOf('bad_response', `What ${origin} answered is not correct HTTP.`);
  }
  const words = /CERT|SIGNATURE/.test(code ?? '')
    ? 'has a certificate that is not trusted here; NODE_EXTRA_CA_CERTS can name its authority'
    : 'could not be reached, or the connection to it broke';
  return errorOf('network', `${origin} ${words}${code === null ? '' : ` (${code})`}.`);
}
