import type { Socket } from 'node:net';
import { dataFolder } from './folder.ts';
import { claimedBaseUrl } from './process/greet.ts';
import { ensureSandbox } from './launch.ts';
import { ownApp } from './oauth/own-app.ts';
import { storedIdentity } from './process/identity.ts';
import { loopback, occupied, storedPort } from './process/port.ts';
import { proveConnection } from './process/prove-connection.ts';
import { SandboxError } from './sandbox-error.ts';

export { SandboxError } from './sandbox-error.ts';

/** The data folder has another port by now, so that nothing of ours is at the one that was asked for. */
export class SandboxMoved extends Error {
  override readonly name = 'SandboxMoved';
  /** What a connection to where nobody listens ends with. */
  readonly code = 'ECONNREFUSED';
}

/** A catalogue that ends as soon as it has started, time and again, is not waited for for ever. */
const mostAttempts = 10;

/**
 * A new connection to the catalogue of a data directory at the port where it was found, over which it has
 * proven that it is the one. One that has ended is started again first; nothing has been sent by then.
 * @throws SandboxError when something else holds the port or the catalogue does not start; SandboxMoved
 */
export async function connectSandbox(
  { home, port }: { readonly home: string; readonly port: number },
  signal?: AbortSignal,
): Promise<Socket> {
  const dataDir = dataFolder(home);
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const identity = await storedIdentity(dataDir);
    const reached = identity === null ? null : await proveConnection(port, identity, signal);
    if (reached?.kind === 'proven') return reached.socket;
    if ((await storedPort(dataDir)) !== port) throw new SandboxMoved(`It has left port ${port}.`);
    if (reached?.kind === 'stranger') throw new SandboxError(occupied(dataDir, port, reached.who));
    await ensureSandbox({ home, signal });
  }
  throw new SandboxError(occupied(dataDir, port, 'a program that does not answer'));
}

/**
 * Whether the catalogue of a data directory still has this port.
 * @throws SandboxError when its port file holds anything but a port
 */
export async function hasPort({ home, port }: { readonly home: string; readonly port: number }) {
  return (await storedPort(dataFolder(home))) === port;
}

/**
 * The app that needs no registering at a base URL where an embedded catalogue says that it answers; null elsewhere,
 * and for another callback than the app's. Nothing proves what it says: good for words to a person alone.
 */
export async function ownAppAt(baseUrl: string, redirectUri: string): Promise<{ clientId: string } | null> {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== 'http:' || hostname !== loopback || redirectUri !== ownApp.redirectUri) return null;
  const claimed = await claimedBaseUrl(Number(port || 80));
  return claimed === baseUrl ? { clientId: ownApp.clientId } : null;
}
