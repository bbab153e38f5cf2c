import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { App } from '../app.ts';
import { createLog } from '../log.ts';
import { serveStdio } from '../mcp/stdio.ts';
import type { PublicDefinitions } from '../mcp/surface.ts';
import { checkSecretFiles } from '../setting-checks.ts';
import { givenSetting, SettingsError } from '../settings.ts';
import { version } from '../version.ts';
import type { Command } from './command.ts';
import { findFaultyFolders } from './folders.ts';

export const command: Command = {
  summary:
    'runs the MCP server on stdin and stdout; artwork-mcp alone does the same; files may be uploaded from each DIR',
  usage: 'artwork-mcp [serve [DIR…]]',
  options: {},
  words: Number.POSITIVE_INFINITY,
  async run({ settings: given, words }) {
    // A host may leave an empty word, or its placeholder, where a person named no folder.
    const folders = words.filter((word) => givenSetting(word) !== null).map((word) => path.resolve(word));
    const settings = folders.length === 0 ? given : { ...given, uploadRoots: folders };
    checkSecretFiles(settings.clientSecret, settings.store);
    const log = createLog(settings.logLevel);
    for (const { setting, folder, is, isWrong } of await findFaultyFolders(settings)) {
      if (isWrong) throw new SettingsError(`${setting} must name a folder: ${folder} ${is}.`);
      log.warn(`${setting}: ${folder} ${is}. Files there are refused until this is fixed.`);
    }
    // Hosts list tools long before they call one: until then only the definitions are loaded.
    let app: Promise<App> | undefined;
    const answering = () => {
      app ??= import('../app.ts').then(({ createApp }) => createApp(settings, log));
      return app;
    };
    const definitions = readDefinitions();
    serveStdio({ version, settings, definitions, answering }, log, async () => (await app)?.close());
  },
};

/** The build writes them beside the program. They are part of the package, and trusted as its code is. */
function readDefinitions(): PublicDefinitions {
  return JSON.parse(readFileSync(new URL('definitions.json', import.meta.url), 'utf8'));
}
