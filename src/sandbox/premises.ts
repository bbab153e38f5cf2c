import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Database } from './store/database.ts';

/** What every part of the catalogue works with, known once the port is bound. */
export interface Premises {
  readonly dataDir: string;
  readonly database: Database;
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly origin: string;
  /** Path prefix of `{base_url}`; empty or such as `/catalogue/v1`. */
  readonly basePath: string;
  /** `{base_url}` of the interface document: origin and base path, without a slash at the end. */
  readonly baseUrl: string;
  readonly snapshotLifetimeMs: number;
  readonly now: () => Date;
  /** Keeps the catalogue from counting as idle, and `close` from ending, until the answer is called. */
  readonly holdOpen: () => () => void;
}

/**
 * Answers the request and says true, or leaves it untouched and says false. A `PublicError` thrown before
 * anything was sent becomes a public error body.
 */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | boolean;

/** Called once, after the port is bound and the database is open, before the first request is answered. */
export type Mount = (premises: Premises) => Promise<Handler> | Handler;
