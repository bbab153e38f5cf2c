import type { ResourceScope } from '../oauth/scopes.ts';

/** On whose behalf a protected request is made, and what it may do. */
export interface Caller {
  /** The account that owns what may be touched (`owner_id`). */
  readonly accountId: number;
  readonly clientId: string;
  readonly connectionId: string;
  readonly scopes: ReadonlySet<string>;
}

/** Scopes that a request needs: every one of these, or any one (the interface document, Endpoints). */
export type Needed =
  | { readonly every: readonly ResourceScope[] }
  | { readonly any: readonly ResourceScope[] };

/** Why a protected request is not let in, as the answer to send. */
export interface Refusal {
  readonly status: 400 | 401 | 403;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly error: {
      readonly code: string;
      readonly message: string;
      readonly details: Readonly<Record<string, unknown>>;
      readonly issues: readonly never[];
    };
  };
}

export type Access =
  | { readonly granted: true; readonly caller: Caller }
  | { readonly granted: false; readonly refusal: Refusal };
