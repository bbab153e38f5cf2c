import type { SeedShow } from '../types.ts';

/**
 * In the order of the DVDs, which is the intended one; Fox broadcast the episodes in another,
 * so the dates jump. Three that it left out (11 to 13) were first shown elsewhere on days that published sources
 * disagree about: they are not here, and the others keep their numbers.
 */
export const firefly: SeedShow = {
  title: 'Firefly',
  overview:
    'The crew of the small spaceship Serenity takes jobs at the edge of the law, five hundred years from now.',
  tagline: null,
  status: 'canceled',
  networks: ['Fox'],
  companies: [],
  people: [
    'Joss Whedon',
    'Nathan Fillion',
    'Gina Torres',
    'Alan Tudyk',
    'Morena Baccarin',

    'Jewel Staite',

    'Summer Glau',
    'Ron Glass',
  ],
  categories: ['Science Fiction', 'Western', 'Drama', 'Space', 'The Future'],
  seasons: [
    {
      number: 1,
      title: 'Season 1',
      airDate: '2002-09-20',
      episodes: [
        [1, 'Serenity', '2002-12-20'],
        [2, 'The Train Job', '2002-09-20'],
        [3, 'Bushwhacked', '2002-09-27'],
        [4, 'Shindig', '2002-11-01'],
        [5, 'Safe', '2002-11-08'],
        [6, 'Our Mrs. Reynolds', '2002-10-04'],
        [7, 'Jaynestown', '2002-10-18'],
        [8, 'Out of Gas', '2002-10-25'],
        [9, 'Ariel', '2002-11-15'],
        [10, 'War Stories', '2002-12-06'],
        [14, 'Objects in Space', '2002-12-13'],
      ],
    },
  ],
};
