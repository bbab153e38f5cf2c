import { itemsOf, type Plan } from './plan.ts';

/** How many entries of a plan are what. `sent` is what the plan would send; `passedOver` are files that nobody means. */
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
  /** Of the edit of a Set. */
  readonly add?: number;
  readonly replace?: number;
  readonly unchanged?: number;
}

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
    ...(set === null
      ? {}
      : {
          add: operations('add'),
          replace: operations('replace'),
          unchanged: count((entry) => entry.status === 'matched' && entry.change.operation === 'unchanged'),
        }),
  };
}
