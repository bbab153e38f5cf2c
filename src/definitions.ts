import type { PublicDefinitions } from './mcp/surface.ts';
import { publicDefinition } from './mcp/tool.ts';
import { appMimeType, appUri, instructions } from './resources.ts';
import { tools } from './tools/index.ts';

/** Everything that hosts can list; the build writes it down as JSON. */
export const definitions: PublicDefinitions = {
  instructions,
  tools: tools.map((tool) => ({ toolset: tool.toolset, definition: publicDefinition(tool, appUri) })),
  app: {
    uri: appUri,
    name: 'page',
    title: 'Page',
    description: 'Shows the page that an answer names: pictures with their gaps, plans, changes, audits',
    mimeType: appMimeType,
  },
};
