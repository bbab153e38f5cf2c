/** What the simulated service answers. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Those of a refusal, which its body tells too. */
  readonly issues?: readonly Issue[];
}

export interface Issue {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
}

export function refusal(status: number, code: string, issues: readonly Issue[] = []): Answer {
  return { status, issues, body: { error: { code, message: code, details: {}, issues } } };
}

export const redirects = { after: [301, 302, 303], before: [307, 308] } as const;

export function redirect(status: number): Answer {
  return { status, body: {}, headers: { location: 'https://catalogue.example/elsewhere' } };
}
