import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { nearestWord } from './nearest.ts';
import type { OfferedLists } from './prebuilt.ts';
import type { PublicDefinitions } from './surface.ts';
import type { ServerOptions } from './server-options.ts';

type CompletePrompt = (
  name: string,
  argument: { readonly name: string; readonly value: string },
) => Promise<readonly string[]>;

/** Offers the prompts that the settings leave in, and answers them; the result completes their arguments. */
export function offerPrompts(
  server: Server,
  { definitions, answering }: ServerOptions,
  lists: OfferedLists,
): CompletePrompt {
  const isOffered = (name: string) => lists.prompts().prompts.some((prompt) => prompt.name === name);

  server.setRequestHandler(ListPromptsRequestSchema, () => lists.prompts());
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }) => {
    const { prompts } = await answering();
    const read = isOffered(params.name) ? prompts.read(params.name, params.arguments ?? {}) : null;
    if (read === null) throw new McpError(ErrorCode.InvalidParams, whyNoPrompt(params.name, definitions));
    if (read.outcome === 'refused') throw new McpError(ErrorCode.InvalidParams, read.message);
    return {
      description: read.description,
      messages: [{ role: 'user', content: { type: 'text', text: read.text } }],
    };
  });
  return async (name, argument) =>
    isOffered(name) ? (await answering()).prompts.complete(name, argument.name, argument.value) : [];
}

/** A prompt that the settings hide is told from one that there is not, as a tool is. */
function whyNoPrompt(name: string, { prompts }: PublicDefinitions): string {
  const names = prompts.map(({ definition }) => definition.name);
  if (names.includes(name)) {
    return `${name} is switched off here, since ARTWORK_TOOLSETS or ARTWORK_READ_ONLY leaves out tools that it needs. Only the person who runs this server can switch them on.`;
  }
  const meant = nearestWord(name, names);
  return `There is no prompt named ${name.slice(0, 100)}${meant === null ? '' : ` (did you mean ${meant}?)`}`;
}
