import { readFileSync } from 'node:fs';
import { createLog } from '../log.ts';
import { createServer } from '../mcp/server.ts';
import { serveStdio } from '../mcp/stdio.ts';
import type { PublicDefinitions } from '../mcp/surface.ts';
import { version } from '../version.ts';
import type { Command } from './command.ts';

export const command: Command = {
  summary: 'the MCP server on stdin and stdout (also without a command)',
  usage: 'artwork-mcp [serve]',
  options: {},
  words: 0,
  async run({ settings }) {
    const log = createLog(settings.logLevel);
    let app: Promise<import('../app.ts').App> | undefined;
    const answering = () => {
      app ??= import('../app.ts').then(({ createApp }) => createApp(settings, log));
      return app;
    };
    const server = createServer({ version, settings, definitions: readDefinitions(), answering });
    await serveStdio(server, log, async () => (await app)?.close());
  },
};

/** Written by the build beside the program; part of the package, so it is trusted as code is. */
function readDefinitions(): PublicDefinitions {
  return JSON.parse(readFileSync(new URL('definitions.json', import.meta.url), 'utf8'));
}
