import type { LeftEntry, PlanEntry } from './plan.ts';

/** What needs a person's eye comes first; the rest in the order of the catalogue or of the names. */
export function inShownOrder(entries: readonly PlanEntry[]): PlanEntry[] {
  return [...entries].sort((one, other) => groupOf(one) - groupOf(other) || within(one, other));
}

function groupOf(entry: PlanEntry): number {
  switch (entry.status) {
    case 'matched':
      return entry.problem !== null ? 0 : entry.warnings.length > 0 ? 2 : 4;
    case 'ambiguous':
      return entry.problem !== null ? 0 : 1;
    case 'unmatched':
      return 3;
    case 'missing':
      return 5;
    case 'ignored':
      return isMeant(entry) ? 3 : 6;
  }
}

/** What could not be taken, and a person may look for: a link of a season's folder, say. */
function isMeant({ why: { code } }: LeftEntry): boolean {
  return code === 'link' || code === 'unfit_name' || code === 'unreadable';
}

/** 0 keeps the order in which they came. */
function within(one: PlanEntry, other: PlanEntry): number {
  return one.status === 'matched' && other.status === 'matched' ? one.rank - other.rank : 0;
}
