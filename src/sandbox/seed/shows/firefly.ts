import type { SeedShow } from '../types.ts';

/**
 * In the order of the DVDs, which is the intended one; Fox broadcast the episodes in another,
 * so the dates jump. Three were not broadcast there at all and have no date.
 */
export const firefly: SeedShow = {
  title: 'Firefly',
  overview:
    'The crew of the small spaceship Serenity takes jobs at the edge of the law, five hundred years from now.',
  tagline: null,
  status: 'canceled',
  networks: ['Fox'],
  companies: ['Mutant Enemy Productions', '20th Century Fox Television'],
  people: [
    'Joss Whedon',
    'Nathan Fillion',
    'Gina Torres',
    'Alan Tudyk',
    'Morena Baccarin',
    'Adam Baldwin',
    'Jewel Staite',
    'Sean Maher',
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
        [11, 'Trash', null],
        [12, 'The Message', null],
        [13, 'Heart of Gold', null],
        [14, 'Objects in Space', '2002-12-13'],
      ],
    },
  ],
};
