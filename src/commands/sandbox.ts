import { dataFolder, isUsablePort, unusablePort } from '../sandbox/launch.ts';
import { givenSetting } from '../settings.ts';
import { noteLine } from '../terminal.ts';
import { type Command, UsageError } from './command.ts';

export const command: Command = {
  summary: 'runs the embedded catalogue in the foreground',
  usage: 'artwork-mcp sandbox [--port N] [--data DIR]',
  options: {
    port: { value: 'N', about: 'the port of a new catalogue; it keeps this port' },
    data: { value: 'DIR', about: 'the data folder; default: the one in the data directory' },
  },
  words: 0,
  exit: '0 also if a signal ends it, or if it runs already',
  async run({ settings, options: { port, data } }) {
    // No other command runs the catalogue in its own process.
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
