import type { Next } from '../errors.ts';
import type { KeptError } from '../ledger/entry.ts';
import type { Json } from '../canonical-json.ts';
import type { Touched } from './touched.ts';
import type { Evidence, Warning } from './evidence.ts';

/** How a mutation stands, in the words of every answer about it. */
export type Outcome =
  | 'succeeded'
  | 'partial'
  | 'failed'
  /** The service's word. */
  | 'rolled_back'
  /** Accepted, still working. */
  | 'processing'
  /** Not known yet. */
  | 'unresolved'
  /** The service said no, nothing changed. */
  | 'refused'
  /** Certain that nothing reached the service. */
  | 'not_sent'
  | 'dry_run';

/** A request as it would be sent, without its authorization. */
export interface PlannedRequest {
  readonly method: 'POST';
  readonly path: string;
  readonly query: Readonly<Record<string, string | number>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body, or what the raw body is. */
  readonly body: Json;
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
