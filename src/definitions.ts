import type { PublicDefinitions } from './mcp/surface.ts';
import { publicDefinition } from './mcp/tool.ts';
import { prompts } from './prompts/index.ts';
import { publicPrompt } from './prompts/prompt.ts';
import { appMimeType, appUri, instructions, resourceKinds, resourceTemplates } from './resources.ts';
import { tools } from './tools/index.ts';

/** Everything that hosts can list; the build writes it down as JSON. */
export const definitions: PublicDefinitions = {
  instructions,
  tools: tools.map((tool) => ({ toolset: tool.toolset, definition: publicDefinition(tool, appUri) })),
  prompts: prompts.map(publicPrompt),
  resourceTemplates,
  resourceKinds,
  app: {
    uri: appUri,
    name: 'page',
    title: 'Page',
    description: 'Shows the page that an answer names: pictures with their gaps, plans, changes, audits',
    mimeType: appMimeType,
  },
};
