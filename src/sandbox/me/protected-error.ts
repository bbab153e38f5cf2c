import type { Refusal } from '../access/caller.ts';
import { privateHeaders } from '../access/refusals.ts';
import { type Answer, PublicError } from '../http.ts';

/** What is wrong with one field or item. */
export interface Issue {
  readonly code: string;
  readonly message: string;
  /** Names the field or item, from the outside in; an index is written as a string. */
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

/** For what nobody has. */
export function unknown(what: string, at?: readonly string[]): ProtectedError {
  return refused(404, 'not_found', `${what} does not exist.`, at);
}

/** For what somebody else has, or nobody any more: permissions never override ownership. */
export function notOwned(what: string, at?: readonly string[]): ProtectedError {
  return refused(403, 'resource.not_owned', `${what} belongs to somebody else.`, at);
}

/** With one issue, where the request names what is refused. */
export function refused(
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
export function invalid(message: string, issues: readonly Issue[] = []): ProtectedError {
  return new ProtectedError(400, 'request.invalid', message, { issues });
}

/** For what has changed since its revision was read; null: there was or is none. */
export function stale(
  what: string,
  expected: string | null,
  current: string | null,
  at: readonly string[] = ['expectedUpdatedAt'],
): ProtectedError {
  return refused(409, 'revision.stale', `${what} has changed since it was read.`, at, {
    expectedUpdatedAt: expected,
    updatedAt: current,
  });
}

/** The answer for anything that was thrown; null for a defect. */
export function refusalAnswer(error: unknown): Answer | null {
  if (error instanceof ProtectedError) return errorAnswer(error);
  if (error instanceof PublicError) {
    const { status, code, message, headers } = error;
    return errorAnswer(new ProtectedError(status, code, message, { headers }));
  }
  return null;
}

export function errorAnswer(error: ProtectedError): Answer {
  const { status, code, message, details, issues, headers } = error;
  return {
    status,
    headers: { ...privateHeaders, ...headers },
    body: Buffer.from(JSON.stringify({ error: { code, message, details, issues } })),
  };
}

/** The answer to whoever is not let in. */
export function accessAnswer({ status, headers, body }: Refusal): Answer {
  return { status, headers, body: Buffer.from(JSON.stringify(body)) };
}

/** An answer to a protected request that succeeded. */
export function privateAnswer(status: number, body: object): Answer {
  return { status, headers: privateHeaders, body: Buffer.from(JSON.stringify(body)) };
}
