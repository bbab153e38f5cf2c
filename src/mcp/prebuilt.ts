import type { Settings } from '../settings.ts';
import {
  isOfBeginning,
  isPlainInitialize,
  type PlainInitialize,
  type PlainRequest,
} from './plain-request.ts';
import type { PublicPrompt } from './prompt.ts';
import { isOffered, type PublicDefinitions, type PublicTool } from './surface.ts';

export interface Identity {
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
export interface Prebuilt {
  answer(request: PlainRequest): object | null;
  /** The host's `initialize`, where it was answered here. */
  opening(): PlainInitialize | null;
}

/**
 * Answers from what the build has made what a host asks before the SDK is loaded. Most hosts ask a server for no
 * more than its lists, and many start it without ever calling it: for these the SDK is not loaded at all.
 */
export function createPrebuilt(identity: Identity, lists: OfferedLists): Prebuilt {
  let opening: PlainInitialize | null = null;

  const initialize = (request: PlainRequest): object | null => {
    if (opening !== null || !isPlainInitialize(request)) return null;
    opening = request;
    const { protocolVersion: asked } = request.params;
    return { protocolVersion: spoken.includes(asked) ? asked : spoken[0], ...introduction(identity) };
  };
  return {
    opening: () => opening,
    answer(request) {
      if (request.method === 'initialize') return initialize(request);
      if (opening === null || !isOfBeginning(request)) return null;
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
