import type { EntryView } from '../../ledger/standing.ts';
import type { Outgoing } from '../before-claim/outgoing.ts';
import type { Delivery, DeliveryResult } from '../delivery/delivery.ts';
import type { FileSource } from '../file-source.ts';
import type { Mutation } from '../mutation.ts';
import type { Names } from '../names.ts';
import type { ItemPage, MutationResult, PlannedRequest } from '../result.ts';
import type { Session } from '../session.ts';

/** Where a mutation of one request and a submission of many differ. */
export interface Strategy {
  /** Sends what is claimed, and settles it. */
  deliver(delivery: Delivery): Promise<DeliveryResult>;
  /** What a dry run shows of it. */
  show(mutation: Mutation, names: Names): Shown & { readonly requests: readonly PlannedRequest[] };
  /** How it stands, after waiting for news as long as the call allows. */
  status(session: Session, view: EntryView, page?: ItemPage): Promise<MutationResult>;
  readonly resume: Resuming;
}

type Shown = Pick<MutationResult, 'counts' | 'items' | 'nextItems'>;

/** How a mutation is resumed. Rejections are ArtworkErrors. */
export interface Resuming {
  /** What nothing was sent of, with its bytes again. */
  reopen(session: Session, source: FileSource, resumed: Resumed): Promise<Outgoing>;
  /** The answer where the service's word comes first and is enough; null: it may be resumed. */
  lookFirst(session: Session, resumed: Resumed): Promise<MutationResult | null>;
  /** What is resumed after it was sent. */
  reopenSent(session: Session, source: FileSource, resumed: Resumed): Promise<Outgoing>;
  /** The same once this process holds the lease: what the holder before has recorded since is known now. */
  afterLease(outgoing: Outgoing, resumed: Resumed): Outgoing;
  /** What a dry run of the resume shows otherwise than one of the mutation. */
  show(session: Session, resumed: Resumed): Promise<Shown & Pick<MutationResult, 'requests'>>;
  /** Whether a request of it may have been applied. @param claimed the entry as it was leased */
  isRepeated(claimed: EntryView): boolean;
}

/** An entry of the ledger, and the mutation that it stands for. */
export interface Resumed {
  readonly view: EntryView;
  readonly mutation: Mutation;
}
