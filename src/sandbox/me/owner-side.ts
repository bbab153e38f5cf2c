import type { IncomingMessage } from 'node:http';
import type { Premises } from '../premises.ts';

/** What the protected operations work with. */
export interface OwnerSide extends Premises {
  /** How far public reads are behind what was saved. */
  readonly publicationLagMs: number;
  /** What is to happen between the arrival of a request's file or word and its end; null: the usual, nothing. */
  readonly processingOf: (request: IncomingMessage) => Processing | null;
}

/** Work that is not over when it is answered. */
export interface Processing {
  readonly milliseconds: number;
  /** A submission's outcome is called `unresolved` meanwhile, and is none otherwise. */
  readonly unresolved: boolean;
  /** Why nothing is saved in the end. */
  readonly failure: { readonly code: string; readonly message: string } | null;
}

/** When public reads catch up with what is saved now. */
export function publicFrom({ publicationLagMs }: OwnerSide, at: Date): string {
  return new Date(at.getTime() + publicationLagMs).toISOString();
}
