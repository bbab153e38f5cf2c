import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DemoError, type Host, startHost } from '../demo/host.ts';
import { chapter, tellStory } from '../demo/story.ts';
import { codeOf } from '../errors.ts';
import { signals } from '../machine.ts';
import { slotsWords } from '../model/slots.ts';
import { ownCommand } from '../own-command.ts';
import { stopSandbox } from '../sandbox/launch.ts';
import { printLine, printLines } from '../terminal.ts';
import { type Command, CommandError, interruptible } from './command.ts';

const cards = slotsWords('titlecard');

export const command: Command = {
  summary: 'shows what this program does, on a catalogue of its own',
  about: [
    'It starts the server in a temporary folder, as a host does, and tells a story: what a person asks, and what comes',
    `back. A folder of 62 ${cards} becomes a Set, although the server is killed in the middle. Nothing leaves this`,
    'machine. At the end everything is stopped and removed.',
  ],
  usage: 'artwork-mcp demo',
  options: {},
  words: 0,
  async run() {
    // A terminal, npm and a person may send several: a second one must not cut the tidying short.
    for (const signal of signals.ending) process.on(signal, () => undefined);
    const folder = await newFolder();
    const [home, uploads] = [path.join(folder, 'data'), path.join(folder, 'uploads')];
    try {
      printLine('This shows what your assistant does with artwork-mcp, on a catalogue made for this demo.');
      printLine('Nothing leaves this machine. It takes less than a minute.');
      await mkdir(uploads);
      await interruptible((signal) => play(home, uploads, signal));
    } finally {
      await stopSandbox({ home });
      await rm(folder, { recursive: true, force: true });
    }
    chapter(3, 'What to do next');
    printLines([
      '  The server and its catalogue have stopped, and their data is gone.',
      '',
      '  Add the server to your assistant, with the folder of your artwork. For Claude Code:',
      `    claude mcp add artwork -- ${ownCommand('serve /path/to/your/artwork')}`,
      `  Then ask: “Connect my account”, or “Which ${cards} does this Set lack?”`,
    ]);
  },
};

function newFolder(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'artwork-mcp-demo-')).catch((error: unknown) => {
    const what = `The folder for temporary files, ${tmpdir()}, can't be written (${codeOf(error)}).`;
    throw new CommandError(`${what} Name another one in TMPDIR.`);
  });
}

/** @throws CommandError where the demo was interrupted, or an answer did not fit the story */
async function play(home: string, uploads: string, signal: AbortSignal): Promise<void> {
  let host: Host | null = null;
  try {
    host = await startHost({ home, uploads, signal });
    await tellStory(host, uploads, cards);
  } catch (error) {
    if (signal.aborted) throw new CommandError('The demo was interrupted.');
    if (!(error instanceof DemoError)) throw error;
    throw new CommandError(error.message);
  } finally {
    await host?.close();
  }
}
