import { existsSync } from 'node:fs';
import { systemClock as clock } from '../clock.ts';
import { holdersOfMachine } from '../ledger/lease.ts';
import { createLedger } from '../ledger/open-ledger.ts';
import { ownCommand } from '../own-command.ts';
import type { Settings } from '../settings.ts';
import { storeFile } from '../store/home.ts';
import { openStore } from '../store/open.ts';

/** Unsettled changes in the store that this machine used before it shared one with others. */
interface LeftBehind {
  readonly changes: number;
  /** For a person: where they are, and what to do. */
  readonly told: string;
}

/**
 * Looks into the data folder's own store where another store is used.
 * @param service `{base_url}`
 * @returns null where nothing is unsettled there
 */
export async function findLeftBehind(
  { store, home, user }: Pick<Settings, 'store' | 'home' | 'user'>,
  service: string,
): Promise<LeftBehind | null> {
  const file = storeFile(home);
  if (store === null || !existsSync(file)) return null;
  const own = await openStore({ home });
  try {
    const ledger = createLedger({ store: own, holders: holdersOfMachine(), clock });
    const changes = await ledger.countOpen({ service, user });
    if (changes === 0) return null;
    const told = [
      `${changes === 1 ? '1 change is' : `${changes} changes are`} unsettled in ${file}, which was used before ARTWORK_STORE was set.`,
      'Start the host once without ARTWORK_STORE, and ask it to resume them.',
      `Or give them up: ${ownCommand('mutations --open')}, then ${ownCommand('mutations abandon ID')}.`,
    ];
    return { changes, told: told.join(' ') };
  } finally {
    own.close();
  }
}
