import type { Context, Place } from '../types.ts';

/** What a curator would expect of a plan for one file. */
export type Wanted =
  /** That place, and no other. A question that names it first is as good as right. */
  | { readonly match: Place }
  /** A question, since taking it would be guessing. Its first candidate has to be that one; null: any question. */
  | { readonly ask: Place | null }
  /** It is left out: it is another work's, or nothing here has a place for it. */
  | { readonly leave: true }
  /** It is a picture whose name has no ending of one: it is told apart from files that are none, and not taken. */
  | { readonly tell: true };

/** A name as people have it on their disks, written in the manner of one program or of those who use it. */
export interface WildName {
  /** The program or scanner, and where its manner is described or reported. */
  readonly source: string;
  readonly work: Context;
  /** Below the chosen folder, with `/`. */
  readonly path: string;
  readonly wanted: Wanted;
  /** What else lies in the folder: pictures. */
  readonly beside?: readonly string[];
  /** What the chosen folder is called, where that matters. */
  readonly folder?: string;
  /** Pixels; without it those of the slot that is wanted, or wide ones. */
  readonly size?: readonly [width: number, height: number];
  /** All pictures of the folder are the same to the byte. */
  readonly same?: boolean;
}

type Others = Pick<WildName, 'beside' | 'folder' | 'size' | 'same'>;

/** Names of one manner for one work, each in a folder of its own. */
export function names(
  source: string,
  work: Context,
  wanted: Readonly<Record<string, Wanted>>,
  others: Others = {},
): readonly WildName[] {
  return Object.entries(wanted).map(([path, each]) => ({ source, work, path, wanted: each, ...others }));
}

export function ask(about: { readonly match: Place } | null = null): Wanted {
  return { ask: about?.match ?? null };
}

export const leave: Wanted = { leave: true };
export const tell: Wanted = { tell: true };
