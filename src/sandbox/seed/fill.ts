import { type EntityKind, metadataImagesOf, type PicturedKind, type Slot } from '../artwork/targets.ts';
import type { Database } from '../store/database.ts';
import { artworkTables, feedTables } from '../store/tables-artwork.ts';
import { entityTables } from '../store/tables-entities.ts';
import { readContent, type SeedContent } from './content.ts';
import { fillCreators } from './creators.ts';
import { fillGroups, type SeededSet } from './groups.ts';
import { History } from './history.ts';
import { fillNames, type Named } from './names.ts';
import { fillMetadataImages } from './pictures.ts';
import { planFilmSets, planGameSets, planNameSets } from './plan-sets.ts';
import { planShowSets } from './plan-shows.ts';
import { hasPoster, planStandalone } from './plan.ts';
import { StableIds } from './stable.ts';
import { fillFilms, fillGames, fillShows } from './works.ts';

/**
 * Fills an empty database: tables, works, artwork, Sets, groups, and the changes of the weeks before `now`.
 * Ids depend on names alone; times are relative to `now`.
 * @throws SandboxError when the data of the program is damaged.
 */
export function fillCatalogue(database: Database, now: Date, content: SeedContent = readContent()): void {
  database.execute(artworkTables + entityTables + feedTables);
  const names = fillNames(database, content);
  const shows = fillShows(database, content, names);
  const films = fillFilms(database, content, names);
  const games = fillGames(database, content, names);
  fillCreators(database, now);

  const history = new History(database, now);
  const entity = (kind: EntityKind, id: number, exactly: Partial<Record<Slot, number>> = {}) => {
    const lacking = Object.entries(exactly).flatMap(([slot, count]) => (count === 0 ? [slot] : []));
    if (isPictured(kind)) fillMetadataImages(database, kind, id, lacking);
    for (const plan of planStandalone(kind, id, exactly)) history.standalone(plan);
  };
  for (const show of shows) {
    entity('show', show.id, show.posters === undefined ? {} : { poster: show.posters });
    for (const season of show.seasons) {
      entity('season', season.id, hasPoster(season) ? {} : { poster: 0 });
      for (const episode of season.episodes) entity('episode', episode.id);
    }
  }
  for (const { kind, id } of [...films.movies, ...films.collections, ...games]) entity(kind, id);
  for (const kind of ['company', 'network', 'person', 'category'] as const) {
    for (const { id } of names.all(kind)) entity(kind, id);
  }

  const belongs = new Map<string, readonly Named[]>();
  for (const work of [...shows, ...films.movies, ...games])
    belongs.set(`${work.kind} ${work.id}`, work.belongs);
  const setIds = new StableIds(1_000, 9_999);
  const sets = [
    ...planShowSets(shows),
    ...planFilmSets(films),
    ...planGameSets(games),
    ...planNameSets(names),
  ].map((plan): SeededSet => {
    const id = setIds.idOf(plan.name);
    history.set(id, plan);
    return { id, plan, belongs: belongs.get(`${plan.target?.kind} ${plan.target?.id}`) ?? [] };
  });
  history.makeChanges();
  fillGroups(database, now, sets);
}

function isPictured(kind: EntityKind): kind is PicturedKind {
  return kind in metadataImagesOf;
}
