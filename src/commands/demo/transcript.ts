import { printLines } from '../../terminal.ts';
import { CommandError } from '../command.ts';
import type { Host } from './host.ts';

export interface TranscriptAnswer {
  readonly structured: unknown;
  readonly images: readonly Buffer[];
}

/** A call whose question and answer are printed. One that ends otherwise than it should ends the demo. */
export type Ask = (
  why: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  onProgress?: (message: string) => void,
) => Promise<TranscriptAnswer>;

export interface Transcript {
  readonly ask: Ask;
  /** The call is to fail. */
  readonly askInVain: Ask;
  /** The server is to end before it has answered. */
  readonly askTheDying: (...asked: Parameters<Ask>) => Promise<void>;
}

const longestShown = 1_200;
const longestAsked = 700;

export function transcriptOf(host: Host): Transcript {
  return {
    ask: asking(host, false),
    askInVain: asking(host, true),
    async askTheDying(why, tool, args, onProgress) {
      sayQuestion(why, tool, args);
      const answered = await host.call(tool, args, onProgress).then(
        () => true,
        () => false,
      );
      if (answered) throw new CommandError(`${tool} was answered before its server was killed.`);
      say('(The call has no answer: its server is gone.)');
    },
  };
}

function asking(host: Host, failure: boolean): Ask {
  return async (why, tool, args, onProgress) => {
    sayQuestion(why, tool, args);
    const result = await host.call(tool, args, onProgress);
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

function sayQuestion(why: string, tool: string, args: Readonly<Record<string, unknown>>): void {
  say(`\n# ${why}\n> ${tool} ${shortened(JSON.stringify(args), longestAsked)}`);
}

export function say(words: string): void {
  printLines(words.split('\n'));
}

function shortened(text: string, most = longestShown): string {
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
}
