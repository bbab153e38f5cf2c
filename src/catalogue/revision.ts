import { boundedId } from './bounded.ts';
import { canonicalAnswer, canonicalDigest } from '../canonical-json.ts';

/** What a record is compared by, byte for byte and never as a date. */
export type Revision = string & { readonly __brand: 'Revision' };

/** A revision that the service gave, and that may be sent back to it as `expectedUpdatedAt`. */
export type ServiceRevision = Revision & { readonly __origin: 'service' };

const ownDigest = /^sha256:[0-9a-f]{64}$/;

/**
 * A protected record's `updatedAt`, verbatim (interface document, Protected-side records). A record that shows
 * none, or one that is too long to be one, is given one by us: `sha256:` and the digest of the record, which
 * changes with anything in it.
 */
export function revisionOf(record: Readonly<Record<string, unknown>>): Revision {
  const { updatedAt } = record;
  const shown = typeof updatedAt === 'string' ? boundedId(updatedAt) : null;
  const revision = shown ?? `sha256:${canonicalDigest(canonicalAnswer(record))}`;
  return revision as Revision;
}

/** The revision as it may be sent; null for one that only we know. */
export function serviceRevision(revision: string): ServiceRevision | null {
  return revision === '' || ownDigest.test(revision) ? null : (revision as ServiceRevision);
}
