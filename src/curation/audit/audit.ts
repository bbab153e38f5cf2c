import type { Next } from '../../errors.ts';
import type { SlotCount } from '../../model/holdings.ts';
import { joinRuns, labelInSentence } from '../../model/target.ts';

/** What is found, in the order in which it is told. */
export const findingCodes = [
  /** A place that the Set's other pictures of this slot leave empty. */
  'missing',
  /** Nothing of the Set has changed since episodes that are on the air by now. */
  'older_than_episodes',
  /** A picture of something that the catalogue does not have any more. */
  'ghost',
  /** Several pictures in one place, one picture in several, or two episodes of one number. */
  'doubled',
  'wrong_ratio',
  'mixed_language',
  /** Missing, of an episode or a film that is still to come. */
  'not_yet_aired',
] as const;
export type FindingCode = (typeof findingCodes)[number];

export interface AuditFinding {
  readonly code: FindingCode;
  /** Null: of no slot in particular. */
  readonly slot: string | null;
  /** A sentence for a person. */
  readonly words: string;
}

/** How many of a kind have a picture in a slot. */
export type SlotCoverage = Omit<SlotCount, 'lacks'>;

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
interface FailedAudit {
  readonly set: { readonly kind: string; readonly id: number };
  readonly error: { readonly code: string; readonly message: string };
}

export type Audit = SetAudit | FailedAudit;

/** Places that are named before the rest is only counted. */
const mostNamed = 30;

/**
 * The labels of places, those that follow one another joined. `S01E03–E05, S02E01`: in the order of the catalogue;
 * the rest of a long list is counted.
 */
export function joinPlaceLabels(labels: readonly string[]): string {
  const joined = joinRuns(labels).map(labelInSentence);
  const more = joined.length - mostNamed;
  return more > 0 ? `${joined.slice(0, mostNamed).join(', ')} and ${more} more` : joined.join(', ');
}

/** What new pictures mend. */
const mendable: ReadonlySet<FindingCode> = new Set([
  'missing',
  'older_than_episodes',
  'wrong_ratio',
  'mixed_language',
]);

/**
 * The plan that mends what was found, of a Set of one's own. It can be called as it stands where there is one folder
 * that files may come from; else a person has to say in which they lie.
 * @param folders that files may be read from: paths, or `file:` URIs
 */
export function mendOf({ set, work, findings }: SetAudit, folders: readonly string[]): Next | null {
  const found = findings.filter(({ code }) => mendable.has(code));
  if (!set.own || work === null || found.length === 0) return null;
  const slots = new Set(found.map(({ slot }) => slot));
  const [slot = null] = slots.size === 1 ? [...slots] : [];
  const call = {
    entryTargetKind: work.kind,
    entryTargetId: work.id,
    setId: set.id,
    ...(slot === null ? {} : { slot }),
  };
  const [folder] = folders;
  if (folders.length === 1 && folder !== undefined) {
    const why =
      'It matches the pictures of the folder, and of all folders in it, with what the Set lacks: where the person has put them into one of these, give that one.';
    return { tool: 'plan_set', arguments: { folder, ...call }, why };
  }
  const where =
    folders.length === 0
      ? 'No folder is open to uploads: the person sets ARTWORK_UPLOAD_ROOTS'
      : 'The person says in which folder the pictures lie';
  return { why: `${where}; then plan_set ${JSON.stringify(call)} with that folder mends it.` };
}
