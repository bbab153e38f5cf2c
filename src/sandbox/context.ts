import type { IncomingMessage } from 'node:http';
import type { FolderIdentity } from './process/folder.ts';
import type { Store } from './store.ts';

/** What each part of the catalogue works with. */
export interface Context {
  readonly store: Store;
  readonly dataDir: string;
  /** `http://127.0.0.1:PORT`, which is `{auth_url}` too. */
  readonly origin: string;
  /** The path of `{base_url}`: empty, or such as `/catalogue/v1`. */
  readonly basePath: string;
  /** `{base_url}`: origin and base path. */
  readonly baseUrl: string;
  readonly folder: FolderIdentity;
  /** ISO 8601 UTC, as all times here: the order of the texts is that of the times. */
  now(): string;
  readonly snapshotLifetimeMs: number;
  /** How far public reads lag behind what was saved. */
  readonly publicationLagMs: number;
  /** How long an access token is valid. */
  readonly accessTokenSeconds: number;
  /** What a fault has asked for the processing of this request's file or completion; null: it ends at once. */
  processingOf(request: IncomingMessage): Processing | null;
}

/** Processing that goes on after the answer. */
export interface Processing {
  readonly milliseconds: number;
  /** Why nothing is saved in the end. */
  readonly failure: { readonly code: string; readonly message: string } | null;
}

/** So many milliseconds after a time. */
export function later(at: string, milliseconds: number): string {
  return new Date(Date.parse(at) + milliseconds).toISOString();
}
