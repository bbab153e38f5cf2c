import type { SeedCollection, SeedMovie } from '../types.ts';

export const middleEarthCollections: readonly SeedCollection[] = [
  {
    title: 'The Lord of the Rings',
    overview:
      'Three films after the novel by J. R. R. Tolkien, released from 2001 to 2003: The Fellowship of the Ring, The Two Towers and The Return of the King.',
  },
  {
    title: 'The Hobbit',
    overview:
      'Three films after the novel by J. R. R. Tolkien, released from 2012 to 2014: An Unexpected Journey, The Desolation of Smaug and The Battle of the Five Armies.',
  },
];

/** The six films set in Middle-earth that Peter Jackson directed. */
export const middleEarth: readonly SeedMovie[] = [
  {
    title: 'The Lord of the Rings: The Fellowship of the Ring',
    overview:
      'A young hobbit inherits a ring of great and evil power. With eight companions he sets out to destroy it in the fire where it was forged.',
    tagline: 'One ring to rule them all.',
    status: 'released',
    releaseDate: '2001-12-19',
    runtimeMinutes: 178,
    filmedForImax: false,
    collection: 'The Lord of the Rings',
    companies: ['New Line Cinema', 'WingNut Films'],
    people: ['Peter Jackson'],
    categories: ['Adventure', 'Fantasy', 'Based on a Book'],
  },
  {
    title: 'The Lord of the Rings: The Two Towers',
    overview:
      'The fellowship is broken: two hobbits follow a treacherous guide towards Mordor, while their friends defend a besieged fortress.',
    tagline: '',
    status: 'released',
    releaseDate: '2002-12-18',
    runtimeMinutes: 179,
    filmedForImax: false,
    collection: 'The Lord of the Rings',
    companies: ['New Line Cinema', 'WingNut Films'],
    people: ['Peter Jackson'],
    categories: ['Adventure', 'Fantasy', 'Based on a Book'],
  },
  {
    title: 'The Lord of the Rings: The Return of the King',
    overview:
      'The last armies of the free peoples draw the enemy out, to win time for the two hobbits who carry the ring up the mountain.',
    tagline: '',
    status: 'released',
    releaseDate: '2003-12-17',
    runtimeMinutes: 201,
    filmedForImax: false,
    collection: 'The Lord of the Rings',
    companies: ['New Line Cinema', 'WingNut Films'],
    people: ['Peter Jackson'],
    categories: ['Adventure', 'Fantasy', 'Based on a Book'],
  },
  {
    title: 'The Hobbit: An Unexpected Journey',
    overview:
      'A comfort-loving hobbit is talked into joining thirteen dwarves and a wizard, who want to win back a kingdom under a mountain.',
    tagline: 'From the smallest beginnings come the greatest legends.',
    status: 'released',
    releaseDate: '2012-12-14',
    runtimeMinutes: 169,
    filmedForImax: false,
    collection: 'The Hobbit',
    companies: ['New Line Cinema', 'Metro-Goldwyn-Mayer', 'WingNut Films'],
    people: ['Peter Jackson'],
    categories: ['Adventure', 'Fantasy', 'Based on a Book'],
  },
  {
    title: 'The Hobbit: The Desolation of Smaug',
    overview:
      'The company crosses a dark forest and a town on a lake to reach the mountain, where a dragon sleeps on the dwarves’ gold.',
    tagline: '',
    status: 'released',
    releaseDate: '2013-12-13',
    runtimeMinutes: 161,
    filmedForImax: false,
    collection: 'The Hobbit',
    companies: ['New Line Cinema', 'Metro-Goldwyn-Mayer', 'WingNut Films'],
    people: ['Peter Jackson'],
    categories: ['Adventure', 'Fantasy', 'Based on a Book'],
  },
  {
    title: 'The Hobbit: The Battle of the Five Armies',
    overview:
      'With the dragon gone, dwarves, elves and men quarrel over the treasure while an army of orcs draws near.',
    tagline: '',
    status: 'released',
    releaseDate: '2014-12-17',
    runtimeMinutes: 144,
    filmedForImax: false,
    collection: 'The Hobbit',
    companies: ['New Line Cinema', 'Metro-Goldwyn-Mayer', 'WingNut Films'],
    people: ['Peter Jackson'],
    categories: ['Adventure', 'Fantasy', 'Based on a Book'],
  },
];
