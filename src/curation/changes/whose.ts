import { z } from 'zod';
import type { Owned } from '../../catalogue/owned.ts';
import { idAt, recordAt, textAt } from '../../catalogue/records/members.ts';
import { stateOfRelationship } from '../../catalogue/records/owned.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { isGroupKind, isSetKind } from '../../model/kinds.ts';
import { keyOfTarget, shortLine, type TargetReference } from '../../model/target.ts';
import type { OwnState } from '../../store/own.ts';
import type { OwnSets } from '../audit/own-sets.ts';
import type { ChangeLine, Scope } from './change.ts';
import type { PlaceRead } from './lines.ts';

/** As much of one change as tells whose it is. */
export interface ChangeAbout extends Pick<ChangeLine, 'set' | 'of' | 'createdBy'> {
  /** Null: it is the Set itself that changed. */
  readonly place: Pick<PlaceRead, 'change' | 'within'> | null;
}

/** Whether a change is one that is asked for. */
export interface Whose {
  holds(change: ChangeAbout): boolean;
  /** Who made what it holds, where that is one: some of it shows no creator. */
  readonly creator: string | null;
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
      return { holds: () => true, creator: null, warnings: [], isEmpty: false };
    case 'watched': {
      const list = await reads.watched();
      return among(new Set(list.map(keyOfTarget)), new Set(), list.length === 0 ? [nothingWatched] : []);
    }
    case 'followed':
      return followed(reads);
    case 'mine': {
      const own = await reads.ownSets();
      const sets = new Set(own.sets.map(({ id }) => id));
      return {
        holds: ({ set, createdBy, place }) =>
          (set !== null && isMediaKind(set.kind) && sets.has(set.id)) ||
          (own.account !== null && createdBy === own.account) ||
          (place !== null &&
            [place.change.assetId, place.change.replaced].some(
              (one) => one !== null && own.assets.has(one.toLowerCase()),
            )),
        creator: own.account,
        warnings: own.warnings,
        isEmpty: false,
      };
    }
  }
}

const nothingWatched = 'Nothing is watched yet: watch adds works and Sets to the list.';

/** Groups are numbered apart from Sets. */
function isMediaKind(kind: string): boolean {
  return isSetKind(kind) && !isGroupKind(kind);
}

function among(keys: ReadonlySet<string>, names: ReadonlySet<string>, warnings: readonly string[]): Whose {
  const has = (one: TargetReference | null) => one !== null && keys.has(keyOfTarget(one));
  return {
    holds: ({ set, of, createdBy, place }) =>
      has(set) ||
      has(of) ||
      (createdBy !== null && names.has(createdBy)) ||
      (place !== null && (has(place.change.target) || place.within.some(has))),
    creator: null,
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
      if (kind !== 'user' && id !== null) keys.add(keyOfTarget({ kind, id }));
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
        const kept = new Map(watchesOf(now).map((watch) => [keyOfTarget(watch), watch]));
        for (const watched of remove) kept.delete(keyOfTarget(watched));
        for (const watch of add) kept.set(keyOfTarget(watch), watch);
        if (kept.size > mostWatches) throw tooMany(kept.size);
        return { watches: [...kept.values()] };
      });
      return watches;
    },
  };
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
  return parsed.data.watches.map(({ kind, id, title }) => ({ kind, id, title: shortLine(title) }));
}

function tooMany(count: number): ArtworkError {
  return new ArtworkError(
    'invalid_arguments',
    `The list would hold ${count}, and at most ${mostWatches} fit: remove some first. To watch all that a creator makes, follow them (change_relationship) and use the scope followed.`,
    { issues: [{ code: 'too_many', message: 'is too much for the list', path: ['add'] }] },
  );
}
