import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startStdioClient } from '../mcp/client.ts';
import { stopSandbox } from '../sandbox/launch.ts';
import { version } from '../version.ts';
import type { Command } from './command.ts';
import { changeSomething } from './demo/change-something.ts';
import { readTheCatalogue } from './demo/read-the-catalogue.ts';
import { readWhatIsMine } from './demo/read-what-is-mine.ts';
import { say, transcriptOf } from './demo/transcript.ts';

export const command: Command = {
  summary: 'the main job from start to end, against an embedded catalogue of its own',
  usage: 'artwork-mcp demo',
  options: {},
  words: 0,
  async run() {
    const folder = await mkdtemp(path.join(tmpdir(), 'artwork-mcp-demo-'));
    const home = path.join(folder, 'data');
    const pictures = path.join(folder, 'pictures');
    say(
      `artwork-mcp ${version}: a client starts the server over stdio; the server starts its embedded catalogue.`,
    );
    say(`Data folder: ${home}`);
    const client = await startStdioClient({
      name: 'artwork-mcp-demo',
      version,
      command: process.execPath,
      args: [fileURLToPath(new URL('cli.js', import.meta.url)), 'serve'],
      env: { ...ownEnvironment(), ARTWORK_HOME: home, ARTWORK_UPLOAD_ROOTS: pictures },
    });
    try {
      const transcript = transcriptOf(client);
      await readTheCatalogue(transcript.ask, folder);
      await readWhatIsMine(transcript.ask, home);
      await changeSomething(transcript, home, pictures);
    } finally {
      await client.close();
      await stopSandbox({ home });
      await Promise.all([home, pictures].map((gone) => rm(gone, { recursive: true, force: true })));
    }
    say(
      `Done: the server and its catalogue are stopped, and their data is gone. The contact sheet stays in ${folder}.`,
    );
  },
};

/** The demo is the same whatever the person has set for their own server. */
function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('ARTWORK_'),
    ),
  );
}
