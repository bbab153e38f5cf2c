import { ArtworkError } from '../errors.ts';
import { type AccountScope, compareAccounts, type UserScope } from '../ledger/entry.ts';
import type { EntryView, ListPosition, Standing } from '../ledger/ledger.ts';
import { savedFilesOf, touchedBy } from './answer/touched.ts';
import { releaseBlobsOfEnded } from './kept-files.ts';
import { namedTarget } from './names.ts';
import type { MutationPorts } from './ports.ts';
import { MutationError, type MutationResult, type Outcome } from './result.ts';
import { type AccountLedger, openAccountLedger } from './account.ts';

type OfAccountOrUser = Pick<AccountLedger, 'ledger'> & { readonly scope: AccountScope | UserScope };

/** The mutations of every account of this user, for a person at this machine. */
export async function openUserLedger(ports: MutationPorts): Promise<OfAccountOrUser> {
  const scope = { service: (await ports.service()).baseUrl, user: ports.user };
  return { ledger: await ports.ledger(), scope };
}

/** A page of them, newest first. */
export async function pageOfMutations(
  { ledger, scope }: OfAccountOrUser,
  { state, since, after, limit }: ListMutations,
): Promise<MutationPage> {
  if (state === 'dry_run')
    throw new ArtworkError('invalid_arguments', 'A dry run leaves no trace to be listed.');
  const { views, next } = await ledger.list(scope, { state, since, after, limit });
  return { mutations: views.map((view) => shown(view, scope)), next };
}

/**
 * Gives a mutation up, so that this program never sends it any more.
 * @throws not_found; conflict where the id stands for mutations of two accounts
 */
export async function abandonMutation(
  ports: MutationPorts,
  clientMutationId: string,
): Promise<ListedMutation> {
  const { ledger, scope } = await openUserLedger(ports);
  const view = await ledger.read(scope, clientMutationId);
  if (view === null) {
    const message = `No mutation of this user has the id ${clientMutationId}.`;
    throw new MutationError('not_found', message, { clientMutationId });
  }
  const abandoned = await ledger.abandon(view.entry);
  await releaseBlobsOfEnded(ports, abandoned);
  return shown(abandoned, scope);
}

function shown({ entry, live, standing }: EntryView, scope: AccountScope | UserScope): ListedMutation {
  const { clientMutationId, operation, target, names, earlier, createdAt, updatedAt, abandonedAt, error } =
    entry;
  // A person at this machine asks for all accounts; a model works for the one that is signed in.
  const account = 'connection' in scope ? compareAccounts(entry, scope) : 'same';
  const isOther = account === 'other';
  const id = isOther ? null : touchedBy(entry);
  return {
    clientMutationId,
    operation,
    outcome: standing,
    ...(account === 'same' ? {} : { account }),
    ...(id === null ? {} : { id }),
    target: isOther ? null : namedTarget(target, names ?? {}),
    ...(isOther || earlier === undefined || changedNothing.has(standing) ? {} : { earlier }),
    live,
    createdAt,
    updatedAt,
    abandonedAt,
    error: error === null || isOther ? null : { code: error.code, message: error.message },
  };
}

const changedNothing: ReadonlySet<Standing> = new Set(['refused', 'not_sent']);

export interface ListMutations {
  /** `open`: neither ended nor given up. */
  readonly state?: Outcome | 'open' | undefined;
  /** ISO 8601: changed then or later. */
  readonly since?: string | undefined;
  /** The `next` of the page before. */
  readonly after?: ListPosition | undefined;
  /** 1 to 200. */
  readonly limit: number;
}

export interface ListedMutation
  extends Pick<MutationResult, 'clientMutationId' | 'operation' | 'id' | 'target' | 'earlier'> {
  readonly outcome: Standing;
  /**
   * Left out for the account that is signed in. `other`: of another account of this user, so nothing else of it is
   * told. `unknown`: the service named no account then, or does not now.
   */
  readonly account?: 'other' | 'unknown' | undefined;
  /** A process works on it at this moment. */
  readonly live: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly abandonedAt: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface MutationPage {
  readonly mutations: readonly ListedMutation[];
  readonly next: ListPosition | null;
}

/** The digest of the bytes that an Asset was made of, by the Asset's id in lower case. */
export type KnownBytes = ReadonlyMap<string, string>;

/** Pages of 200; what is older is as if it was not known. */
const mostPages = 5;

/**
 * What the connected account's ledger surely knows of the bytes of its Assets: those of mutations that the service
 * has said to have saved. An Asset's bytes never change: a replacement is another Asset (interface document, Asset
 * feed item).
 */
export async function listKnownBytes(ports: MutationPorts): Promise<KnownBytes> {
  const { ledger, scope } = await openAccountLedger(ports);
  const known = new Map<string, string>();
  let after: ListMutations['after'];
  for (let page = 0; page < mostPages; page += 1) {
    const { views, next } = await ledger.list(scope, { limit: 200, after });
    for (const view of views) {
      if (compareAccounts(view.entry, scope) === 'other') continue;
      for (const { assetId, sha256 } of savedFilesOf(view)) {
        if (assetId !== null) known.set(assetId.toLowerCase(), sha256);
      }
    }
    if (next === null) break;
    after = next;
  }
  return known;
}
