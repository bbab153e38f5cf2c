import type { Catalogue } from '../../catalogue/client.ts';
import type { Owned } from '../../catalogue/owned.ts';
import { type EntityKind, type EntityOf, isSetKind } from '../../catalogue/records/kinds.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { mapLimit } from '../../wire/pacing.ts';
import { listedAssetsOf } from '../own-artwork.ts';
import { type Audit, auditFindingOf, type SetAudit } from './audit.ts';
import { findingsOfSet } from './findings.ts';
import { factsOfAsset, type HeldSet, heldByOwner, heldPublicly, type PictureFacts } from './held.ts';
import { factsOfSet, type Member, readReference, type SetFacts } from './set-facts.ts';

interface AuditReads {
  readonly catalogue: Pick<Catalogue, 'readEntity' | 'readSet'>;
  /** Null: no account is connected, or the connection may not read Sets. */
  readonly owned: Pick<Owned, 'readSet'> | null;
  /** The digests of Assets, by their ids in lower case, as far as they are surely known. */
  readonly bytes: ReadonlyMap<string, string>;
  readonly deadline: Deadline;
  /** Milliseconds since 1970. */
  now(): number;
  /** Whether the call has time for what only tells more. */
  hasTime(): boolean;
}

/** A Set as a call names it; the kind is null where only its owner's read tells it. */
export interface NamedSet {
  readonly kind: string | null;
  readonly id: number;
}

/** Reads at a time: the interface document names no limit, so few. */
const readsAtOnce = 4;
/** Targets that are asked for by themselves, to tell what has gone from what has moved. */
const mostGone = 20;
/** Episodes that are read for the size and language of their cards, where one Set alone is audited. */
const mostDetails = 120;

/**
 * Audits Sets, each against the catalogue as it is now. Works are read once, however many Sets are for them.
 * @param details also read what only the record of each episode shows
 */
export function createAuditor(reads: AuditReads, details: boolean) {
  const catalogue = readingOnce(reads.catalogue);
  const references = new Map<string, Promise<readonly Member[] | null>>();
  const today = new Date(reads.now()).toISOString().slice(0, 10);
  const referenceOf = ({ kind, id }: { readonly kind: EntityKind; readonly id: number }) => {
    const key = `${kind} ${id}`;
    const reading = references.get(key) ?? readReference(catalogue, { kind, id }, today, reads.deadline);
    references.set(key, reading);
    return reading;
  };

  const audit = async (named: NamedSet): Promise<SetAudit> => {
    const own = await readOwn(reads, named);
    const held = own ?? (await readPublicly(named));
    const { set, work } = held;
    const brands = work === null ? await membersOf(held) : null;
    const members = brands ?? (work === null ? [] : await referenceOf(work));
    if (members === null) return withoutWork(held);
    const gone = await goneOf(held, members);
    const judged = findingsOfSet({ held, members, gone, bytes: reads.bytes });
    return { set, work, ...judged, next: null };
  };

  const readPublicly = async ({ kind, id }: NamedSet): Promise<HeldSet> => {
    if (kind === null || !isSetKind(kind)) throw noRead(kind, id);
    const facts = factsOfSet(kind, id, await reads.catalogue.readSet(kind, id, reads.deadline));
    // What its pictures are like stands in the lists of what they are of, which are read first.
    if (facts.work === null) await membersOf(facts);
    else await referenceOf(facts.work);
    if (details) {
      const episodes = facts.pictures.filter(
        ({ target }) => target.kind === 'episode' || target.kind === 'movie',
      );
      await mapLimit(episodes.slice(0, mostDetails), readsAtOnce, async ({ target }) => {
        if (!reads.hasTime()) return;
        await unlessUnreadable(() => catalogue.readEntity(target.kind, target.id, reads.deadline));
      });
    }
    return heldPublicly(facts, catalogue.listed, catalogue.isRead);
  };

  /** Of a Set for several: what its own pictures are of. */
  const membersOf = async ({ pictures }: Pick<SetFacts, 'pictures'> | HeldSet): Promise<Member[]> => {
    const targets = [
      ...new Map(pictures.map(({ target }) => [`${target.kind} ${target.id}`, target])).values(),
    ];
    const found = await mapLimit(targets.slice(0, mostDetails), readsAtOnce, async ({ kind, id }) =>
      unlessUnreadable(() => referenceOf({ kind, id })),
    );
    return found.flatMap((members) => members ?? []);
  };

  const goneOf = async ({ pictures }: HeldSet, members: readonly Member[]) => {
    const there = new Set(members.map(({ kind, id }) => `${kind} ${id}`));
    const strays = [...new Map(pictures.map(({ target }) => [`${target.kind} ${target.id}`, target]))].filter(
      ([key]) => !there.has(key),
    );
    const gone = new Map<string, 'gone' | 'elsewhere'>();
    await mapLimit(strays, readsAtOnce, async ([key, { kind, id }], at) => {
      gone.set(key, at >= mostGone || (await isGone(kind, id)) ? 'gone' : 'elsewhere');
    });
    return gone;
  };

  const isGone = async (kind: EntityKind, id: number): Promise<boolean> => {
    try {
      await catalogue.readEntity(kind, id, reads.deadline);
      return false;
    } catch (error) {
      if (error instanceof ArtworkError && error.category === 'not_found') return true;
      throw error;
    }
  };

  return {
    /** @throws ArtworkError why the Set, or what it is for, can't be read */
    audit,
    /** The same, where the failure of one Set must not be that of all. @throws ArtworkError where no other would do better */
    async tryAudit(named: NamedSet): Promise<Audit> {
      try {
        return await audit(named);
      } catch (error) {
        if (!(error instanceof ArtworkError) || endsAll.has(error.category)) throw error;
        const { code, message } = error;
        return { set: { kind: named.kind ?? 'set', id: named.id }, error: { code, message } };
      }
    },
  };
}

const endsAll: ReadonlySet<string> = new Set([
  'cancelled',
  'network',
  'rate_limited',
  'not_connected',
  'reconnect_required',
  'internal',
]);

/** Null: it is another account's or of another kind, or it does not show what it holds. */
async function readOwn({ owned, deadline }: AuditReads, { kind, id }: NamedSet): Promise<HeldSet | null> {
  if (owned === null) return null;
  try {
    const held = heldByOwner(id, await owned.readSet(id, deadline));
    if (held === null || kind === null || kind === 'media_set' || kind === held.set.kind) return held;
    return held.set.kind === 'media_set' ? { ...held, set: { ...held.set, kind } } : null;
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    switch (error.category) {
      case 'not_found':
      case 'forbidden':
      case 'scope_missing':
      case 'not_connected':
      case 'reconnect_required':
      case 'bad_response':
        return null;
      default:
        throw error;
    }
  }
}

/** Everything of it is of something that there is no more. */
function withoutWork({ set, work, pictures }: HeldSet): SetAudit {
  const name = work === null ? 'what it is for' : `the ${work.kind} ${work.id}`;
  const words = `The catalogue does not have ${name} any more: all ${pictures.length} pictures are of something that is gone.`;
  const ghost = auditFindingOf('ghost', { count: pictures.length, places: [], words });
  return { set, work, slots: [], without: [], findings: [ghost], unchecked: [], next: null };
}

/** Every entity is read once; what its lists tell of Assets is kept by their paths. */
function readingOnce(catalogue: Pick<Catalogue, 'readEntity'>) {
  const records: { [Kind in EntityKind]?: Map<number | string, Promise<EntityOf<Kind>>> } = {};
  const listed = new Map<string, PictureFacts>();
  const learn = (assets: unknown): void => {
    for (const facts of listedAssetsOf(assets).map(factsOfAsset)) {
      if (facts.path !== null) listed.set(facts.path, facts);
    }
  };
  const readEntity: Catalogue['readEntity'] = async (kind, id, deadline) => {
    const known = records[kind]?.get(id);
    const reading = known ?? catalogue.readEntity(kind, id, deadline);
    records[kind] ??= new Map();
    records[kind].set(id, reading);
    const record = await reading;
    if (known === undefined) learn(record.assets);
    return record;
  };
  const isRead = ({ kind, id }: { readonly kind: EntityKind; readonly id: number }) =>
    records[kind]?.has(id) === true;
  return { readEntity, listed, isRead };
}

async function unlessUnreadable<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ArtworkError && !endsAll.has(error.category)) return null;
    throw error;
  }
}

function noRead(kind: string | null, id: number): ArtworkError {
  const what = kind === null ? 'Set' : kind;
  return new ArtworkError(
    'not_found',
    `The ${what} ${id} is none of the connected account's, and has no public read under this kind.`,
  );
}

export interface AuditPage {
  readonly audits: readonly Audit[];
  /** Where the next page begins. */
  readonly end: number;
}

interface Auditing {
  readonly offset: number;
  readonly limit: number;
  audit(named: NamedSet): Promise<Audit>;
  /** Characters of JSON that an audit takes in the answer. */
  sizeOf(audit: Audit): number;
  /** Whether one more Set may be begun. */
  hasTime(): boolean;
  progress(done: number): Promise<void>;
}

/** Sets at a time; each reads a few things at a time itself. */
const setsAtOnce = 3;
/** Characters of JSON. */
const pageBudget = 14_000;

/** As many Sets as the page, its characters and the call's time allow; one in any case, so that paging moves on. */
export async function auditPage(sets: readonly NamedSet[], auditing: Auditing): Promise<AuditPage> {
  const { offset, limit } = auditing;
  const last = Math.min(sets.length, offset + limit);
  const audits: Audit[] = [];
  let room = pageBudget;
  for (let at = offset; at < last; at += setsAtOnce) {
    if (audits.length > 0 && !auditing.hasTime()) return { audits, end: at };
    const found = await mapLimit(sets.slice(at, Math.min(at + setsAtOnce, last)), setsAtOnce, auditing.audit);
    for (const [index, audit] of found.entries()) {
      room -= auditing.sizeOf(audit);
      if (room < 0 && audits.length > 0) return { audits, end: at + index };
      audits.push(audit);
    }
    await auditing.progress(offset + audits.length);
  }
  return { audits, end: last };
}
