import { z } from 'zod';

/** Who works on an entry. */
export const holderSchema = z.object({
  /** The machine's name, for people too: it is where kept bytes lie. */
  machine: z.string(),
  /** Tells one start of the machine from the next; empty where the system does not say. */
  boot: z.string(),
  pid: z.number().int(),
  /** Tells a process from a later one with the same pid; empty where the system does not say. */
  started: z.string(),
  /** Random: one opened ledger. */
  instance: z.string(),
  /** One holding of one entry by that ledger. */
  hold: z.number().int(),
  /** Milliseconds since 1970 by the owner's clock: when it last said that it is at work. */
  heartbeat: z.number(),
});

export type Holder = z.infer<typeof holderSchema>;

/** Who opened a ledger. */
export type ProcessIdentity = Omit<Holder, 'hold' | 'heartbeat'>;

/** How often whoever holds an entry should let its heart beat, in ms. */
export const heartbeatEvery = 15_000;

/** After this silence an owner counts as gone, in ms, even if its process is there: it may be stopped. */
export const heartbeatLimit = 60_000;
