import type { JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js';

/**
 * Whether a message surely is one that the SDK's own schemas take, told without loading and running them: they cost
 * more than all else of a short call, and most of a start. It errs to the safe side only: what it does not know,
 * such as a request that is a task, the SDK judges. test/mcp/plain-request.test.ts compares the two.
 */
export function isPlainRequest(value: unknown): value is PlainRequest {
  if (!isObject(value)) return false;
  const { jsonrpc, id, method, params } = value;
  return (
    jsonrpc === '2.0' &&
    isId(id) &&
    typeof method === 'string' &&
    hasOnly(value, requestMembers) &&
    // One that is there must be an object: null is none.
    (params === undefined ? !('params' in value) : isObject(params) && isPlainMeta(params._meta))
  );
}

export interface PlainRequest extends JSONRPCRequest {
  readonly params?: Json;
}

/** A call of a tool, for which nothing is left to be checked before the tool's own arguments. */
export function isPlainToolCall(request: PlainRequest): request is PlainToolCall {
  const { method, params } = request;
  return (
    method === 'tools/call' &&
    params !== undefined &&
    typeof params.name === 'string' &&
    (params.arguments === undefined || isObject(params.arguments)) &&
    !('task' in params)
  );
}

export interface PlainToolCall extends PlainRequest {
  readonly params: {
    readonly name: string;
    readonly arguments?: Json;
    readonly _meta?: { readonly progressToken?: string | number };
  };
}

/** The id of the request that a notification takes back; null: it is another message. */
export function plainlyCancelled(
  value: unknown,
): { readonly id: RequestId; readonly reason: unknown } | null {
  if (!isObject(value) || value.jsonrpc !== '2.0' || value.method !== 'notifications/cancelled') return null;
  const { params } = value;
  if ('id' in value || !isObject(params) || !isId(params.requestId)) return null;
  return { id: params.requestId, reason: params.reason };
}

/** `initialize` of a host that declares no more than is known here. */
export function isPlainInitialize(request: PlainRequest): request is PlainInitialize {
  const { method, params } = request;
  if (method !== 'initialize' || params === undefined || !hasOnly(params, initializeMembers)) return false;
  const { protocolVersion, clientInfo, capabilities } = params;
  return (
    typeof protocolVersion === 'string' &&
    isObject(clientInfo) &&
    typeof clientInfo.name === 'string' &&
    typeof clientInfo.version === 'string' &&
    hasOnly(clientInfo, clientMembers) &&
    Object.values(clientInfo).every((member) => typeof member === 'string') &&
    isObject(capabilities) &&
    Object.entries(capabilities).every(([name, declared]) => isPlainCapability(name, declared))
  );
}

export interface PlainInitialize extends PlainRequest {
  readonly params: {
    readonly protocolVersion: string;
    readonly capabilities: Json & { readonly extensions?: Json };
  };
}

/** A request for a list from its beginning. */
export function isOfBeginning({ params }: PlainRequest): boolean {
  return params === undefined || hasOnly(params, metaOnly);
}

type Json = { readonly [name: string]: unknown };

const requestMembers: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const initializeMembers: ReadonlySet<string> = new Set([
  'protocolVersion',
  'capabilities',
  'clientInfo',
  '_meta',
]);
const clientMembers: ReadonlySet<string> = new Set(['name', 'version', 'title', 'websiteUrl', 'description']);
const metaOnly: ReadonlySet<string> = new Set(['_meta']);

function isPlainCapability(name: string, declared: unknown): boolean {
  if (!isObject(declared)) return false;
  const members = Object.entries(declared);
  switch (name) {
    case 'roots':
      return members.every(([member, value]) => member === 'listChanged' && typeof value === 'boolean');
    case 'sampling':
      return members.every(([member, value]) => /^(context|tools)$/.test(member) && isObject(value));
    case 'elicitation':
      return members.every(
        ([member, value]) =>
          /^(form|url)$/.test(member) && isObject(value) && Object.keys(value).length === 0,
      );
    case 'experimental':
    case 'extensions':
      return members.every(([, value]) => isObject(value));
    default:
      return false;
  }
}

/** What stands beside the parameters: of what is known here, where progress is told. */
function isPlainMeta(meta: unknown): boolean {
  if (meta === undefined) return true;
  if (!isObject(meta) || 'io.modelcontextprotocol/related-task' in meta) return false;
  return !('progressToken' in meta) || isId(meta.progressToken);
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOnly(value: Json, names: ReadonlySet<string>): boolean {
  for (const name in value) if (!names.has(name)) return false;
  return true;
}
