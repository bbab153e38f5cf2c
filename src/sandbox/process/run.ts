import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults } from '../faults.ts';
import { SandboxError, systemCode } from '../sandbox-error.ts';
import type { CatalogueServer, ServerOptions } from '../server.ts';
import { openFolder } from './folder.ts';
import { findCatalogue, handshakeRoutes, portTaken } from './handshake.ts';

export interface RunOptions
  extends Pick<ServerOptions, 'basePath' | 'publicationLagMs' | 'accessTokenSeconds'> {
  readonly dataDir: string;
  /** null: that of the folder, or any if it has none yet. */
  readonly port: number | null;
  /** How many seconds without use end it; null: none. */
  readonly idleSeconds?: number | null;
  readonly faults?: boolean;
  say(line: string): void;
}

const takeoverMs = 30_000;

/**
 * Runs the catalogue of a data folder in this process until a signal, a request to stop or idleness ends it.
 * @returns `joined` when one runs already, else `ended`
 * @throws SandboxError when the folder can't be used or another program holds its port
 */
export async function runCatalogue(options: RunOptions): Promise<'ended' | 'joined'> {
  const { dataDir, say, idleSeconds = null } = options;
  const folder = await openFolder(dataDir, options.port);
  const ending = new AbortController();
  const startedAt = performance.now();
  let server: CatalogueServer | null = null;
  while (server === null) {
    server = await serveUnlessTaken(options, folder, () => ending.abort('it was asked to stop'));
    if (server !== null) break;
    const found = await findCatalogue(folder);
    if (typeof found === 'object') {
      say(`The embedded catalogue runs already, at ${found.baseUrl} (process ${found.pid}).`);
      return 'joined';
    }
    // One that is ending still holds the port.
    if (found === 'foreign' || performance.now() - startedAt > takeoverMs) {
      throw new SandboxError(portTaken(dataDir, folder.port));
    }
    await sleep(50);
  }
  // Never removed: a second signal, such as npm's beside the terminal's, must not interrupt the end.
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'] as const) {
    if (name === 'SIGBREAK' && process.platform !== 'win32') continue;
    process.on(name, () => ending.abort(`it received ${name}`));
  }
  say(`The embedded catalogue answers at ${server.baseUrl}; its data is in ${dataDir}.`);
  const stopLooking = endWhenUnused(server, dataDir, idleSeconds, (why) => ending.abort(why));
  if (!ending.signal.aborted) await once(ending.signal, 'abort');
  stopLooking();
  say(`The embedded catalogue ends: ${String(ending.signal.reason)}.`);
  await server.close();
  return 'ended';
}

/** Null when the port is taken. */
async function serveUnlessTaken(
  options: RunOptions,
  folder: ServerOptions['folder'],
  stop: () => void,
): Promise<CatalogueServer | null> {
  // Imported only here: a process that finds another one needs none of this.
  const { serveCatalogue } = await import('../server.ts');
  const faults: Faults | null =
    options.faults === true ? (await import('../faults.ts')).createFaults() : null;
  try {
    const { port: _, ...served } = options;
    return await serveCatalogue({
      ...served,
      folder,
      faults,
      routes: (context) => handshakeRoutes(context, stop),
    });
  } catch (error) {
    if (systemCode(error) === 'EADDRINUSE') return null;
    if (systemCode(error) !== 'EACCES') throw error;
    throw new SandboxError(portTaken(options.dataDir, folder.port));
  }
}

/** Looks from time to time whether it is still used, and its folder still there. Returns what ends the looking. */
function endWhenUnused(
  server: CatalogueServer,
  dataDir: string,
  idleSeconds: number | null,
  end: (why: string) => void,
): () => void {
  const limitMs = idleSeconds === null ? Number.POSITIVE_INFINITY : idleSeconds * 1_000;
  const look = () => {
    const { pending, idleMs } = server.activity();
    if (pending === 0 && idleMs >= limitMs) end(`it was not used for ${idleSeconds} seconds`);
    else if (!existsSync(dataDir)) end('its data folder is gone');
  };
  const timer = setInterval(look, Math.min(10_000, Math.max(50, limitMs / 4)));
  return () => clearInterval(timer);
}
