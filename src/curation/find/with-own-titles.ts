import { ArtworkError } from '../../errors.ts';
import { isKind } from '../../model/kinds.ts';
import {
  type Findings,
  type Hit,
  type Sighting,
  type TitleIndex,
  titleKinds,
  type TitleQuestion,
  type TitleReference,
} from './title-index.ts';

/** The search of a user: the shared index and, if an account is connected, that account's part. */
export type TitleSearch = Pick<TitleIndex, 'search' | 'idsFrom' | 'seen' | 'isFull' | 'rebuilt'>;

/** More than one account has that is like what was asked. */
const mostOwn = 500;
/** Works that an account's own records name by number alone, of one kind. */
const mostUnnamed = 200;

/**
 * Searches the shared index and the part of it that is one account's, as if they were one. What the own part holds is
 * never written to the shared one.
 * @param onUnreadable hears why the own part can't be read; the shared index is searched anyway
 */
export function withOwnTitles(
  shared: TitleIndex,
  own: TitleIndex,
  onUnreadable: (error: ArtworkError) => void,
): TitleSearch {
  return {
    async search(question) {
      try {
        await nameWorks(shared, own);
        return await searchBoth(shared, own, question);
      } catch (error) {
        if (!(error instanceof ArtworkError) || error.category === 'cancelled') throw error;
        const found = await shared.search(question);
        onUnreadable(error);
        return found;
      }
    },
    idsFrom: shared.idsFrom,
    seen: shared.seen,
    isFull: shared.isFull,
    rebuilt: shared.rebuilt,
  };
}

/** A Set of one's own is found by what it is for, whose name only public reads may have shown. */
async function nameWorks(shared: TitleIndex, own: TitleIndex): Promise<void> {
  const unnamed: TitleReference[] = [];
  for (const kind of titleKinds.filter(isKind))
    unnamed.push(...(await own.due(kind, 0, mostUnnamed, 'unnamed')));
  if (unnamed.length === 0) return;
  const found = (await shared.find(unnamed)).filter(({ name }) => name !== null);
  if (found.length === 0) return;
  const shows = found.flatMap(({ show }): Sighting[] => (show === null ? [] : [{ kind: 'show', ...show }]));
  const works = found.map(({ kind, id, name, year, date, show, season, episode }): Sighting => {
    return { kind, id, name, year, date, show: show?.id, season, episode };
  });
  await own.learn([...works, ...shows]);
}

async function searchBoth(shared: TitleIndex, own: TitleIndex, question: TitleQuestion): Promise<Findings> {
  const { offset, limit } = question;
  const mine = (await own.search({ ...question, offset: 0, limit: mostOwn })).hits;
  const known = placed(await shared.find(mine));
  // A title that an own record only mentions is told as public reads tell it, if they do.
  const kept = mine.filter((hit) => hit.isOwn || !known.has(placeOf(hit)));
  const found = await shared.search({ ...question, offset: 0, limit: offset + limit, without: kept });
  const also = placed((await own.find(found.hits)).filter(({ isOwn }) => isOwn));
  const best = Math.max(0, ...found.hits.map(({ likeness }) => likeness));
  const likely = kept.filter(({ likeness }) => likeness >= 0.5 * best);
  const hits = merged(
    likely.map((hit) => together(hit, known.get(placeOf(hit)))),
    found.hits.map((hit) => together(hit, also.get(placeOf(hit)))),
  );
  return { hits: hits.slice(offset, offset + limit), total: likely.length + found.total };
}

/** One title as both show it: what was seen last counts, and the other one fills in what it does not tell. */
function together(hit: Hit, other: Hit | undefined): Hit {
  if (other === undefined) return hit;
  const [newer, older] = other.seen > hit.seen ? [other, hit] : [hit, other];
  return {
    ...hit,
    name: newer.name ?? older.name,
    year: newer.year ?? older.year,
    date: newer.date ?? older.date,
    show: newer.show ?? older.show,
    season: newer.season ?? older.season,
    episode: newer.episode ?? older.episode,
    creator: newer.creator ?? older.creator,
    target:
      [newer.target, older.target].find((target) => target?.name != null) ?? newer.target ?? older.target,
    slot: newer.slot ?? older.slot,
    language: newer.language ?? older.language,
    updated: newer.updated ?? older.updated,
    isOwn: hit.isOwn || other.isOwn,
    seen: newer.seen,
  };
}

/** Each stays in its own order. */
function merged(mine: readonly Hit[], others: readonly Hit[]): Hit[] {
  const left = [...mine];
  const hits = others.flatMap((hit) => {
    const end = left.findIndex(
      (one) => hit.likeness - one.likeness > 0 || (hit.likeness === one.likeness && inOrder(one, hit) > 0),
    );
    return [...left.splice(0, end < 0 ? left.length : end), hit];
  });
  return [...hits, ...left];
}

/** As within one index: episodes in the order of their show, and what is newer first. */
function inOrder(one: Hit, other: Hit): number {
  if (one.show !== null && one.show.id === other.show?.id) {
    return (one.season ?? 0) - (other.season ?? 0) || (one.episode ?? 0) - (other.episode ?? 0);
  }
  return (other.updated ?? other.date ?? '').localeCompare(one.updated ?? one.date ?? '');
}

function placed(hits: readonly Hit[]): ReadonlyMap<string, Hit> {
  return new Map(hits.map((hit) => [placeOf(hit), hit]));
}

/** An id that is a number is another one than the same digits as text. */
function placeOf({ kind, id }: TitleReference): string {
  return JSON.stringify([kind, id]);
}
