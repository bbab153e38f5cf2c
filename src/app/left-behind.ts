import { existsSync } from 'node:fs';
import { systemClock } from '../clock.ts';
import type { Mutations } from '../mutations/mutations.ts';
import { ownCommand } from '../own-command.ts';
import type { Settings } from '../settings.ts';
import { storeFile } from '../store/home.ts';

/** Changes that this machine began before it shared a store with others, and that are not settled. */
export interface LeftBehind {
  readonly changes: number;
  /** What is the matter and how it is mended, in two sentences. */
  readonly told: string;
}

/**
 * What is open in the data folder's own store while another one is used. Null: nothing, or the folder's own is the one
 * that is used.
 * @param service `{base_url}`
 */
export async function findLeftBehind(
  { store, home, user }: Pick<Settings, 'store' | 'home' | 'user'>,
  service: string,
): Promise<LeftBehind | null> {
  const file = storeFile(home);
  if (store === null || !existsSync(file)) return null;
  const [{ openStore }, { createLedger }, { holdersOfMachine }] = await Promise.all([
    import('../store/open.ts'),
    import('../ledger/open-ledger.ts'),
    import('../store/lease.ts'),
  ]);
  const own = await openStore({ home });
  try {
    const ledger = createLedger({ store: own, holders: holdersOfMachine(), clock: systemClock });
    const changes = await ledger.countOpen({ service, user });
    if (changes === 0) return null;
    const them = changes === 1 ? 'One change is' : `${changes} changes are`;
    const told = `${them} not settled in ${file}, the store that this machine used before ARTWORK_STORE was set, and nothing here goes on with ${changes === 1 ? 'it' : 'them'}. A person starts the host once without ARTWORK_STORE and lets it finish (resume_mutation), or gives up what is not wanted (${ownCommand('mutations --open')}, ${ownCommand('mutations abandon ID')}).`;
    return { changes, told };
  } finally {
    own.close();
  }
}

/** Mutations whose first change says what was left behind. */
export function tellingLeftBehind(mutations: Mutations, find: () => Promise<LeftBehind | null>): Mutations {
  let isTold = false;
  return {
    ...mutations,
    async perform(name, args, call) {
      const result = await mutations.perform(name, args, call);
      if (isTold) return result;
      const left = await find();
      isTold = true;
      if (left === null) return result;
      const warning = { code: 'left_behind', message: left.told };
      return { ...result, warnings: [...(result.warnings ?? []), warning] };
    },
  };
}
