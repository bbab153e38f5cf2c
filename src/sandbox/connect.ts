import { ownApp } from './oauth/apps.ts';
import { claimedBaseUrl } from './process/handshake.ts';

export { SandboxError } from './sandbox-error.ts';

/**
 * The app that needs no registration, where an embedded catalogue says that it answers at this base URL; null elsewhere.
 * It is not proven: use it for messages to a person only.
 */
export async function ownAppAt(baseUrl: string): Promise<{ clientId: string } | null> {
  return (await claimedBaseUrl(baseUrl)) === baseUrl ? { clientId: ownApp.clientId } : null;
}
