import { z } from 'zod';
import { canonicalJson, type Json } from '../../canonical-json.ts';
import {
  idAt,
  isRecord,
  type JsonRecord,
  boundRecord as keptRecord,
  publicationIn,
} from '../../catalogue/records/members.ts';
import {
  type DestinationQuery,
  revisionOf,
  serviceRevision,
  type UploadDestination,
} from '../../catalogue/records/owned.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { Guard } from '../before/guard.ts';
import { asJson, type Evidence, type Finding, nothingFound, type StoredReceipt } from '../finding.ts';
import type { LookupContext } from '../mutation.ts';
import type { OwnedReads } from '../ports.ts';
import { readNote } from '../run/note.ts';

/** One thing that was meant, beside what the record shows of it; undefined: it does not show it. */
export interface Compared {
  readonly field: string;
  readonly meant: Json;
  readonly shown: unknown;
}

/** Each field that is meant to have a value, beside the record's; one that is undefined is not meant to change. */
export function compareReadBack(
  record: JsonRecord,
  meant: Readonly<Record<string, Json | undefined>>,
): Compared[] {
  return Object.entries(meant).flatMap(([field, value]) =>
    value === undefined ? [] : [{ field, meant: value, shown: record[field] }],
  );
}

/**
 * What the record whose revision an edit rests on tells of it now. It never tells for certain: another mutation may have
 * meant the same.
 * @param compare what was meant, beside what the record shows of it
 */
export async function readBackEdit(
  { name, expected, read }: Guard,
  { owned, deadline }: Pick<LookupContext, 'owned' | 'deadline'>,
  compare: (record: JsonRecord) => readonly Compared[],
): Promise<Finding> {
  const record = (await read(owned, deadline)) ?? {};
  if (revisionOf(record) === expected) {
    const says = `The ${name} is as it was before: nothing has been changed so far, but the request may still arrive.`;
    return nothingFound('read_back', says, false);
  }
  const compared = compare(record);
  const shown = compared.filter((one) => one.shown !== undefined);
  const others = shown.filter((one) => !isSame(one.meant, one.shown)).map(({ field }) => field);
  if (others.length > 0) {
    const says = `The ${name} was changed since, and not to what was meant (${others.join(', ')}): another mutation changed it, after this one or instead of it.`;
    return nothingFound('read_back', says, true);
  }
  if (shown.length < compared.length) {
    const hidden = compared.filter((one) => one.shown === undefined).map(({ field }) => field);
    const says = `The ${name} was changed since, but does not show all that was meant (${hidden.join(', ')}).`;
    return nothingFound('read_back', says, true);
  }
  const says = `The ${name} has another revision than before and is as it was meant to be (${shown.map(({ field }) => field).join(', ')}).`;
  return foundByReadBack(record, says);
}

/** What a record that was just created shows of what was meant. */
export function readBackCreated(record: JsonRecord, compared: readonly Compared[]): Finding {
  const others = compared.filter(({ meant, shown }) => shown !== undefined && !isSame(meant, shown));
  if (others.length === 0)
    return foundByReadBack(record, 'What was created is as it was meant to be.', 'certain');
  const says = `What was created differs from what was meant: ${others.map(({ field }) => field).join(', ')}.`;
  return nothingFound('read_back', says, true);
}

/** The finding of a read-back in which the mutation's effect can be seen. */
export function foundByReadBack(
  record: JsonRecord | null,
  says: string,
  certainty: Evidence['certainty'] = 'likely',
): Finding {
  return { found: 'ended', outcome: 'succeeded', kept: keptOf(record, { by: 'read_back', certainty, says }) };
}

function keptOf(record: JsonRecord | null, evidence: Evidence): StoredReceipt {
  const updatedAt = record === null ? null : serviceRevision(revisionOf(record));
  return {
    receipt: record === null ? null : asJson(keptRecord(record)),
    updatedAt,
    publicationStatus: publicationIn(record ?? {}),
    evidence,
    warnings: [],
  };
}

/** Ids come as numbers and as text. */
function isSame(meant: Json, shown: unknown): boolean {
  if (typeof meant === 'number' || typeof shown === 'number') return String(meant) === String(shown);
  return canonicalJson(meant) === canonicalJson(asJson(shown));
}

/** A group's record with the ids of its members as `setIds`, whether it shows them whole or by their ids. */
export function withMemberIds(record: JsonRecord): JsonRecord {
  const { sets } = record;
  const ids = Array.isArray(sets) ? sets.map((set) => (isRecord(set) ? set.id : set)) : undefined;
  return { ...record, setIds: record.setIds ?? ids };
}

/** Ids come as numbers and as text. */
const memberId = z.union([z.int(), z.string().regex(/^\d{1,15}$/)]).transform(Number);

/** The ids of a group's members; null if its record does not show them all. */
export function memberIdsIn(record: JsonRecord): readonly number[] | null {
  return z.array(memberId).safeParse(withMemberIds(record).setIds).data ?? null;
}

/** How something that was just created can be found: there is no list of what one owns but this. */
export interface Wanted {
  readonly query: DestinationQuery;
  readonly title: string;
}

/** Those of this title that are there before anything is sent. A service that can't tell must not stop the creation. */
export async function listExisting(owned: OwnedReads, wanted: Wanted, deadline: Deadline): Promise<Json> {
  try {
    return { before: named(await owned.findUploadDestinations(wanted.query, deadline), wanted).map(idOf) };
  } catch (error) {
    if (error instanceof ArtworkError && error.category !== 'cancelled') return { before: null };
    throw error;
  }
}

/**
 * Only a record that shows this identity is this one. One that is new and has the title is a hint for a person, and
 * no outcome.
 */
export async function findCreated(
  { owned, progress, deadline }: LookupContext,
  wanted: Wanted,
  clientMutationId: string,
): Promise<Finding> {
  const listed = await owned.findUploadDestinations(wanted.query, deadline);
  const found = named(listed, wanted);
  const own = found.find((record) => record.clientMutationId === clientMutationId);
  if (own !== undefined) return foundByReadBack(own, 'It is there, with this identity.', 'certain');
  const { before = null } = readNote(progress);
  if (before === null) {
    const says = 'What was there before is not known, so what is there now tells nothing.';
    return nothingFound('read_back', says, true);
  }
  const [only, ...others] = found.filter((record) => !before.includes(idOf(record)));
  if (only === undefined) {
    const isAsBefore = canonicalJson(found.map(idOf).sort()) === canonicalJson([...before].sort());
    if (!isAsBefore || !isPlain(wanted.title) || !(await isWhole(listed, owned, wanted, deadline))) {
      const says =
        'Nothing of this title has appeared in the list, which proves nothing: the service lists a limited number, and may have changed the title.';
      return nothingFound('read_back', says, true);
    }
    const says = 'Nothing of this title has appeared so far, but the request may still arrive.';
    return nothingFound('read_back', says, false);
  }
  if (others.length > 0) {
    const says = `${others.length + 1} of this title have appeared since: which one is this can't be told.`;
    return nothingFound('read_back', says, true);
  }
  const says = `One of this title (id ${idOf(only)}) is there now that was not there before. It may be this one, or one that was made elsewhere at the same time: a title shows no identity.`;
  return { ...nothingFound('read_back', says, true), certainty: 'likely' };
}

function named(listed: readonly UploadDestination[], { title }: Wanted): UploadDestination[] {
  const wanted = titleKey(title);
  return listed.filter(
    (record) => titleKey(record.title) === wanted || titleKey(record.titleBase) === wanted,
  );
}

/** A title without what services change in it when they save it: spaces, case and composition. */
function titleKey(title: unknown): string | null {
  if (typeof title !== 'string') return null;
  return title.normalize('NFKC').replace(/\s+/gu, ' ').trim().toLowerCase();
}

/** Whether a service has no reason to save another title, so that a search for this one must find it. */
function isPlain(title: string): boolean {
  return (
    /^[\p{L}\p{M}\p{N}.,:!?'()-]+(?: [\p{L}\p{M}\p{N}.,:!?'()-]+)*$/u.test(title) &&
    title.normalize() === title
  );
}

/**
 * Whether a search showed every destination that it matches. The interface document limits the number and doesn't say
 * to how many. A list that is empty can't have met the limit, nor one that is shorter than another, if it holds what was
 * searched for alone: one that holds the likes of it may have a limit of its own.
 */
async function isWhole(
  listed: readonly UploadDestination[],
  owned: OwnedReads,
  wanted: Wanted,
  deadline: Deadline,
): Promise<boolean> {
  if (listed.length === 0) return true;
  if (named(listed, wanted).length < listed.length) return false;
  const { q: _, ...all } = wanted.query;
  return (await owned.findUploadDestinations(all, deadline)).length > listed.length;
}

/** One that shows none is told from no other. */
function idOf(record: UploadDestination): string {
  return idAt(record, 'id') ?? '';
}
