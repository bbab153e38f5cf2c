/*
 * Which messages a host may send, told without the schemas of an SDK: a start has no time to load them.
 */

/** Of a request. */
export type RequestId = string | number;

export type Json = { readonly [name: string]: unknown };

export interface Request {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params: Json;
}

/** An error of JSON-RPC 2.0, by the codes that the protocol defines for its eras. */
export interface Failure {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
}

export const invalidRequest = -32600;
export const invalidParams = -32602;
export const internalError = -32603;
export const unknownMethod: Failure = { code: -32601, message: 'Method not found' };

/** @param id null: the request's own can't be repeated, and the answer has none */
export function failureLine(id: RequestId | null, error: Failure): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...(id === null ? {} : { id }), error })}\n`;
}

export function resultLine(id: RequestId, result: object): string {
  return `${JSON.stringify({ result, jsonrpc: '2.0', id })}\n`;
}

/** What a line of the input holds. */
export type Heard =
  | { readonly is: 'request'; readonly request: Request }
  /** It wants an answer, and can't be served. */
  | { readonly is: 'unsound'; readonly id: RequestId | null; readonly fault: Failure }
  | { readonly is: 'cancelled'; readonly requestId: RequestId }
  /** The host's answer to a request of ours. */
  | { readonly is: 'answer'; readonly message: Json }
  /** A notification that changes nothing here. */
  | { readonly is: 'ignored' }
  | { readonly is: 'no message' };

/** Tells what a message is. Hosts write out null for what a request doesn't have: then it doesn't have it. */
export function heardIn(message: unknown): Heard {
  if (!isObject(message)) return { is: 'no message' };
  const { jsonrpc, id, method } = message;
  if (method === undefined) {
    const answers = isId(id) && (Object.hasOwn(message, 'result') || isObject(message.error));
    return jsonrpc === '2.0' && answers ? { is: 'answer', message } : { is: 'no message' };
  }
  const params = message.params ?? {};
  if (!Object.hasOwn(message, 'id')) {
    if (jsonrpc !== '2.0' || !isText(method) || !isObject(params)) return { is: 'no message' };
    const { requestId } = params;
    const isCancelled = method === 'notifications/cancelled' && isId(requestId);
    return isCancelled ? { is: 'cancelled', requestId } : { is: 'ignored' };
  }
  const unsound = (code: number, words: string): Heard => {
    return { is: 'unsound', id: isId(id) ? id : null, fault: { code, message: words } };
  };
  if (jsonrpc !== '2.0' || !isId(id) || !isText(method)) return unsound(invalidRequest, noRequest);
  if (!isObject(params)) return unsound(invalidParams, 'params must be an object.');
  const { _meta: meta, arguments: args, ...others } = params;
  if (!isObject(meta ?? {})) return unsound(invalidParams, '_meta must be an object.');
  const { progressToken: token, ...said } = isObject(meta) ? meta : {};
  if (!isId(token ?? 0)) return unsound(invalidParams, 'progressToken must be a string or an integer.');
  const own = isObject(meta) ? { _meta: { ...said, ...(isId(token) ? { progressToken: token } : {}) } } : {};
  const given = args === undefined || args === null ? {} : { arguments: args };
  return { is: 'request', request: { jsonrpc, id, method, params: { ...others, ...given, ...own } } };
}

const noRequest = 'A request has "jsonrpc": "2.0", an id that is a string or an integer, and a method.';

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A larger number has lost its digits. */
export function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

type Check = (value: unknown) => boolean;

const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const areObjects: Check = (value) => isObject(value) && Object.values(value).every(isObject);

const list = { cursor: maybe(isText) };
/** The answers of a host of 2026-07-28 to what it was asked with a call. */
const retried = { inputResponses: maybe(areObjects) };

/**
 * The parameters of what is served, by method, in both eras. They are checked before an SDK sees them, because it would
 * report a host's mistake as its own internal error.
 */
const parameters: ReadonlyMap<string, Readonly<Record<string, Check>>> = new Map(
  Object.entries({
    initialize: { protocolVersion: isText },
    ping: {},
    'server/discover': {},
    'tools/list': list,
    'prompts/list': list,
    'resources/list': list,
    'resources/templates/list': list,
    'tools/call': { name: isText, arguments: maybe(isObject), ...retried },
    'resources/read': { uri: isText, ...retried },
  }),
);

/** Why the parameters of a request can't be served; null where they can. */
export function faultIn({ method, params }: Request): Failure | null {
  const checks = parameters.get(method);
  if (checks === undefined) return unknownMethod;
  const wrong = Object.entries(checks).find(([name, check]) => !check(params[name]));
  if (wrong === undefined) return null;
  return { code: invalidParams, message: `params.${wrong[0]} is missing, or it has the wrong form.` };
}

/** The parameters of a sound request that are served, and the progress token: an SDK would find faults in the others. */
export function servedParams({ method, params }: Request): Json & { readonly _meta: Json } {
  const checks = parameters.get(method) ?? {};
  const served = Object.entries(params).filter(([name]) => Object.hasOwn(checks, name));
  const token = isObject(params._meta) ? params._meta.progressToken : undefined;
  return { ...Object.fromEntries(served), _meta: isId(token) ? { progressToken: token } : {} };
}
