import type { Socket } from 'node:net';
import { drawTicket, ticketParameter } from './account/ticket.ts';
import { dataFolder } from './data-folder.ts';
import { ensureSandbox } from './launch.ts';
import { isCallbackOf, ownApp } from './oauth/registration.ts';
import { storedIdentity } from './process/identity.ts';
import { loopback, portTaken, storedPort } from './process/port.ts';
import { claimedBaseUrl } from './process/probe.ts';
import { proveConnection } from './process/prove-connection.ts';
import { SandboxError } from './sandbox-error.ts';

export { SandboxError } from './sandbox-error.ts';

/**
 * The data folder has another port now, so the catalogue is no longer at the port that the caller asked for.
 */
export class SandboxMoved extends Error {
  override readonly name = 'SandboxMoved';
  /** The code of a connection to a closed port. */
  readonly code = 'ECONNREFUSED';
}

/** Limits the attempts, for a catalogue that ends again and again right after its start. */
const maxAttempts = 10;

/**
 * Opens a connection to the catalogue of a data directory at a known port. The catalogue has proven its
 * identity on this connection. One that has ended is started again first, before anything is sent.
 * @throws SandboxError when another program holds the port or the catalogue does not start; SandboxMoved
 */
export async function connectSandbox(
  { home, port }: { readonly home: string; readonly port: number },
  signal?: AbortSignal,
): Promise<Socket> {
  const dataDir = dataFolder(home);
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const identity = await storedIdentity(dataDir);
    const connection = identity === null ? null : await proveConnection(port, identity, signal);
    if (connection?.kind === 'proven') return connection.socket;
    if ((await storedPort(dataDir)) !== port)
      throw new SandboxMoved(`The catalogue is no longer at port ${port}.`);
    if (connection?.kind === 'foreign') throw new SandboxError(portTaken(dataDir, port, connection.holder));
    await ensureSandbox({ home, signal });
  }
  throw new SandboxError(portTaken(dataDir, port, 'a program that does not answer'));
}

/**
 * Whether the catalogue of a data directory still has this port.
 * @throws SandboxError when its port file holds anything but a port
 */
export async function hasPort({ home, port }: { readonly home: string; readonly port: number }) {
  return (await storedPort(dataFolder(home))) === port;
}

/**
 * The app that needs no registration, where an embedded catalogue claims to answer at this base URL; null
 * elsewhere, and for any other callback. The claim is not proven: use it for messages to a person only.
 */
export async function ownAppAt(baseUrl: string, redirectUri: string): Promise<{ clientId: string } | null> {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== 'http:' || hostname !== loopback) return null;
  if (!isCallbackOf(ownApp.clientId, ownApp.redirectUri, redirectUri)) return null;
  const claimed = await claimedBaseUrl(Number(port || 80));
  return claimed === baseUrl ? { clientId: ownApp.clientId } : null;
}

/**
 * The address of a sign-in for the person whose data directory this is: on the page of the directory's own catalogue
 * they choose an account without its password, once and within ten minutes. It has to reach the browser by a way that
 * no other user of the machine can read. Null where the address is another service's.
 * @throws SandboxError when the catalogue's files are damaged
 */
export async function addressForPerson(home: string, address: string): Promise<string | null> {
  const dataDir = dataFolder(home);
  const url = new URL(address);
  if (url.origin !== `http://${loopback}:${await storedPort(dataDir)}`) return null;
  const identity = await storedIdentity(dataDir);
  if (identity === null) return null;
  url.searchParams.set(ticketParameter, drawTicket(identity));
  return url.href;
}
