import { type FoundTargets, isTargetWithin, targetKey } from './targets.ts';
import type { Objection } from './objection.ts';
import type { ShownSet, ShownTarget } from './shown-records.ts';

/** What public Sets show of their works (interface document, Resources); of the others nothing is shown. */
const shownSets: readonly string[] = ['movie', 'show', 'collection', 'game'];

/** A Set holds pictures of its own target and of what belongs to it; a Brand Set of its networks and companies. */
export function objectionsOutsideSet(
  target: ShownTarget,
  set: ShownSet,
  found: FoundTargets,
  at: readonly string[],
): readonly Objection[] {
  const objection = (message: string): readonly Objection[] => [
    { category: 'invalid_arguments', message, path: [...at, 'targetId'] },
  ];
  if (set.target) {
    const known = found.get(targetKey(target)) ?? { show: null, collection: null };
    if (isTargetWithin(target, known, set.target)) return [];
    const { kind, id } = set.target;
    const own = objection(`is ${target.kind} ${target.id}, which does not belong to the Set's ${kind} ${id}`);
    return shownSets.includes(kind) ? own : own.map((one) => ({ ...one, doubtful: true }));
  }
  const { networks, companies } = set;
  if (networks === undefined || companies === undefined) return [];
  const members = [
    ...networks.map(({ id }) => ({ kind: 'network', id })),
    ...companies.map(({ id }) => ({ kind: 'company', id })),
  ];
  if (members.some(({ kind, id }) => kind === target.kind && id === target.id)) return [];
  const names = members.map(({ kind, id }) => `${kind} ${id}`).join(', ');
  return objection(`is ${target.kind} ${target.id}, and the Set is of ${names}`);
}

/** The word that admissions have for a Set, as far as its record says it. */
export function setKindIn({ setKind, kind }: ShownSet): string | null {
  const word = setKind ?? kind;
  switch (word) {
    case undefined:
      return null;
    case 'media_set':
    case 'movie_set':
    case 'show_set':
    case 'collection_set':
    case 'game_set':
      return 'media_set';
    case 'talent_set':
    case 'brand_set':
    case 'category_set':
      return word;
    default:
      return null;
  }
}
