import type { HeldSet } from './held.ts';
import type { Member } from './reference.ts';

export interface Judging {
  readonly held: HeldSet;
  /** What the catalogue has of the work, in its order. */
  readonly members: readonly Member[];
  /** Targets, by `kind id`, that the catalogue has no more, or has under another work. */
  readonly gone: ReadonlyMap<string, 'gone' | 'elsewhere'>;
  /** The digests of Assets, by their ids in lower case, as far as they are surely known. */
  readonly bytes: ReadonlyMap<string, string>;
}
