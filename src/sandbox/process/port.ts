import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readWhole, writeOnce } from '../files.ts';
import { SandboxError, systemCode } from '../sandbox-error.ts';

/** The only address the embedded catalogue listens on. */
export const loopback = '127.0.0.1';

/** Below the range that systems hand out for outgoing connections (Linux from 32768, others from 49152). */
const drawn = { from: 20_000, to: 32_000 } as const;
const allowed = { from: 1024, to: 65_535 } as const;

/** The file in a data folder that holds its port: one line with a number. */
export function portFile(dataDir: string): string {
  return path.join(dataDir, 'port');
}

/**
 * The port of a data folder, or null when it has none yet.
 * @throws SandboxError when the file holds anything but a port.
 */
export async function storedPort(dataDir: string): Promise<number | null> {
  const file = portFile(dataDir);
  const text = await readWhole(file);
  if (text === null) return null;
  const port = /^\s*\d{4,5}\s*$/.test(text) ? Number(text) : Number.NaN;
  if (!isUsablePort(port)) {
    throw new SandboxError(
      `${file} must hold one number from ${allowed.from} to ${allowed.to}, the port of the embedded catalogue. ` +
        'Write its number there again, or delete the file and a new one is drawn (connections made before have to be made again).',
    );
  }
  return port;
}

/**
 * The port of a data folder. Where there is none yet, `wanted` or a random free one is stored for good, so
 * that the base URL stays the same. Of several first starters one stores it and the others read it.
 * @throws RangeError for a wanted port that can't be one.
 * @throws SandboxError when the file holds anything but a port, or another port than `wanted`, or when
 *   another program holds the wanted one; then nothing is stored.
 */
export async function ensurePort(dataDir: string, wanted: number | null = null): Promise<number> {
  if (wanted !== null && !isUsablePort(wanted)) throw new RangeError(unusablePort);
  let port = await storedPort(dataDir);
  if (port === null) {
    const first = wanted === null ? await pickPort() : await requireFreePort(dataDir, wanted);
    await writeOnce(portFile(dataDir), `${first}\n`);
    port = await storedPort(dataDir);
  }
  if (port === null) throw new SandboxError(`${portFile(dataDir)} was removed while it was read. Try again.`);
  if (wanted !== null && wanted !== port) {
    throw new SandboxError(
      `This data folder's port is ${port}, not ${wanted}. To move it, stop the catalogue and write ${wanted} ` +
        `into ${portFile(dataDir)} (connections made before have to be made again).`,
    );
  }
  return port;
}

/** The message for a port that another program holds. */
export function portTaken(dataDir: string, port: number, holder: string): string {
  return (
    `Port ${port} of the embedded catalogue is held by ${holder}. End that, or write the number of a free port ` +
    `into ${portFile(dataDir)} (connections made before have to be made again).`
  );
}

/** The message for a wanted port that can't be one. */
export const unusablePort = `--port must be a number from ${allowed.from} to ${allowed.to}.`;

/** Whether a number can be the port of a data folder. */
export function isUsablePort(port: number): boolean {
  return Number.isInteger(port) && port >= allowed.from && port <= allowed.to;
}

/** A random free port, which nothing but this machine's servers is given. @throws SandboxError where none is free */
export async function pickPort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(drawn.from, drawn.to + 1);
    if (await canBind(port)) return port;
  }
  throw new SandboxError(
    `No free port was found from ${drawn.from} to ${drawn.to}. Choose one with --port, once.`,
  );
}

/** A stored port is final, so one that another program holds must not be stored. */
async function requireFreePort(dataDir: string, wanted: number): Promise<number> {
  for (let attempt = 1; attempt <= 20; attempt++) {
    if (await canBind(wanted)) return wanted;
    // A catalogue of this folder that starts at the same moment may be testing it, or have it already.
    const port = await storedPort(dataDir);
    if (port !== null) return port;
    await sleep(25);
  }
  throw new SandboxError(`Port ${wanted} is held by another program. Choose another one with --port.`);
}

async function canBind(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ port, host: loopback, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    const code = systemCode(error);
    // Windows answers EACCES for reserved ports.
    if (code === 'EADDRINUSE' || code === 'EACCES') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
