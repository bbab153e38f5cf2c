import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureSandbox, stopSandbox } from '../sandbox/launch.ts';
import { version } from '../version.ts';
import type { Command } from './command.ts';
import { changeSomething } from './demo/change-something.ts';
import { type Host, startHost } from './demo/host.ts';
import { unlessInterrupted } from './demo/interruption.ts';
import { makeASet, type Stage } from './demo/make-a-set.ts';
import { mendASet } from './demo/mend-a-set.ts';
import { readTheCatalogue } from './demo/read-the-catalogue.ts';
import { readWhatIsMine } from './demo/read-what-is-mine.ts';
import { findEpisodes } from './demo/title-cards.ts';
import { say, transcriptOf } from './demo/transcript.ts';

export const command: Command = {
  summary: 'the main job from start to end, against an embedded catalogue of its own',
  usage: 'artwork-mcp demo',
  options: {},
  examples: ['artwork-mcp demo'],
  words: 0,
  async run() {
    const folder = await mkdtemp(path.join(tmpdir(), 'artwork-mcp-demo-'));
    const home = path.join(folder, 'data');
    const pictures = path.join(folder, 'pictures');
    let whole = false;
    try {
      say(
        `artwork-mcp ${version}: an embedded catalogue is started, and a client starts the server over stdio.`,
      );
      say(`Data folder: ${home}`);
      await unlessInterrupted(
        async () => {
          await mkdir(pictures);
          // Not left to the server: it is to fail when it is told, and the person who interrupts this waits for it.
          const { baseUrl } = await ensureSandbox({ home, faults: true });
          return { baseUrl, host: await startServer(home, pictures) };
        },
        (stage) => perform({ ...stage, folder, pictures }, home),
      );
      whole = true;
    } finally {
      await stopSandbox({ home });
      const gone = whole ? [home, pictures] : [folder];
      await Promise.all(gone.map((each) => rm(each, { recursive: true, force: true })));
    }
    say(
      `Done: the server and its catalogue are stopped, and their data is gone. The contact sheets stay in ${folder}.`,
    );
  },
};

async function perform(given: Omit<Stage, 'transcript'>, home: string): Promise<void> {
  const { host, baseUrl, folder, pictures } = given;
  say(`The server is process ${host.pid()}.`);
  const transcript = transcriptOf(host);
  const { ask } = transcript;
  await readTheCatalogue(ask, folder);
  await readWhatIsMine(ask, home);
  await changeSomething(transcript, baseUrl, pictures);
  const stage = { ...given, transcript };
  const episodes = await findEpisodes(host);
  await makeASet(stage, episodes);
  await mendASet(stage, episodes);
  await ask('The ledger of all of it', 'list_mutations', { limit: 8 });
}

function startServer(home: string, pictures: string): Promise<Host> {
  return startHost({
    name: 'artwork-mcp-demo',
    version,
    command: process.execPath,
    args: [fileURLToPath(new URL('cli.js', import.meta.url)), 'serve'],
    env: { ...ownEnvironment(), ARTWORK_HOME: home, ARTWORK_UPLOAD_ROOTS: pictures },
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
