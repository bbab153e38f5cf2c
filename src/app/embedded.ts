import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CatalogueAddress } from '../catalogue/call.ts';
import type { Waker } from '../connection/connections.ts';
import { ArtworkError } from '../errors.ts';
import { ensureSandbox } from '../sandbox/launch.ts';
import { SandboxError } from '../sandbox/sandbox-error.ts';
import type { Settings } from '../settings.ts';

export interface ServiceAddress extends CatalogueAddress {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly assetOrigin: string;
  /** null: none is configured, and only the embedded catalogue knows this program without. */
  readonly clientId: string | null;
}

/** The way to the embedded catalogue, which may end, be killed and move at any moment. */
export interface Embedded extends Waker {
  /** Starts it the first time. */
  locate(): Promise<ServiceAddress>;
  /** Connects to it at the port that `locate` told; starts it first where it has ended. */
  connect(port: number, signal: AbortSignal): Promise<Socket>;
}

/** How often a catalogue whose pages a person may be on is looked at, ms. */
const lookMs = 1_000;

/** Finds the embedded catalogue of this data directory, and starts it where it does not run. */
export function createEmbedded(settings: Settings): Embedded {
  const { home } = settings;
  let found: ServiceAddress | undefined;
  let finding: Promise<ServiceAddress> | undefined;

  const find = async (): Promise<ServiceAddress> => {
    const { baseUrl, clientId } = await told(ensureSandbox({ home }));
    const { origin } = new URL(baseUrl);
    found = {
      baseUrl,
      authUrl: settings.authUrl ?? origin,
      assetOrigin: settings.assetUrl ?? origin,
      clientId: settings.clientId ?? clientId,
    };
    return found;
  };
  /** Has what answers there say that it is the catalogue of this data directory; starts it where nothing does. */
  const look = () => {
    finding ??= find().finally(() => {
      finding = undefined;
    });
    return finding;
  };
  const portNow = async () => portOf(await look());
  const lookAt = async (port: number) => {
    if ((await portNow()) !== port) throw moved();
  };

  return {
    locate: async () => found ?? look(),
    async connect(port, signal) {
      try {
        return await connectTo(port, signal);
      } catch {
        // It has ended, or can't be reached: what is the matter is told by the look for it.
        await lookAt(port);
        return connectTo(port, signal);
      }
    },
    wake: async () => void (await look()),
    async keepAwake(lost) {
      const at = await portNow();
      const released = new AbortController();
      const { signal } = released;
      const keep = async () => {
        for (;;) {
          await sleep(lookMs, undefined, { signal });
          await lookAt(at);
        }
      };
      keep().catch((error: unknown) => {
        if (signal.aborted) return;
        const message = 'The embedded catalogue could not be kept awake.';
        lost(error instanceof ArtworkError ? error : new ArtworkError('internal', message, { cause: error }));
      });
      return () => released.abort();
    },
  };
}

function portOf({ baseUrl }: ServiceAddress): number {
  return Number(new URL(baseUrl).port);
}

/** @throws the system's errors, where nothing listens there */
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

/** The catalogue's own failures, as errors for a model; a person mends them. */
async function told<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    throw new ArtworkError('service_unavailable', error.message, {
      next: { why: 'A person has to mend what the message says; then make the same call again.' },
    });
  }
}

function moved(): ArtworkError {
  const message = 'The embedded catalogue has another address by now; nothing was sent. Begin this again.';
  return new ArtworkError('service_unavailable', message);
}
