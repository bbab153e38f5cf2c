import { ownApp } from './oauth/apps.ts';
import { drawTicket, ticketParameter } from './account/ticket.ts';
import { dataFolder, storedFolder } from './process/folder.ts';
import { claimedBaseUrl } from './process/handshake.ts';

export { SandboxError } from './sandbox-error.ts';

/**
 * The app that needs no registration, where an embedded catalogue says that it answers at this base URL; null elsewhere.
 * It is not proven: use it for messages to a person only.
 */
export async function ownAppAt(baseUrl: string): Promise<{ clientId: string } | null> {
  return (await claimedBaseUrl(baseUrl)) === baseUrl ? { clientId: ownApp.clientId } : null;
}

/**
 * The address of a sign-in for the person whose data directory this is: on the page of the directory's own catalogue
 * they choose an account without its password, once and within ten minutes. It has to reach the browser by a way that
 * no other user of the machine can read. Null where the address is another service's.
 * @throws SandboxError when the catalogue's files are damaged
 */
export async function addressForPerson(home: string, address: string): Promise<string | null> {
  const folder = await storedFolder(dataFolder(home));
  const url = new URL(address);
  if (folder === null || url.origin !== `http://127.0.0.1:${folder.port}`) return null;
  url.searchParams.set(ticketParameter, drawTicket(folder));
  return url.href;
}
