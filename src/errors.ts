/** The closed list of what can go wrong, as `category` in every error result. */
export const errorCategories = [
  'invalid_arguments',
  'not_found',
  'snapshot_expired',
  'not_connected',
  'reconnect_required',
  'scope_missing',
  'forbidden',
  'stale_revision',
  'conflict',
  'mutation_id_reused',
  'upload_refused',
  'read_only',
  'rate_limited',
  'service_unavailable',
  'network',
  'bad_response',
  'cancelled',
  'internal',
] as const;

export type ErrorCategory = (typeof errorCategories)[number];

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
  /** The service's own code where it gave one; else the category stands in for it. */
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
  readonly category: ErrorCategory;
  readonly code: string;
  readonly status: number | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly issues: readonly Issue[] | undefined;
  readonly next: Next | undefined;

  constructor(category: ErrorCategory, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.category = category;
    this.code = facts.code ?? category;
    this.status = facts.status;
    this.details = facts.details;
    this.issues = facts.issues;
    this.next = facts.next;
  }

  /** The same error with another call that leads on. */
  leadingTo(next: Next): ArtworkError {
    return new ArtworkError(this.category, this.message, { ...this, next, cause: this });
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
