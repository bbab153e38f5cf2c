import { itemsOf, type Plan } from './plan.ts';

/** How many entries of a plan are what. `sent` is what the plan would send; `passedOver` are files that are not meant to be uploaded. */
export interface PlanCounts {
  readonly files: number;
  readonly matched: number;
  readonly ambiguous: number;
  readonly unmatched: number;
  readonly ignored: number;
  readonly missing: number;
  readonly problems: number;
  readonly warnings: number;
  readonly sent: number;
  /** Files that are for a place, or may be, and are not sent: ambiguous, or with a problem. Not `missing` either. */
  readonly notSent: number;
  /** Of the edit of a Set. */
  readonly add?: number;
  readonly replace?: number;
  readonly unchanged?: number;
}

/** How many of a plan's files are sent, asked about, left out or passed over. */
export function countsOf(plan: Plan): PlanCounts {
  const { entries, passed, set } = plan;
  const count = (test: (entry: Plan['entries'][number]) => boolean) => entries.filter(test).length;
  const status = (word: Plan['entries'][number]['status']) => count((entry) => entry.status === word);
  const passedOver = Object.values(passed).reduce((sum, number) => sum + number, 0);
  // Some of those that were passed over are named too, and counted once.
  const ignored = passedOver + count((entry) => entry.status === 'ignored' && !(entry.why.code in passed));
  const sent = itemsOf(plan);
  const [matched, ambiguous, unmatched] = [status('matched'), status('ambiguous'), status('unmatched')];
  const operations = (word: string) => sent.filter(({ change }) => change.operation === word).length;
  return {
    files: matched + ambiguous + unmatched + ignored,
    matched,
    ambiguous,
    unmatched,
    ignored,
    missing: status('missing') + plan.moreMissing,
    problems: count((entry) => 'problem' in entry && entry.problem !== null),
    warnings: count((entry) => entry.status === 'matched' && entry.warnings.length > 0),
    sent: sent.length,
    notSent: count(
      (entry) => entry.status === 'ambiguous' || (entry.status === 'matched' && entry.problem !== null),
    ),
    ...(set === null
      ? {}
      : {
          add: operations('add'),
          replace: operations('replace'),
          unchanged: count((entry) => entry.status === 'matched' && entry.change.operation === 'unchanged'),
        }),
  };
}

/** Of what is sent: how many files have a warning, and how many each kind. */
export function planWarnings(plan: Plan): {
  readonly files: number;
  readonly kinds: ReadonlyMap<string, number>;
} {
  const warned = itemsOf(plan).filter(({ warnings }) => warnings.length > 0);
  const kinds = new Map<string, number>();
  for (const { warnings } of warned) {
    for (const code of new Set(warnings.map((warning) => warning.code))) {
      kinds.set(code, (kinds.get(code) ?? 0) + 1);
    }
  }
  return { files: warned.length, kinds };
}
