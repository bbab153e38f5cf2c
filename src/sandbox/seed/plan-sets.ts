import type { Slot } from '../artwork/targets.ts';
import { creators } from './creators.ts';
import type { Named, Names } from './names.ts';
import { commonFields, creatorFor, hasNoDescription, planSlots, type SetPlan } from './plan.ts';
import { stableNumber } from './stable.ts';
import type { SeededCollection, SeededFilms, SeededGame, SeededMovie } from './works.ts';

const movieCoverages: readonly (readonly Slot[])[] = [
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
    const slots = movieCoverages[stableNumber(name, movieCoverages.length)] ?? [];
    const lacking =
      slots.includes('logo') || stableNumber(`described ${name}`, 3) > 0 ? null : 'No logo yet.';
    const creator = creatorFor(movie.title, nth);
    const imax = movie.filmedForImax && nth === 1;
    return {
      ...commonFields(name, movie.title, creator),
      // The interface document allows a Movie Set without a creator.
      creator: stableNumber(`orphan ${name}`, 14) === 0 ? null : creator,
      kind: 'movie_set' as const,
      target: { kind: 'movie', id: movie.id },
      members: [],
      description: imax ? 'In the taller frame of the IMAX prints.' : lacking,
      edition: imax ? ('IMAX' as const) : ('Theatrical' as const),
      placements: planSlots('movie', movie.id, ...slots),
    };
  });
}

/** The first Set of a collection is complete; the second has only posters, and not all of them. */
function planCollectionSets(collection: SeededCollection): readonly SetPlan[] {
  const { id, title, movies } = collection;
  const described = (description: string) => (hasNoDescription(title) ? null : description);
  const shared = {
    kind: 'collection_set' as const,
    target: { kind: 'collection', id },
    members: [],
    edition: 'Theatrical' as const,
  };
  return [
    {
      ...shared,
      ...commonFields(`collection ${title} 0`, title, creatorFor(title, 0)),
      description: described(
        movies.length > 0 ? 'The collection and each of its movies.' : 'The collection alone.',
      ),
      placements: [
        ...planSlots('collection', id, 'poster', 'backdrop', 'logo', 'squareArt'),
        ...movies.flatMap((movie) =>
          planSlots('movie', movie.id, 'poster', 'backdrop', 'logo', 'squareArt', 'thumb'),
        ),
      ],
    },
    {
      ...shared,
      ...commonFields(`collection ${title} 1`, title, creatorFor(title, 1)),
      description: described(
        movies.length > 0 ? 'Posters only. One movie is still missing.' : 'Posters only.',
      ),
      placements: [
        ...planSlots('collection', id, 'poster'),
        ...movies.slice(0, -1).flatMap((movie) => planSlots('movie', movie.id, 'poster')),
      ],
    },
  ];
}

const gameCoverages: readonly (readonly [description: string, slots: readonly Slot[]])[] = [
  [
    'Every slot that a launcher shows.',
    ['cover', 'hero', 'logo', 'wideCover', 'background', 'squareCover', 'icon'],
  ],
  ['Cover, hero and logo.', ['cover', 'hero', 'logo']],
  ['No logo yet.', ['cover', 'squareCover', 'icon']],
];

export function planGameSets(games: readonly SeededGame[]): readonly SetPlan[] {
  return games.flatMap((game) =>
    gameCoverages.slice(0, 1 + stableNumber(`sets ${game.title}`, 3)).map(([description, slots], nth) => ({
      ...commonFields(`game ${game.id} ${game.title} ${nth}`, game.title, creatorFor(game.title, nth)),
      kind: 'game_set' as const,
      target: { kind: 'game', id: game.id },
      members: [],
      description: hasNoDescription(game.title) ? null : description,
      edition: null,
      placements: planSlots('game', game.id, ...slots),
    })),
  );
}

/** Brand Sets of the first creators, and Talent and Category Sets, which only their owners can read. */
export function planNameSets(names: Names): readonly SetPlan[] {
  const networks = names.all('network');
  const companies = names.all('company');
  return [
    brandSet(0, 'Broadcasters', networks, []),
    brandSet(1, 'Studios', [], companies.slice(0, 20)),
    brandSet(2, 'Sender und Studios', networks.slice(0, 5), companies.slice(0, 8)),
    brandSet(3, 'Logos only', networks.slice(0, 8), companies.slice(8, 16), ['logo']),
    {
      ...brandSet(4, 'Broadcasters of Nowhere', networks.slice(-4), []),
      creator: null,
      description: null,
    },
    ...names
      .all('person')
      .slice(0, 6)
      .map((person) => nameSet('talent_set', person)),
    ...names
      .all('category')
      .slice(0, 6)
      .map((category) => nameSet('category_set', category)),
  ];
}

function brandSet(
  nth: number,
  title: string,
  networks: readonly Named[],
  companies: readonly Named[],
  slots: readonly ('poster' | 'thumb' | 'logo')[] = ['poster', 'thumb', 'logo'],
): SetPlan {
  const creator = creators[nth];
  if (!creator) throw new Error(`There is no creator ${nth}.`);
  const members = [...networks, ...companies];
  const whole = nth === 0 || slots.length === 1;
  return {
    ...commonFields(`brand ${title}`, title, creator),
    kind: 'brand_set',
    target: null,
    members,
    description: whole ? `One ${slots.join(', one ')} for each.` : 'Every third logo is still missing.',
    edition: null,
    placements: members.flatMap(({ kind, id }, position) => {
      if (kind !== 'network' && kind !== 'company') return [];
      return planSlots(kind, id, ...slots.filter((slot) => whole || slot !== 'logo' || position % 3 !== 2));
    }),
  };
}

function nameSet(kind: 'talent_set' | 'category_set', named: Named): SetPlan {
  const entity = kind === 'talent_set' ? ('person' as const) : ('category' as const);
  return {
    ...commonFields(`${entity} ${named.name}`, named.name, creatorFor(named.name, 0)),
    kind,
    target: { kind: named.kind, id: named.id },
    members: [],
    description: null,
    edition: null,
    placements: planSlots(entity, named.id, 'poster'),
  };
}
