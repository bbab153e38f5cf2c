import type { Json } from '../canonical-json.ts';
import { clientMutationId as idOfMutation, type ShownRequest } from '../catalogue/request.ts';
import { ArtworkError, type ErrorCategory, type ErrorFacts, type Next } from '../errors.ts';
import type { KeptError } from '../ledger/entry.ts';
import type { Standing } from '../ledger/ledger.ts';
import type { Evidence, Warning } from './finding.ts';

/**
 * How a mutation stands, in the words of every answer about it. `processing`: accepted, still working; `unresolved`: not
 * known yet; `refused`: the service said no, nothing changed; `not_sent`: certain that nothing reached the service.
 */
export type Outcome = Standing | 'dry_run';

/** A request as it would be sent, without its authorization. */
export interface PlannedRequest extends ShownRequest {
  /** How many elements of a list of the body are left out here; the real request has them. */
  readonly leftOut?: Readonly<Record<string, number>>;
}

/** How one item of a submission stands. */
export interface ItemReport {
  readonly itemId: string;
  /** As it is declared. */
  readonly filename?: string;
  readonly target: { readonly kind: string; readonly id: number; readonly title?: string };
  readonly slot: string;
  /**
   * The service's own word; where it was not asked, `pending` for what was not sent yet, `processing` for what has
   * arrived, `unresolved` where that is not known.
   */
  readonly status: string;
  readonly assetId?: string;
  readonly error?: { readonly code: string; readonly message: string };
  /** The Asset that stood there, as it was. */
  readonly earlier?: Json;
}

/** A place in the list of a submission's items. */
export interface ItemPlace {
  /** 0: unsettled, 1: failed, 2: succeeded. */
  readonly rank: number;
  /** Among all of its items. */
  readonly index: number;
}

/** Which items an answer about a submission shows. */
export interface ItemPage {
  /** The last item of the page before. */
  readonly after: ItemPlace | null;
  /** 1 to 200. */
  readonly limit: number;
  /** Characters of JSON that those which succeeded may take; left out: as many as all together. */
  readonly roomForDone?: number;
}

/** An answer about a mutation that did not end `refused` or `not_sent`: those are thrown. */
export interface MutationResult {
  readonly outcome: Exclude<Outcome, 'refused' | 'not_sent'>;
  readonly clientMutationId: string;
  readonly operation: string;
  /** Names the catalogue; says that nothing is published where it is the embedded one. */
  readonly service: string;
  /** What it made or touched. */
  readonly id?: Touched;
  /** What it acts on, each number with its name beside it where that is known. */
  readonly target: Json;
  /** What stood there before of what it changes, in the words of the arguments that would put it back. */
  readonly earlier?: Json;
  /** Of a submission: how many items stand how. */
  readonly counts?: Readonly<Record<string, number>>;
  readonly receipt?: Json;
  readonly updatedAt?: string;
  readonly publicationStatus?: string;
  readonly evidence?: Evidence;
  readonly warnings?: readonly Warning[];
  /** Of a submission: unsettled and failed ones first. */
  readonly items?: readonly ItemReport[];
  /** The last of `items`, where there are more; null where there are none. */
  readonly nextItems?: ItemPlace | null;
  readonly error?: Omit<KeptError, 'category' | 'status'>;
  readonly next?: Next;
  /** Of a dry run. Always the last member, since it is the longest and the least read. */
  readonly requests?: readonly PlannedRequest[];
}

/** What a failed mutation adds to an error. */
interface MutationFacts extends ErrorFacts {
  readonly clientMutationId: string;
  /** Left out where the call tells nothing of the mutation's outcome, such as an id that stands for another one. */
  readonly outcome?: 'refused' | 'not_sent' | undefined;
}

/** A mutation that changed nothing, or a call about one that could not be answered. */
export class MutationError extends ArtworkError {
  readonly clientMutationId: string;
  readonly outcome: 'refused' | 'not_sent' | undefined;

  constructor(category: ErrorCategory, message: string, facts: MutationFacts) {
    super(category, message, facts);
    this.clientMutationId = facts.clientMutationId;
    this.outcome = facts.outcome;
  }

  override leadingTo(next: Next): MutationError {
    return new MutationError(this.category, this.message, { ...this, next, cause: this });
  }
}

/**
 * An error of a call, saying which mutation it was about. It does not say what became of that one: the code that
 * throws an error that does says so there.
 */
export function withMutationId(given: string, error: unknown): unknown {
  const id = idOfMutation.safeParse(given);
  if (!(error instanceof ArtworkError) || error instanceof MutationError || !id.success) return error;
  return new MutationError(error.category, error.message, {
    ...error,
    cause: error,
    clientMutationId: id.data,
  });
}

/** What a mutation makes or touches. */
export interface Touched {
  /** What `get_owned` reads it as; of a relationship the kind of its target. */
  readonly kind: string;
  /**
   * A number for Sets and entities, text for Assets, either for groups (interface document, Conventions). Null:
   * there is none, or the service has not said it.
   */
  readonly id: number | string | null;
  readonly title?: string;
}
