import type { EpisodesIndexItem } from './records/feeds.ts';
import type { Entity, EntityKind } from './records/index.ts';
import { cleanText } from '../text.ts';

/**
 * What public reads have shown targets to be called, so that an answer can name one without another read. Names are
 * other people's writing: cleaned, on one line and short.
 */
export interface TargetNames {
  /** `S01E14 · Objects in Space`, `Serenity (2005)`; null for what no read of this process has shown. */
  nameOf(kind: string, id: number | string): string | null;
  learn(kind: EntityKind, entity: Entity): void;
  learnEpisode(episode: EpisodesIndexItem): void;
}

/** As many as the largest Set has targets, a few times over. */
const mostNames = 10_000;

/** Remembers what public reads have shown entities and Sets to be called. */
export function createTargetNames(most = mostNames): TargetNames {
  const names = new Map<string, string>();
  const set = (kind: string, id: unknown, name: string): void => {
    if ((typeof id !== 'number' && typeof id !== 'string') || name === '') return;
    const key = `${kind} ${id}`;
    names.delete(key);
    names.set(key, name);
    const [oldest] = names.keys();
    if (names.size > most && oldest !== undefined) names.delete(oldest);
  };
  return {
    nameOf: (kind, id) => names.get(`${kind} ${id}`) ?? null,
    learn(kind, entity) {
      set(kind, entity.id, nameOfEntity(kind, entity));
      for (const { id, ...season } of recordsAt(entity, 'seasons')) set('season', id, nameOfSeason(season));
      for (const { id, ...episode } of recordsAt(entity, 'episodes')) {
        set('episode', id, nameOfEpisode({ seasonNumber: numberAt(entity, 'seasonNumber'), ...episode }));
      }
      for (const { id, ...movie } of recordsAt(entity, 'movies')) set('movie', id, nameOfWork(movie));
    },
    learnEpisode: (episode) => set('episode', episode.id, nameOfEpisode(episode)),
  };
}

type Json = Readonly<Record<string, unknown>>;

function nameOfEntity(kind: EntityKind, entity: Json): string {
  switch (kind) {
    case 'show':
    case 'movie':
    case 'game':
      return nameOfWork(entity);
    case 'season':
      return nameOfSeason(entity);
    case 'episode':
      return nameOfEpisode(entity);
    case 'collection':
      return shortName(entity.title);
    case 'company':
    case 'network':
    case 'person':
    case 'category':
      return shortName(entity.name);
  }
}

/** With the year of its first date, which tells works of one title apart. */
function nameOfWork(work: Json): string {
  const title = shortName(work.title);
  const date = work.firstAirDate ?? work.releaseDate ?? work.firstReleaseDate;
  const year = numberAt(work, 'year') ?? (typeof date === 'string' ? /^\d{4}(?=-)/.exec(date)?.[0] : null);
  return title === '' || year === null || year === undefined ? title : `${title} (${year})`;
}

function nameOfSeason(season: Json): string {
  const number = numberAt(season, 'seasonNumber');
  return joined(number === null ? '' : `S${pad(number)}`, season.title);
}

function nameOfEpisode(episode: Json): string {
  const [season, number] = [numberAt(episode, 'seasonNumber'), numberAt(episode, 'episodeNumber')];
  const code = `${season === null ? '' : `S${pad(season)}`}${number === null ? '' : `E${pad(number)}`}`;
  return joined(code, episode.title);
}

function joined(code: string, title: unknown): string {
  return [code, shortName(title)].filter((part) => part !== '').join(' · ');
}

const longest = 80;

/** Other people's writing as a name within an answer: cleaned, on one line, at most 80 characters. */
export function shortName(text: unknown): string {
  if (typeof text !== 'string') return '';
  const letters = [...cleanText(text.slice(0, 1_000)).replace(/\s+/gu, ' ').trim()];
  return letters.length <= longest ? letters.join('') : `${letters.slice(0, longest - 1).join('')}…`;
}

function recordsAt(entity: Json, name: string): Json[] {
  const list = entity[name];
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

function numberAt(record: Json, name: string): number | null {
  const value = record[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
