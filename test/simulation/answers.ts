import type { Accounts } from './accounts.ts';
import type { Random } from './random.ts';
import type { Watch } from './watch.ts';
import type { Habits, Weather } from './weather.ts';

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

export function redirect(status: number): Answer {
  return { status, body: {}, headers: { location: 'https://catalogue.example/elsewhere' } };
}

/** What the simulated service is made of. */
export interface Parts {
  readonly random: Random;
  readonly watch: Watch;
  readonly weather: Weather;
  readonly habits: Habits;
  readonly accounts: Accounts;
  time(): number;
}
