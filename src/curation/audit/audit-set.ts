import type { Catalogue } from '../../catalogue/client.ts';
import type { Owned } from '../../catalogue/owned.ts';
import type { Entity } from '../../catalogue/records/kinds.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import { mapLimit } from '../../map-limit.ts';
import { assetsOf, type ListedAsset, listedAssetOf } from '../../model/asset.ts';
import {
  admissionOf,
  allSetKinds,
  isGroupKind,
  isKind,
  isSetKind,
  type SetKind,
  setKindsOf,
} from '../../model/kinds.ts';
import { type OwnSet, ownSetOf } from '../../model/own-set.ts';
import { type ArtworkSet, picturesOf, setOf } from '../../model/set.ts';
import {
  isSameTarget,
  keyOfTarget,
  labelOf,
  shortLine,
  type TargetReference,
  type WorkTarget,
} from '../../model/target.ts';
import { aheadIn } from '../../model/work.ts';
import { type NamedTarget, type ReadWork, readWork, unreadWords } from '../read-work.ts';
import { type HeldPicture, type Judgement, judge } from './findings.ts';
import type { NamedSet } from './which-sets.ts';

export interface SetAudit extends Judgement {
  readonly set: {
    /** As public reads have it, or `talent_set` and `category_set`. */
    readonly kind: string;
    readonly id: number;
    /** Other people's writing, cleaned and short. */
    readonly title: string;
    /** The creator's name; null: nothing shows it. */
    readonly by: string | null;
    readonly own: boolean;
    readonly changedAt: string | null;
  };
  /** What it is for; null: it does not say, as Brand Sets don't. */
  readonly work: { readonly kind: string; readonly id: number; readonly title: string } | null;
  /** What mends it; null: there is nothing to mend, or not for this account. */
  readonly next: Next | null;
}

export interface AuditReads {
  readonly catalogue: Pick<Catalogue, 'readEntity' | 'readSet'>;
  /** Null: no account is connected. */
  readonly owned: Pick<Owned, 'readSet'> | null;
  readonly deadline: Deadline;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Reads at a time: the interface document names no limit, so few. */
const few = 4;
/** Members of a Set for several that are read. */
const mostMembers = 60;

/**
 * Audits Sets, each against the catalogue as it is now. Works are read once, however many Sets are for them.
 * @returns audits one. @throws ArtworkError why the Set, or what it is for, can't be read
 */
export function createAuditor(reads: AuditReads): (named: NamedSet) => Promise<SetAudit> {
  /** What the lists of the entities that were read tell of Assets, by their paths. */
  const assets = new Map<string, ListedAsset>();
  const catalogue: Pick<Catalogue, 'readEntity'> = {
    async readEntity(kind, id, call) {
      const record = await reads.catalogue.readEntity(kind, id, call);
      const entity: Entity = record;
      for (const asset of assetsOf(entity)) if (asset.path !== null) assets.set(asset.path, asset);
      return record;
    },
  };
  const works = new Map<string, Promise<ReadWork>>();
  const workOf = (named: NamedTarget): Promise<ReadWork> => {
    const key = keyOfTarget(named);
    const reading = works.get(key) ?? readWork(catalogue, named, reads.deadline);
    works.set(key, reading);
    return reading;
  };

  return async (named) => {
    const held = await readHeld(reads, named);
    const { set, work, language } = held;
    const of = work === null ? held.targets.slice(0, mostMembers) : [work];
    const found = await mapLimit(entitiesOf(of), few, workOf);
    const targets = found.flatMap((one) => one.targets);
    const today = new Date(reads.now()).toISOString().slice(0, 10);
    const judgement = judge({
      pictures: held.pictures.map((picture) => ({ ...picture, ...assets.get(picture.path ?? '') })),
      ...{ language, targets, changedAt: set.changedAt },
      ahead: new Set(found.flatMap((one) => [...aheadIn(one.work, today)])),
    });
    const shown = work === null ? null : (targets.find((target) => isSameTarget(target, work)) ?? work);
    const audit = {
      ...{ ...judgement, set },
      work: shown === null ? null : { kind: shown.kind, id: shown.id, title: labelOf(shown) },
      unchecked: [
        ...held.unchecked,
        ...found.flatMap((one) => unreadWords(one) ?? []),
        ...judgement.unchecked,
      ],
    };
    return { ...audit, next: mendOf(audit) };
  };
}

/** A Set by whichever read shows most of it. */
interface Held {
  readonly set: SetAudit['set'];
  readonly work: WorkTarget | null;
  /** What it lists, with a picture or without. */
  readonly targets: readonly TargetReference[];
  readonly language: string | null;
  readonly pictures: readonly HeldPicture[];
  readonly unchecked: readonly string[];
}

/**
 * Its owner's read has what is not published yet too; else the public one.
 * @throws ArtworkError `not_found`, also of an own Set of which neither read shows all; why it can't be read
 */
async function readHeld({ catalogue, owned, deadline }: AuditReads, named: NamedSet): Promise<Held> {
  const own = owned === null ? null : await readOwn(owned, named, deadline);
  // Only a record that tells what everything in it is of can tell what is missing.
  if (own?.isComplete === true) return heldByOwner(own);
  const kinds = publicKindsOf(named, own);
  for (const kind of kinds) {
    try {
      const set = setOf(kind, named.id, await catalogue.readSet(kind, named.id, deadline));
      return heldPublicly(set, own !== null);
    } catch (error) {
      // One that was named is explained by its own error.
      const isOther = error instanceof ArtworkError && error.failure === 'not_found' && kinds.length > 1;
      if (!isOther) throw error;
    }
  }
  const name = `${named.kinds[0] ?? 'Set'} ${named.id}`;
  throw new ArtworkError('not_found', `The service has no ${name} whose pictures can be read here.`);
}

/** Null: another account's, of another kind, or not to be read by this one. */
async function readOwn(
  owned: Pick<Owned, 'readSet'>,
  { kinds, id }: NamedSet,
  deadline: Deadline,
): Promise<OwnSet | null> {
  try {
    const own = ownSetOf('set', id, await owned.readSet(id, deadline));
    const [kind = null] = kinds;
    // Its owner's record may have the word of an admission, which covers several kinds.
    const isSame = kind === null || own.kind === null || own.admission === admissionOf(kind);
    if (!isSame && !kinds.includes(own.kind ?? '')) return null;
    return { ...own, kind: isSetKind(own.kind ?? '') ? own.kind : (kind ?? own.kind) };
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    const isOfAll = error.failure !== 'bad_response' && (error.passes || error.concerns === 'call');
    if (isOfAll) throw error;
    return null;
  }
}

/** What may be read to find a Set, the likeliest first: all Sets that an account can own are numbered together. */
function publicKindsOf({ kinds }: NamedSet, own: OwnSet | null): SetKind[] {
  const exact = [own?.kind ?? '', ...kinds].filter(isSetKind);
  const likely = own?.work == null ? [] : setKindsOf(own.work.kind);
  const all = [...likely, ...allSetKinds.filter((kind) => !isGroupKind(kind))];
  return [...new Set(exact.length > 0 ? exact : all)];
}

function heldPublicly(set: ArtworkSet, own: boolean): Held {
  const { work, language, places } = set;
  const pictures = picturesOf(set).map((one) => ({ ...listedAssetOf(one.path), ...one }));
  const unpublished = 'Pictures that are not published yet: the account’s own record does not show them.';
  return {
    set: namesOf(set, own, set.updated),
    ...{ work, language, pictures: pictures.flatMap(ofEntity) },
    targets: places.map(({ target }) => target),
    unchecked: own ? [unpublished] : [],
  };
}

function heldByOwner(set: OwnSet): Held {
  const { revision, work, language } = set;
  const pictures = set.pictures.flatMap(ofEntity);
  // A service may have revisions of another form than times.
  const changedAt = /^\d{4}-\d\d-\d\dT/.test(revision) ? revision : null;
  const targets = pictures.map(({ target }) => target);
  return { set: namesOf(set, true, changedAt), ...{ work, language, pictures, targets, unchecked: [] } };
}

function namesOf(set: ArtworkSet | OwnSet, own: boolean, changedAt: string | null): SetAudit['set'] {
  const { kind, id, title, createdBy } = set;
  return {
    ...{ kind: kind ?? 'set', id, title: shortLine(title), own, changedAt },
    by: shortLine(createdBy) || null,
  };
}

/** Those of an entity: a group's own poster is of none. */
function ofEntity<Picture extends { readonly target: TargetReference | null }>(picture: Picture) {
  const [target] = picture.target === null ? [] : entitiesOf([picture.target]);
  return target === undefined ? [] : [{ ...picture, target }];
}

/** The entities among these, each once. */
function entitiesOf(targets: readonly TargetReference[]): NamedTarget[] {
  const entities = targets.flatMap(({ kind, id }) =>
    isKind(kind) && typeof id === 'number' ? [{ kind, id }] : [],
  );
  return [...new Map(entities.map((entity) => [keyOfTarget(entity), entity])).values()];
}

/** The plan that mends what was found in an own Set. In which folder the pictures lie, only a person knows. */
function mendOf({ set, work, findings }: Pick<SetAudit, 'set' | 'work' | 'findings'>): Next | null {
  if (!set.own || work === null || findings.length === 0) return null;
  const [slot, ...others] = new Set(findings.map((finding) => finding.slot));
  const entry = { entryTargetKind: work.kind, entryTargetId: work.id, setId: set.id };
  const call = JSON.stringify(slot == null || others.length > 0 ? entry : { ...entry, slot });
  return {
    why: `Ask the person which folder has the new pictures. Then call plan_set with that folder and ${call}.`,
  };
}
