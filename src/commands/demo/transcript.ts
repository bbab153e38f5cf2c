import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { signals } from '../../machine.ts';
import { type StdioClient, startStdioClient } from '../../mcp/client.ts';
import { printLine, printLines, progressBar, progressLine } from '../../terminal.ts';
import { CommandError } from '../command.ts';
import { ownCommand } from '../../own-command.ts';

interface TranscriptAnswer {
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
        `${ended}${said === null ? '.' : `: ${said}`} What it answers: ${ownCommand('demo --verbose')}`,
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

/** How the demo is told: as a story for a person, or frame by frame for a person who builds with it. */
export interface Voice {
  readonly isStory: boolean;
  /** A part of the story. */
  chapter(title: string): void;
  /** What a person asks, in their words. */
  asks(words: string): void;
  /** What they are answered, in words. */
  answers(...sentences: readonly string[]): void;
  /** A picture that stays on the disk. */
  keeps(file: string): void;
  /** How far the work at hand is, on a terminal. */
  progress(done: number, of: number, what: string): void;
  /** Takes the progress away. */
  rests(): void;
  /** Beside the frames. */
  say(words: string): void;
}

const nothing = () => undefined;

/** Tells the person what happens, as a short story or in full. */
export function createVoice(isVerbose: boolean): Voice {
  if (isVerbose) {
    const say = (words: string) => printLines(words.split('\n'));
    return {
      isStory: false,
      chapter: nothing,
      asks: nothing,
      answers: nothing,
      keeps: (file) => say(`Contact sheet: ${file}`),
      progress: nothing,
      rests: nothing,
      say,
    };
  }
  let chapters = 0;
  // What is written next takes the place of the bar.
  const line = (...parts: Parameters<typeof printLine>) => {
    progressLine(null);
    printLine(...parts);
  };
  return {
    isStory: true,
    chapter(title) {
      chapters += 1;
      line('');
      line([{ style: 'bold', text: `${chapters}. ${title}` }]);
    },
    asks(words) {
      line('');
      line(['  ', { style: 'cyan', text: `You: “${words}”` }]);
    },
    answers(...sentences) {
      for (const sentence of sentences) line(sentence === '' ? '' : `  ${sentence}`);
    },
    keeps: (file) => line(['  ', { style: 'green', text: file }]),
    progress(done, of, what) {
      progressLine(`  ${progressBar(done / of)} ${what}`);
    },
    rests: () => void progressLine(null),
    say: nothing,
  };
}

/** What hosts the server: starts it, calls its tools, and can start another in its place. */
export type Host = Awaited<ReturnType<typeof startHost>>;

/** Starts the server as a host does, so that the story can call its tools, kill it and start it again. */
export async function startHost(how: Parameters<typeof startStdioClient>[0]) {
  let client = await startStdioClient(how);
  let closed = false;
  return {
    /** @throws Error where the server ends before it has answered */
    call: (...asked: Parameters<StdioClient['call']>) => client.call(...asked),
    /** Of the server that runs now. */
    pid: () => client.pid,
    /** Ends the server's process as a crash does, without a chance to tidy up. Answers which process it was. */
    kill() {
      const { pid } = client;
      signals.endAtOnce(pid);
      return pid;
    },
    /** A new process in the place of the one that was killed. Answers which one it is. */
    async startAnew() {
      await client.close();
      if (closed) throw new Error('The host has ended.');
      client = await startStdioClient(how);
      if (closed) await client.close();
      return client.pid;
    },
    /** For good. Harmless when repeated. */
    async close() {
      closed = true;
      await client.close();
    },
  };
}

/** Keeps the picture of an answer for the person to look at. */
export async function keepSheet(voice: Voice, image: Buffer | undefined, file: string): Promise<void> {
  if (image === undefined) throw new CommandError('There is no contact sheet in the answer.');
  const { default: sharp } = await import('sharp');
  await writeFile(file, await sharp(image).png().toBuffer());
  voice.keeps(file);
}
