import type { Catalogue } from '../../catalogue/client.ts';
import type { Owned } from '../../catalogue/owned.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import {
  admissionOf,
  allSetKinds,
  isGroupKind,
  isSetKind,
  type SetKind,
  setKindsOf,
} from '../../model/kinds.ts';
import { type OwnSet, ownSetOf } from '../../model/own-set.ts';
import { type ArtworkSet, setOf } from '../../model/set.ts';
import { type HeldSet, heldByOwner, heldPublicly, type ListedFacts } from './held.ts';

/** A Set as a call names it; the kind is null where only its owner's read tells it. */
export interface NamedSet {
  readonly kind: string | null;
  readonly id: number;
}

interface SetReads {
  readonly catalogue: Pick<Catalogue, 'readSet'>;
  /** Null: no account is connected, or the connection may not read Sets. */
  readonly owned: Pick<Owned, 'readSet'> | null;
  readonly deadline: Deadline;
  /** Reads what shows of a Set's pictures what they are like. */
  listedFactsOf(set: ArtworkSet): Promise<ListedFacts>;
}

/**
 * A Set by whichever read shows most of it: its owner's, which has what is not published yet too, else the public one.
 * @throws ArtworkError `not_found`; `bad_response` for an own Set that neither read shows; why it can't be read
 */
export async function readHeldSet(reads: SetReads, named: NamedSet): Promise<HeldSet> {
  const own = await readOwn(reads, named);
  const held = typeof own === 'object' && own !== null ? heldByOwner(own) : null;
  if (held !== null) return held;
  const found = await readPublicly(reads, named.id, publicKindsOf(named, own));
  if (found === null) throw own === null ? noRead(named) : unclear(named);
  const facts = await reads.listedFactsOf(found);
  return heldPublicly(found, facts, own === null ? 'another’s' : 'unclear');
}

/**
 * The account's own record; null where it is another account's or of another kind. `unreadable`: there is one, of a
 * shape that tells nothing. The interface document shows its id and revision alone (Protected-side records).
 */
async function readOwn(
  { owned, deadline }: SetReads,
  { kind, id }: NamedSet,
): Promise<OwnSet | 'unreadable' | null> {
  if (owned === null) return null;
  try {
    const own = ownSetOf('set', id, await owned.readSet(id, deadline));
    if (kind === null || kind === own.kind || own.kind === null) return { ...own, kind: own.kind ?? kind };
    if (kind === own.admission) return own;
    // A record may tell no more than what kind of mutation made it.
    return own.kind === own.admission && admissionOf(kind) === own.admission ? { ...own, kind } : null;
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    switch (error.category) {
      case 'bad_response':
        return 'unreadable';
      case 'not_found':
      case 'forbidden':
      case 'scope_missing':
      case 'not_connected':
      case 'reconnect_required':
        return null;
      default:
        throw error;
    }
  }
}

/** What may be read to find a Set, the likeliest first: all Sets that an account can own are numbered together. */
function publicKindsOf({ kind }: NamedSet, own: OwnSet | 'unreadable' | null): readonly SetKind[] {
  const shown = own === null || own === 'unreadable' ? null : own;
  const [exact] = [kind, shown?.kind ?? null].flatMap((word) =>
    word !== null && isSetKind(word) ? [word] : [],
  );
  if (exact !== undefined) return [exact];
  const admission = shown?.admission ?? (kind === null ? null : admissionOf(kind));
  const likely = shown?.work == null ? [] : setKindsOf(shown.work.kind);
  const possible = allSetKinds.filter((one) =>
    admission === null ? !isGroupKind(one) : admissionOf(one) === admission,
  );
  return [...new Set([...likely, ...possible])];
}

async function readPublicly(
  { catalogue, deadline }: SetReads,
  id: number,
  kinds: readonly SetKind[],
): Promise<ArtworkSet | null> {
  for (const kind of kinds) {
    try {
      return setOf(kind, id, await catalogue.readSet(kind, id, deadline));
    } catch (error) {
      // One that was named is explained by its own error.
      if (kinds.length === 1 || !(error instanceof ArtworkError) || error.category !== 'not_found')
        throw error;
    }
  }
  return null;
}

function noRead({ kind, id }: NamedSet): ArtworkError {
  return new ArtworkError(
    'not_found',
    `The ${kind ?? 'Set'} ${id} is none of the connected account's, and has no public read under this kind.`,
  );
}

function unclear({ kind, id }: NamedSet): ArtworkError {
  return new ArtworkError(
    'bad_response',
    `The ${kind ?? 'Set'} ${id} is the connected account's, but its record does not show its pictures in a form that this program knows, and public reads do not have it: nothing can be told of it.`,
  );
}
