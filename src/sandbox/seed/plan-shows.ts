import { authored, creatorFor, type Placement, placed, type SetPlan } from './plan.ts';
import { stableNumber } from './identity.ts';
import type { SeededSeason, SeededShow } from './works-shows.ts';

/** What a Show Set covers, with its typical gaps; each show gets the first two and perhaps more. */
const coverages: readonly {
  readonly description: string | null;
  readonly placements: (show: SeededShow) => readonly Placement[];
}[] = [
  {
    description: 'Posters for the show and every season, and a title card for every episode that has aired.',
    placements: (show) => [
      ...placed('show', show.id, 'poster', 'backdrop', 'logo', 'squareArt', 'thumb'),
      ...show.seasons.flatMap((season) => placed('season', season.id, 'poster', 'backdrop')),
      ...show.seasons.flatMap(titleCards),
    ],
  },
  {
    description: 'Title cards only. The season in the middle is still missing.',
    placements: (show) => {
      const regular = show.seasons.filter((season) => season.number > 0);
      const missing = regular.length > 1 ? regular[Math.floor(regular.length / 2)] : undefined;
      return regular.filter((season) => season !== missing).flatMap(titleCards);
    },
  },
  {
    description: null,
    placements: (show) => [
      ...placed('show', show.id, 'poster', 'backdrop'),
      ...show.seasons.flatMap((season) => placed('season', season.id, 'poster')),
    ],
  },
  {
    description: 'Begun with the first season.',
    placements: (show) => [
      ...placed('show', show.id, 'poster', 'logo'),
      ...show.seasons
        .filter((season) => season.number === 1)
        .flatMap((season) => [...placed('season', season.id, 'poster'), ...titleCards(season)]),
    ],
  },
];

export function planShowSets(shows: readonly SeededShow[]): readonly SetPlan[] {
  return shows.flatMap((show) =>
    coverages.slice(0, 2 + stableNumber(`sets ${show.title}`, 3)).map(({ description, placements }, nth) => ({
      ...authored(`show ${show.title} ${nth}`, show.title, creatorFor(show.title, nth)),
      kind: 'show_set' as const,
      target: { kind: 'show', id: show.id },
      members: [],
      description,
      edition: null,
      placements: placements(show),
    })),
  );
}

function titleCards(season: SeededSeason): readonly Placement[] {
  return season.episodes
    .filter((episode) => episode.airDate !== null)
    .flatMap((episode) => placed('episode', episode.id, 'titlecard'));
}
