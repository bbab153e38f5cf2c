import { isEntityKind, isSetKind } from '../../catalogue/records/kinds.ts';
import { type JsonRecord as Json, listAt, recordAt } from '../../catalogue/records/members.ts';
import type { CatalogueReading } from '../../catalogue/records/owned.ts';
import { cleanText } from '../../text.ts';
import {
  type Sighting,
  type TitleKind,
  type TitleReference,
  titleKinds,
  titleSetKinds,
} from './title-index.ts';

/** As much as a record shows. */
type Draft = { readonly [Member in keyof Sighting]?: Sighting[Member] | undefined };

/**
 * Everything that a reading shows of titles (interface document, Resources and their fields): the record itself and
 * what it refers to by name. A record without a usable id shows nothing.
 * @param user `ARTWORK_USER`, whose own is what protected reads show
 */
export function sightingsOf(reading: CatalogueReading, user: string): Sighting[] {
  switch (reading.of) {
    case 'entity':
      return ofEntity(reading.kind, reading.record);
    case 'set':
      return ofSet(reading.kind, reading.record);
    case 'gone':
      return [];
    case 'episodes':
      return reading.items.flatMap(ofEpisode);
    case 'feed':
      return reading.items.flatMap((item) => {
        const named = reading.feed === 'sets' ? ofChangedSet(item) : referenceAt(item, 'target');
        return named.map((one) => (isWork(one) ? { ...one, changed: timeAt(item, 'changedAt') } : one));
      });
    case 'own asset':
      return ofOwnAsset(reading.record, user);
    case 'own set':
    case 'own group':
      return ofOwn(reading.record, user, true);
    case 'own destinations':
      return reading.items.flatMap((item) => ofOwn(item, user, false));
  }
}

/** Whether a record of its own tells more of it than the index of episodes. */
function isWork({ kind }: Sighting): boolean {
  return (isEntityKind(kind) || isSetKind(kind)) && kind !== 'season' && kind !== 'episode';
}

function timeAt(item: Json, name: string): number {
  const time = Date.parse(textAt(item, name) ?? '');
  return Number.isNaN(time) ? 0 : time;
}

function ofEntity(kind: TitleKind, record: Json): Sighting[] {
  const own = { ...workOf(kind, record), whole: true };
  const id = numberAt(record, 'id');
  switch (kind) {
    case 'show': {
      const show = typeof id === 'number' ? id : undefined;
      const target: TitleReference[] = show === undefined ? [] : [{ kind, id: show }];
      return named([
        own,
        ...listAt(record, 'seasons').map((season) => ({ ...seasonOf(season), show })),
        // A show lists its Sets without their kinds, which are those of a show (interface document, Show).
        ...listAt(record, 'sets').flatMap((set) => setOf('show_set', set, target)),
      ]);
    }
    case 'season': {
      const show = recordAt(record, 'show');
      const of = { show: numberAt(show, 'id'), season: numberAt(record, 'seasonNumber') };
      return named([
        { ...own, ...of },
        workOf('show', show),
        ...listAt(record, 'episodes').map((episode) => ({
          ...workOf('episode', episode),
          ...numberOf(episode),
          ...of,
        })),
      ]);
    }
    case 'episode':
      return ofEpisode(record).map((one) => (one.kind === 'episode' ? { ...one, whole: true } : one));
    case 'movie':
      return named([own, workOf('collection', recordAt(record, 'collection'))]);
    case 'collection':
      return named([own, ...listAt(record, 'movies').map((movie) => workOf('movie', movie))]);
    case 'game':
      return named([own, ...listAt(record, 'relatedGames').map((game) => workOf('game', game))]);
    case 'company':
      return named([own, workOf('company', recordAt(record, 'parentCompany'))]);
    default:
      return named([own]);
  }
}

/** An episode, with its show and its season. */
function ofEpisode(record: Json): Sighting[] {
  const [show, season] = [recordAt(record, 'show'), recordAt(record, 'season')];
  const of = { show: numberAt(show, 'id') };
  const number = numberAt(record, 'seasonNumber') ?? numberAt(season, 'seasonNumber');
  // The year of an item of the index is the show's or the episode's: the document doesn't say, so neither takes it.
  const { year: _, ...episode } = workOf('episode', record);
  return named([
    { ...episode, ...numberOf(record), season: number, ...of },
    workOf('show', show),
    { ...seasonOf(season), ...of },
  ]);
}

function seasonOf(season: Json): Draft {
  return { ...workOf('season', season), season: numberAt(season, 'seasonNumber') };
}

function numberOf(episode: Json): Draft {
  return { episode: numberAt(episode, 'episodeNumber') };
}

/** Where a Set names what it is for, by kind; a group names it in the Sets that it holds. */
const works: readonly TitleKind[] = ['show', 'movie', 'game', 'collection'];

function ofSet(kind: TitleKind, record: Json): Sighting[] {
  const targets = targetsIn(record);
  const inside = setsIn(record, targetsIn);
  const brands = (['network', 'company'] as const).flatMap((of) =>
    listAt(record, of === 'network' ? 'networks' : 'companies').map((brand) => workOf(of, brand)),
  );
  const group =
    kind === 'game_set'
      ? workOf('loadout', recordAt(record, 'loadout'))
      : workOf('boxset', recordAt(record, 'boxset'));
  const movies = listAt(recordAt(record, 'collection'), 'movies').map((movie) => workOf('movie', movie));
  const all = [...targets, ...named(brands), ...inside.filter(({ kind: of }) => works.includes(of))];
  return named([
    ...setOf(kind, record, references(all)).map((set) => ({ ...set, whole: true })),
    ...targets,
    ...brands,
    ...movies,
    ...inside,
    group,
    ...episodesIn(record),
  ]);
}

/** A show Set lists seasons and episodes by number, without their titles. */
function episodesIn(record: Json): Draft[] {
  const show = numberAt(recordAt(record, 'show'), 'id');
  return listAt(recordAt(record, 'show'), 'seasons').flatMap((season) => {
    const number = numberAt(season, 'seasonNumber');
    return [
      { kind: 'season' as const, id: numberAt(season, 'id'), show, season: number },
      ...listAt(season, 'episodes').map((episode) => ({
        kind: 'episode' as const,
        id: numberAt(episode, 'id'),
        show,
        season: number,
        ...numberOf(episode),
      })),
    ];
  });
}

function setOf(kind: TitleKind | null, record: Json, targets: readonly TitleReference[]): Sighting[] {
  if (kind === null) return [];
  const creator = lineAt(record, 'createdBy');
  return named([
    {
      ...workOf(kind, record),
      creator,
      updated: textAt(record, 'dateUpdated') ?? textAt(record, 'updatedAt'),
      language: textAt(record, 'language') ?? textAt(record, 'languageCode'),
      ...(targets.length === 0 ? {} : { targets }),
    },
    ...(creator === undefined ? [] : [{ kind: 'creator' as const, id: creator, name: creator }]),
  ]);
}

function targetsIn(record: Json): Sighting[] {
  return named(works.map((kind) => workOf(kind, recordAt(record, kind))));
}

/** The Sets of a group, and what they are for. */
function setsIn(record: Json, targetsOf: (child: Json) => Sighting[]): Sighting[] {
  return listAt(record, 'sets').flatMap((child) => {
    const its = targetsOf(child);
    return [...setOf(kindOfSet(child) ?? kindFor(its), child, references(its)), ...its];
  });
}

function references(targets: readonly TitleReference[]): TitleReference[] {
  return targets.map(({ kind, id }) => ({ kind, id }));
}

/** Loadouts list their Game Sets without a kind (interface document, Loadout). */
function kindFor([target]: readonly TitleReference[]): TitleKind | null {
  const kind = `${target?.kind}_set`;
  return titleSetKinds.find((one) => one === kind) ?? null;
}

function kindOfSet(record: Json): TitleKind | null {
  return titleSetKinds.find((kind) => kind === record.kind) ?? null;
}

function ofChangedSet(item: Json): Sighting[] {
  const kind = kindOfSet(item);
  return kind === null
    ? []
    : named([{ kind, id: numberAt(item, 'setId'), updated: textAt(item, 'changedAt') }]);
}

function ofOwnAsset(record: Json, user: string): Sighting[] {
  const targets = referenceAt(record, 'target');
  return named([
    {
      kind: 'asset',
      id: textAt(record, 'id'),
      name: lineAt(record, 'filename') ?? lineAt(recordAt(record, 'target'), 'title'),
      slot: textAt(record, 'slot'),
      language: textAt(record, 'languageCode'),
      owner: user,
      whole: true,
      ...(targets.length === 0 ? {} : { targets: references(targets) }),
    },
    ...targets,
  ]);
}

/** A Set or group of one's own. The fields of these records are not shown, so only what reads like one is taken. */
function ofOwn(record: Json, user: string, whole: boolean): Sighting[] {
  const targets = referenceAt(record, 'target');
  const kind = kindOfSet(record) ?? kindFor(targets);
  const inside = setsIn(record, (child) => referenceAt(child, 'target'));
  const all = [...targets, ...inside.filter(({ kind: of }) => works.includes(of))];
  return named([
    ...setOf(kind, record, references(all)).map((one) =>
      one.kind === kind ? { ...one, owner: user, whole } : one,
    ),
    ...all,
    ...inside,
  ]);
}

function referenceAt(record: Json, name: string): Sighting[] {
  const target = recordAt(record, name);
  const kind = titleKinds.find((one) => one === target.kind);
  return kind === undefined ? [] : named([workOf(kind, target)]);
}

/** What every record of something with a title or a name shows of it. */
function workOf(kind: TitleKind, record: Json): Draft {
  const date = [record.airDate, record.releaseDate, record.firstReleaseDate, record.firstAirDate].find(
    isDate,
  );
  return {
    kind,
    id: numberAt(record, 'id'),
    name: lineAt(record, 'title') ?? lineAt(record, 'name'),
    year: numberAt(record, 'year') ?? (date === undefined ? undefined : Number(date.slice(0, 4))),
    date,
  };
}

/** Those that have an id; of each the members that are known. */
function named(sightings: readonly Draft[]): Sighting[] {
  return sightings.flatMap(({ kind, id, ...rest }) =>
    kind === undefined || id === undefined ? [] : [{ kind, id, ...rest }],
  );
}

function isDate(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
}

function numberAt(record: Json, name: string): number | undefined {
  const value = record[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function textAt(record: Json, name: string): string | undefined {
  const value = record[name];
  return typeof value === 'string' && value !== '' && value.length <= 100 ? value : undefined;
}

const longestName = 500;

/** Other people's writing on one line. */
function lineAt(record: Json, name: string): string | undefined {
  const value = record[name];
  if (typeof value !== 'string') return undefined;
  const line = cleanText(value.slice(0, 4 * longestName))
    .replace(/\s+/gu, ' ')
    .trim();
  return line === '' ? undefined : [...line].slice(0, longestName).join('');
}
