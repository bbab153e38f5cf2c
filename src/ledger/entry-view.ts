import type { LedgerEntry, SettledOutcome } from './entry.ts';

/** How a mutation stands, as every answer says it. */
export type Standing = SettledOutcome | 'processing' | 'unresolved';

/** An entry as it stands now. */
export interface EntryView {
  readonly entry: LedgerEntry;
  /** A process works on it now. */
  readonly live: boolean;
  readonly standing: Standing;
}

/** An entry with its standing. */
export function viewEntry(entry: LedgerEntry, live: boolean): EntryView {
  return { entry, live, standing: standingOf(entry, live) };
}

/**
 * What the stored state means once no process works on the entry: `claimed` was not sent, `sending` may have been sent,
 * and an outcome that is not known stays so until the service tells it.
 */
function standingOf({ state, outcome, doubt }: LedgerEntry, live: boolean): Standing {
  switch (state) {
    case 'claimed':
      if (live) return 'processing';
      return doubt ? 'unresolved' : 'not_sent';
    case 'sending':
      return live ? 'processing' : 'unresolved';
    case 'processing':
    case 'unresolved':
      return state;
    case 'settled':
      return outcome ?? 'unresolved';
  }
}

/** Neither settled nor abandoned, whether or not a process works on it. */
export function isOpen({ state, abandonedAt }: LedgerEntry): boolean {
  return state !== 'settled' && abandonedAt === null;
}

/** Whether the service surely applied nothing of it, so that the same id may be sent as if for the first time. */
export function isUnsent({ entry, live }: EntryView): boolean {
  if (live || entry.abandonedAt !== null) return false;
  return entry.state === 'claimed' ? !entry.doubt : mayClaimAgain(entry);
}

/** Refusals that say nothing about the change itself. */
const changedNothing: ReadonlySet<number> = new Set([401, 403, 429]);

/** Whether a settled entry may be claimed again: nothing was sent, or the refusal was about the caller or the moment. */
export function mayClaimAgain({ state, outcome, error }: LedgerEntry): boolean {
  if (state !== 'settled') return false;
  return outcome === 'not_sent' || (outcome === 'refused' && changedNothing.has(error?.status ?? 0));
}
