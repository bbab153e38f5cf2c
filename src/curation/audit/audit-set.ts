import type { Catalogue } from '../../catalogue/client.ts';
import type { Owned } from '../../catalogue/owned.ts';
import type { Entity, EntityKind, EntityOf } from '../../catalogue/records/kinds.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { assetsOf, type ListedAsset } from '../../model/asset.ts';
import { type ArtworkSet, picturesOf } from '../../model/set.ts';
import { isSameTarget, keyOfTarget, labelOf, type WorkTarget } from '../../model/target.ts';
import { aheadIn } from '../../model/work.ts';
import { mapLimit } from '../../wire/pacing.ts';
import { type NamedTarget, readWork } from '../read-work.ts';
import type { Audit, AuditFinding, SetAudit } from './audit.ts';
import { findingsOfSet } from './findings.ts';
import { entitiesOf, type HeldSet, type ListedFacts } from './held.ts';
import type { Reference } from './missing.ts';
import { type NamedSet, readHeldSet } from './read-set.ts';

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

/** Reads at a time: the interface document names no limit, so few. */
const readsAtOnce = 4;
/** Targets that are asked for by themselves, to tell what has gone from what has moved. */
const mostGone = 20;
/** Targets that are read one by one: episodes for the size and language of their cards, the members of a Set for several. */
const mostDetails = 120;

/**
 * Audits Sets, each against the catalogue as it is now. Works are read once, however many Sets are for them.
 * @param details also read what only the record of each episode shows
 */
export function createAuditor(reads: AuditReads, details: boolean) {
  const { deadline } = reads;
  const catalogue = readingOnce(reads.catalogue);
  const references = new Map<string, Promise<Reference | null>>();
  const today = new Date(reads.now()).toISOString().slice(0, 10);

  const isGone = async ({ kind, id }: NamedTarget): Promise<boolean> => {
    try {
      await catalogue.readEntity(kind, id, deadline);
      return false;
    } catch (error) {
      if (error instanceof ArtworkError && error.category === 'not_found') return true;
      throw error;
    }
  };

  /** Null: the catalogue does not have it any more. */
  const readReference = async (named: NamedTarget): Promise<Reference | null> => {
    try {
      const { work, targets } = await readWork(catalogue, named, deadline);
      return { targets, ahead: aheadIn(work, today) };
    } catch (error) {
      // A season may be gone whose show is there.
      if (await isGone(named)) return null;
      throw error;
    }
  };

  const referenceOf = (named: NamedTarget): Promise<Reference | null> => {
    const key = keyOfTarget(named);
    const reading = references.get(key) ?? readReference(named);
    references.set(key, reading);
    return reading;
  };

  const referenceOfSet = async (
    work: WorkTarget | null,
    targets: readonly NamedTarget[],
  ): Promise<Reference | null> => {
    const [of] = work === null ? [] : entitiesOf([work]);
    if (of !== undefined) return referenceOf(of);
    // Of a Set for several: all that it lists.
    const found = await mapLimit(targets.slice(0, mostDetails), readsAtOnce, (target) =>
      unlessUnreadable(() => referenceOf(target)),
    );
    const all = found.filter((one) => one !== null);
    return {
      targets: all.flatMap((one) => one.targets),
      ahead: new Set(all.flatMap(({ ahead }) => [...ahead])),
    };
  };

  /** What a Set's pictures are like stands in the lists of what they are of. */
  const listedFactsOf = async (set: ArtworkSet): Promise<ListedFacts> => {
    await referenceOfSet(set.work, entitiesOf(set.places.map(({ target }) => target)));
    if (details) {
      const held = entitiesOf(picturesOf(set).map(({ target }) => target));
      const parts = held.filter(({ kind }) => kind === 'episode' || kind === 'movie');
      await mapLimit(parts.slice(0, mostDetails), readsAtOnce, async ({ kind, id }) => {
        if (!reads.hasTime()) return;
        await unlessUnreadable(() => catalogue.readEntity(kind, id, deadline));
      });
    }
    return catalogue;
  };

  const goneOf = async ({ pictures }: HeldSet, { targets }: Reference) => {
    const there = new Set(targets.map(keyOfTarget));
    const strays = entitiesOf(pictures.map(({ target }) => target)).filter(
      (target) => !there.has(keyOfTarget(target)),
    );
    const gone = new Map<string, 'gone' | 'elsewhere'>();
    await mapLimit(strays, readsAtOnce, async (target, at) => {
      gone.set(keyOfTarget(target), at >= mostGone || (await isGone(target)) ? 'gone' : 'elsewhere');
    });
    return gone;
  };

  const audit = async (named: NamedSet): Promise<SetAudit> => {
    const held = await readHeldSet({ ...reads, listedFactsOf }, named);
    const { set, targets } = held;
    const reference = await referenceOfSet(held.work, targets);
    if (reference === null) return withoutWork(held);
    const gone = await goneOf(held, reference);
    const work = workIn(held, reference);
    return { set, work, ...findingsOfSet({ held, reference, gone, bytes: reads.bytes }), next: null };
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

/** As the catalogue names it now, else as the Set does. */
function workIn({ work }: Pick<HeldSet, 'work'>, reference?: Reference): SetAudit['work'] {
  if (work === null) return null;
  const shown = reference?.targets.find((target) => isSameTarget(target, work));
  return { kind: work.kind, id: work.id, title: labelOf(shown ?? work) };
}

/** Everything of it is of something that there is no more. */
function withoutWork(held: HeldSet): SetAudit {
  const { set, work, pictures } = held;
  const name = work === null ? 'what it is for' : `the ${keyOfTarget(work)}`;
  const words = `The catalogue does not have ${name} any more: all ${pictures.length} pictures are of something that is gone.`;
  const ghost: AuditFinding = { code: 'ghost', slot: null, words };
  return { set, work: workIn(held), slots: [], without: [], findings: [ghost], unchecked: [], next: null };
}

/** Every entity is read once; what its lists tell of Assets is kept by their paths. */
function readingOnce(catalogue: Pick<Catalogue, 'readEntity'>) {
  const records: { [Kind in EntityKind]?: Map<number | string, Promise<EntityOf<Kind>>> } = {};
  const assets = new Map<string, ListedAsset>();
  const learn = (record: Entity): void => {
    for (const asset of assetsOf(record)) if (asset.path !== null) assets.set(asset.path, asset);
  };
  const readEntity: Catalogue['readEntity'] = async (kind, id, deadline) => {
    const known = records[kind]?.get(id);
    const reading = known ?? catalogue.readEntity(kind, id, deadline);
    records[kind] ??= new Map();
    records[kind].set(id, reading);
    const record = await reading;
    if (known === undefined) learn(record);
    return record;
  };
  const isRead = ({ kind, id }: NamedTarget) => records[kind]?.has(id) === true;
  return { readEntity, assets, isRead };
}

async function unlessUnreadable<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ArtworkError && !endsAll.has(error.category)) return null;
    throw error;
  }
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
