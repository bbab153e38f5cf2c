import type { IncomingMessage } from 'node:http';
import type { Caller, Needed } from '../access/caller.ts';
import type { Answer, PathValues } from '../http.ts';

/** A protected request, before and after the caller is known. */
export interface Asked {
  readonly values: PathValues;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
}

/** One protected operation of the interface document (Endpoints). */
export interface Operation {
  readonly method: 'GET' | 'POST';
  /** Below `{base_url}`; each `{name}` is one segment. */
  readonly path: string;
  /** The scopes that the request needs, as far as its path and query tell. */
  needed(asked: Asked): Needed;
  /** @throws ProtectedError or PublicError for every refusal. */
  answer(asked: Asked, caller: Caller): Promise<Answer> | Answer;
}
