import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
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
  const { port, faults, say, idleSeconds = null, ...served } = options;
  const { dataDir } = options;
  const folder = await openFolder(dataDir, port);
  const ending = new AbortController();
  const routes = (context: Context) => handshakeRoutes(context, () => ending.abort('it was asked to stop'));
  // Imported only here: a process that finds another one needs none of this.
  const { serveCatalogue } = await import('../server.ts');
  const ordered = faults === true ? (await import('../faults.ts')).createFaults() : null;
  const startedAt = performance.now();
  let server: CatalogueServer | null = null;
  while (server === null) {
    try {
      server = await serveCatalogue({ ...served, folder, faults: ordered, routes });
    } catch (error) {
      const code = systemCode(error);
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
      const found = await findCatalogue(folder);
      if (typeof found === 'object') {
        say(`The embedded catalogue runs already, at ${found.baseUrl} (process ${found.pid}).`);
        return 'joined';
      }
      // One that is ending still holds the port.
      const isEnding = code === 'EADDRINUSE' && found !== 'foreign';
      if (!isEnding || performance.now() - startedAt > takeoverMs) {
        throw new SandboxError(portTaken(dataDir, folder.port));
      }
      await sleep(50);
    }
  }
  // Never removed: a second signal, such as npm's beside the terminal's, must not interrupt the end.
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'] as const) {
    if (name === 'SIGBREAK' && process.platform !== 'win32') continue;
    process.on(name, () => ending.abort(`it received ${name}`));
  }
  say(`The embedded catalogue answers at ${server.baseUrl}; its data is in ${dataDir}.`);
  const limitMs = (idleSeconds ?? Number.POSITIVE_INFINITY) * 1_000;
  const { activity } = server;
  const look = () => {
    const { pending, idleMs } = activity();
    if (pending === 0 && idleMs >= limitMs) ending.abort(`it was not used for ${idleSeconds} seconds`);
    else if (!existsSync(dataDir)) ending.abort('its data folder is gone');
  };
  const looking = setInterval(look, Math.min(10_000, Math.max(50, limitMs / 4)));
  if (!ending.signal.aborted) await once(ending.signal, 'abort');
  clearInterval(looking);
  say(`The embedded catalogue ends: ${String(ending.signal.reason)}.`);
  await server.close();
  return 'ended';
}
