import { CommandError } from '../command.ts';
import type { Host } from './host.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Does the work with a host, and ends the host however the work ends. A person who interrupts it, or closes the
 * terminal, takes the server away from under the work, which then ends with the call that it is at; so nothing
 * goes on unseen.
 * @throws CommandError where it was interrupted
 */
export async function unlessInterrupted<Started extends { readonly host: Host }>(
  start: () => Promise<Started>,
  work: (started: Started) => Promise<void>,
): Promise<void> {
  let interruption: string | null = null;
  let host: Host | null = null;
  const interrupt = (signal: NodeJS.Signals) => {
    interruption ??= signal;
    // Closing it waits for the server; what fails there fails again below.
    host?.close().catch(() => undefined);
  };
  for (const signal of signals) process.on(signal, interrupt);
  const requireWanted = () => {
    if (interruption !== null) throw new CommandError(`The demo was interrupted (${interruption}).`);
  };
  try {
    const started = await start();
    host = started.host;
    requireWanted();
    await work(started);
  } catch (error) {
    requireWanted();
    throw error;
  } finally {
    await host?.close();
    // Not the handlers: what is left is tidying up, which a second signal must not cut short.
  }
}
