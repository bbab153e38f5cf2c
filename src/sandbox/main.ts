// The program that a launcher starts: the embedded catalogue in a process of its own.
import { parseArgs } from 'node:util';
import { cleanLine, logDefect, writeLog } from './log.ts';
import { isUsablePort, unusablePort } from './process/folder.ts';
import { type RunOptions, runCatalogue } from './process/run.ts';
import { SandboxError } from './sandbox-error.ts';

const usage =
  'Usage: sandbox --data DIR [--port N] [--idle SECONDS] [--base-path PATH] [--publication-lag SECONDS] [--token-lifetime SECONDS] [--faults]';

function readArguments(): RunOptions {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      port: { type: 'string' },
      idle: { type: 'string' },
      'base-path': { type: 'string', default: '' },
      'publication-lag': { type: 'string', default: '0' },
      'token-lifetime': { type: 'string', default: '3600' },
      faults: { type: 'boolean' },
    },
  });
  if (!values.data) throw new SandboxError('--data is missing.');
  const port = values.port === undefined ? null : Number(values.port);
  if (port !== null && !isUsablePort(port)) throw new SandboxError(unusablePort);
  const basePath = values['base-path'];
  if (!/^(\/[A-Za-z0-9._~-]+)*$/.test(basePath))
    throw new SandboxError('--base-path must look like /catalogue/v1.');
  return {
    dataDir: values.data,
    port,
    idleSeconds: values.idle === undefined ? null : seconds('--idle', values.idle),
    basePath,
    publicationLagMs: seconds('--publication-lag', values['publication-lag']) * 1_000,
    accessTokenSeconds: seconds('--token-lifetime', values['token-lifetime']),
    faults: values.faults === true,
    say: writeLog,
  };
}

function seconds(flag: string, written: string): number {
  const value = Number(written);
  if (!(value >= 0 && value <= 1_000_000)) throw new SandboxError(`${flag} must be a number of seconds.`);
  return value;
}

function fail(error: unknown): never {
  if (error instanceof TypeError && 'code' in error) {
    process.stderr.write(`${cleanLine(error.message)} ${usage}\n`);
    process.exit(2);
  }
  if (!(error instanceof SandboxError)) logDefect(error);
  // Written last: a launcher repeats the last line to a person.
  writeLog(error instanceof Error ? error.message : 'A value that is no Error was thrown.');
  process.exit(1);
}

process.on('uncaughtException', fail);
try {
  await runCatalogue(readArguments());
  // The database is closed; timers of libraries must not keep the process alive.
  process.exit(0);
} catch (error) {
  fail(error);
}
