import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Database } from './store/database.ts';

/** What every handler of the catalogue works with, known once the port is bound. */
export interface ServerContext {
  readonly dataDir: string;
  readonly database: Database;
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly origin: string;
  /** Path prefix of `{base_url}`; empty or such as `/catalogue/v1`. */
  readonly basePath: string;
  /** `{base_url}` of the interface document: origin and base path, without a trailing slash. */
  readonly baseUrl: string;
  readonly snapshotLifetimeMs: number;
  readonly now: () => Date;
  /** Prevents idleness, and the end of `close`, until the returned function is called. */
  readonly beginWork: () => () => void;
}

/**
 * Returns true when it answered the request; false leaves the request untouched. A `PublicError` thrown
 * before anything was sent becomes a public error body.
 */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | boolean;

/** Called once after the port is bound and the database is open, before the first request. */
export type Mount = (context: ServerContext) => Promise<Handler> | Handler;
