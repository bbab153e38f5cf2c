import { z } from 'zod';
import { ArtworkError, type Next } from '../../errors.ts';
import type { ListedMutation } from '../../mutations/calls/list-mutations.ts';
import type { Mutations } from '../../mutations/mutations.ts';
import { nextResume, nextStatus } from '../../mutations/next-calls.ts';
import type { Plan } from './plan.ts';

/** What this machine began or made of the work of a plan. */
export interface SameWork {
  readonly unfinished: readonly UnfinishedMutation[];
  readonly made: readonly MadeSet[];
}

/** A Set in the making, or the edit of one, that has not ended. */
export interface UnfinishedMutation {
  readonly clientMutationId: string;
  readonly operation: string;
  readonly title?: string;
  readonly begun: string;
  /** A process works on it at this moment. */
  readonly live: boolean;
  readonly next?: Next;
}

/** A Set of the same work that this machine made for the account. */
export interface MadeSet {
  readonly setId: number;
  readonly title: string;
  readonly outcome: string;
  /** ISO 8601. */
  readonly made: string;
}

const creation = z.looseObject({
  entryTargetKind: z.string(),
  entryTargetId: z.int(),
  title: z.string(),
});
const edit = z.looseObject({ id: z.int() });

/** How far back each outcome is looked for. */
const recent = 200;
/** How many of each are told, the newest first. */
const mostTold = 5;

/**
 * What was begun for the same work, or with the same Set, and has not ended, which is to be gone on with; and what was
 * made of it before, since most often it is that Set that is to be changed. Nothing where no account is connected.
 * @param mayResume whether the settings offer the tool that goes on with one
 */
export async function sameWork(
  plan: Plan,
  mutations: Pick<Mutations, 'list'>,
  mayResume: boolean,
): Promise<SameWork> {
  try {
    const list = async (state: 'open' | 'succeeded' | 'partial') =>
      (await mutations.list({ state, limit: recent })).mutations;
    const [open, succeeded, partial] = await Promise.all([list('open'), list('succeeded'), list('partial')]);
    return {
      unfinished: unfinishedOf(plan, open, mayResume),
      made: madeBefore(plan, [...succeeded, ...partial]),
    };
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    if (error.category === 'not_connected' || error.category === 'reconnect_required') {
      return { unfinished: [], made: [] };
    }
    throw error;
  }
}

function unfinishedOf({ work, set }: Plan, open: readonly ListedMutation[], mayResume: boolean) {
  return open
    .flatMap((mutation): UnfinishedMutation[] => {
      const { clientMutationId, operation, createdAt: begun, live, target } = mutation;
      const told = { clientMutationId, operation, begun, live };
      if (operation === 'create_media_set') {
        const made = creation.safeParse(target);
        if (!made.success) return [];
        const { entryTargetKind, entryTargetId, title } = made.data;
        if (entryTargetKind !== work.kind || entryTargetId !== work.id) return [];
        return [{ ...told, title, ...(mayResume ? { next: goOn(mutation) } : {}) }];
      }
      if (operation !== 'edit_set' || set === null || edit.safeParse(target).data?.id !== set.id) return [];
      return [{ ...told, next: nextStatus(clientMutationId, 'This tells what becomes of it.') }];
    })
    .slice(0, mostTold);
}

/** What creates something has no revision. */
function goOn({ clientMutationId, live }: ListedMutation): Next {
  if (live) return nextStatus(clientMutationId, 'It is being worked on: this waits for the outcome.');
  const why = 'This goes on with it, from its kept files, where it stopped.';
  return nextResume({ clientMutationId, expectedUpdatedAt: null }, why);
}

function madeBefore({ work, set }: Plan, done: readonly ListedMutation[]): MadeSet[] {
  if (set !== null) return [];
  return [...done]
    .sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1))
    .flatMap(({ operation, outcome, id, target, updatedAt: made }): MadeSet[] => {
      const parsed = creation.safeParse(target);
      const setId = id?.id;
      if (operation !== 'create_media_set' || typeof setId !== 'number' || !parsed.success) return [];
      const { entryTargetKind, entryTargetId, title } = parsed.data;
      return entryTargetKind === work.kind && entryTargetId === work.id
        ? [{ setId, title, outcome, made }]
        : [];
    })
    .slice(0, mostTold);
}
