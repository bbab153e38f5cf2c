import { z } from 'zod';
import type { Plan } from '../../curation/plan/plan.ts';
import type { Next } from '../../errors.ts';
import type { Context } from '../../mcp/context.ts';
import { isOffered } from '../../mcp/surface.ts';
import { nextResume, nextStatus } from '../../mutations/next-calls.ts';
import { replacing } from './guarded-call.ts';
import type { ListedMutation } from '../../mutations/calls/list.ts';

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

const creation = z.looseObject({
  entryTargetKind: z.string(),
  entryTargetId: z.int(),
  title: z.string(),
});
const edit = z.looseObject({ id: z.int() });

/** How many are told. */
const mostTold = 5;

/** What was begun for the same work, or with the same Set, and has not ended: it is gone on with, not begun anew. */
export function unfinishedOf(
  { work, set }: Plan,
  open: readonly ListedMutation[],
  { settings }: Pick<Context, 'settings'>,
): UnfinishedMutation[] {
  const mayResume = isOffered('curate', replacing, settings);
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
