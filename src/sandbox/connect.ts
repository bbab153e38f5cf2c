import { drawTicket, ticketParameter } from './account/ticket.ts';
import { dataFolder } from './data-folder.ts';
import { isCallbackOf, ownApp } from './oauth/registration.ts';
import { storedIdentity } from './process/identity.ts';
import { loopback, storedPort } from './process/port.ts';
import { claimedBaseUrl } from './process/probe.ts';

export { SandboxError } from './sandbox-error.ts';

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
