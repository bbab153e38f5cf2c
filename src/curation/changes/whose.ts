import type { Call } from '../../catalogue/client.ts';
import type { Owned } from '../../catalogue/owned/owned.ts';
import { idAt, recordAt, textAt } from '../../catalogue/records/read-member.ts';
import { stateOfRelationship } from '../../catalogue/records/relationship.ts';
import type { OwnSets } from '../audits/own-sets.ts';
import type { Scope } from './change.ts';
import type { LineRead } from './lines.ts';
import { watchKeyOf, type Watched } from './watches.ts';

/** Whether a line is one that is asked for. */
export interface Whose {
  holds(line: LineRead): boolean;
  /** What has to be known beside the answer. */
  readonly warnings: readonly string[];
  /** Nothing can be held, so that nothing need be read. */
  readonly isEmpty: boolean;
}

export interface WhoseReads {
  watched(): Promise<readonly Watched[]>;
  readonly owned: Pick<Owned, 'readRelationships'>;
  ownSets(): Promise<OwnSets>;
  call(): Call;
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
async function followed({ owned, call }: WhoseReads): Promise<Whose> {
  const names = new Set<string>();
  const keys = new Set<string>();
  let unnamed = 0;
  let page: string | null = null;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const { items, nextPage }: Awaited<ReturnType<Owned['readRelationships']>> =
      await owned.readRelationships(page, call());
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
    ...(names.size + keys.size === 0
      ? [
          'The service shows no creator by name whom the connected account follows: change_relationship follows one.',
        ]
      : []),
    ...(unnamed > 0
      ? [`Of ${unnamed} that the account follows, the service shows no name: they are left out.`]
      : []),
  ];
  return among(keys, names, warnings);
}
