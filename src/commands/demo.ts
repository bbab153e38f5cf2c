import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { signals } from '../machine.ts';
import { ownCommand } from '../own-command.ts';
import { ensureSandbox, stopSandbox } from '../sandbox/launch.ts';
import { version } from '../version.ts';
import { type Command, CommandError } from './command.ts';
import { registerDemoApp } from './demo/catalogue.ts';
import { changeSomething } from './demo/change-something.ts';
import { makeASet, mendASet, type Stage } from './demo/make-sets.ts';
import { readTheCatalogue, readWhatIsMine } from './demo/read.ts';
import { findEpisodesForCards } from './demo/title-cards.ts';
import { createVoice, type Host, startHost, transcriptOf, type Voice } from './demo/transcript.ts';

export const command: Command = {
  summary: 'shows what this program does, on a catalogue of its own',
  about: [
    'It starts a catalogue and the server in a temporary folder, and tells as a story what a person asks and what',
    'comes back: a look around, a sign-in, an upload, a change that is refused since something changed meanwhile, and',
    'a Set of 62 title cards whose server is killed in the middle and goes on. Nothing leaves this machine. At the end',
    'all of it is stopped and removed, but for two pictures.',
  ],
  usage: 'artwork-mcp demo [--verbose]',
  options: {
    verbose: {
      about: 'shows each call of a tool with its answer, as a host sees them',
      example: 'artwork-mcp demo --verbose',
    },
  },
  settings: [],
  examples: ['artwork-mcp demo', 'artwork-mcp demo --verbose'],
  words: 0,
  async run({ options }) {
    const voice = createVoice(options.verbose === true);
    const { say } = voice;
    const folder = await ownFolder();
    const home = path.join(folder, 'data');
    const pictures = path.join(folder, 'pictures');
    let whole = false;
    try {
      say(
        `artwork-mcp ${version}: an embedded catalogue is started, and a client starts the server over stdio.`,
      );
      say(`Data folder: ${home}`);
      voice.answers(
        'This is what your assistant does with artwork-mcp, on a catalogue that is made for this demo alone.',
        'Nothing leaves this machine. It takes less than a minute.',
      );
      await unlessInterrupted(
        async () => {
          await mkdir(pictures);
          voice.progress(0, 1, 'a catalogue is made');
          // Not left to the server: it is to fail when it is told, and the person who interrupts this waits for it.
          const { baseUrl } = await ensureSandbox({ home, faults: true });
          const app = await registerDemoApp(baseUrl, home);
          return { baseUrl, host: await startServer(home, pictures, app) };
        },
        (stage) => perform({ ...stage, folder, pictures }, voice, home),
      );
      whole = true;
    } finally {
      voice.rests();
      await stopSandbox({ home });
      const gone = whole ? [home, pictures] : [folder];
      await Promise.all(gone.map((each) => rm(each, { recursive: true, force: true })));
    }
    say(
      `Done: the server and its catalogue are stopped, and their data is gone. The contact sheets stay in ${folder}.`,
    );
    voice.chapter('What to do next');
    voice.answers(
      'The demo has ended: its server and its catalogue are stopped, their data is gone. Two pictures stay:',
    );
    for (const picture of sheets) if (voice.isStory) voice.keeps(path.join(folder, picture));
    voice.answers(
      '',
      'Add it to your assistant, such as Claude Code, with the folder that your artwork is in:',
      `  claude mcp add artwork -- ${ownCommand('serve /path/to/your/artwork')}`,
      'Then ask it: “Connect my account”, and “Which title cards does this Set lack?”.',
      '',
      `See how it stands:  ${ownCommand('status')}`,
      `Every call of this demo, with its answer:  ${ownCommand('demo --verbose')}`,
    );
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

/** What the demo leaves for the person to look at. */
const sheets = ['contact-sheet.png', 'title-cards.png'];

async function perform(given: Omit<Stage, 'transcript'>, voice: Voice, home: string): Promise<void> {
  const { host, baseUrl, folder, pictures } = given;
  voice.say(`The server is process ${host.pid()}.`);
  const transcript = transcriptOf(host, voice);
  const { ask } = transcript;
  await readTheCatalogue(transcript, folder);
  await readWhatIsMine(transcript, home);
  await changeSomething(transcript, baseUrl, pictures);
  const stage = { ...given, transcript };
  const episodes = await findEpisodesForCards(host, voice);
  await makeASet(stage, episodes);
  await mendASet(stage, episodes);
  await ask('The ledger of all of it', 'list_mutations', { limit: 8 });
}

function startServer(home: string, pictures: string, app: Record<string, string>): Promise<Host> {
  return startHost({
    name: 'artwork-mcp-demo',
    version,
    command: process.execPath,
    args: [fileURLToPath(new URL('cli.js', import.meta.url)), 'serve'],
    env: { ...ownEnvironment(), ...app, ARTWORK_HOME: home, ARTWORK_UPLOAD_ROOTS: pictures },
  });
}

/** The demo is the same whatever the person has set for their own server. */
function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('ARTWORK_'),
    ),
  );
}

/**
 * Does the work with a host, and ends the host however the work ends. A person who interrupts it, or closes the
 * terminal, takes the server away from under the work, which then ends with the call that it is at; so nothing
 * goes on unseen.
 * @throws CommandError where it was interrupted
 */
export async function unlessInterrupted<Started extends { readonly host: Host }>(
  start: () => Promise<Started>,
  work: (started: Started) => Promise<void>,
): Promise<void> {
  let interruption: string | null = null;
  let host: Host | null = null;
  const interrupt = (signal: NodeJS.Signals) => {
    interruption ??= signal;
    // Closing it waits for the server; what fails there fails again below.
    host?.close().catch(() => undefined);
  };
  for (const signal of signals.ending) process.on(signal, interrupt);
  const requireWanted = () => {
    if (interruption !== null) throw new CommandError(`The demo was interrupted (${interruption}).`);
  };
  try {
    const started = await start();
    host = started.host;
    requireWanted();
    await work(started);
  } catch (error) {
    requireWanted();
    throw error;
  } finally {
    await host?.close();
    // Not the handlers: what is left is tidying up, which a second signal must not cut short.
  }
}
