import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createLog } from '../log.ts';
import { serveStdio } from '../mcp/stdio.ts';
import type { PublicDefinitions } from '../mcp/surface.ts';
import { givenSetting, settingNames } from '../settings.ts';
import { version } from '../version.ts';
import type { Command } from './command.ts';
import { warningOf, warningOfDownloads } from './upload-roots.ts';

export const command: Command = {
  summary: 'the MCP server on stdin and stdout (also without a command); each DIR is open for uploads',
  usage: 'artwork-mcp [serve [DIR…]]',
  options: {},
  settings: settingNames,
  examples: [
    'artwork-mcp serve ~/Pictures/artwork --read-only',
    'artwork-mcp --base-url https://catalogue.example/api --client-id abc',
  ],
  words: Number.POSITIVE_INFINITY,
  firstWord: 'folder',
  async run({ settings: set, words }) {
    // A host that leaves a folder out of its command line may leave the empty word, or the placeholder of it.
    const folders = words.filter((word) => givenSetting(word) !== null);
    const settings =
      folders.length === 0 ? set : { ...set, uploadRoots: folders.map((folder) => path.resolve(folder)) };
    const log = createLog(settings.logLevel);
    const warning = await warningOf(settings.uploadRoots);
    if (warning !== null) log.warn(warning);
    const ofDownloads = await warningOfDownloads(settings.downloadRoot, settings.home);
    if (ofDownloads !== null) log.warn(ofDownloads);
    let app: Promise<import('../app.ts').App> | undefined;
    const answering = () => {
      app ??= import('../app.ts').then(({ createApp }) => createApp(settings, log));
      return app;
    };
    serveStdio({ version, settings, definitions: readDefinitions(), answering }, log, async () =>
      (await app)?.close(),
    );
  },
};

/** Written by the build beside the program; part of the package, so it is trusted as code is. */
function readDefinitions(): PublicDefinitions {
  return JSON.parse(readFileSync(new URL('definitions.json', import.meta.url), 'utf8'));
}
