import type { Next } from '../../errors.ts';

export type FindingCode =
  /** A place that the Set's other pictures of this slot leave empty. */
  | 'missing'
  /** The same of an episode or a film that is still to come. */
  | 'not_yet_aired'
  /** Several pictures in one place, one picture in several, or two episodes of one number. */
  | 'doubled'
  /** A picture of something that the catalogue does not have any more. */
  | 'ghost'
  | 'wrong_ratio'
  | 'mixed_language'
  /** Nothing of the Set has changed since episodes that are on the air by now. */
  | 'older_than_episodes';

export interface AuditFinding {
  readonly code: FindingCode;
  /** 0: the specials. Null: it is of the whole work, or of several seasons. */
  readonly season: number | null;
  /** Null: of no slot in particular. */
  readonly slot: string | null;
  /** How many places or pictures. */
  readonly count: number;
  /** S01E03–E05, S02, the title of a film; what follows one another is one. */
  readonly places: readonly string[];
  /** A sentence for a person. */
  readonly words: string;
}

/** How many of a kind have a picture in a slot. */
export interface SlotCoverage {
  /** show, season, episode, movie, … */
  readonly of: string;
  readonly slot: string;
  readonly has: number;
  /** Of those in the catalogue; what is still to come is not counted. */
  readonly total: number;
}

export interface AuditedSet {
  /** As public reads have it, or `talent_set` and `category_set`. */
  readonly kind: string;
  readonly id: number;
  /** Other people's writing, cleaned and short. */
  readonly title: string;
  /** The creator's name; null: nothing shows it. */
  readonly by: string | null;
  readonly own: boolean;
  /** When the Set last changed. */
  readonly changedAt: string | null;
}

export interface SetAudit {
  readonly set: AuditedSet;
  /** What it is for; null: it does not say, as Brand Sets don't. */
  readonly work: { readonly kind: string; readonly id: number; readonly title: string } | null;
  readonly slots: readonly SlotCoverage[];
  /** Slots that the Set has nothing in: nothing of them counts as missing. */
  readonly without: readonly string[];
  /** None: nothing was found. */
  readonly findings: readonly AuditFinding[];
  /** What could not be checked, and why, in sentences. */
  readonly unchecked: readonly string[];
  /** What mends it; null: there is nothing to mend, or not for this account. */
  readonly next: Next | null;
}

/** A Set that could not be read. */
export interface FailedAudit {
  readonly set: { readonly kind: string; readonly id: number };
  readonly error: { readonly code: string; readonly message: string };
}

export type Audit = SetAudit | FailedAudit;
