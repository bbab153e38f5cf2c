/** What one check found. `mend` says what a person does about it. */
export type Finding =
  | { readonly outcome: 'well'; readonly found: string }
  | { readonly outcome: 'ill'; readonly found: string; readonly mend: string };

export interface Check {
  readonly name: string;
  look(): Promise<Finding>;
}

export function well(found: string): Finding {
  return { outcome: 'well', found };
}

export function ill(found: string, mend: string): Finding {
  return { outcome: 'ill', found, mend };
}
