import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { accountRoutes } from './account/routes.ts';
import type { Context, Processing } from './context.ts';
import { addressOf, createRouter, notFound, Refusal, type Route, refusalAnswer, sendAnswer } from './http.ts';
import { logDefect } from './log.ts';
import { protectedRoutes } from './me/routes.ts';
import { oauthRoutes } from './oauth/routes.ts';
import type { FolderIdentity } from './process/folder.ts';
import { publicRoutes } from './public/routes.ts';
import { fillCatalogue } from './seed/fill.ts';
import { openStore, type Store } from './store.ts';

export interface ServerOptions {
  /** The folder of the database and the pictures, which exists; filled on first use. */
  readonly dataDir: string;
  readonly folder: FolderIdentity;
  /** Default: none. Pictures and sign-in stay at the root of the origin. */
  readonly basePath?: string;
  /** How long a feed snapshot can be read; default: 15 minutes. */
  readonly snapshotLifetimeMs?: number;
  /** Default: 0. */
  readonly publicationLagMs?: number;
  /** Default: an hour. */
  readonly accessTokenSeconds?: number;
  readonly now?: () => Date;
  readonly log?: (line: string) => void;
}

export interface Server {
  readonly baseUrl: string;
  readonly store: Store;
  close(): Promise<void>;
}
