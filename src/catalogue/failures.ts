import { ArtworkError, type ErrorCategory, type ErrorFacts, type Issue } from '../errors.ts';
import { quotedSentence } from '../text.ts';
import { AnswerTooLarge, type Head } from '../wire/exchange.ts';
import { retryAfterMs } from '../wire/pacing.ts';
import { answerTooLarge, type ParsedBody } from './answer-body.ts';
import { ForbiddenAddress } from './dispatchers.ts';
import { boundRecord, cutText, isRecord } from './records/members.ts';

/** What the service said went wrong (interface document, Errors), in whichever shape it said it. */
export interface ServiceError {
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly issues: readonly Issue[] | undefined;
}

/**
 * Finds the error in an answer's JSON: `{error: {…}}`, `{data: null, error: {…}}`, OAuth's
 * `{error: "code", error_description}`, or the members themselves. Null when it holds none.
 */
export function serviceError(json: unknown): ServiceError | null {
  if (!isRecord(json)) return null;
  const { error } = json;
  if (typeof error === 'string') return named(error, json.error_description, undefined, undefined);
  const from = isRecord(error) ? error : json;
  if (typeof from.code !== 'string' && typeof from.message !== 'string') return null;
  return named(from.code, from.message, from.details, from.issues);
}

function named(code: unknown, message: unknown, details: unknown, issues: unknown): ServiceError {
  return {
    code: string(code, 200),
    message: string(message, 1000),
    details: isRecord(details) ? boundRecord(details, longestDetails) : undefined,
    issues: Array.isArray(issues) ? issuesOf(issues) : undefined,
  };
}

/** Characters of JSON that are kept of an error's `details`, and of all its `issues`. */
const longestDetails = 4000;
const longestIssues = 20_000;
/** A grouped edit has at most so many items. */
const mostIssues = 300;

function issuesOf(list: readonly unknown[]): Issue[] {
  const kept: Issue[] = [];
  let left = longestIssues;
  for (const one of list.slice(0, mostIssues)) {
    if (!isRecord(one)) continue;
    const read = issue(one);
    left -= JSON.stringify(read).length;
    if (left < 0) break;
    kept.push(read);
  }
  return kept;
}

function issue(from: Record<string, unknown>): Issue {
  const path = Array.isArray(from.path) ? from.path : [];
  return {
    code: string(from.code, 200) ?? '',
    message: string(from.message, 1000) ?? '',
    path: path.slice(0, 50).map((step) => cutText(stepOf(step), 200)),
  };
}

/** A step that is neither text nor a number names nothing. */
function stepOf(step: unknown): string {
  return typeof step === 'string' || typeof step === 'number' ? String(step) : '';
}

/** The error of an answer whose status is not 2xx. `authorized`: the request carried an access token. */
export function refusalOfAnswer(head: Head, body: ParsedBody, authorized: boolean): ArtworkError {
  const { status } = head;
  const error = body.json ? serviceError(body.value) : null;
  const wait = retryAfterMs(head.headers);
  const category = categoryOf(status, error?.code, authorized);
  const said = error?.message ?? error?.code;
  const facts: ErrorFacts = {
    code: error?.code,
    status,
    details: wait === null ? error?.details : { ...error?.details, ...whenAgain(wait) },
    issues: error?.issues,
  };
  return new ArtworkError(category, sentence(status, category, said, wait), facts);
}

function whenAgain(wait: number): Record<string, unknown> {
  return { retryAfterSeconds: Math.ceil(wait / 1000), retryAt: new Date(Date.now() + wait).toISOString() };
}

function sentence(status: number, category: ErrorCategory, said: string | undefined, wait: number | null) {
  if (status >= 300 && status < 400) {
    return `The service answered with a redirect (${status}), which is not followed: ARTWORK_BASE_URL, or ARTWORK_ASSET_URL for an image, must name the final address.`;
  }
  const words = said === undefined ? (fallbacks[category] ?? 'it gave no reason') : quotedSentence(said);
  const again = wait === null ? '' : ` It asks to wait ${Math.ceil(wait / 1000)} seconds.`;
  return `The service answered ${status}: ${words}.${again}`;
}

/** What is said where the service gave no words of its own. */
const fallbacks: Readonly<Partial<Record<ErrorCategory, string>>> = {
  not_found: 'nothing is there, and it did not say so in its own words: ARTWORK_BASE_URL may be wrong',
  snapshot_expired: 'the snapshot is gone; start again at the first page',
  rate_limited: 'too many requests',
  service_unavailable: 'it is not available at the moment',
};

const categories: Readonly<Partial<Record<number, ErrorCategory>>> = {
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

function categoryOf(status: number, code: string | undefined, authorized: boolean): ErrorCategory {
  if (code?.startsWith('asset.file.') === true) return 'upload_refused';
  if (status === 401) return authorized ? 'reconnect_required' : 'not_connected';
  return categories[status] ?? (status >= 500 ? 'service_unavailable' : 'bad_response');
}

function string(value: unknown, longest: number): string | undefined {
  return typeof value === 'string' && value !== '' ? cutText(value, longest) : undefined;
}

// Faults that may pass by themselves. A wrong certificate or an unknown name stays what it is.
const passing: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

const malformed: ReadonlySet<string> = new Set([
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);

/** Whether the failure of a connection may be gone at the next try. */
export function mayFailurePass(error: Error): boolean {
  return passing.has(codeOf(error) ?? '');
}

/** Whether the other end refused the connection, so that nothing was sent. */
export function wasConnectionRefused(error: Error): boolean {
  return codeOf(error) === 'ECONNREFUSED';
}

/** The error to show for a request that got no whole answer. Only the fault's code is told, never its text. */
export function networkFailure(origin: string, error: Error, maxBytes: number, status = 0): ArtworkError {
  if (error instanceof ArtworkError) return error;
  if (error instanceof AnswerTooLarge) return answerTooLarge(maxBytes, status);
  const facts = { cause: error, ...(status === 0 ? {} : { status }) };
  if (error instanceof ForbiddenAddress) {
    return new ArtworkError(
      'invalid_arguments',
      `${origin} is not a public address; it is not fetched.`,
      facts,
    );
  }
  const code = codeOf(error);
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return new ArtworkError('cancelled', 'The client was closed.', facts);
  }
  if (error.name === 'HTTPParserError' || malformed.has(code ?? '')) {
    return new ArtworkError('bad_response', `What ${origin} answered is not correct HTTP.`, facts);
  }
  const fault = code === undefined ? '' : ` (${code})`;
  return new ArtworkError('network', `${origin} ${words(code)}${fault}.`, facts);
}

function words(code: string | undefined): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'accepts no connection';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'has a name that can not be resolved';
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return 'did not answer in time';
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'has a certificate that is not trusted here; NODE_EXTRA_CA_CERTS can name its authority';
    default:
      return 'could not be reached, or the connection to it broke';
  }
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
