import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CatalogueAddress } from '../catalogue/call.ts';
import type { Waker } from '../connections/connections.ts';
import { ArtworkError } from '../errors.ts';
import { connectSandbox, hasPort, SandboxError, SandboxMoved } from '../sandbox/connect.ts';
import { ensureSandbox } from '../sandbox/launch.ts';
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
  /** Starts it the first time, and where its data folder has another port by now. */
  locate(): Promise<ServiceAddress>;
  /** Starts it where it has ended; has it prove itself on the connection. */
  connect(port: number, signal: AbortSignal): Promise<Socket>;
}

/**
 * How often a catalogue whose pages a person may be on is looked at, and the port of one that is asked again and again:
 * between two looks each new connection has it prove itself. ms
 */
const lookMs = 1_000;

/** Finds the embedded catalogue of this data directory, and starts it where it does not run. */
export function createEmbedded(settings: Settings): Embedded {
  const { home } = settings;
  let found: { readonly port: number; readonly address: ServiceAddress } | undefined;
  let finding: Promise<ServiceAddress> | undefined;

  let lookedAt = Number.NEGATIVE_INFINITY;

  const isStill = async (port: number): Promise<boolean> => {
    if (performance.now() - lookedAt < lookMs) return true;
    const is = await told(hasPort({ home, port }));
    lookedAt = performance.now();
    return is;
  };
  const find = async (): Promise<ServiceAddress> => {
    if (found !== undefined && (await isStill(found.port))) return found.address;
    const { baseUrl, clientId, port } = await told(ensureSandbox({ home }));
    const { origin } = new URL(baseUrl);
    const address = {
      baseUrl,
      authUrl: settings.authUrl ?? origin,
      assetOrigin: settings.assetUrl ?? origin,
      clientId: settings.clientId ?? clientId,
    };
    found = { port, address };
    lookedAt = performance.now();
    return address;
  };
  const locate = () => {
    finding ??= find().finally(() => {
      finding = undefined;
    });
    return finding;
  };
  const port = async () => Number(new URL((await locate()).baseUrl).port);
  const look = async (at: number, signal?: AbortSignal) => {
    try {
      (await told(connectSandbox({ home, port: at }, signal))).destroy();
    } catch (error) {
      throw error instanceof SandboxMoved ? moved(error) : error;
    }
  };

  return {
    locate,
    async connect(port, signal) {
      try {
        return await told(connectSandbox({ home, port }, signal));
      } catch (error) {
        // It may be at another port by now.
        lookedAt = Number.NEGATIVE_INFINITY;
        throw error;
      }
    },
    wake: async () => look(await port()),
    async keepAwake(lost) {
      const at = await port();
      await look(at);
      const released = new AbortController();
      const { signal } = released;
      const keep = async () => {
        for (;;) {
          await sleep(lookMs, undefined, { signal });
          await look(at, signal);
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

function moved(cause: unknown): ArtworkError {
  const message = 'The embedded catalogue has another address by now; nothing was sent. Begin this again.';
  return new ArtworkError('service_unavailable', message, { cause });
}
