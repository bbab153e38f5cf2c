import type { Json } from '../../canonical-json.ts';
import { clientMutationId as idOfMutation, type ShownRequest } from '../../catalogue/request.ts';
import { ArtworkError, type ErrorFacts, type Failure, type Next } from '../../errors.ts';
import type { ListPosition } from '../../ledger/ledger.ts';
import type { Standing } from '../../ledger/rows.ts';
import type { Warning } from '../change.ts';

/**
 * How a change stands, in the words of every answer about it. `processing`: accepted, still working; `interrupted`: accepted,
 * not finished, and no process works on it; `unresolved`: not known yet; `refused`: the service said no, nothing
 * changed; `not_sent`: certain that nothing reached the service.
 */
export type Outcome = Standing | 'dry_run';

/** What a change made or touched: one thing, whatever the operation. */
export interface Touched {
  /** A kind that a reading tool takes; of a relationship the kind of its target. */
  readonly kind: string;
  /** Null: there is none yet, or the service has not said it. */
  readonly id: number | string | null;
  /** Other people's writing, cleaned. */
  readonly title?: string | undefined;
}

/** How one item of a submission stands. */
export interface ItemReport {
  readonly itemId: string;
  readonly filename?: string | undefined;
  /** `title`: what people call it, `S01E14 · Objects in Space`, where that is known. */
  readonly target: { readonly kind: string; readonly id: number | string; readonly title?: string };
  readonly slot: string;
  /**
   * The service's own word; where it was not asked, `pending` for what was not sent yet, `processing` for what has
   * arrived, `unresolved` where that is not known.
   */
  readonly status: string;
  readonly assetId?: string | undefined;
  readonly error?: Warning | undefined;
}

/** Which items an answer about a submission shows. */
export interface ItemPage {
  /** All of them; else those that failed or are open. */
  readonly all: boolean;
  /** How many of these come before. */
  readonly from: number;
  /** 1 to 200. */
  readonly limit: number;
}

export interface UndoCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, Json | undefined>>;
}

/** An answer about a change that did not end `refused` or `not_sent`: those are thrown. */
export interface MutationResult {
  readonly outcome: Exclude<Outcome, 'refused' | 'not_sent'>;
  readonly clientMutationId: string;
  /** One plain sentence for a person: what became of what, by name. */
  readonly says: string;
  readonly id?: Touched | undefined;
  readonly updatedAt?: string | undefined;
  readonly publicationStatus?: string | undefined;
  /** Of a submission: how many items stand how. */
  readonly counts?: Readonly<Record<string, number>> | undefined;
  readonly items?: readonly ItemReport[] | undefined;
  /** Where the next page of `items` begins; null or left out: there is none. */
  readonly nextItems?: number | null | undefined;
  readonly warnings?: readonly Warning[] | undefined;
  readonly undo?: UndoCall | undefined;
  readonly error?: KnownError | undefined;
  /** The service's own record, where it is asked for. */
  readonly receipt?: Json | undefined;
  readonly next?: Next | undefined;
  /** Of a dry run, in words. */
  readonly wouldSend?: readonly string[] | undefined;
  /** Of a dry run: one request of each kind. Always the last member: it is the longest and the least read. */
  readonly requests?: readonly ShownRequest[] | undefined;
}

export type KnownError = Pick<ArtworkError, 'code' | 'message'> &
  Partial<Pick<ErrorFacts, 'details' | 'issues'>>;

/** What a failed change adds to an error. */
interface MutationFacts extends ErrorFacts {
  readonly clientMutationId: string;
  /** Left out where the call tells nothing of the outcome, such as an id that stands for another change. */
  readonly outcome?: 'refused' | 'not_sent' | undefined;
}

/** A change that changed nothing, or a call about one that could not be answered. */
export class MutationError extends ArtworkError {
  readonly clientMutationId: string;
  readonly outcome: 'refused' | 'not_sent' | undefined;

  constructor(failure: Failure, message: string, facts: MutationFacts) {
    super(failure, message, facts);
    this.clientMutationId = facts.clientMutationId;
    this.outcome = facts.outcome;
  }

  override leadingTo(next: Next): MutationError {
    return new MutationError(this.failure, this.message, { ...this, next, cause: this });
  }
}

/** The error of a call, saying which change it was about. What became of that one it does not say. */
export function withMutationId(given: string, error: unknown): unknown {
  const id = idOfMutation.safeParse(given);
  if (!(error instanceof ArtworkError) || error instanceof MutationError || !id.success) return error;
  return new MutationError(error.failure, error.message, {
    ...error,
    cause: error,
    clientMutationId: id.data,
  });
}

/** A change in the list. */
export interface ListedMutation {
  readonly clientMutationId: string;
  readonly operation: string;
  readonly outcome: Standing;
  /** `other`: of another account of this user, so that nothing else of it is told. `unknown`: no subject was told. */
  readonly account?: 'other' | 'unknown' | undefined;
  readonly says: string;
  readonly id?: Touched | undefined;
  /** What it acts on: the members that its operation keeps (`entryTargetKind`, `title`, `slot` …). */
  readonly target: Json;
  /** A process works on it at this moment. */
  readonly live: boolean;
  /** ISO 8601: when it was claimed, and when its row last changed. */
  readonly createdAt: string;
  readonly recordedAt: string;
  readonly abandonedAt: string | null;
  readonly undo?: UndoCall | undefined;
  readonly error: Pick<KnownError, 'code' | 'message'> | null;
}

export interface MutationPage {
  readonly mutations: readonly ListedMutation[];
  readonly next: ListPosition | null;
}

/** What is known of these: an answer leaves the others out. */
export function known<Members extends object>(members: Members): Known<Members> {
  const given = Object.entries(members).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given) as Known<Members>;
}

type Known<Members> = { [Name in keyof Members]?: NonNullable<Members[Name]> };
