import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { StartedServer } from '../../support/client.ts';
import { type Host, read, type Told } from '../../support/follower.ts';

/** What a new user's jobs cost, and how often they ended without a word on how to go on. */
export interface Tally {
  calls: number;
  /** Of all texts that were answered. */
  characters: number;
  refusals: number;
  /** Neither a call that can be made as it stands, nor words that say what would be right. */
  withoutNextStep: number;
}

export interface Counting extends Host {
  /** The result of a call that has to succeed. @throws Error with the refusal */
  answer(tool: string, args?: Record<string, unknown>): Promise<unknown>;
}

/** The server with each call counted, and each answer read as strictly as the public surface describes it. */
export function counting(server: StartedServer, tally: Tally): Counting {
  const call = async (tool: string, args: Record<string, unknown>): Promise<CallToolResult> => {
    const result = await server.call(tool, args);
    tally.calls += 1;
    for (const block of result.content) if (block.type === 'text') tally.characters += block.text.length;
    if (result.isError === true) tally.refusals += 1;
    read({ tool, arguments: args }, result);
    return result;
  };
  return {
    call,
    async answer(tool, args = {}) {
      const { content, structuredContent, isError } = await call(tool, args);
      const [text] = content;
      if (isError === true || text?.type !== 'text') throw new Error(`${tool}: ${JSON.stringify(content)}`);
      return structuredContent ?? JSON.parse(text.text);
    },
  };
}

/** All that a refusal says of what would be right: its message, its issues, and why to go where it leads. */
export function wordsOf({ error, next }: Told): string {
  return JSON.stringify([error?.message, error?.issues, error?.details, next ?? null]);
}
