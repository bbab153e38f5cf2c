import { dataFolder, isUsablePort, unusablePort } from '../sandbox/launch.ts';
import { givenSetting } from '../settings.ts';
import { noteLine } from '../terminal.ts';
import { type Command, UsageError } from './command.ts';

export const command: Command = {
  summary: 'the embedded catalogue in the foreground, for a person or a test to use',
  usage: 'artwork-mcp sandbox [--port N] [--data DIR]',
  options: {
    port: {
      value: 'N',
      about: 'the port of a new catalogue; it keeps its port',
      example: 'artwork-mcp sandbox --port 8099',
    },
    data: {
      value: 'DIR',
      about: 'its data folder; left out: the one of the data directory',
      example: 'artwork-mcp sandbox --data ./catalogue',
    },
  },
  settings: ['home'],
  examples: ['artwork-mcp sandbox --port 8099 --data ./catalogue'],
  words: 0,
  exit: '0 where it is ended by a signal, or runs already',
  async run({ settings, options }) {
    const { port, data } = options;
    // Imported only here: other commands never run the catalogue in their own process.
    const { runCatalogue } = await import('../sandbox/process/run.ts');
    await runCatalogue({
      dataDir: (typeof data === 'string' ? givenSetting(data) : null) ?? dataFolder(settings.home),
      port: typeof port === 'string' ? portOf(port) : null,
      say: noteLine,
    });
  },
};

function portOf(value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (!isUsablePort(port)) throw new UsageError(unusablePort);
  return port;
}
