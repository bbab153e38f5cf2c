import type { Call, Catalogue } from '../../catalogue/client.ts';
import { ArtworkError } from '../../errors.ts';
import { mapLimit } from '../../wire/map-limit.ts';
import {
  type ChildSet,
  readSetContents,
  type SetContents,
  type DownloadedSet,
  type PictureToDownload,
} from './set-pictures.ts';

/** A Set of a group that gives no pictures, and why, as words that end a sentence. */
export interface SetLeftOut {
  readonly kind: string | null;
  readonly id: number | string;
  readonly title: string | null;
  readonly state: 'other_language' | 'failed' | 'no_public_read' | 'too_many' | 'pending';
  readonly why: string;
}

export interface Gathered {
  readonly set: DownloadedSet;
  readonly pictures: readonly PictureToDownload[];
  readonly setsLeftOut: readonly SetLeftOut[];
  /** How many Sets were read for it. */
  readonly read: number;
}

export interface PictureGathering {
  readonly catalogue: Pick<Catalogue, 'readSet'>;
  /** Null: of any. */
  readonly languageCode: string | null;
  /** Null: all. */
  readonly slots: ReadonlySet<string> | null;
  /** Sets of a group that an earlier call of the same download has read. */
  readonly known: Map<string, SetContents>;
  hasTime(): boolean;
  call(): Call;
}

/** The service states no limits: a few reads at a time. */
const few = 4;
/** Sets of one group; a bound, because they come from an answer. */
const mostChildren = 500;

/**
 * The pictures of a Set, or of all Sets of a group with the group's own poster. One Set of a group that can't be read
 * leaves the others as they are.
 * @throws ArtworkError `cancelled`
 */
export async function gatherPictures(contents: SetContents, gathering: PictureGathering): Promise<Gathered> {
  const { languageCode, slots } = gathering;
  const isWanted = ({ set }: SetContents) => languageCode === null || isOfLanguage(set, languageCode);
  let read = 0;
  const children = await mapLimit(contents.children.slice(0, mostChildren), few, (child) =>
    readChild(child, gathering, () => {
      read += 1;
    }),
  );
  // A group's own poster belongs to all of its languages.
  const others = contents.children.slice(mostChildren).map(tooMany);
  const found = [...(contents.children.length > 0 ? [] : [contents]), ...children, ...others].map((one) =>
    'pictures' in one && !isWanted(one) ? ofOtherLanguage(one) : one,
  );
  const own = contents.children.length > 0 ? contents.pictures : [];
  const pictures = [...own, ...found.flatMap((one) => ('pictures' in one ? one.pictures : []))];
  return {
    set: contents.set,
    pictures: pictures.filter(({ slot }) => slots === null || slots.has(slot)),
    setsLeftOut: found.flatMap((one) => ('pictures' in one ? [] : [one])),
    read,
  };
}

function tooMany({ kind, id, title }: ChildSet): SetLeftOut {
  return {
    kind,
    id,
    title,
    state: 'too_many',
    why: `only the first ${mostChildren} Sets of a group are taken`,
  };
}

function ofOtherLanguage({ set: { kind, id, title, language } }: SetContents): SetLeftOut {
  const why = language === null ? 'it tells no language' : `it is in ${language}`;
  return { kind, id, title, state: 'other_language', why };
}

async function readChild(
  { kind, id, title }: ChildSet,
  { catalogue, known, hasTime, call }: PictureGathering,
  told: () => void,
): Promise<SetContents | SetLeftOut> {
  if (kind === null || typeof id !== 'number') {
    return { kind, id, title, state: 'no_public_read', why: 'public reads have no Sets of its kind' };
  }
  const key = `${kind} ${id}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  if (!hasTime()) return { kind, id, title, state: 'pending', why: 'there was no time left to read it' };
  try {
    const found = await readSetContents(catalogue, kind, id, call());
    known.set(key, found);
    told();
    return found;
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category === 'cancelled') throw error;
    return { kind, id, title, state: 'failed', why: `${error.code}: ${error.message}` };
  }
}

/** `en` is every English; `en-GB` is that alone. */
function isOfLanguage({ language }: DownloadedSet, wanted: string): boolean {
  const [has, asked] = [language?.toLowerCase(), wanted.toLowerCase()];
  return has !== undefined && (has === asked || has.startsWith(`${asked}-`));
}
