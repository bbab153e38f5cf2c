/** What one check found. `mend` says what a person does about it. */
export type CheckResult =
  | { readonly outcome: 'well'; readonly found: string }
  | { readonly outcome: 'ill'; readonly found: string; readonly mend: string };

export interface Check {
  readonly name: string;
  look(): Promise<CheckResult>;
}

export function well(found: string): CheckResult {
  return { outcome: 'well', found };
}

export function ill(found: string, mend: string): CheckResult {
  return { outcome: 'ill', found, mend };
}
