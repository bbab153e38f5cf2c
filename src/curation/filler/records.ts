import type { Call, CatalogueReading } from '../../catalogue/client.ts';
import { isEntityKind, isSetKind } from '../../catalogue/records/kinds.ts';
import { ArtworkError } from '../../errors.ts';
import { sightingsOf } from '../titles/sightings.ts';
import type { TitleKind, TitleReference } from '../titles/title-index.ts';
import type { FillerPorts } from './ports.ts';

/** How long a record is fresh, ms. */
const freshFor = 30 * 24 * 60 * 60_000;

type Wanted = readonly [kind: TitleKind, only: 'unnamed' | 'unread'];

/**
 * What is read of itself, in this order. First whatever only its id is known of; then what leads on to more: a show to
 * its year, seasons and Sets, a film to its collection, a collection to its films, a game to others. Episodes,
 * seasons, people and the like tell nothing beyond what named them.
 */
const wanted: readonly Wanted[] = [
  ...wantedAs('unnamed', ['movie', 'show', 'game', 'collection']),
  ...wantedAs('unnamed', ['movie_set', 'show_set', 'game_set', 'collection_set', 'brand_set']),
  ...wantedAs('unnamed', [
    'boxset',
    'loadout',
    'person',
    'network',
    'company',
    'category',
    'season',
    'episode',
  ]),
  ...wantedAs('unread', ['show', 'collection', 'movie', 'game', 'company', 'boxset', 'loadout']),
  ...wantedAs('unread', ['movie_set', 'show_set', 'game_set', 'collection_set', 'brand_set']),
];

function wantedAs(only: Wanted[1], kinds: readonly TitleKind[]): Wanted[] {
  return kinds.map((kind) => [kind, only]);
}

export type Records = ReturnType<typeof createFillerRecords>;

const pageSize = 100;
/** Of the last ones read so many are remembered: one that comes back at once can't be kept, and is left. */
const remembered = 5 * pageSize;
/** The index does not write again what it has just seen as it was: what was read so shortly before is not read again, ms. */
const justRead = 10 * 60_000;

/**
 * Reads the records of single titles for the index, those that nothing has shown for long.
 * @param fullSince what was read before this moment is read again, however fresh, ms
 */
export function createFillerRecords({ index, catalogue, clock, user }: FillerPorts, fullSince: number) {
  const underWay = new Set<string>();
  const recent = new Set<string>();
  let queue: TitleReference[] = [];
  const readBefore = () => Math.max(clock.now() - freshFor, fullSince - justRead);

  const refill = async (): Promise<void> => {
    for (const [kind, only] of wanted) {
      const due = await index.due(kind, readBefore(), pageSize, only);
      queue = due.filter((one) => !underWay.has(keyOf(one)) && !recent.has(keyOf(one)));
      if (queue.length > 0) return;
    }
  };

  return {
    /** One that is to be read, which no other reader is given meanwhile; null where there is none now. */
    async next(): Promise<TitleReference | null> {
      if (queue.length === 0) await refill();
      const found = queue.shift();
      if (found === undefined) return null;
      underWay.add(keyOf(found));
      return found;
    },
    /** Reads it and keeps what it shows. Rejects with what the catalogue or the store rejects with. */
    async read(reference: TitleReference, call: Call): Promise<void> {
      const reading = await readRecord(catalogue, reference, call);
      const seen = sightingsOf(reading, user);
      // A record that says another id, or none, is no answer to what was asked for.
      const isItself = seen.some((one) => one.whole === true && keyOf(one) === keyOf(reference));
      await index.learn(isItself ? seen : [{ kind: reference.kind, id: reference.id, whole: true }]);
    },
    /** The catalogue does not have it: it is found no longer, and asked for again no sooner than what it has. */
    async gone({ kind, id }: TitleReference): Promise<void> {
      await index.forget({ kind, id });
      await index.learn([{ kind, id, whole: true }]);
    },
    /** What can't be read now: not asked for again before it would be old. */
    async passOver({ kind, id }: TitleReference): Promise<void> {
      await index.learn([{ kind, id, whole: true }]);
    },
    /** To be called in the end, whatever came of it. */
    done(reference: TitleReference, isRead: boolean): void {
      underWay.delete(keyOf(reference));
      if (!isRead) return;
      recent.add(keyOf(reference));
      const [oldest] = recent;
      if (recent.size > remembered && oldest !== undefined) recent.delete(oldest);
    },
    /** How many are still to be read. */
    left: () => index.countDue(wanted, readBefore()),
  };
}

async function readRecord(
  catalogue: FillerPorts['catalogue'],
  { kind, id }: TitleReference,
  call: Call,
): Promise<CatalogueReading> {
  if (isEntityKind(kind)) return { of: 'entity', kind, record: await catalogue.readEntity(kind, id, call) };
  if (isSetKind(kind)) return { of: 'set', kind, record: await catalogue.readSet(kind, id, call) };
  throw new TypeError(`A ${kind} has no public record.`);
}

function keyOf({ kind, id }: TitleReference): string {
  return `${kind} ${id}`;
}

/** How long what the connected account owns is fresh, ms. */
const ownFreshFor = 24 * 60 * 60_000;

/**
 * Reads what the connected account owns, as far as it can be listed: Sets and groups that artwork can go into, and
 * what was uploaded from this machine. Nothing, where no account is connected or the sign-in would have to be renewed:
 * that is left to calls that a caller waits for.
 * @param turn waits until one more request may be sent; false: no more
 */
export async function readOwnTitles(
  { own, index, clock, user, log }: FillerPorts,
  fullSince: number,
  turn: () => Promise<boolean>,
  call: Call,
): Promise<void> {
  if (own === null) return;
  const noteName = `own ${user}`;
  const before = Number((await index.note(noteName)) ?? Number.NaN);
  const now = clock.now();
  if (before >= fullSince && now - before < ownFreshFor && before <= now) return;
  try {
    if (!(await own.ready())) return;
    const since = before >= fullSince ? before : null;
    const reads = [
      ...own.destinations,
      ...(await own.uploads(since)).map((id) => (with_: Call) => own.readAsset(id, with_)),
    ];
    for (const read of reads) {
      if (!(await turn())) return;
      await readOne(read, call, log);
    }
  } catch (error) {
    // Without it the catalogue is still read; the next reading tries again.
    if (!(error instanceof ArtworkError)) throw error;
    log.debug(`What the account owns was not read for the index of titles: ${error.message}`);
    return;
  }
  await index.setNote(noteName, String(now));
}

/** One that is refused, such as for a permission that was not given, does not keep the others from being read. */
async function readOne(
  read: (call: Call) => Promise<unknown>,
  call: Call,
  log: FillerPorts['log'],
): Promise<void> {
  try {
    await read(call);
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    if (['scope_missing', 'forbidden', 'not_found', 'bad_response'].includes(error.category)) {
      log.debug(`A record of one's own was left out of the index of titles: ${error.message}`);
    } else throw error;
  }
}
