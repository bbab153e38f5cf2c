import type { JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Settings } from '../settings.ts';
import type { PublicPrompt } from './prompts.ts';
import { isOffered, type PublicDefinitions, type PublicTool } from './surface.ts';

interface Identity {
  readonly version: string;
  readonly settings: Settings;
  readonly definitions: PublicDefinitions;
}

/** The versions of the protocol that the SDK speaks, the newest first; a test compares them. */
const spoken: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

/** What a host is told of this server when it connects. */
export function introduction({ version, definitions }: Identity) {
  return {
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    serverInfo: { name: 'artwork-mcp', title: 'Artwork catalogue', version },
    instructions: definitions.instructions,
  };
}

/** What a host can list, as far as the settings leave it in. */
export function createLists({ settings, definitions }: Identity) {
  const offered = definitions.tools.filter(({ toolset, definition }) =>
    isOffered(toolset, definition.annotations, settings),
  );
  const prompts = definitions.prompts.filter((prompt) => isPromptOffered(prompt, settings));
  return {
    /** @param extensions that the host has declared */
    tools: (extensions: Extensions) => ({
      tools: offered.map(({ definition }) =>
        showsApps(extensions, definitions) ? { ...definition } : withoutApp(definition),
      ),
    }),
    prompts: () => ({
      prompts: prompts.map(({ definition }) => ({ ...definition, arguments: [...definition.arguments] })),
    }),
    resources: (extensions: Extensions) => ({
      resources: showsApps(extensions, definitions) ? [{ ...definitions.app }] : [],
    }),
    // Resources are read as the catalogue's tools read.
    resourceTemplates: () => ({
      resourceTemplates: settings.toolsets.includes('catalogue')
        ? definitions.resourceTemplates.map((template) => ({ ...template }))
        : [],
    }),
  };
}

export type OfferedLists = ReturnType<typeof createLists>;
type Extensions = { readonly [name: string]: unknown } | undefined;

/** Whether the host has said that it shows MCP Apps (SEP-1865, Client<>Server Capability Negotiation). */
function showsApps(extensions: Extensions, { app }: PublicDefinitions): boolean {
  const extension = extensions?.['io.modelcontextprotocol/ui'];
  if (typeof extension !== 'object' || extension === null || !('mimeTypes' in extension)) return false;
  return Array.isArray(extension.mimeTypes) && extension.mimeTypes.includes(app.mimeType);
}

/** A host that knows no MCP Apps is not told of one. */
function withoutApp({ _meta: meta, ...definition }: PublicTool) {
  const { ui: _, ...others } = meta;
  return { ...definition, _meta: others };
}

/** Answers what needs nothing but the definitions, as the SDK's server would; null: that server answers it. */
interface Prebuilt {
  answer(request: PlainRequest): object | null;
  /**
   * Hands the conversation to the SDK's server, which has to hear the host's `initialize` first where it was answered
   * here. Null: it was not, so that from now on that server hears all of it.
   */
  handOver(): PlainInitialize | null;
}

/**
 * Answers from what the build has made what a host asks before the SDK is loaded. Most hosts ask a server for no
 * more than its lists, and many start it without ever calling it: for these the SDK is not loaded at all.
 */
export function createPrebuilt(identity: Identity, lists: OfferedLists): Prebuilt {
  let opening: PlainInitialize | null = null;
  // A host may begin with a ping, and may begin anew: what it declares then only the SDK's server has heard.
  let isOver = false;

  const initialize = (request: PlainRequest): object | null => {
    if (opening !== null) isOver = true;
    if (isOver || !isPlainInitialize(request)) return null;
    opening = request;
    const { protocolVersion: asked } = request.params;
    return { protocolVersion: spoken.includes(asked) ? asked : spoken[0], ...introduction(identity) };
  };
  return {
    handOver() {
      if (opening === null) isOver = true;
      return opening;
    },
    answer(request) {
      if (request.method === 'initialize') return initialize(request);
      if (isOver || opening === null || !isOfBeginning(request)) return null;
      const { extensions } = opening.params.capabilities;
      switch (request.method) {
        case 'ping':
          return {};
        case 'tools/list':
          return lists.tools(extensions);
        case 'prompts/list':
          return lists.prompts();
        case 'resources/list':
          return lists.resources(extensions);
        case 'resources/templates/list':
          return lists.resourceTemplates();
        default:
          return null;
      }
    },
  };
}

/** Whether the settings leave in what a prompt leads to. */
function isPromptOffered(
  { toolsets, changes }: Pick<PublicPrompt, 'toolsets' | 'changes'>,
  settings: Pick<Settings, 'toolsets' | 'readOnly'>,
): boolean {
  return toolsets.every((one) => settings.toolsets.includes(one)) && !(changes && settings.readOnly);
}

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

interface PlainRequest extends JSONRPCRequest {
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
function isOfBeginning({ params }: PlainRequest): boolean {
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
