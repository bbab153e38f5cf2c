import type { LedgerEntry, SettledOutcome } from './entry.ts';

/** An entry's outcome in the words of every answer about a mutation. */
export type Standing = SettledOutcome | 'processing' | 'unresolved';

/** An entry as it stands now. */
export interface EntryView {
  readonly entry: LedgerEntry;
  /** A process works on it at this moment. */
  readonly live: boolean;
  readonly standing: Standing;
}

export function viewOf(entry: LedgerEntry, live: boolean): EntryView {
  return { entry, live, standing: standingOf(entry, live) };
}

/**
 * What an entry means where nobody works on it any more: `claimed` was not sent, `sending` may have been,
 * and once a fate is unknown only the service's word ends that.
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

/** Neither ended nor given up: also what a process that died left behind. */
export function isOpen({ state, abandonedAt }: LedgerEntry): boolean {
  return state !== 'settled' && abandonedAt === null;
}

const changedNothing: ReadonlySet<number> = new Set([401, 403, 429]);

/** Whether the same id may be sent again as if for the first time. */
export function mayRepeat({ state, outcome, error }: LedgerEntry): boolean {
  if (state !== 'settled') return false;
  return outcome === 'not_sent' || (outcome === 'refused' && changedNothing.has(error?.status ?? 0));
}
