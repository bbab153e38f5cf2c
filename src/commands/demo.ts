import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DemoError, type Host, startHost } from '../demo/host.ts';
import { chapter, tellStory } from '../demo/story.ts';
import { signals } from '../machine.ts';
import { slotsWords } from '../model/slots.ts';
import { ownCommand } from '../own-command.ts';
import { stopSandbox } from '../sandbox/launch.ts';
import { printLine, printLines, progressLine } from '../terminal.ts';
import { type Command, CommandError } from './command.ts';

export const command: Command = {
  summary: 'shows what this program does, on a catalogue of its own',
  about: [
    'It starts the server in a temporary folder, as a host does, and tells as a story what a person asks and what',
    `comes back: a look around, a sign-in, a folder of 62 ${slotsWords('titlecard')} that becomes a Set although the server is killed`,
    'in the middle, and a picture that is refused and put right. Nothing leaves this machine. At the end all of it is',
    'stopped and removed, but for two pictures.',
  ],
  usage: 'artwork-mcp demo [--verbose]',
  options: {
    verbose: {
      about: 'shows each call of a tool with its whole answer, as a host sees them',
      example: 'artwork-mcp demo --verbose',
    },
  },
  settings: [],
  examples: ['artwork-mcp demo', 'artwork-mcp demo --verbose'],
  words: 0,
  async run({ options }) {
    const folder = await ownFolder();
    const home = path.join(folder, 'data');
    const uploads = path.join(folder, 'uploads');
    let isWhole = false;
    try {
      printLine(
        'This is what your assistant does with artwork-mcp, on a catalogue that is made for this demo alone.',
      );
      printLine('Nothing leaves this machine. It takes less than a minute.');
      await mkdir(uploads);
      await unlessInterrupted(
        () => startHost(home, uploads, options.verbose === true),
        (host) => tellStory(host, uploads, folder, slotsWords('titlecard')),
      );
      isWhole = true;
    } finally {
      progressLine(null);
      await stopSandbox({ home });
      const gone = isWhole ? [home, uploads] : [folder];
      await Promise.all(gone.map((each) => rm(each, { recursive: true, force: true })));
    }
    chapter('What to do next');
    printLines([
      `  The server and its catalogue are stopped, and their data is gone. Two pictures stay in ${folder}.`,
      '',
      '  Add it to your assistant, such as Claude Code, with the folder that your artwork is in:',
      `    claude mcp add artwork -- ${ownCommand('serve /path/to/your/artwork')}`,
      `  Then ask it: “Connect my account”, and “Which ${slotsWords('titlecard')} does this Set lack?”.`,
      '',
      `  See how it stands:  ${ownCommand('status')}`,
      `  Every call of this demo, with its answer:  ${ownCommand('demo --verbose')}`,
    ]);
  },
};

/** @throws CommandError where the folder for temporary files can't be written, as where TMPDIR names none */
async function ownFolder(): Promise<string> {
  try {
    return await mkdtemp(path.join(tmpdir(), 'artwork-mcp-demo-'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new CommandError(
      `The demo needs a folder for temporary files, and ${tmpdir()} can't be written${code}: name another one in TMPDIR.`,
    );
  }
}

/**
 * Does the work with a host, and ends the host however the work ends. A person who interrupts it, or closes the
 * terminal, takes the server away from under the work, which then ends with the call that it is at.
 * @throws CommandError where it was interrupted, or the story went otherwise
 */
async function unlessInterrupted(
  start: () => Promise<Host>,
  work: (host: Host) => Promise<void>,
): Promise<void> {
  let interruption: string | null = null;
  let host: Host | null = null;
  for (const signal of signals.ending) {
    process.on(signal, () => {
      interruption ??= signal;
      // Closing it waits for the server; what fails there fails again below.
      host?.close().catch(() => undefined);
    });
  }
  const requireWanted = () => {
    if (interruption !== null) throw new CommandError(`The demo was interrupted (${interruption}).`);
  };
  try {
    host = await start();
    requireWanted();
    await work(host);
  } catch (error) {
    requireWanted();
    if (!(error instanceof DemoError)) throw error;
    throw new CommandError(`${error.message} Every answer: ${ownCommand('demo --verbose')}`);
  } finally {
    await host?.close();
    // Not the handlers: what is left is tidying up, which a second signal must not cut short.
  }
}
