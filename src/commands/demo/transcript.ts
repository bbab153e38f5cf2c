import { z } from 'zod';
import { CommandError } from '../command.ts';
import type { Host } from './host.ts';
import type { Voice } from './voice.ts';

export interface TranscriptAnswer {
  readonly structured: unknown;
  readonly text: string;
  readonly images: readonly Buffer[];
}

/** A call whose question and answer are among the frames. One that ends otherwise than it should ends the demo. */
export type Ask = (
  why: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  onProgress?: (message: string) => void,
) => Promise<TranscriptAnswer>;

export interface Transcript {
  readonly voice: Voice;
  readonly ask: Ask;
  /** The call is to fail. */
  readonly askInVain: Ask;
  /** The server is to end before it has answered. */
  readonly askTheDying: (...asked: Parameters<Ask>) => Promise<void>;
}

const failedAnswer = z.object({ error: z.object({ message: z.string() }) });

const longestShown = 1_200;
const longestAsked = 700;

/** Calls tools through a host, and prints what is asked and what is answered. */
export function transcriptOf(host: Host, voice: Voice): Transcript {
  return {
    voice,
    ask: asking(host, voice, false),
    askInVain: asking(host, voice, true),
    async askTheDying(why, tool, args, onProgress) {
      sayQuestion(voice, why, tool, args);
      const answered = await host.call(tool, args, onProgress).then(
        () => true,
        () => false,
      );
      if (answered) throw new CommandError(`${tool} was answered before its server was killed.`);
      voice.say('(The call has no answer: its server is gone.)');
    },
  };
}

function asking(host: Host, voice: Voice, failure: boolean): Ask {
  return async (why, tool, args, onProgress) => {
    sayQuestion(voice, why, tool, args);
    const result = await host.call(tool, args, onProgress);
    for (const block of result.content) if (block.type === 'text') voice.say(shortened(block.text));
    if ((result.isError === true) !== failure) {
      const ended = `${tool} ${failure ? 'did not fail' : 'failed'}`;
      if (!voice.isStory) throw new CommandError(`${ended}; the answer above says why.`);
      const said = reasonIn(result.content);
      throw new CommandError(
        `${ended}${said === null ? '.' : `: ${said}`} artwork-mcp demo --verbose shows what it answers.`,
      );
    }
    const images = result.content.flatMap((block) =>
      block.type === 'image' ? [Buffer.from(block.data, 'base64')] : [],
    );
    const text = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    return { structured: result.structuredContent, text, images };
  };
}

/** What the error of an answer says, which is a line of JSON in its text. Null where it has none. */
function reasonIn(content: Awaited<ReturnType<Host['call']>>['content']): string | null {
  for (const block of content) {
    const line =
      block.type === 'text' ? block.text.split('\n').find((one) => one.startsWith('{')) : undefined;
    if (line === undefined) continue;
    const answered = failedAnswer.safeParse(JSON.parse(line));
    if (answered.success) return answered.data.error.message;
  }
  return null;
}

function sayQuestion(voice: Voice, why: string, tool: string, args: Readonly<Record<string, unknown>>): void {
  voice.say(`\n# ${why}\n> ${tool} ${shortened(JSON.stringify(args), longestAsked)}`);
}

function shortened(text: string, most = longestShown): string {
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
}
