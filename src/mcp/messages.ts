/*
 * Which messages a host may send, told without the schemas of an SDK: to load them is what a start has no time for.
 */

/** Of a request. */
export type RequestId = string | number;

export type Json = { readonly [name: string]: unknown };

export interface Request {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

export type Check = (value: unknown) => boolean;
export type Checks = { readonly [name: string]: Check };

/** An object of these members, those that may be left out, and no other. */
export function hasOnly(value: unknown, needed: Checks, others: Checks = {}): boolean {
  if (!isObject(value)) return false;
  const known = new Map(Object.entries({ ...needed, ...others }));
  return has(value, needed, others) && Object.keys(value).every((name) => known.has(name));
}

/** An object of these members, those that may be left out, and any others. */
export function has(value: unknown, needed: Checks, others: Checks = {}): value is Json {
  if (!isObject(value)) return false;
  const fits = (name: string, check: Check) => !Object.hasOwn(value, name) || check(value[name]);
  return (
    Object.keys(needed).every((name) => Object.hasOwn(value, name)) &&
    Object.entries({ ...needed, ...others }).every(([name, check]) => fits(name, check))
  );
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A larger number has lost its digits. */
export function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

export const is =
  (word: string): Check =>
  (value) =>
    value === word;
export const isText: Check = (value) => typeof value === 'string';
export const isBoolean: Check = (value) => typeof value === 'boolean';
export const ofObjects: Check = (value) => isObject(value) && Object.values(value).every(isObject);

export function isRequest(message: unknown): message is Request {
  return has(message, { jsonrpc: is('2.0'), id: isId, method: isText });
}

/** Some hosts write out that a call has no arguments. */
export function withoutNullArguments(request: Request): Request {
  const { params } = request;
  if (!isObject(params) || params.arguments !== null) return request;
  const { arguments: _, ...others } = params;
  return { ...request, params: others };
}

/** A message that gets no answer. */
export function isNotification(message: unknown): boolean {
  return (
    has(message, { jsonrpc: is('2.0'), method: isText }, { params: isObject }) &&
    !Object.hasOwn(message, 'id')
  );
}

/** An error of JSON-RPC 2.0, by the codes that the protocol defines for its eras. */
export interface Failure {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
}

export const invalidRequest = -32600;
export const methodNotFound = -32601;
export const invalidParams = -32602;
export const internalError = -32603;

/** @param id null if the request's own can't be repeated: then the answer has none. */
export function failureLine(id: RequestId | null, error: Failure): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...(id === null ? {} : { id }), error })}\n`;
}

export function resultLine(id: RequestId, result: object): string {
  return `${JSON.stringify({ result, jsonrpc: '2.0', id })}\n`;
}
