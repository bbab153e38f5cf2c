import type { SeedCollection, SeedMovie } from '../types.ts';

export const starWarsCollections: readonly SeedCollection[] = [
  {
    title: 'Star Wars',
    overview:
      'The nine numbered films: the original trilogy (1977 to 1983), the prequels (1999 to 2005) and the sequels (2015 to 2019). Stand-alone films are not part of it.',
  },
];

/** The nine numbered episodes, in the order of their release. */
export const starWars: readonly SeedMovie[] = [
  {
    title: 'Star Wars',
    overview:
      'A farm boy receives a message from a captive princess, and leaves his desert planet to join the rebellion against the Empire.',
    tagline: 'A long time ago in a galaxy far, far away...',
    status: 'released',
    releaseDate: '1977-05-25',
    runtimeMinutes: 121,
    filmedForImax: false,
    collection: 'Star Wars',
    companies: ['Lucasfilm', '20th Century Fox'],
    people: ['George Lucas'],
    categories: ['Adventure', 'Action', 'Science Fiction', 'Space'],
  },
  {
    title: 'The Empire Strikes Back',
    overview:
      'Driven from their hidden base on an ice planet, the rebels scatter. One of them seeks an old teacher in a swamp.',
    tagline: 'The adventure continues...',
    status: 'released',
    releaseDate: '1980-05-21',
    runtimeMinutes: 124,
    filmedForImax: false,
    collection: 'Star Wars',
    companies: ['Lucasfilm', '20th Century Fox'],
    people: ['Irvin Kershner'],
    categories: ['Adventure', 'Action', 'Science Fiction', 'Space'],
  },
  {
    title: 'Return of the Jedi',
    overview:
      'The rebels free a friend from a crime lord and then attack the Empire’s second great battle station.',
    tagline: '',
    status: 'released',
    releaseDate: '1983-05-25',
    runtimeMinutes: 132,
    filmedForImax: false,
    collection: 'Star Wars',
    companies: ['Lucasfilm', '20th Century Fox'],
    people: [],
    categories: ['Adventure', 'Action', 'Science Fiction', 'Space'],
  },
  {
    title: 'Star Wars: Episode I – The Phantom Menace',
    overview:
      'Two Jedi protect a young queen whose planet is under blockade, and meet a slave boy with unusual gifts.',
    tagline: 'Every generation has a legend. Every journey has a first step. Every saga has a beginning.',
    status: 'released',
    releaseDate: '1999-05-19',
    runtimeMinutes: 133,
    filmedForImax: false,
    collection: 'Star Wars',
    companies: ['Lucasfilm', '20th Century Fox'],
    people: ['George Lucas'],
    categories: ['Adventure', 'Action', 'Science Fiction', 'Space'],
  },
  {
    title: 'Star Wars: Episode II – Attack of the Clones',
    overview:
      'An attempt on a senator’s life leads one Jedi to a secret army of clones, while his apprentice falls in love against the rules of their order.',
    tagline: '',
    status: 'released',
    releaseDate: '2002-05-16',
    runtimeMinutes: 142,
    filmedForImax: false,
    collection: 'Star Wars',
    companies: ['Lucasfilm', '20th Century Fox'],
    people: ['George Lucas'],
    categories: ['Adventure', 'Action', 'Science Fiction', 'Space'],
  },
  {
    title: 'Star Wars: Episode III – Revenge of the Sith',
    overview:
      'As a war across the galaxy nears its end, a Jedi who fears for his wife listens to the promises of the wrong man.',
    tagline: '',
    status: 'released',
    releaseDate: '2005-05-19',
    runtimeMinutes: 140,
    filmedForImax: false,
    collection: 'Star Wars',
    companies: ['Lucasfilm', '20th Century Fox'],
    people: ['George Lucas'],
    categories: ['Adventure', 'Action', 'Science Fiction', 'Space'],
  },
  {
    title: 'Star Wars: The Force Awakens',
    overview:
      'Thirty years after the fall of the Empire, a scavenger and a deserter find the map to the last Jedi.',
    tagline: '',
    status: 'released',
    releaseDate: '2015-12-18',
    runtimeMinutes: 138,
    filmedForImax: true,
    collection: 'Star Wars',
    companies: ['Lucasfilm', 'Bad Robot'],
    people: ['J. J. Abrams'],
    categories: ['Adventure', 'Action', 'Science Fiction', 'Space'],
  },
  {
    title: 'Star Wars: The Last Jedi',
    overview:
      'A young woman asks a legendary Jedi to teach her, while the last ships of the resistance flee from a superior fleet.',
    tagline: '',
    status: 'released',
    releaseDate: '2017-12-15',
    runtimeMinutes: 152,
    filmedForImax: false,
    collection: 'Star Wars',
    companies: ['Lucasfilm'],
    people: ['Rian Johnson'],
    categories: ['Adventure', 'Action', 'Science Fiction', 'Space'],
  },
  {
    title: 'Star Wars: The Rise of Skywalker',
    overview:
      'The surviving members of the resistance search for a hidden planet from which an old enemy has returned.',
    tagline: '',
    status: 'released',
    releaseDate: '2019-12-20',
    runtimeMinutes: 142,
    filmedForImax: false,
    collection: 'Star Wars',
    companies: ['Lucasfilm', 'Bad Robot'],
    people: ['J. J. Abrams'],
    categories: ['Adventure', 'Action', 'Science Fiction', 'Space'],
  },
];
