import type { SeedSeason, SeedShow } from '../../types.ts';

/** The title of the show with 40 seasons. */
export const manySeasonsShow = 'Forty Winters in Mossbottom' as const;

const firstYear = 1981;
const episodesPerWinter = ['First Frost', 'The Pond', 'Deep Snow', 'The Longest Night', 'Thaw'] as const;

/** Winter `number`: five episodes, the same five every winter, on the first days of January to May. */
function winter(number: number): SeedSeason {
  const year = firstYear + number - 1;
  return {
    number,
    title: `Winter ${number}`,
    airDate: `${year}-01-01`,
    episodes: episodesPerWinter.map((title, index) => [index + 1, title, `${year}-0${index + 1}-01`]),
  };
}

export const fortyWinters: SeedShow = {
  title: manySeasonsShow,
  overview:
    'A fictional work for trying out edge cases: forty seasons of weather in a village of no importance.',
  tagline: 'It gets colder.',
  status: 'ended',
  networks: ['Pretend Television One'],
  companies: ['Thimble & Gravy Imaginary Productions'],
  people: ['Ottoline Quackenfrost'],
  categories: ['Drama', 'Edge Cases'],
  seasons: Array.from({ length: 40 }, (_, index) => winter(index + 1)),
};
