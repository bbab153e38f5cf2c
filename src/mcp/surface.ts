import type { Settings, Toolset } from '../settings.ts';

/** A tool as `tools/list` shows it. */
export interface PublicTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object' };
  readonly outputSchema?: { readonly type: 'object' };
  readonly annotations: ToolAnnotations;
  readonly _meta: {
    readonly 'anthropic/searchHint': string;
    readonly 'anthropic/alwaysLoad'?: true;
    /** Until 2025-11-25 listed to hosts that know MCP Apps alone. */
    readonly ui?: { readonly resourceUri: string };
  };
}

/** Everything a host can list, as JSON made at build time: building it from schemas would slow the start. */
export interface PublicDefinitions {
  readonly instructions: string;
  readonly tools: readonly { readonly toolset: Toolset; readonly definition: PublicTool }[];
  /** Until 2025-11-25 listed to hosts that know MCP Apps alone. */
  readonly app: Readonly<Record<'uri' | 'name' | 'title' | 'description' | 'mimeType', string>>;
}

type Offer = Pick<Settings, 'readOnly' | 'toolsets'>;

/**
 * The setting that leaves a tool out; null where none does. Read-only mode leaves in what changes nothing on the service:
 * without the account's tools nothing of one's own could be read, and download_set writes below ARTWORK_DOWNLOAD_ROOT,
 * which a person opened for it, and nowhere else.
 */
export function hiddenBy(
  toolset: Toolset,
  annotations: ToolAnnotations,
  settings: Offer,
): 'ARTWORK_TOOLSETS' | 'ARTWORK_READ_ONLY' | null {
  if (!settings.toolsets.includes(toolset)) return 'ARTWORK_TOOLSETS';
  const isLeft = !settings.readOnly || annotations.readOnlyHint || toolset !== 'curate';
  return isLeft ? null : 'ARTWORK_READ_ONLY';
}

/** Whether the settings leave a tool in. */
export function isOffered(toolset: Toolset, annotations: ToolAnnotations, settings: Offer): boolean {
  return hiddenBy(toolset, annotations, settings) === null;
}

export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Who the server is to a host. */
export interface Identity {
  readonly version: string;
  readonly settings: Settings;
  readonly definitions: PublicDefinitions;
}

/** What a host is told of this server when it connects. */
export function introduction({ version, definitions }: Identity) {
  return {
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'artwork-mcp', title: 'Artwork catalogue', version },
    instructions: definitions.instructions,
  };
}

/**
 * What a host can list, as far as the settings leave it in. All of it is on the first page.
 * @returns gives the list that a method asks for, with what hosts that know MCP Apps are told, or without it; null: none
 */
export function createLists({ settings, definitions }: Identity) {
  const { app } = definitions;
  const tools = definitions.tools.flatMap(({ toolset, definition }) =>
    isOffered(toolset, definition.annotations, settings) ? [definition] : [],
  );
  return (method: string, withApps: boolean): object | null => {
    switch (method) {
      case 'tools/list':
        return { tools: withApps ? tools : tools.map(withoutApp) };
      case 'resources/list':
        return { resources: withApps ? [app] : [] };
      // Hosts ask for these without a look at the capabilities.
      case 'resources/templates/list':
        return { resourceTemplates: [] };
      case 'prompts/list':
        return { prompts: [] };
      default:
        return null;
    }
  };
}

/**
 * Whether the host has said that it shows MCP Apps (SEP-1865, Client<>Server Capability Negotiation).
 * @param extensions that it has declared
 */
export function showsApps(extensions: unknown, { app }: PublicDefinitions): boolean {
  const { mimeTypes }: Record<string, unknown> = Object(Object(extensions)['io.modelcontextprotocol/ui']);
  return Array.isArray(mimeTypes) && mimeTypes.includes(app.mimeType);
}

/** A host that knows no MCP Apps is not told of one. */
function withoutApp({ _meta: meta, ...definition }: PublicTool): PublicTool {
  const { ui: _, ...others } = meta;
  return { ...definition, _meta: others };
}
