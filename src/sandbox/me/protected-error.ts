import { type Answer, PublicError } from '../http.ts';

/** Headers of every answer to a protected request (What the service does, 6). */
const protectedHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-store',
} as const;

/** What is wrong with one field or item. */
export interface Issue {
  readonly code: string;
  readonly message: string;
  /** The field or item, from the outermost name inwards; an index is a string. */
  readonly path: readonly string[];
}

/** A refusal with the protected error body (the interface document, Errors). */
export class ProtectedError extends Error {
  override readonly name = 'ProtectedError';
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly issues: readonly Issue[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    rest: {
      readonly details?: Readonly<Record<string, unknown>>;
      readonly issues?: readonly Issue[];
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = rest.details ?? {};
    this.issues = rest.issues ?? [];
    this.headers = rest.headers ?? {};
  }
}

/** For an id that does not exist. */
export function doesNotExist(what: string, at?: readonly string[]): ProtectedError {
  return refusal(404, 'not_found', `${what} does not exist.`, at);
}

/** For a resource of another account, or of none: permissions never override ownership. */
export function notOwned(what: string, at?: readonly string[]): ProtectedError {
  return refusal(403, 'resource.not_owned', `${what} belongs to another account.`, at);
}

/** A refusal with one issue, where the request names what is refused. */
export function refusal(
  status: number,
  code: string,
  message: string,
  at?: readonly string[],
  details: Readonly<Record<string, unknown>> = {},
): ProtectedError {
  return new ProtectedError(status, code, message, {
    details,
    issues: at === undefined ? [] : [{ code, message, path: at }],
  });
}

/** For a request that is not as the interface document says. */
export function invalidRequest(message: string, issues: readonly Issue[] = []): ProtectedError {
  return new ProtectedError(400, 'request.invalid', message, { issues });
}

/** For one field of a body or query. */
export function invalidField(path: readonly string[], message: string): ProtectedError {
  return invalidRequest(`${path.join('.')}: ${message}`, [{ code: 'field.invalid', message, path }]);
}

/** For a resource that has changed since its revision was read; null: there is none. */
export function staleRevision(
  what: string,
  expected: string | null,
  current: string | null,
  at: readonly string[] = ['expectedUpdatedAt'],
): ProtectedError {
  return refusal(409, 'revision.stale', `${what} has changed since it was read.`, at, {
    expectedUpdatedAt: expected,
    updatedAt: current,
  });
}

/** The answer for a thrown error; null for a defect. */
export function answerForError(error: ProtectedError | PublicError): Answer;
export function answerForError(error: unknown): Answer | null;
export function answerForError(error: unknown): Answer | null {
  if (error instanceof ProtectedError) return protectedErrorAnswer(error);
  if (error instanceof PublicError) {
    const { status, code, message, headers } = error;
    return protectedErrorAnswer(new ProtectedError(status, code, message, { headers }));
  }
  return null;
}

export function protectedErrorAnswer(error: ProtectedError): Answer {
  const { status, code, message, details, issues, headers } = error;
  return {
    status,
    headers: { ...protectedHeaders, ...headers },
    body: Buffer.from(JSON.stringify({ error: { code, message, details, issues } })),
  };
}

/** An answer to a protected request that succeeded. */
export function protectedAnswer(status: number, body: object): Answer {
  return { status, headers: protectedHeaders, body: Buffer.from(JSON.stringify(body)) };
}
