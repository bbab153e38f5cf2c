import { z } from 'zod';
import type { Owned } from '../../catalogue/owned.ts';
import { shortName } from '../../catalogue/records/kinds.ts';
import { idAt, recordAt, textAt } from '../../catalogue/records/members.ts';
import { stateOfRelationship } from '../../catalogue/records/owned.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { OwnState } from '../../storage/records.ts';
import type { OwnSets } from '../audits/own-sets.ts';
import type { Scope } from './change.ts';
import type { LineRead } from './lines.ts';

/** Whether a line is one that is asked for. */
export interface Whose {
  holds(line: LineRead): boolean;
  /** What has to be known beside the answer. */
  readonly warnings: readonly string[];
  /** Nothing can be held, so that nothing need be read. */
  readonly isEmpty: boolean;
}

interface WhoseReads {
  watched(): Promise<readonly Watched[]>;
  readonly owned: Pick<Owned, 'readRelationships'>;
  ownSets(): Promise<OwnSets>;
  readonly deadline: Deadline;
}

/** Tells whose changes are asked for: everybody's, the watched ones', or the account's own. */
export async function creatorsAskedFor(scope: Scope, reads: WhoseReads): Promise<Whose> {
  switch (scope) {
    case 'all':
      return { holds: () => true, warnings: [], isEmpty: false };
    case 'watched': {
      const list = await reads.watched();
      return among(new Set(list.map(watchKeyOf)), new Set(), list.length === 0 ? [nothingWatched] : []);
    }
    case 'followed':
      return followed(reads);
    case 'mine': {
      const own = await reads.ownSets();
      const sets = new Set(own.sets.map(({ id }) => id));
      return {
        holds: ({ line }) =>
          (line.set !== null && isMediaKind(line.set.kind) && sets.has(line.set.id)) ||
          (own.account !== null && line.by === own.account) ||
          line.places.some(({ after, before }) =>
            [after, before].some((one) => one !== null && own.assets.has(one.assetId.toLowerCase())),
          ),
        warnings: own.warnings,
        isEmpty: false,
      };
    }
  }
}

const nothingWatched = 'Nothing is watched yet: watch adds works and Sets to the list.';

/** Groups are numbered apart from Sets. */
function isMediaKind(kind: string): boolean {
  return kind.endsWith('_set');
}

function among(keys: ReadonlySet<string>, names: ReadonlySet<string>, warnings: readonly string[]): Whose {
  const has = (one: { readonly kind: string; readonly id: number } | null) =>
    one !== null && keys.has(watchKeyOf(one));
  return {
    holds: ({ line, within }) =>
      has(line.set) ||
      has(line.of) ||
      (line.by !== null && names.has(line.by)) ||
      line.places.some(({ target }) => has(target)) ||
      within.some(has),
    warnings,
    isEmpty: keys.size === 0 && names.size === 0,
  };
}

/** Pages of relationships; a person follows some hundreds at most. */
const mostPages = 20;

/** The fields of a relationship are not shown in the interface document: a creator is known by the name it gives. */
async function followed({ owned, deadline }: WhoseReads): Promise<Whose> {
  const names = new Set<string>();
  const keys = new Set<string>();
  let unnamed = 0;
  let page: string | null = null;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const { items, nextPage }: Awaited<ReturnType<Owned['readRelationships']>> =
      await owned.readRelationships(page, deadline);
    for (const record of items) {
      if (!stateOfRelationship(record)?.startsWith('follow')) continue;
      const target = recordAt(record, 'target');
      const name = textAt(target, 'name', 'username') ?? textAt(record, 'username', 'targetName');
      const kind = textAt(record, 'targetKind') ?? textAt(target, 'kind') ?? 'user';
      const id = idAt(record, 'targetId') ?? idAt(target, 'id');
      if (kind !== 'user' && id !== null) keys.add(`${kind} ${id}`);
      else if (name !== null) names.add(name);
      else unnamed += 1;
    }
    if (nextPage === null) break;
    page = nextPage;
  }
  const warnings = [
    names.size + keys.size === 0 &&
      'The service shows no creator by name whom the connected account follows: change_relationship follows one.',
    unnamed > 0 && `Of ${unnamed} that the account follows, the service shows no name: they are left out.`,
  ];
  return among(
    keys,
    names,
    warnings.filter((words) => words !== false),
  );
}

/** Something whose changes are listed with scope `watched`. */
export interface Watch {
  readonly kind: string;
  readonly id: number;
  /** What it was called when it was added; empty where the catalogue shows no title. */
  readonly title: string;
}

export type Watched = Pick<Watch, 'kind' | 'id'>;

const mostWatches = 200;

const stored = z.object({
  watches: z.array(z.object({ kind: z.string(), id: z.int(), title: z.string() })),
});

/** Keeps the works, Sets and creators that a person watches: the list of one user and service, on this machine alone. */
export function keepWatches(state: OwnState) {
  return {
    list: async (): Promise<readonly Watch[]> => watchesOf(await state.read()),
    /**
     * Adds and takes away, as one change; what is on the list stays where it is, with its newer title.
     * @throws ArtworkError `invalid_arguments` where there would be more than `mostWatches`: nothing is changed then
     */
    async change(add: readonly Watch[], remove: readonly Watched[]): Promise<readonly Watch[]> {
      const { watches } = await state.update((now) => {
        const kept = new Map(watchesOf(now).map((watch) => [watchKeyOf(watch), watch]));
        for (const watched of remove) kept.delete(watchKeyOf(watched));
        for (const watch of add) kept.set(watchKeyOf(watch), watch);
        if (kept.size > mostWatches) throw tooMany(kept.size);
        return { watches: [...kept.values()] };
      });
      return watches;
    },
  };
}

/** What is watched, as one key of its kind and id. */
function watchKeyOf({ kind, id }: Watched): string {
  return `${kind} ${id}`;
}

function watchesOf(value: unknown): Watch[] {
  if (value === undefined) return [];
  const parsed = stored.safeParse(value);
  // A list that this version can't read is not an empty one: a change would overwrite it.
  if (!parsed.success) {
    throw new ArtworkError(
      'internal',
      'The watch list in the store is damaged: restore the whole data folder from a backup.',
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
