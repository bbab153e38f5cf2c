import { ArtworkError } from '../../errors.ts';
import type { Context } from '../../mcp/context.ts';
import type { ListedMutation } from '../../mutations/calls/list.ts';

export interface RecentMutations {
  /** Neither ended nor given up. */
  readonly open: readonly ListedMutation[];
  readonly succeeded: readonly ListedMutation[];
  readonly partial: readonly ListedMutation[];
}

/** How far back each is looked for. */
const recent = 200;

/** The account's, newest first. None where no account is connected, since then nothing is known. */
export async function recentMutations(context: Context): Promise<RecentMutations> {
  try {
    const { mutations } = await context.account();
    const list = async (state: 'open' | 'succeeded' | 'partial') =>
      (await mutations.list({ state, limit: recent })).mutations;
    const [open, succeeded, partial] = await Promise.all([list('open'), list('succeeded'), list('partial')]);
    return { open, succeeded, partial };
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    if (error.category === 'not_connected' || error.category === 'reconnect_required') {
      return { open: [], succeeded: [], partial: [] };
    }
    throw error;
  }
}
