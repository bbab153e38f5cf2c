import { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import { keyOfTarget, shortLine } from '../../model/target.ts';
import type { OwnState } from '../own.ts';

/** Something whose changes are listed with scope `watched`. */
export interface Watch {
  readonly kind: string;
  readonly id: number;
  /** What it was called when it was added; empty where the catalogue shows no title. */
  readonly title: string;
}

export type Watched = Pick<Watch, 'kind' | 'id'>;

const mostWatches = 200;
const tooMany = `At most ${mostWatches} fit. Remove some first. For all that a creator makes, follow them (change_relationship) and use the scope followed.`;

const stored = z.object({
  watches: z.array(z.object({ kind: z.string(), id: z.int(), title: z.string() })),
});

/** Keeps the works and Sets that a person watches: the list of one user, service and account. */
export function keepWatches(state: OwnState) {
  return {
    list: async (): Promise<readonly Watch[]> => watchesOf(await state.read()),
    /**
     * Adds and takes away, as one change; what is on the list stays where it is, with its newer title.
     * @throws ArtworkError `invalid_arguments` where there would be more than fit: nothing is changed then
     */
    async change(add: readonly Watch[], remove: readonly Watched[]): Promise<readonly Watch[]> {
      const { watches } = await state.update((now) => {
        const kept = new Map(watchesOf(now).map((watch) => [keyOfTarget(watch), watch]));
        for (const watched of remove) kept.delete(keyOfTarget(watched));
        for (const watch of add) kept.set(keyOfTarget(watch), watch);
        if (kept.size > mostWatches) throw new ArtworkError('invalid_arguments', tooMany);
        return { watches: [...kept.values()] };
      });
      return watches;
    },
  };
}

/** A list that can't be read is not an empty one, which a change would overwrite: the parsing throws. */
function watchesOf(value: unknown): Watch[] {
  if (value === undefined) return [];
  return stored.parse(value).watches.map((watch) => ({ ...watch, title: shortLine(watch.title) }));
}

const asked = z.object({ until: z.string() });

/** Keeps up to when this account was told of changes. */
export function keepLastAsked(state: OwnState) {
  return {
    /** ISO 8601; null where it has not asked yet. */
    read: async (): Promise<string | null> => asked.safeParse(await state.read()).data?.until ?? null,
    write: async (until: string): Promise<void> => {
      await state.update(() => ({ until }));
    },
  };
}
