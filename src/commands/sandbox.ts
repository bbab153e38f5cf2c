import { dataFolder, runInForeground } from '../sandbox/launch.ts';
import { type Command, UsageError } from './command.ts';

export const command: Command = {
  summary: 'the embedded catalogue in the foreground, for a person or a test to use',
  usage: 'artwork-mcp sandbox [--port N] [--data DIR]',
  options: { port: { type: 'string' }, data: { type: 'string' } },
  words: 0,
  async run({ settings, options }) {
    const { port, data } = options;
    await runInForeground({
      dataDir: typeof data === 'string' ? data : dataFolder(settings.home),
      port: typeof port === 'string' ? portOf(port) : null,
      say: (line) => process.stderr.write(`${line}\n`),
    });
  },
};

function portOf(value: string): number {
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value)) throw new UsageError(`--port ${value} is not a port.`);
  return port;
}
