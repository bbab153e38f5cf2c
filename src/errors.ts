/**
 * What an error concerns: `record`: what was asked for, and something else may well be had · `account`: only a person, who
 * signs in or grants, brings it forward · `service`: nothing else can be had now either · `call`: this call, as it was
 * made or ended, or this program.
 */
export type Concern = 'record' | 'account' | 'service' | 'call';

interface Traits {
  /** It may be over when the same is asked again, without anybody's doing. */
  readonly passes: boolean;
  readonly concerns: Concern;
}

/** The closed list of failures: what can go wrong, told as `category` in every error answer, and what each means for what comes next. */
export const errorTraits = {
  invalid_arguments: { passes: false, concerns: 'call' },
  not_found: { passes: false, concerns: 'record' },
  snapshot_expired: { passes: false, concerns: 'record' },
  not_connected: { passes: false, concerns: 'account' },
  reconnect_required: { passes: false, concerns: 'account' },
  scope_missing: { passes: false, concerns: 'account' },
  forbidden: { passes: false, concerns: 'record' },
  stale_revision: { passes: false, concerns: 'record' },
  conflict: { passes: false, concerns: 'record' },
  mutation_id_reused: { passes: false, concerns: 'call' },
  upload_refused: { passes: false, concerns: 'record' },
  read_only: { passes: false, concerns: 'call' },
  rate_limited: { passes: true, concerns: 'service' },
  // A 500 can be one record's fault for ever, and whether the others can be read shows with the next one.
  service_unavailable: { passes: true, concerns: 'record' },
  network: { passes: true, concerns: 'service' },
  // A gateway's page in the place of a record passes, a record that can't be read does not: the next try tells.
  bad_response: { passes: true, concerns: 'record' },
  cancelled: { passes: false, concerns: 'call' },
  internal: { passes: false, concerns: 'call' },
} as const satisfies Readonly<Record<string, Traits>>;

export type Failure = keyof typeof errorTraits;

/** Whether a word, of the store say, is one of the list. */
export function isFailure(word: string): word is Failure {
  return Object.hasOwn(errorTraits, word);
}

/**
 * What brings the matter forward. With `tool`, the call can be made as it stands; without, only a person
 * can act and `why` says how. `doNot` warns of the tempting mistake.
 */
export interface Next {
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly why: string;
  readonly doNot?: string;
}

/** One entry of the service's `issues` (Errors): `path` names the affected field or item. */
export interface Issue {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
}

export interface ErrorFacts {
  /** The service's own code where it gave one; else the failure stands in for it. */
  readonly code?: string | undefined;
  /** HTTP status of the service's answer. */
  readonly status?: number | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly next?: Next | undefined;
  /** Kept for the stack trace only; it is never rendered, since causes may carry secrets. */
  readonly cause?: unknown;
}

/** Every failure that a caller is meant to see. Anything else that is thrown is a defect (`internal`). */
export class ArtworkError extends Error {
  override readonly name = 'ArtworkError';
  readonly failure: Failure;
  readonly code: string;
  readonly status: number | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly issues: readonly Issue[] | undefined;
  readonly next: Next | undefined;

  constructor(failure: Failure, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.failure = failure;
    this.code = facts.code ?? failure;
    this.status = facts.status;
    this.details = facts.details;
    this.issues = facts.issues;
    this.next = facts.next;
  }

  /** Whether it may be over when the same is asked again (`errorTraits`). */
  get passes(): boolean {
    return errorTraits[this.failure].passes;
  }

  /** What it concerns (`errorTraits`). */
  get concerns(): Concern {
    return errorTraits[this.failure].concerns;
  }

  /** The same error with another call that leads on. */
  leadingTo(next: Next): ArtworkError {
    return new ArtworkError(this.failure, this.message, { ...this, next, cause: this });
  }
}

/**
 * The error of arguments that can't be used. What is wrong with each and what would be right stands in its message,
 * once; `issues` name the places.
 * @param what was asked, in words that go on with a colon
 * @param issues each with the words that follow the argument's name
 */
export function invalidArguments(what: string, issues: readonly Issue[], next?: Next): ArtworkError {
  const told = issues.slice(0, mostTold);
  const words = told.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(' '));
  const more = issues.length - told.length;
  const message = `${what}: ${words.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
  const places = told.map(({ code, path, message: words }) => ({ code, message: inShort(words), path }));
  return new ArtworkError('invalid_arguments', message, { issues: places, next });
}

const mostTold = 20;

/** What is wrong, without what would be right, which the error's message says: `is missing`. */
export function inShort(words: string): string {
  return words.split(/: | \(/, 1)[0] ?? words;
}

/** The code of an error of Node or of SQLite (`ENOENT`, `SQLITE_BUSY`), or null where it has none. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' && error.code !== '' ? error.code : null;
}

/** What was asked, or null where it rejects with this code. */
export async function nullOn<Value>(code: string, asked: Promise<Value>): Promise<Value | null> {
  try {
    return await asked;
  } catch (error) {
    if (codeOf(error) === code) return null;
    throw error;
  }
}

/** What is read; null where an error of ours keeps it from being read. @throws ArtworkError `cancelled` alone */
export async function unlessRefused<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ArtworkError && error.failure !== 'cancelled') return null;
    throw error;
  }
}
