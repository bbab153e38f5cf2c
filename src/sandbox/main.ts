// The program that a launcher starts: the embedded catalogue in a process of its own.
import { parseArgs } from 'node:util';
import { logLine } from './log-file.ts';
import { isUsablePort } from './port.ts';
import { type RunOptions, runSandbox } from './run.ts';
import { SandboxError } from './sandbox-error.ts';

const usage = 'Usage: sandbox --data DIR [--port N] [--idle SECONDS] [--base-path PATH]';

function say(line: string): void {
  process.stderr.write(logLine(line));
}

class UsageError extends Error {
  override readonly name = 'UsageError';
}

function readArguments(): RunOptions {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      port: { type: 'string' },
      idle: { type: 'string' },
      'base-path': { type: 'string' },
    },
  });
  if (!values.data) throw new UsageError('--data is missing.');
  const port = values.port === undefined ? null : Number(values.port);
  if (port !== null && !isUsablePort(port))
    throw new UsageError('--port must be a number from 1024 to 65535.');
  const idleSeconds = values.idle === undefined ? null : Number(values.idle);
  if (idleSeconds !== null && !(idleSeconds > 0 && idleSeconds <= 1_000_000)) {
    throw new UsageError('--idle must be a number of seconds.');
  }
  const basePath = values['base-path'] ?? '';
  if (!/^(\/[A-Za-z0-9._~-]+)*$/.test(basePath))
    throw new UsageError('--base-path must look like /catalogue/v1.');
  return { dataDir: values.data, port, idleSeconds, basePath, say };
}

function fail(error: unknown): never {
  if (error instanceof UsageError || (error instanceof TypeError && 'code' in error)) {
    process.stderr.write(`${error.message} ${usage}\n`);
    process.exit(2);
  }
  if (!(error instanceof SandboxError))
    process.stderr.write(`${error instanceof Error ? error.stack : ''}\n`);
  // Last, since a launcher repeats the last line to a person.
  say(error instanceof Error ? error.message : 'Something that is no error was thrown.');
  process.exit(1);
}

process.on('uncaughtException', fail);
try {
  await runSandbox(readArguments());
  // Whatever timers libraries have left, the end is the end: the database is closed.
  process.exit(0);
} catch (error) {
  fail(error);
}
