import { printLine, printLines, progressLine } from '../../terminal.ts';
import { progressBar } from '../progress-bar.ts';

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
