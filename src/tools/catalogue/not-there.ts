import type { EntityKind, SetKind } from '../../catalogue/records/kinds.ts';
import { partOf, setsListedBy, titleOfRecord } from '../../model/work.ts';
import { findOwnSet } from '../../curation/read-own-set.ts';
import { type Deadline, noLaterThan } from '../../deadline.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import type { Context } from '../../mcp/context.ts';
import { entityKind, setKind } from '../../mcp/kinds.ts';
import { setKindsOf } from '../../model/kinds.ts';
import type { OwnSet, OwnType } from '../../model/own-set.ts';
import { withArticle } from '../../text.ts';
import { mapLimit } from '../../wire/pacing.ts';
import { listSetsOfShow } from '../find-ids.ts';

type Kind = EntityKind | SetKind;

/** Something that has the number in question, but is of another kind. */
interface Namesake {
  readonly kind: Kind;
  readonly id: number;
  readonly title: string | null;
  /** The show that it is a part of. */
  readonly showId: number | null;
  /** Of a show: the Sets that it lists. */
  readonly sets: readonly number[];
}

/** The kinds that an id of one kind is most easily mistaken for, the likeliest first; of any other kind its Sets. */
const takenFor: { readonly [Of in Kind]?: readonly Kind[] } = {
  show: ['show_set', 'season', 'episode', 'movie'],
  season: ['show', 'episode', 'show_set'],
  episode: ['season', 'show'],
  movie: ['movie_set', 'collection', 'show'],
  collection: ['collection_set', 'movie'],
  company: ['network', 'brand_set'],
  network: ['company', 'brand_set'],
  show_set: ['show', 'movie_set', 'game_set', 'collection_set', 'brand_set', 'boxset'],
  movie_set: ['movie', 'show_set', 'game_set', 'collection_set', 'brand_set', 'boxset'],
  game_set: ['game', 'show_set', 'movie_set', 'collection_set', 'brand_set', 'loadout'],
  collection_set: ['collection', 'movie_set', 'show_set', 'game_set', 'brand_set', 'boxset'],
  brand_set: ['network', 'company', 'show_set', 'movie_set', 'collection_set', 'game_set'],
  boxset: ['loadout', 'collection', 'show_set', 'movie_set', 'collection_set'],
  loadout: ['boxset', 'game', 'game_set'],
};

/** Milliseconds that explaining may take. */
const patienceMs = 10_000;
/** Reads at a time. */
const few = 4;

/**
 * Reads an entity or a Set, and explains a 404. Reads an entity or a Set. A 404 tells what the id means, as far as
 * that can be found out: a Set of the connected account's that is not published yet, or the number of another kind.
 * @throws ArtworkError as `read` does
 */
export async function readOrExplain<Value>(
  kind: Kind,
  id: number,
  context: Context,
  read: () => Promise<Value>,
): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category !== 'not_found') throw error;
    const isSet = setKind.safeParse(kind).success;
    const own = isSet
      ? await findOwnSet(context.account, ownTypeOf(kind), id, noLaterThan(context.deadline, patienceMs))
      : null;
    throw own === null ? await amongOtherKinds(kind, id, error, context) : ofOwn(kind, own, error);
  }
}

/** The error of an id that was not found, with the kinds that have the number where there are any. */
export async function amongOtherKinds(
  kind: Kind,
  id: number,
  error: ArtworkError,
  context: Context,
): Promise<ArtworkError> {
  const [found, ...others] = await namesakes(takenFor[kind] ?? setKindsOf(kind), id, context);
  return found === undefined ? ofNothing(kind, error) : ofNamesakes(kind, [found, ...others], error);
}

/** The work that was meant by an id of another kind; of a season or an episode its show. Null if nothing has the id. */
export async function workMeantBy(
  kind: EntityKind,
  id: number,
  context: Context,
): Promise<{ readonly kind: EntityKind; readonly id: number } | null> {
  const entities = (takenFor[kind] ?? []).flatMap((other) => entityKind.safeParse(other).data ?? []);
  const [found] = await namesakes(entities, id, context);
  if (found === undefined) return null;
  if (found.showId !== null) return { kind: 'show', id: found.showId };
  const other = entityKind.safeParse(found.kind);
  return other.success ? { kind: other.data, id } : null;
}

/**
 * Reads something of the connected account's. What is not there, or another account's, tells what the id
 * means.
 * @throws ArtworkError as `read` does
 */
export async function readOwnOrExplain<Value>(
  type: OwnType | 'asset',
  id: string | number,
  context: Context,
  read: () => Promise<Value>,
): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    if (error.category !== 'not_found' && error.category !== 'forbidden') throw error;
    if (type === 'asset') throw ofForeignAsset(error);
    if (typeof id === 'string') throw error;
    const other = type === 'set' ? 'group' : 'set';
    const isThere = error.category === 'forbidden';
    const own = isThere
      ? null
      : await findOwnSet(context.account, other, id, noLaterThan(context.deadline, patienceMs));
    if (own !== null)
      throw restated(error, `The connected account has ${withArticle(other)} of this id.`, readOwn(own), {});
    const [found, ...others] = await namesakes(isThere ? publicly[type] : worksAndSets, id, context);
    if (found === undefined) throw error;
    throw isThere ? ofForeign(type, found, error) : ofNamesakes(type, [found, ...others], error);
  }
}

const publicly = {
  set: ['show_set', 'movie_set', 'game_set', 'collection_set', 'brand_set'],
  group: ['boxset', 'loadout'],
} as const;

const worksAndSets = ['show', 'movie', 'collection', 'game', 'boxset', 'loadout'] as const;

function ofForeign(type: OwnType, { kind, id }: Namesake, error: ArtworkError): ArtworkError {
  const words = `This ${type} is another account's. As ${withArticle(kind)} everyone can read it, and its own account alone can change it.`;
  const next = { tool: 'get_set', arguments: { kind, id }, why: ofForeignWords };
  return restated(error, words, next, {});
}

const ofForeignWords =
  'It reads it as everyone sees it. What is this account’s own, and can be changed, find_upload_destinations lists.';

function ofForeignAsset(error: ArtworkError): ArtworkError {
  const words =
    'Only Assets of the connected account can be read by their ids. Those of others stand in lists: get_entity with include "assets" for their target, get_set for their Set.';
  return restated(error, words, error.next, {});
}

/** Under which type `get_owned` has what public reads call so. */
export function ownTypeOf(kind: string): OwnType {
  return kind === 'boxset' || kind === 'loadout' ? 'group' : 'set';
}

/** Sets and groups of these kinds have no public read (interface document, Public reads). */
export function isPrivateKind(kind: unknown): kind is 'talent_set' | 'category_set' {
  return kind === 'talent_set' || kind === 'category_set';
}

/** The call that reads a Set or group of one's own. */
export function readOwn({ type, id }: Pick<OwnSet, 'type' | 'id'>): Next {
  return {
    tool: 'get_owned',
    arguments: { type, id },
    why: 'It reads what the service has saved, whether it is published or not.',
  };
}

function ofOwn(kind: Kind, own: OwnSet, error: ArtworkError): ArtworkError {
  const { id, publicationStatus } = own;
  const whose = `The connected account has ${withArticle(own.kind ?? own.type)} of the id ${id}`;
  const itsKind = setKind.safeParse(own.kind);
  const say = (words: string, next: Next) => restated(error, words, next, { publicationStatus });
  if (isPrivateKind(own.kind)) {
    return say(`${whose}, a kind that has no public read: get_owned reads it.`, readOwn(own));
  }
  if (publicationStatus === 'pending') {
    const words = `${whose}: it is saved, and its publication is pending, so public reads do not show it yet.`;
    return say(words, readOwn(own));
  }
  if (itsKind.success && itsKind.data !== kind) {
    const why = 'It is the same call with the kind that it has.';
    const next = { tool: 'get_set', arguments: { kind: itsKind.data, id }, why };
    return say(`${whose}, not ${withArticle(kind)}.`, next);
  }
  return say(`${whose}, and public reads do not show it: it may not be published yet.`, readOwn(own));
}

/** Nothing has the number: only by its name can what is meant be found, and that a person has. */
function ofNothing(kind: Kind, error: ArtworkError): ArtworkError {
  const { category, message, next } = error;
  const why = `This id may be mistyped, or of another service. find_titles with kind "${kind}" finds the right one by a name; where none is known the person tells it.`;
  return new ArtworkError(category, message, { ...error, next: next ?? { why } });
}

function ofNamesakes(
  kind: Kind | OwnType,
  found: readonly [Namesake, ...Namesake[]],
  error: ArtworkError,
): ArtworkError {
  const [first] = found;
  const kinds = found.map((one) => withArticle(one.kind)).join(' and ');
  const words = `There is no ${kind} ${first.id}, but ${kinds} of that id.`;
  const details = { found: found.map(({ kind: other, id, title }) => ({ kind: other, id, title })) };
  return restated(error, words, callFor(kind, first), details);
}

function callFor(kind: Kind | OwnType, { kind: other, id, sets }: Namesake): Next {
  const asked = setKind.safeParse(kind);
  const set = setKind.safeParse(other);
  if (set.success) {
    return { tool: 'get_set', arguments: { kind: set.data, id }, why: `It reads the ${other} of this id.` };
  }
  if (entityKind.safeParse(kind).success) {
    return { tool: 'get_entity', arguments: { kind: other, id }, why: `It reads the ${other} of this id.` };
  }
  if (other === 'show') {
    const [only, ...more] = sets;
    if (asked.success && only !== undefined && more.length === 0) {
      const why = `A Set has an id of its own: this is the only one of the ${other}.`;
      return { tool: 'get_set', arguments: { kind: 'show_set', id: only }, why };
    }
    return listSetsOfShow(id);
  }
  const why = `A Set has an id of its own, and ${withArticle(other)} does not list its Sets: the feed names the latest ones.`;
  const ofKind = asked.success ? { kind: asked.data } : {};
  return { tool: 'read_feed', arguments: { feed: 'sets', ...ofKind }, why };
}

/** Those of the kinds that have the id. What can't be read now counts as not there. */
async function namesakes(kinds: readonly Kind[], id: number, context: Context): Promise<Namesake[]> {
  const deadline = noLaterThan(context.deadline, patienceMs);
  const found = await mapLimit(kinds, few, (kind) => namesake(kind, id, deadline, context));
  return found.filter((one) => one !== null);
}

async function namesake(
  kind: Kind,
  id: number,
  deadline: Deadline,
  { catalogue }: Context,
): Promise<Namesake | null> {
  const entity = entityKind.safeParse(kind);
  const set = setKind.safeParse(kind);
  try {
    if (entity.success) {
      const record = await catalogue.readEntity(entity.data, id, deadline);
      const showId = partOf(record).show?.id ?? null;
      const sets = setsListedBy(record).map((one) => one.id);
      return { kind, id, title: titleOfRecord(record) || null, showId, sets };
    }
    if (!set.success) return null;
    const record = await catalogue.readSet(set.data, id, deadline);
    return { kind, id, title: titleOfRecord(record) || null, showId: null, sets: [] };
  } catch (error) {
    if (error instanceof ArtworkError && error.category !== 'cancelled') return null;
    throw error;
  }
}

function restated(
  error: ArtworkError,
  words: string,
  next: Next | undefined,
  more: Readonly<Record<string, unknown>>,
): ArtworkError {
  const { category, message, details } = error;
  return new ArtworkError(category, `${message} ${words}`, {
    ...error,
    next,
    details: { ...details, ...more },
  });
}
