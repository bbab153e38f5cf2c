import {
  commonFields,
  creatorFor,
  hasNoDescription,
  hasPoster,
  planSlots,
  type SetPlan,
  type SlotPlan,
} from './plan.ts';
import { stableNumber } from './stable.ts';
import type { SeededSeason, SeededShow } from './works.ts';

/** What a Show Set contains, with a matching description. */
type Coverage = Pick<SetPlan, 'description' | 'placements'>;

const complete = (show: SeededShow): Coverage => ({
  description: sentences(
    'The show and its seasons.',
    show.seasons.some(hasAired) && 'A title card for every episode that has aired.',
    withoutPoster(show),
  ),
  placements: [
    ...planSlots('show', show.id, 'poster', 'backdrop', 'logo', 'squareArt', 'thumb'),
    ...show.seasons.flatMap(artOf),
    ...show.seasons.flatMap(titleCards),
  ],
});

/** Of three seasons or more, the middle one is missing. */
const titleCardsOnly = (show: SeededShow): Coverage => {
  const aired = show.seasons.filter((season) => season.number > 0 && hasAired(season));
  if (aired.length === 0) return { description: 'Nothing here yet.', placements: [] };
  const missing = aired.length > 1 ? aired[Math.floor(aired.length / 2)] : undefined;
  return {
    description: sentences('Title cards only.', missing && `Season ${missing.number} is still missing.`),
    placements: aired.filter((season) => season !== missing).flatMap(titleCards),
  };
};

const posters = (show: SeededShow): Coverage => ({
  description: sentences('Posters for the show and its seasons.', withoutPoster(show), 'No logo yet.'),
  placements: [
    ...planSlots('show', show.id, 'poster', 'backdrop'),
    ...show.seasons.filter(hasPoster).flatMap((season) => planSlots('season', season.id, 'poster')),
  ],
});

const firstSeasonOnly = (show: SeededShow): Coverage | null => {
  const [first, ...others] = show.seasons.filter((season) => season.number > 0);
  if (first?.number !== 1 || others.length === 0) return null;
  return {
    description: 'Begun with the first season.',
    placements: [...planSlots('show', show.id, 'poster', 'logo'), ...artOf(first), ...titleCards(first)],
  };
};

const withoutLatestSeason = (show: SeededShow): Coverage | null => {
  const aired = show.seasons.filter((season) => season.number > 0 && hasAired(season));
  const latest = aired.at(-1);
  if (latest === undefined || aired.length < 2) return null;
  return {
    description: sentences(
      'The show and its seasons.',
      withoutPoster(show),
      `No title cards yet for season ${latest.number}.`,
      'No logo yet.',
    ),
    placements: [
      ...planSlots('show', show.id, 'poster', 'backdrop'),
      ...show.seasons.flatMap(artOf),
      ...show.seasons.filter((season) => season !== latest).flatMap(titleCards),
    ],
  };
};

/** Each show gets one Set of each of these two, and up to two of `optionalCoverages` that suit the show. */
const requiredCoverages: readonly ((show: SeededShow) => Coverage)[] = [complete, titleCardsOnly];
const optionalCoverages: readonly ((show: SeededShow) => Coverage | null)[] = [
  posters,
  firstSeasonOnly,
  withoutLatestSeason,
];

export function planShowSets(shows: readonly SeededShow[]): readonly SetPlan[] {
  return shows.flatMap((show) => {
    const turn = stableNumber(`first of ${show.title}`, optionalCoverages.length);
    const others = [...optionalCoverages.slice(turn), ...optionalCoverages.slice(0, turn)]
      .flatMap((coverage) => coverage(show) ?? [])
      .slice(0, stableNumber(`sets ${show.title}`, 3));
    return [...requiredCoverages.map((coverage) => coverage(show)), ...others].map(
      (content, nth): SetPlan => ({
        ...commonFields(`show ${show.title} ${nth}`, show.title, creatorFor(show.title, nth)),
        kind: 'show_set',
        target: { kind: 'show', id: show.id },
        members: [],
        edition: null,
        ...content,
        ...(hasNoDescription(show.title) ? { description: null } : {}),
      }),
    );
  });
}

function hasAired(season: SeededSeason): boolean {
  return season.episodes.some((episode) => episode.airDate !== null);
}

function titleCards(season: SeededSeason): readonly SlotPlan[] {
  return season.episodes
    .filter((episode) => episode.airDate !== null)
    .flatMap((episode) => planSlots('episode', episode.id, 'titlecard'));
}

function artOf(season: SeededSeason): readonly SlotPlan[] {
  return [
    ...(hasPoster(season) ? planSlots('season', season.id, 'poster') : []),
    ...planSlots('season', season.id, 'backdrop'),
  ];
}

function withoutPoster({ seasons }: SeededShow): string | false {
  const names = seasons.filter((season) => !hasPoster(season)).map(({ number }) => `season ${number}`);
  return names.length > 0 && `No poster yet for ${names.join(', ')}.`;
}

function sentences(...all: readonly (string | false | undefined)[]): string {
  return all.filter((sentence) => typeof sentence === 'string').join(' ');
}
