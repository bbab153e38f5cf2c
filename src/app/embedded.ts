import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { ArtworkError } from '../errors.ts';
import { SandboxError } from '../sandbox/sandbox-error.ts';
import type { ServiceAddress, ServiceEndpoint } from './endpoint.ts';

type AddressAt = (baseUrl: string, ownApp: string) => ServiceAddress;

/**
 * The embedded catalogue of this data directory. The first call loads its launcher and starts it. It may end, be killed,
 * and move to another port at any moment. The next connection starts it again.
 */
export function createEmbedded(home: string, addressAt: AddressAt): Required<ServiceEndpoint> {
  // Connections to these may have to start it again. It may have moved since, so all of them count.
  const hosts = new Set<string>();
  let known: ServiceAddress | undefined;
  let looking: Promise<ServiceAddress> | undefined;

  /** Starts it unless it answers that it is the catalogue of this data directory. Calls at the same time share a look. */
  const look = (): Promise<ServiceAddress> => {
    looking ??= start(home, addressAt)
      .then((address) => {
        known = address;
        hosts.add(new URL(address.baseUrl).host);
        return address;
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  const requireAt = async (port: number): Promise<void> => {
    if (portOf(await look()) === port) return;
    throw new ArtworkError(
      'service_unavailable',
      'The embedded catalogue has moved to another address. Nothing was sent. Start again.',
    );
  };

  const connect = async (port: number, signal: AbortSignal): Promise<Socket> => {
    try {
      return await connectTo(port, signal);
    } catch {
      // It has ended, or the look reports what is wrong with it.
      await requireAt(port);
      return connectTo(port, signal);
    }
  };

  return {
    locate: async () => known ?? look(),
    open: ({ hostname, port }, signal) =>
      hosts.has(`${hostname}:${port}`) ? connect(Number(port), signal) : null,
    wake: async () => void (await look()),
  };
}

/** @throws ArtworkError `service_unavailable` with the catalogue's own sentence */
async function start(home: string, addressAt: AddressAt): Promise<ServiceAddress> {
  try {
    const { ensureSandbox } = await import('../sandbox/launch.ts');
    const { baseUrl, clientId } = await ensureSandbox({ home });
    return addressAt(baseUrl, clientId);
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    throw new ArtworkError('service_unavailable', error.message, {
      next: { why: 'A person does what the message says. Then make the same call again.' },
    });
  }
}

function portOf({ baseUrl }: ServiceAddress): number {
  return Number(new URL(baseUrl).port);
}

/** @throws the system's errors, where nothing listens */
async function connectTo(port: number, signal: AbortSignal): Promise<Socket> {
  const socket = createConnection({ host: '127.0.0.1', port, noDelay: true, keepAlive: true });
  try {
    await once(socket, 'connect', { signal });
    return socket;
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw error;
  }
}
