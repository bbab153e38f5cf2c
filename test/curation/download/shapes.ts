import type { Target, WorkTarget } from '../../../src/model/target.ts';
import type { Wanted } from './readers/library.ts';
import { aWork } from './shows.ts';

/** A library that people have, and the one film or show in it that artwork is for. */
export interface Shape {
  readonly work: WorkTarget;
  /** Videos by what they hold: `film`, or season and episodes. */
  readonly videos: Readonly<Record<string, 'film' | readonly [season: number, ...episodes: number[]]>>;
  /** The work's own folder. */
  readonly at: string;
  readonly isLoose?: boolean;
  /** Other files that lie there. */
  readonly beside?: readonly string[];
}

export const maverick = aWork('movie', 'Top Gun: Maverick', 2022);
export const bad = aWork('show', 'Breaking Bad', 2008);

/** A film in a folder of its own. */
function film(at: string, more: Partial<Shape> = {}): Shape {
  return { work: maverick, at, videos: { [`${at}/top.gun.mkv`]: 'film' }, ...more };
}

/** A show by its videos. */
export function show(at: string, videos: Shape['videos'], more: Partial<Shape> = {}): Shape {
  const below = Object.fromEntries(Object.entries(videos).map(([name, holds]) => [`${at}/${name}`, holds]));
  return { work: bad, at, videos: below, ...more };
}

export const shapes: Readonly<Record<string, Shape>> = {
  'a folder without the sign of its title, with an id': film('Top Gun Maverick (2022) {tmdb-361743}'),
  'a release': film('Top.Gun.Maverick.2022.1080p.BluRay.x264-GRP'),
  'capitals and tags': film('TOP GUN MAVERICK (2022) [1080p] [REMUX]'),
  'a shelf by letter': film('Movies/T/Top Gun Maverick (2022)'),
  'pictures of the folder': film('Top Gun Maverick (2022)', {
    beside: ['folder.jpg', 'fanart.jpg', 'clearlogo.png', 'thumb.jpg'],
  }),
  'pictures called as the video': film('Top Gun Maverick (2022)', {
    beside: ['top.gun-poster.jpg', 'top.gun-fanart.jpg', 'top.gun-logo.png', 'top.gun-landscape.jpg'],
  }),
  'two versions of a film': {
    work: maverick,
    at: 'Top Gun Maverick (2022)',
    videos: {
      'Top Gun Maverick (2022)/Top Gun Maverick (2022) - 1080p.mkv': 'film',
      'Top Gun Maverick (2022)/Top Gun Maverick (2022) - 4k.mkv': 'film',
    },
  },
  'films without folders': {
    work: maverick,
    at: 'Movies',
    isLoose: true,
    videos: { 'Movies/Top Gun Maverick (2022).mkv': 'film' },
    beside: ['Heat (1995).mkv', 'Top Gun (1986).mkv'],
  },
  'a number in superscript, and its predecessor beside it': {
    work: aWork('movie', 'Alien³', 1992),
    at: 'Alien 3 (1992)',
    videos: { 'Alien 3 (1992)/alien.mkv': 'film' },
    beside: ['../Alien (1979)/alien.mkv', '../Aliens (1986)/aliens.mkv'],
  },
  'a show without a year': show('Breaking Bad', {
    'Season 1/Breaking Bad S01E01.mkv': [1, 1],
    'Season 1/Breaking Bad S01E02.mkv': [1, 2],
  }),
  'a film of the show’s name': {
    work: aWork('show', 'Fargo', 2014),
    at: 'Fargo',
    videos: { 'Fargo/Season 1/Fargo S01E01.mkv': [1, 1] },
    beside: ['../Fargo (1996)/fargo.mkv'],
  },
  'Season 05 (2012)': show('Breaking Bad (2008)', { 'Season 05 (2012)/bb.s05e01.mkv': [5, 1] }),
  '3.Staffel': show('Breaking Bad (2008)', { '3.Staffel/bb - 3x01.mkv': [3, 1] }),
  'Saison VII': show('Breaking Bad (2008)', { 'Saison VII/07 - Titre.mkv': [7, 7] }),
  'flat videos': show('Breaking Bad', { 'bb.s01e01.mkv': [1, 1], 'bb.s02e01.mkv': [2, 1] }),
  'one video for two episodes': show('Breaking Bad (2008)', {
    'Season 01/bb.S01E03-E04.mkv': [1, 3, 4],
    'Season 01/bb.S01E05.mkv': [1, 5],
  }),
  'two versions of an episode': show('Breaking Bad (2008)', {
    'Season 01/bb.S01E01.720p.mkv': [1, 1],
    'Season 01/bb.S01E01.1080p.mkv': [1, 1],
  }),
  specials: show('Breaking Bad (2008)', {
    'Specials/bb.S00E01.mkv': [0, 1],
    'Season 1/bb.s01e01.mkv': [1, 1],
  }),
  'numbers without a season': show('Breaking Bad (2008)', { 'Season 1/06 - Title.mkv': [1, 6] }),
  'posters of seasons in another spelling': show(
    'TV/Breaking Bad (2008)',
    { 'Season 1/bb.s01e01.mkv': [1, 1] },
    { beside: ['season1-poster.jpg', 'season-1.jpg'] },
  ),
  'an id of another catalogue': film('Top Gun Maverick (2022) [imdbid-tt1745960]'),
  'an edition in its tag': film('Top Gun Maverick (2022) {edition-Extended Cut}'),
  'a title that is a number': {
    work: aWork('movie', '1917', 2019),
    at: '1917 (2019)',
    videos: { '1917 (2019)/1917.mkv': 'film' },
  },
  'and for a sign': {
    work: aWork('movie', 'Mr. & Mrs. Smith', 2005),
    at: 'Mr and Mrs Smith (2005)',
    videos: { 'Mr and Mrs Smith (2005)/smith.mkv': 'film' },
  },
  'the article behind the title': {
    work: aWork('show', 'The Office', 2005),
    at: 'Office, The (2005)',
    videos: { 'Office, The (2005)/Season 1/The Office S01E01.mkv': [1, 1] },
  },
  'a shelf by genre': show('TV/Drama/Breaking Bad (2008)', { 'Season 1/bb.s01e01.mkv': [1, 1] }),
  '1x02': show('Breaking Bad (2008)', { 'Season 1/1x02.mkv': [1, 2] }),
  'seasons with the show’s name': show('Breaking Bad (2008)', {
    'Breaking Bad S01/bb.s01e01.mkv': [1, 1],
    'Breaking Bad S02/bb.s02e01.mkv': [2, 1],
  }),
  'extras and samples': show(
    'Breaking Bad (2008)',
    { 'Season 1/bb.s01e01.mkv': [1, 1] },
    { beside: ['Featurettes/making of s01e01.mkv', 'Season 1/bb.s01e01.sample.mkv'] },
  ),
};

/** The work, and the seasons and episodes that lie there. */
export function targetsOf({ work, videos }: Shape): Target[] {
  const numbers = Object.values(videos).flatMap((holds) => (holds === 'film' ? [] : [holds]));
  const seasons = [...new Set(numbers.map(([season]) => season))];
  const episodes = numbers.flatMap(([season, ...all]) => all.map((episode) => `${season} ${episode}`));
  return [
    work,
    ...seasons.map((season): Target => ({ kind: 'season', id: season, title: '', date: null, season })),
    ...[...new Set(episodes)].map((code): Target => {
      const [season = 0, episode = 0] = code.split(' ').map(Number);
      return { kind: 'episode', id: season * 100 + episode, title: '', date: null, season, episode };
    }),
  ];
}

/** What the program looks for, for each of the target's videos. */
export function wantedOf({ at, videos, isLoose = false }: Shape, target: Target, slot: string): Wanted[] {
  const season = target.kind === 'season' || target.kind === 'episode' ? (target.season ?? 0) : -1;
  const episode = target.kind === 'episode' ? (target.episode ?? 0) : -1;
  const own = Object.entries(videos).filter(([, holds]) => {
    if (holds === 'film') return target.kind === 'movie';
    const [of, ...all] = holds;
    return target.kind === 'show' || (of === season && (episode < 0 || all.includes(episode)));
  });
  const { kind } = target;
  if (kind !== 'movie' && kind !== 'show' && kind !== 'season' && kind !== 'episode') throw new Error(kind);
  return own.map(([video]) => ({ of: kind, slot, folder: at, video, isLoose, season, episode }));
}
