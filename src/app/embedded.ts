import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CatalogueAddress } from '../catalogue/call.ts';
import type { Waker } from '../connection/connections.ts';
import { ArtworkError } from '../errors.ts';
import { ensureSandbox } from '../sandbox/launch.ts';
import { SandboxError } from '../sandbox/sandbox-error.ts';

export interface ServiceAddress extends CatalogueAddress {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly assetOrigin: string;
  /** null: no app is configured. Only the embedded catalogue has one of its own. */
  readonly clientId: string | null;
}

type AddressAt = (baseUrl: string, ownApp: string) => ServiceAddress;

/** The embedded catalogue of this data directory. It may end, be killed, and move to another port at any moment. */
export interface Embedded extends Waker {
  /** Where it was when it was last looked for. The first call starts it. */
  locate(): Promise<ServiceAddress>;
  /** Connects to it at a port that `locate` told, and first starts it again where it has ended. */
  connect(port: number, signal: AbortSignal): Promise<Socket>;
}

/** How often a catalogue is looked at while a person may be on its pages. ms */
const lookEveryMs = 1_000;

export function createEmbedded(home: string, addressAt: AddressAt): Embedded {
  let known: ServiceAddress | undefined;
  let looking: Promise<ServiceAddress> | undefined;

  /** Starts it unless it answers that it is the catalogue of this data directory. Calls at the same time share a look. */
  const look = (): Promise<ServiceAddress> => {
    looking ??= start(home, addressAt)
      .then((address) => {
        known = address;
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

  return {
    locate: async () => known ?? look(),
    async connect(port, signal) {
      try {
        return await connectTo(port, signal);
      } catch {
        // It has ended, or the look reports what is wrong with it.
        await requireAt(port);
        return connectTo(port, signal);
      }
    },
    wake: async () => void (await look()),
    async keepAwake(lost) {
      const port = portOf(await look());
      const released = new AbortController();
      const keep = async () => {
        for (;;) {
          await sleep(lookEveryMs, undefined, { signal: released.signal });
          await requireAt(port);
        }
      };
      keep().catch((error: unknown) => {
        if (released.signal.aborted) return;
        const message = 'The embedded catalogue could not be kept running.';
        lost(error instanceof ArtworkError ? error : new ArtworkError('service_unavailable', message));
      });
      return () => released.abort();
    },
  };
}

/** @throws ArtworkError `service_unavailable` with the catalogue's own sentence */
async function start(home: string, addressAt: AddressAt): Promise<ServiceAddress> {
  try {
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
