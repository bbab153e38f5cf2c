import { type Deadline, noLaterThan } from '../../deadline.ts';
import { ArtworkError, type Issue } from '../../errors.ts';
import type { Entity, EntityKind } from '../../catalogue/records/kinds.ts';
import { isKind, mediaSetTargets } from '../../model/kinds.ts';
import { keyOfTarget } from '../../model/target.ts';
import { partOf, seasonOf } from '../../model/work.ts';
import { withArticle } from '../../text.ts';
import { mapLimit } from '../../map-limit.ts';
import { wordsWithId } from '../names.ts';
import type { PublicReads } from '../ports.ts';
import type { Objection } from './objection.ts';

/** What an item's picture is to be of, as the arguments name it. */
export interface RequestedPlace {
  readonly targetKind: string;
  readonly targetId: number;
  /** Where the item stands in the arguments. */
  readonly at: readonly string[];
}

/** An entity, as arguments or records name what a picture or a Set is for. */
export interface EntityTarget {
  readonly kind: string;
  readonly id: number;
}

/** What a target belongs to, as far as its record says. */
interface Found {
  readonly show: number | null;
  readonly collection: number | null;
}

/** By `keyOfTarget`; null: there is none. What is left out was not looked for. */
export type FoundTargets = ReadonlyMap<string, Found | null>;

interface Target extends EntityTarget {
  readonly kind: EntityKind;
}

/** Reads at a time: the interface document names no limit, so few. */
const few = 4;
/** One read is not waited for any longer, so that the call can still answer. ms */
const readMs = 15_000;

/**
 * Asks the public catalogue whether every target exists and belongs to what the Set is for. Kinds that the interface
 * document does not name are left to the service.
 * @throws ArtworkError `invalid_arguments` that names every item that can't be; or why the catalogue can't be read
 */
export async function checkTargets(
  catalogue: PublicReads,
  places: readonly RequestedPlace[],
  entry: EntityTarget | null,
  deadline: Deadline,
): Promise<FoundTargets> {
  if (entry !== null && isKind(entry.kind) && !mediaSetTargets.includes(entry.kind)) {
    const message = `there are no media Sets for ${withArticle(entry.kind)}, but for a ${mediaSetTargets.join(', ')}`;
    throw impossible([{ code: 'target', message, path: ['entryTargetKind'] }]);
  }
  const targets = places.map(({ targetKind: kind, targetId: id }) => ({ kind, id }));
  const found = await findTargets(catalogue, entry === null ? targets : [entry, ...targets], deadline);
  if (entry !== null && found.get(keyOfTarget(entry)) === null) {
    throw impossible([
      { code: 'target', message: `there is no ${entry.kind} ${entry.id}`, path: ['entryTargetId'] },
    ]);
  }
  const outside = places.flatMap((place) => issueOfTarget(place, found, entry, catalogue));
  if (outside.length > 0) throw impossible(outside);
  return found;
}

/** What is wrong with the target of an item: it does not exist, or does not belong to the Set's entry. */
function issueOfTarget(
  { targetKind, targetId, at }: RequestedPlace,
  found: FoundTargets,
  entry: EntityTarget | null,
  { nameOf }: Pick<PublicReads, 'nameOf'>,
): Issue[] {
  const known = found.get(keyOfTarget({ kind: targetKind, id: targetId }));
  if (known === undefined) return [];
  const path = [...at, 'targetId'];
  if (known === null) return [{ code: 'target', message: `there is no ${targetKind} ${targetId}`, path }];
  if (entry === null || isTargetWithin({ kind: targetKind, id: targetId }, known, entry)) return [];
  const target = wordsWithId({ kind: targetKind, id: targetId }, nameOf(targetKind, targetId));
  const message = `${target} does not belong to ${wordsWithId(entry, nameOf(entry.kind, entry.id))}`;
  return [{ code: 'target', message, path }];
}

/** What stands against arguments that name a target which was looked for and is not there. */
export function objectionsToAbsent(
  named: readonly (EntityTarget & { readonly path: readonly string[] })[],
  found: FoundTargets,
): readonly Objection[] {
  return named.flatMap(({ kind, id, path }): Objection[] =>
    found.get(keyOfTarget({ kind, id })) === null
      ? [{ category: 'invalid_arguments', message: `names nothing: there is no ${kind} ${id}`, path }]
      : [],
  );
}

/**
 * Whether a target belongs to what a Set is for. True also where the catalogue does not say what it belongs to:
 * then the service decides.
 */
function isTargetWithin(target: EntityTarget, { show, collection }: Found, entry: EntityTarget): boolean {
  if (target.kind === entry.kind) return target.id === entry.id;
  switch (entry.kind) {
    case 'show':
      return target.kind === 'season' || target.kind === 'episode'
        ? show === null || show === entry.id
        : !isKind(target.kind);
    case 'collection':
      return target.kind === 'movie' ? collection === null || collection === entry.id : !isKind(target.kind);
    default:
      return !isKind(entry.kind) || !isKind(target.kind);
  }
}

/**
 * What the catalogue knows of each target; null: there is none. Episodes of one season are read together, with
 * it, so that a whole show costs a few reads.
 */
export async function findTargets(
  catalogue: PublicReads,
  named: readonly EntityTarget[],
  deadline: Deadline,
): Promise<FoundTargets> {
  const targets = named.flatMap(({ kind, id }): Target[] => (isKind(kind) ? [{ kind, id }] : []));
  const found = new Map<string, Found | null>();
  const seasons = new Set<number>();
  const learnSeason = async (seasonId: number): Promise<void> => {
    if (seasons.has(seasonId)) return;
    seasons.add(seasonId);
    const record = await read(catalogue, 'season', seasonId, deadline);
    const season = record ? seasonOf(record) : null;
    if (!record || season === null) return;
    for (const episode of season.episodes) found.set(keyOfTarget(episode), belongingOf(record));
  };
  const distinct = [...new Map(targets.map((target) => [keyOfTarget(target), target])).values()];
  const episodes = distinct.filter(({ kind }) => kind === 'episode');
  await mapLimit(
    distinct.filter(({ kind }) => kind !== 'episode'),
    few,
    async (target) => {
      const one = await findOne(catalogue, target, deadline);
      if (one !== undefined) found.set(keyOfTarget(target), one);
    },
  );
  // One after the other: each may bring its whole season with it.
  for (const target of episodes) {
    if (found.has(keyOfTarget(target))) continue;
    const episode = await read(catalogue, 'episode', target.id, deadline);
    if (episode === undefined) continue;
    found.set(keyOfTarget(target), episode === null ? null : belongingOf(episode));
    const season = episode === null ? null : partOf(episode).season;
    if (season !== null && episodes.length > 1) await learnSeason(season.id);
  }
  return found;
}

async function findOne(
  catalogue: PublicReads,
  { kind, id }: Target,
  deadline: Deadline,
): Promise<Found | null | undefined> {
  const record = await read(catalogue, kind, id, deadline);
  return record ? belongingOf(record) : record;
}

function belongingOf(record: Entity): Found {
  const { show, collection } = partOf(record);
  return { show: show?.id ?? null, collection: collection?.id ?? null };
}

/** Null where there is none; undefined where the catalogue has no answer that tells it, so that the service decides. */
async function read<Kind extends EntityKind>(
  catalogue: PublicReads,
  kind: Kind,
  id: number,
  deadline: Deadline,
) {
  try {
    return await catalogue.readEntity(kind, id, noLaterThan(deadline, readMs));
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    switch (error.category) {
      case 'not_found':
        return null;
      case 'forbidden':
      case 'snapshot_expired':
      case 'bad_response':
        return undefined;
      default:
        throw error;
    }
  }
}

function impossible(issues: readonly Issue[]): ArtworkError {
  const said = issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`);
  const more = issues.length > said.length ? `; and ${issues.length - said.length} more, in issues` : '';
  return new ArtworkError('invalid_arguments', `${said.join('; ')}${more}.`, { issues });
}
