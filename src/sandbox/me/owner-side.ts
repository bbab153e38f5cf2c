import type { IncomingMessage } from 'node:http';
import type { Premises } from '../premises.ts';

/** What the protected operations work with. */
export interface OwnerSide extends Premises {
  /** How far public reads are behind what was saved. */
  readonly publicationLagMs: number;
  /** What is to happen to an upload between its arrival and its end; null for the usual, nothing. */
  readonly processingOf: (request: IncomingMessage) => Processing | null;
}

/** An upload that is not saved when its receipt is given. */
export interface Processing {
  readonly milliseconds: number;
  /** Why nothing is saved in the end. */
  readonly failure: { readonly code: string; readonly message: string } | null;
}

/** When public reads catch up with what is saved now. */
export function publicFrom({ publicationLagMs }: OwnerSide, at: Date): string {
  return new Date(at.getTime() + publicationLagMs).toISOString();
}
