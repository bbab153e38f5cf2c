/** What one check found. `mend` says what a person does about it, `next` what they may do though all is well. */
export type CheckResult =
  | { readonly outcome: 'well'; readonly found: string; readonly next?: string }
  | { readonly outcome: 'ill'; readonly found: string; readonly mend: string };

export interface Check {
  readonly name: string;
  look(): Promise<CheckResult>;
}

/** The result of a check that found all to be well. */
export function wellResult(found: string, next?: string): CheckResult {
  return { outcome: 'well', found, ...(next === undefined ? {} : { next }) };
}

/** The result of a check that found something wrong, with what mends it. */
export function illResult(found: string, mend: string): CheckResult {
  return { outcome: 'ill', found, mend };
}
