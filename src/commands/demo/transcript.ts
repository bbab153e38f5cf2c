import type { StdioClient } from '../../mcp/client.ts';
import { CommandError } from '../command.ts';

export interface Answer {
  readonly structured: unknown;
  readonly images: readonly Buffer[];
}

/** A call whose question and answer are printed. One that ends otherwise than it should ends the demo. */
export type Ask = (why: string, tool: string, args: Readonly<Record<string, unknown>>) => Promise<Answer>;

const longestShown = 1_200;

export function transcriptOf(client: StdioClient): { ask: Ask; askInVain: Ask } {
  return { ask: asking(client, false), askInVain: asking(client, true) };
}

function asking(client: StdioClient, failure: boolean): Ask {
  return async (why, tool, args) => {
    say(`\n# ${why}\n> ${tool} ${JSON.stringify(args)}`);
    const result = await client.call(tool, args);
    for (const block of result.content) if (block.type === 'text') say(shortened(block.text));
    if ((result.isError === true) !== failure) {
      throw new CommandError(`${tool} ${failure ? 'did not fail' : 'failed'}; the answer above says why.`);
    }
    const images = result.content.flatMap((block) =>
      block.type === 'image' ? [Buffer.from(block.data, 'base64')] : [],
    );
    return { structured: result.structuredContent, images };
  };
}

export function say(words: string): void {
  process.stdout.write(`${words}\n`);
}

function shortened(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}… (${text.length} characters)` : text;
}
