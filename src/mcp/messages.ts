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

type Check = (value: unknown) => boolean;
/** What members an object has to have (`true`) or may have, and what each has to be. */
type Members = readonly (readonly [name: string, isNeeded: boolean, check: Check])[];

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A larger number has lost its digits. */
export function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

const isText: Check = (value) => typeof value === 'string';
const areTexts: Check = (value) => isObject(value) && Object.values(value).every(isText);
const areObjects: Check = (value) => isObject(value) && Object.values(value).every(isObject);

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
    const isCancelled = method === 'notifications/cancelled' && isId(params.requestId);
    return isCancelled && isId(params.requestId)
      ? { is: 'cancelled', requestId: params.requestId }
      : { is: 'ignored' };
  }
  if (jsonrpc !== '2.0' || !isId(id) || typeof method !== 'string')
    return { is: 'unsound', id: isId(id) ? id : null, fault: { code: invalidRequest, message: noRequest } };
  const unsound = (words: string): Heard => ({
    ...{ is: 'unsound', id, fault: { code: invalidParams, message: words } },
  });
  if (!isObject(params)) return unsound('params must be an object.');
  const { _meta: meta, arguments: args, ...others } = params;
  if (meta !== undefined && meta !== null && !isObject(meta)) return unsound('_meta must be an object.');
  const { progressToken, ...said } = meta ?? {};
  if (progressToken !== undefined && progressToken !== null && !isId(progressToken))
    return unsound('progressToken must be a string or an integer.');
  const token = isId(progressToken) ? { progressToken } : {};
  const given = args === undefined || args === null ? {} : { arguments: args };
  const sound = { ...others, ...given, ...(isObject(meta) ? { _meta: { ...said, ...token } } : {}) };
  return { is: 'request', request: { jsonrpc, id, method, params: sound } };
}

const noRequest = 'A request has "jsonrpc": "2.0", an id that is a string or an integer, and a method.';

const isReference: Check = (value) =>
  isObject(value) &&
  ((value.type === 'ref/prompt' && isText(value.name)) ||
    (value.type === 'ref/resource' && isText(value.uri)));
const isArgument: Check = (value) => isObject(value) && isText(value.name) && isText(value.value);
const isContext: Check = (value) =>
  isObject(value) && (value.arguments === undefined || areTexts(value.arguments));

const list: Members = [['cursor', false, isText]];
/** The answers of a host of 2026-07-28 to what it was asked with a call. */
const retried: Members = [['inputResponses', false, areObjects]];

/**
 * The parameters of what is served, by method, in both eras. They are checked before an SDK sees them, because it would
 * report a host's mistake as its own internal error.
 */
const parameters: ReadonlyMap<string, Members> = new Map<string, Members>([
  ['initialize', [['protocolVersion', true, isText]]],
  ['ping', []],
  ['server/discover', []],
  ['tools/list', list],
  ['prompts/list', list],
  ['resources/list', list],
  ['resources/templates/list', list],
  ['tools/call', [['name', true, isText], ['arguments', false, isObject], ...retried]],
  ['prompts/get', [['name', true, isText], ['arguments', false, areTexts], ...retried]],
  ['resources/read', [['uri', true, isText], ...retried]],
  [
    'completion/complete',
    [
      ['ref', true, isReference],
      ['argument', true, isArgument],
      ['context', false, isContext],
    ],
  ],
]);

/** Why the parameters of a request can't be served; null where they can. */
export function faultIn({ method, params }: Request): Failure | null {
  const members = parameters.get(method);
  if (members === undefined) return unknownMethod;
  for (const [name, isNeeded, check] of members) {
    const has = Object.hasOwn(params, name);
    if (has ? check(params[name]) : !isNeeded) continue;
    return { code: invalidParams, message: has ? `params has no sound ${name}.` : `params lacks ${name}.` };
  }
  return null;
}

/** The parameters of a sound request that are served, and the progress token: an SDK would find faults in the others. */
export function servedParams({
  method,
  params,
}: Request): Json & { readonly _meta: { progressToken?: RequestId } } {
  const names = parameters.get(method)?.map(([name]) => name) ?? [];
  const served = Object.entries(params).filter(([name]) => names.includes(name));
  const token = isObject(params._meta) ? params._meta.progressToken : undefined;
  return { ...Object.fromEntries(served), _meta: isId(token) ? { progressToken: token } : {} };
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
