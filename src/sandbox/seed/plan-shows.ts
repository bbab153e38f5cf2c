import { stableNumber } from './identity.ts';
import { authored, creatorFor, isUntold, type Placement, placed, type SetPlan } from './plan.ts';
import { hasPoster } from './season-posters.ts';
import type { SeededSeason, SeededShow } from './works-shows.ts';

/** What a Show Set covers, and a description that is true of it. */
type Coverage = Pick<SetPlan, 'description' | 'placements'>;

const whole = (show: SeededShow): Coverage => ({
  description: sentences(
    'The show and its seasons.',
    show.seasons.some(hasAired) && 'A title card for every episode that has aired.',
    withoutPoster(show),
  ),
  placements: [
    ...placed('show', show.id, 'poster', 'backdrop', 'logo', 'squareArt', 'thumb'),
    ...show.seasons.flatMap(artOf),
    ...show.seasons.flatMap(titleCards),
  ],
});

/** Of three seasons or more, the one in the middle is missing. */
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
    ...placed('show', show.id, 'poster', 'backdrop'),
    ...show.seasons.filter(hasPoster).flatMap((season) => placed('season', season.id, 'poster')),
  ],
});

const begun = (show: SeededShow): Coverage | null => {
  const [first, ...others] = show.seasons.filter((season) => season.number > 0);
  if (first?.number !== 1 || others.length === 0) return null;
  return {
    description: 'Begun with the first season.',
    placements: [...placed('show', show.id, 'poster', 'logo'), ...artOf(first), ...titleCards(first)],
  };
};

const notYetTheLatest = (show: SeededShow): Coverage | null => {
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
      ...placed('show', show.id, 'poster', 'backdrop'),
      ...show.seasons.flatMap(artOf),
      ...show.seasons.filter((season) => season !== latest).flatMap(titleCards),
    ],
  };
};

/** Each show gets a Set of each of these two, and up to two Sets of `perhaps` where these fit the show. */
const always: readonly ((show: SeededShow) => Coverage)[] = [whole, titleCardsOnly];
const perhaps: readonly ((show: SeededShow) => Coverage | null)[] = [posters, begun, notYetTheLatest];

export function planShowSets(shows: readonly SeededShow[]): readonly SetPlan[] {
  return shows.flatMap((show) => {
    const turn = stableNumber(`first of ${show.title}`, perhaps.length);
    const others = [...perhaps.slice(turn), ...perhaps.slice(0, turn)]
      .flatMap((coverage) => coverage(show) ?? [])
      .slice(0, stableNumber(`sets ${show.title}`, 3));
    return [...always.map((coverage) => coverage(show)), ...others].map(
      (content, nth): SetPlan => ({
        ...authored(`show ${show.title} ${nth}`, show.title, creatorFor(show.title, nth)),
        kind: 'show_set',
        target: { kind: 'show', id: show.id },
        members: [],
        edition: null,
        ...content,
        ...(isUntold(show.title) ? { description: null } : {}),
      }),
    );
  });
}

function hasAired(season: SeededSeason): boolean {
  return season.episodes.some((episode) => episode.airDate !== null);
}

function titleCards(season: SeededSeason): readonly Placement[] {
  return season.episodes
    .filter((episode) => episode.airDate !== null)
    .flatMap((episode) => placed('episode', episode.id, 'titlecard'));
}

function artOf(season: SeededSeason): readonly Placement[] {
  return [
    ...(hasPoster(season) ? placed('season', season.id, 'poster') : []),
    ...placed('season', season.id, 'backdrop'),
  ];
}

function withoutPoster({ seasons }: SeededShow): string | false {
  const names = seasons.filter((season) => !hasPoster(season)).map(({ number }) => `season ${number}`);
  return names.length > 0 && `No poster yet for ${names.join(', ')}.`;
}

function sentences(...all: readonly (string | false | undefined)[]): string {
  return all.filter((sentence) => typeof sentence === 'string').join(' ');
}
