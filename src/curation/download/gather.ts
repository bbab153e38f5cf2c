import type { Catalogue } from '../../catalogue/client.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { mapLimit } from '../../map-limit.ts';
import type { SetKind } from '../../model/kinds.ts';
import { type ArtworkSet, type SetMember, setOf } from '../../model/set.ts';
import type { Slot } from '../../model/slots.ts';
import { type Picture, picturesToDownload } from './picture.ts';

/** A Set of a group that gives no pictures, and why, as words that end a sentence. */
export interface SetLeftOut {
  readonly kind: SetKind | null;
  readonly id: number;
  readonly title: string;
  readonly state: 'other_language' | 'failed' | 'no_public_read' | 'too_many' | 'pending';
  readonly why: string;
}

export interface Gathered {
  readonly set: ArtworkSet;
  readonly pictures: readonly Picture[];
  readonly setsLeftOut: readonly SetLeftOut[];
  /** How many Sets were read for it. */
  readonly read: number;
}

interface PictureGathering {
  readonly catalogue: Pick<Catalogue, 'readSet'>;
  /** Null: of any. */
  readonly languageCode: string | null;
  /** Null: all. */
  readonly slots: ReadonlySet<Slot> | null;
  /** Sets of a group that an earlier call of the same download has read. */
  readonly known: Map<string, ArtworkSet>;
  /** Whether a Set of a group is what it was; null: all are read. */
  readonly skips: ((member: SetMember) => boolean) | null;
  hasTime(): boolean;
  readonly deadline: Deadline;
}

/** The service states no limits: a few reads at a time. */
const few = 4;
/** Sets of one group; a bound, because they come from an answer. */
const mostMembers = 500;

/**
 * The pictures of a Set, or of all Sets of a group with the group's own poster. One Set of a group that can't be read
 * leaves the others as they are.
 * @throws ArtworkError `cancelled`
 */
export async function gatherPictures(set: ArtworkSet, gathering: PictureGathering): Promise<Gathered> {
  const { languageCode, slots, skips } = gathering;
  const before = gathering.known.size;
  const wanted = set.members.slice(0, mostMembers).filter((member) => skips?.(member) !== true);
  const members = await mapLimit(wanted, few, (member) => readMember(member, gathering));
  const isGroup = set.members.length > 0;
  const sets = (isGroup ? members : [set]).map((one) =>
    'places' in one && languageCode !== null && !isOfLanguage(one, languageCode) ? ofOtherLanguage(one) : one,
  );
  // A group's own poster belongs to all of its languages.
  const own = isGroup ? picturesToDownload(set) : [];
  const pictures = [...own, ...sets.flatMap((one) => ('places' in one ? picturesToDownload(one) : []))];
  return {
    set,
    pictures: pictures.filter(({ slot }) => slots === null || slots.has(slot)),
    setsLeftOut: [
      ...sets.flatMap((one) => ('places' in one ? [] : [one])),
      ...set.members.slice(mostMembers).map(tooMany),
    ],
    read: gathering.known.size - before,
  };
}

function tooMany({ kind, id, title }: SetMember): SetLeftOut {
  const why = `only the first ${mostMembers} Sets of a group are taken`;
  return { kind, id, title, state: 'too_many', why };
}

function ofOtherLanguage({ kind, id, title, language }: ArtworkSet): SetLeftOut {
  const why = language === null ? 'it tells no language' : `it is in ${language}`;
  return { kind, id, title, state: 'other_language', why };
}

async function readMember(
  { kind, id, title }: SetMember,
  { catalogue, known, hasTime, deadline }: PictureGathering,
): Promise<ArtworkSet | SetLeftOut> {
  if (kind === null) {
    return { kind, id, title, state: 'no_public_read', why: 'public reads have no Sets of its kind' };
  }
  const key = `${kind} ${id}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  if (!hasTime()) return { kind, id, title, state: 'pending', why: 'there was no time left to read it' };
  try {
    const set = setOf(kind, id, await catalogue.readSet(kind, id, deadline));
    known.set(key, set);
    return set;
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category === 'cancelled') throw error;
    return { kind, id, title, state: 'failed', why: error.message };
  }
}

/** `en` is every English; `en-GB` is that alone. */
function isOfLanguage({ language }: ArtworkSet, wanted: string): boolean {
  const [has, asked] = [language?.toLowerCase(), wanted.toLowerCase()];
  return has !== undefined && (has === asked || has.startsWith(`${asked}-`));
}
