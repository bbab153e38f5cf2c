import type { PlanEntry } from './plan.ts';

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
      return 6;
  }
}

/** 0 keeps the order in which they came. */
function within(one: PlanEntry, other: PlanEntry): number {
  return one.status === 'matched' && other.status === 'matched' ? one.rank - other.rank : 0;
}
