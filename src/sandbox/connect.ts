import { ownApp } from './oauth/apps.ts';
import { loopback } from './process/folder.ts';
import { askHello } from './process/handshake.ts';

export { SandboxError } from './sandbox-error.ts';

/**
 * The app that needs no registration, where an embedded catalogue says that it answers at this base URL; null elsewhere.
 * It is not proven: use it for messages to a person only.
 */
export async function ownAppAt(baseUrl: string): Promise<{ clientId: string } | null> {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== 'http:' || hostname !== loopback) return null;
  const found = await askHello(Number(port || 80));
  return typeof found === 'object' && found.baseUrl === baseUrl ? { clientId: ownApp.clientId } : null;
}
