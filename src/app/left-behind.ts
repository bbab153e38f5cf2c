import { existsSync } from 'node:fs';
import { systemClock } from '../clock.ts';
import type { Mutations } from '../mutations/mutations.ts';
import { ownCommand } from '../own-command.ts';
import type { Settings } from '../settings.ts';
import { storeFile } from '../storage/home.ts';

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
  const [{ openStorage }, { openLedger }] = await Promise.all([
    import('../storage/open.ts'),
    import('../ledger/open-ledger.ts'),
  ]);
  const storage = await openStorage({ home, indexOf: () => [] });
  try {
    const ledger = openLedger({ store: storage.atomic, clock: systemClock, ...storage.holders() });
    const changes = await ledger.countOpen({ service, user });
    if (changes === 0) return null;
    const them = changes === 1 ? 'One change is' : `${changes} changes are`;
    const told = `${them} not settled in ${file}, the store that this machine used before ARTWORK_STORE was set, and nothing here goes on with ${changes === 1 ? 'it' : 'them'}. A person starts the host once without ARTWORK_STORE and lets it finish (resume_mutation), or gives up what is not wanted (${ownCommand('mutations --open')}, ${ownCommand('mutations abandon ID')}).`;
    return { changes, told };
  } finally {
    storage.close();
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
