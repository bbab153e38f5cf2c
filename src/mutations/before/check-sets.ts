import { quoted } from '../../text.ts';
import { missingScopes } from '../../catalogue/authorization.ts';
import { idAt, type JsonRecord, textAt } from '../../catalogue/records/members.ts';
import { ownedGroup, ownedSet } from '../../catalogue/records/owned.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import { shortLine } from '../../model/target.ts';
import { mapLimit } from '../../wire/pacing.ts';
import type { Objection } from './objection.ts';
import { type CheckContext, readShownSet } from './shown-records.ts';
import { findTargets, objectionsToAbsent } from './targets.ts';

/** A group that a new Set goes into is there, the account's own, and one of such Sets. What else it may go into the service judges. */
export async function checkDestination(
  { destination, entryTargetKind }: { readonly destination: JsonRecord; readonly entryTargetKind: string },
  { owned, scopes, deadline }: CheckContext,
): Promise<readonly Objection[]> {
  const kind = textAt(destination, 'kind');
  const id = idAt(destination, 'id');
  if (id === null || (kind !== 'boxset' && kind !== 'loadout')) return [];
  if (missingScopes(ownedGroup.needed, scopes).length > 0) return [];
  const path = ['destination'];
  const group = await readOwn(owned.readGroup(id, deadline), path, {
    absent: `names a group that is not there: ${id}`,
    foreign: `names the group ${id}, which is not this account's own`,
  });
  if ('objection' in group) return [group.objection];
  const found = textAt(group.record, 'kind');
  const wanted = entryTargetKind === 'game' ? 'loadout' : 'boxset';
  if ((found !== 'boxset' && found !== 'loadout') || found === wanted) return [];
  const message = `is the ${found} ${id}, and a Set of a ${entryTargetKind} goes into a ${wanted}`;
  return [{ category: 'invalid_arguments', message, path }];
}

/** A record of the account's own; where there is none of the id, or it is another's, what stands against it. */
async function readOwn(
  reading: Promise<JsonRecord>,
  path: readonly string[],
  words: { readonly absent: string; readonly foreign: string },
): Promise<{ readonly record: JsonRecord } | { readonly objection: Objection }> {
  try {
    return { record: await reading };
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    const { category } = error;
    if (category === 'not_found') return { objection: { category, message: words.absent, path } };
    if (category === 'forbidden') return { objection: { category, message: words.foreign, path } };
    throw error;
  }
}

interface NewGroupingSet {
  readonly setKind: 'talent_set' | 'brand_set' | 'category_set';
  readonly entryTargetKind?: string | undefined;
  readonly entryTargetId?: number | undefined;
  readonly networkIds?: readonly number[] | undefined;
  readonly companyIds?: readonly number[] | undefined;
  readonly extra?: object | undefined;
}

/** What the Set is for is there, and of the kind that such Sets are for. */
export async function checkGroupingSet(
  set: NewGroupingSet,
  seen: CheckContext,
): Promise<readonly Objection[]> {
  const lacking = whatItIsFor(set);
  // Who knows the service better may say there what the Set is for.
  if (lacking !== null && set.extra === undefined) return [lacking];
  const named = [
    ...(set.networkIds ?? []).map((id, index) => ({
      kind: 'network',
      id,
      path: ['networkIds', String(index)],
    })),
    ...(set.companyIds ?? []).map((id, index) => ({
      kind: 'company',
      id,
      path: ['companyIds', String(index)],
    })),
    ...(set.entryTargetKind === undefined || set.entryTargetId === undefined
      ? []
      : [{ kind: set.entryTargetKind, id: set.entryTargetId, path: ['entryTargetId'] }]),
  ];
  const found = await findTargets(seen.catalogue, named, seen.deadline);
  return objectionsToAbsent(named, found);
}

function whatItIsFor({
  setKind,
  entryTargetKind,
  networkIds = [],
  companyIds = [],
}: NewGroupingSet): Objection | null {
  const category = 'invalid_arguments';
  switch (setKind) {
    case 'brand_set':
      if (networkIds.length + companyIds.length > 0) return null;
      return {
        category,
        message: 'is empty, and so is companyIds: a brand_set is of networks and companies',
        path: ['networkIds'],
      };
    case 'talent_set':
    case 'category_set': {
      const kind = setKind === 'talent_set' ? 'person' : 'category';
      if (entryTargetKind === kind) return null;
      const given = entryTargetKind === undefined ? 'is missing' : `is ${entryTargetKind}`;
      const message = `${given}: a ${setKind} is for a ${kind}, whose id is the entryTargetId`;
      return { category, message, path: ['entryTargetKind'] };
    }
  }
}

/** Sets of a group that are looked at; the service judges the others. */
const mostMembers = 100;
/** Reads at a time: the interface document names no limit, so few. */
const readsAtOnce = 4;

/**
 * "Boxsets for media, Loadouts for games", and a Loadout shows Game Sets alone (interface document, Resources): the Sets
 * that are certainly not for it.
 */
const foreignSetKinds: Readonly<Record<string, readonly string[]>> = {
  boxset: ['game_set'],
  loadout: ['movie_set', 'show_set', 'collection_set', 'brand_set', 'talent_set', 'category_set'],
};
/** No record of such a Set shows a group that it is in, and the document does not say that there can be none. */
const seenInNone = ['brand_set', 'talent_set', 'category_set'];
const holdsWords: Readonly<Record<string, string>> = {
  boxset: 'a Boxset holds movie, show and collection Sets, and game Sets go into a Loadout',
  loadout: 'a Loadout holds game Sets, and movie, show and collection Sets go into a Boxset',
};

/** The Sets of a group are the account's own, each once, of the group's kind; one that is in another group is pointed out. */
export async function checkMembers(
  group: {
    readonly kind: string | null;
    readonly id: number | string | null;
    readonly setIds: readonly number[];
  },
  seen: CheckContext,
): Promise<readonly Objection[]> {
  const twice = group.setIds.flatMap((id, index): Objection[] => {
    if (group.setIds.indexOf(id) === index) return [];
    return [
      { category: 'invalid_arguments', message: `names the Set ${id} twice`, path: pathOfMember(index) },
    ];
  });
  if (twice.length > 0 || missingScopes(ownedSet.needed, seen.scopes).length > 0) return twice;
  const looked = await mapLimit(group.setIds.slice(0, mostMembers), readsAtOnce, (id, index) =>
    checkMember(id, index, group, seen),
  );
  return looked.flat();
}

async function checkMember(
  setId: number,
  index: number,
  { kind, id }: { readonly kind: string | null; readonly id: number | string | null },
  { owned, records, deadline }: CheckContext,
): Promise<readonly Objection[]> {
  const path = pathOfMember(index);
  const own = await readOwn(owned.readSet(setId, deadline), path, {
    absent: `names no Set: there is no ${setId}`,
    foreign: `names the Set ${setId}, which is not this account's own`,
  });
  if ('objection' in own) return [{ ...own.objection, next: nextListOwnSets(kind) }];
  records.set(`Set ${setId}`, own.record);
  const set = readShownSet(own.record);
  if (set.kind !== undefined && foreignSetKinds[kind ?? '']?.includes(set.kind) === true) {
    const message = `names the Set ${setId}, a ${set.kind}: ${holdsWords[kind ?? ''] ?? ''}`;
    return [{ category: 'invalid_arguments', message, path }];
  }
  if (set.kind !== undefined && seenInNone.includes(set.kind)) {
    const message = `names the Set ${setId}, a ${set.kind}: no such Set is shown to be in a group`;
    return [{ category: 'invalid_arguments', message, path, doubtful: true }];
  }
  if (set.group && String(set.group.id) !== String(id)) {
    const title = shortLine(set.group.title);
    const name = `group ${set.group.id}${title === '' ? '' : ` (${quoted(title)})`}`;
    const message = `names the Set ${setId}, which is in the ${name} already`;
    return [{ category: 'conflict', message, path, doubtful: true }];
  }
  return [];
}

function nextListOwnSets(groupKind: string | null): Next {
  return {
    tool: 'find_upload_destinations',
    arguments: { kind: 'media_set', ...(groupKind === 'loadout' ? { family: 'game' } : {}) },
    why: 'A group holds Sets of its own account alone: this lists those of the connected one, with their ids.',
  };
}

function pathOfMember(index: number): readonly string[] {
  return ['setIds', String(index)];
}
