import type { IncomingMessage } from 'node:http';
import type { Answer, PathValues } from '../http.ts';
import type { ServerContext } from '../server-context.ts';
import type { Caller, RequiredScopes } from './authorize.ts';

/** What the protected operations work with. */
export interface ProtectedContext extends ServerContext {
  /** How far public reads lag behind what was saved. */
  readonly publicationLagMs: number;
  /** How the processing of a request's file or completion is delayed or fails; null: it ends at once. */
  readonly processingOf: (request: IncomingMessage) => Processing | null;
}

/** Processing that continues after the answer. */
export interface Processing {
  readonly milliseconds: number;
  /** A submission's outcome is `unresolved` in the meantime, else null. */
  readonly unresolved: boolean;
  /** Why nothing is saved in the end. */
  readonly failure: { readonly code: string; readonly message: string } | null;
}

/** When public reads show what is saved at a time. */
export function publicFrom({ publicationLagMs }: ProtectedContext, at: Date): string {
  return new Date(at.getTime() + publicationLagMs).toISOString();
}

/** A protected request. */
export interface OperationRequest {
  readonly values: PathValues;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
}

/** One protected operation of the interface document (Endpoints). */
export interface Operation {
  readonly method: 'GET' | 'POST';
  /** Below `{base_url}`; each `{name}` is one segment. */
  readonly path: string;
  /** The scopes that the request needs, as far as its path and query decide. */
  requiredScopes(call: OperationRequest): RequiredScopes;
  /** @throws ProtectedError or PublicError for every refusal. */
  answer(call: OperationRequest, caller: Caller): Promise<Answer> | Answer;
}
