import { z } from 'zod';
import { shortName } from '../../catalogue/target-names.ts';
import { ArtworkError } from '../../errors.ts';
import type { OwnState } from '../../storage/own-state.ts';

/** Something whose changes are listed with scope `watched`. */
export interface Watch {
  readonly kind: string;
  readonly id: number;
  /** What it was called when it was added; empty where the catalogue shows no title. */
  readonly title: string;
}

export type Watched = Pick<Watch, 'kind' | 'id'>;

/** The list of one user and service, on this machine alone. */
export interface Watches {
  list(): Promise<readonly Watch[]>;
  /**
   * Adds and takes away, as one change; what is on the list stays where it is, with its newer title.
   * @throws ArtworkError `invalid_arguments` where there would be more than `mostWatches`: nothing is changed then
   */
  change(add: readonly Watch[], remove: readonly Watched[]): Promise<readonly Watch[]>;
}

export const mostWatches = 200;

const stored = z.object({
  version: z.literal(1),
  watches: z.array(z.object({ kind: z.string(), id: z.int(), title: z.string() })),
});

/** Keeps the works, Sets and creators that a person watches, in this user's own state. */
export function keepWatches(state: OwnState): Watches {
  return {
    list: async () => watchesOf(await state.read()),
    async change(add, remove) {
      const { watches } = await state.update((now) => {
        const kept = new Map(watchesOf(now).map((watch) => [watchKeyOf(watch), watch]));
        for (const watched of remove) kept.delete(watchKeyOf(watched));
        for (const watch of add) kept.set(watchKeyOf(watch), watch);
        if (kept.size > mostWatches) throw tooMany(kept.size);
        return { version: 1, watches: [...kept.values()] };
      });
      return watches;
    },
  };
}

/** What is watched, as one key of its kind and id. */
export function watchKeyOf({ kind, id }: Watched): string {
  return `${kind} ${id}`;
}

function watchesOf(value: unknown): Watch[] {
  if (value === undefined) return [];
  const parsed = stored.safeParse(value);
  // A list that this version can't read is not an empty one: a change would overwrite it.
  if (!parsed.success) {
    throw new ArtworkError(
      'internal',
      'The watch list in the store is damaged, or was written by a newer version: update artwork-mcp, or restore the whole data folder from a backup.',
      { code: 'store_unreadable' },
    );
  }
  return parsed.data.watches.map(({ kind, id, title }) => ({ kind, id, title: shortName(title) }));
}

function tooMany(count: number): ArtworkError {
  return new ArtworkError(
    'invalid_arguments',
    `The list would hold ${count}, and at most ${mostWatches} fit: remove some first. To watch all that a creator makes, follow them (change_relationship) and use the scope followed.`,
    { issues: [{ code: 'too_many', message: 'is too much for the list', path: ['add'] }] },
  );
}
