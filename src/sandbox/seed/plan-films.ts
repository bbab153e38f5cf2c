import type { Slot } from '../artwork/slots.ts';
import { stableNumber } from './identity.ts';
import { authored, creatorFor, isUntold, placed, type SetPlan } from './plan.ts';
import type { SeededCollection, SeededFilms, SeededMovie } from './works-movies.ts';

const coverages: readonly (readonly Slot[])[] = [
  ['poster', 'backdrop', 'logo'],
  ['poster', 'backdrop', 'logo', 'squareArt', 'thumb'],
  ['poster'],
  ['poster', 'squareArt'],
];

export function planFilmSets({ movies, collections }: SeededFilms): readonly SetPlan[] {
  return [...movies.flatMap(planMovieSets), ...collections.flatMap(planCollectionSets)];
}

function planMovieSets(movie: SeededMovie): readonly SetPlan[] {
  return Array.from({ length: stableNumber(`sets ${movie.title}`, 4) }, (_, nth) => {
    const name = `movie ${movie.id} ${movie.title} ${nth}`;
    const slots = coverages[stableNumber(name, coverages.length)] ?? [];
    const lacking =
      slots.includes('logo') || stableNumber(`described ${name}`, 3) > 0 ? null : 'No logo yet.';
    const creator = creatorFor(movie.title, nth);
    const imax = movie.filmedForImax && nth === 1;
    return {
      ...authored(name, movie.title, creator),
      // The interface document lets a Movie Set have no creator.
      creator: stableNumber(`orphan ${name}`, 14) === 0 ? null : creator,
      kind: 'movie_set' as const,
      target: { kind: 'movie', id: movie.id },
      members: [],
      description: imax ? 'In the taller frame of the IMAX prints.' : lacking,
      edition: imax ? ('IMAX' as const) : ('Theatrical' as const),
      placements: placed('movie', movie.id, ...slots),
    };
  });
}

/** The first Set of a collection is whole; the second has posters only, and not yet all of them. */
function planCollectionSets(collection: SeededCollection): readonly SetPlan[] {
  const { id, title, movies } = collection;
  const told = (description: string) => (isUntold(title) ? null : description);
  const shared = {
    kind: 'collection_set' as const,
    target: { kind: 'collection', id },
    members: [],
    edition: 'Theatrical' as const,
  };
  return [
    {
      ...shared,
      ...authored(`collection ${title} 0`, title, creatorFor(title, 0)),
      description: told(
        movies.length > 0 ? 'The collection and each of its movies.' : 'The collection alone.',
      ),
      placements: [
        ...placed('collection', id, 'poster', 'backdrop', 'logo', 'squareArt'),
        ...movies.flatMap((movie) =>
          placed('movie', movie.id, 'poster', 'backdrop', 'logo', 'squareArt', 'thumb'),
        ),
      ],
    },
    {
      ...shared,
      ...authored(`collection ${title} 1`, title, creatorFor(title, 1)),
      description: told(movies.length > 0 ? 'Posters only. One movie is still missing.' : 'Posters only.'),
      placements: [
        ...placed('collection', id, 'poster'),
        ...movies.slice(0, -1).flatMap((movie) => placed('movie', movie.id, 'poster')),
      ],
    },
  ];
}
