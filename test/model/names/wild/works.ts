import { collection, numbered, show } from '../contexts/record.ts';
import type { GameRecord, MovieRecord } from '../types.ts';

/** Works that people's names are written for here. What is known of each is what stands here, and no more. */

type Dated = readonly [number: number, title: string, airDate: string];

const counted = (...counts: readonly number[]) =>
  counts.map((count, index) => [index + 1, `Season ${index + 1}`, numbered(count)] as const);

const titled = (...titles: readonly string[]) =>
  titles.map((title, index) => [index + 1, title, null] as const);

/** Of the United Kingdom; shows of other countries have the same title. */
export const office = show(2996, 'The Office', 2001, [
  [0, 'Specials', titled('Christmas Special Part 1', 'Christmas Special Part 2')],
  [1, 'Series 1', titled('Downsize', 'Work Experience', 'The Quiz', 'Training', 'New Girl', 'Judgement')],
  [2, 'Series 2', titled('Merger', 'Appraisals', 'Party', 'Motivation', 'Charity', 'Interview')],
]);

/** Another show of this title began in 1963. */
export const doctorWho = show(57_243, 'Doctor Who', 2005, [
  [0, 'Specials', titled('Born Again', 'The Christmas Invasion', 'Attack of the Graske')],
  [
    1,
    'Series 1',
    titled(
      'Rose',
      'The End of the World',
      'The Unquiet Dead',
      'Aliens of London',
      'World War Three',
      'Dalek',
    ),
  ],
  [2, 'Series 2', titled('New Earth', 'Tooth and Claw', 'School Reunion', 'The Girl in the Fireplace')],
]);

/** Another show of this title began in 1978. */
export const battlestar = show(1972, 'Battlestar Galactica', 2004, [
  [1, 'Season 1', titled('33', 'Water', 'Bastille Day', 'Act of Contrition', "You Can't Go Home Again")],
  [2, 'Season 2', titled('Scattered', 'Valley of Darkness', 'Fragged', 'Resistance')],
]);

export const theHundred = show(48_866, 'The 100', 2014, counted(13, 16));
export const nineOneOne = show(75_219, '9-1-1', 2018, counted(10, 18));
export const stargate = show(4629, 'Stargate SG-1', 1997, counted(22, 22, 22));
export const sense8 = show(61_664, 'Sense8', 2015, counted(12, 11));
export const twentyFour = show(1973, '24', 2001, counted(24, 24, 24));

/** Fictional: one season, as an anime is counted, and two of its specials. */
export const lighthouse = show(8301, 'Paper Lighthouse', 2019, [
  [0, 'Specials', titled('Before the Fold', 'A Sheet Left Over')],
  [
    1,
    'Season 1',
    titled(
      'First Fold',
      'Salt on the Glue',
      'The Keeper Cannot Swim',
      'Foghorn in B Flat',
      'Scissors',
      'A Guest from Room 6',
      'Kindling',
      'The Letter Comes Back',
      'Ink Tide',
      'Creases',
      'Who Turned the Lamp',
      'Last Fold',
    ),
  ],
]);

/** Fictional: two seasons of twelve, which release groups count through to 24; no titles. */
export const kiteHarbor = show(8302, 'Kite Harbor', 2016, [[0, 'Specials', numbered(3)], ...counted(12, 12)]);

const talks: readonly Dated[] = [
  [1, 'Marta Olin', '2023-03-14'],
  [2, 'Two Plumbers', '2023-03-15'],
  [3, 'Ines Aranda', '2023-04-03'],
  [4, 'The Choir', '2023-12-31'],
];

/** Fictional: people know its episodes by their dates. Of the first two of 2024, a date may be either. */
export const lateKettle = show(8303, 'The Late Kettle', 2023, [
  [1, 'Season 1', talks],
  [
    2,
    'Season 2',
    [
      [1, 'Bruno Salt', '2024-03-04'],
      [2, 'Dana Wick', '2024-04-03'],
      [3, 'Nobody Came', '2024-05-20'],
    ],
  ],
]);

/** Fictional: accents, apostrophes, signs and numbers in titles. */
export const cafe = show(8304, 'Café Zoé & Søn', 2017, [
  [0, 'Spéciaux', titled('Noël à Zürich')],
  [
    1,
    'Saison 1',
    titled('L’été', 'Crème brûlée', 'Où est Łukasz?', '100 % Coton', 'Mañana', 'Der Würfel', 'Déjà vu'),
  ],
  [2, 'Saison 2', titled('L’hiver', '3 × 3', 'Æble', 'Encore (1)', 'Encore (2)')],
]);

export const starWars = collection(10, 'Star Wars Collection', [
  ['Star Wars', '1977-05-25'],
  ['The Empire Strikes Back', '1980-05-20'],
  ['Return of the Jedi', '1983-05-25'],
  ['Star Wars: Episode I - The Phantom Menace', '1999-05-19'],
  ['Star Wars: Episode II - Attack of the Clones', '2002-05-15'],
  ['Star Wars: Episode III - Revenge of the Sith', '2005-05-17'],
  ['Star Wars: The Force Awakens', '2015-12-15'],
]);

export const harryPotter = collection(1241, 'Harry Potter Collection', [
  ["Harry Potter and the Philosopher's Stone", '2001-11-16'],
  ['Harry Potter and the Chamber of Secrets', '2002-11-13'],
  ['Harry Potter and the Prisoner of Azkaban', '2004-05-31'],
  ['Harry Potter and the Goblet of Fire', '2005-11-16'],
  ['Harry Potter and the Order of the Phoenix', '2007-07-08'],
  ['Harry Potter and the Half-Blood Prince', '2009-07-15'],
  ['Harry Potter and the Deathly Hallows: Part 1', '2010-11-17'],
  ['Harry Potter and the Deathly Hallows: Part 2', '2011-07-12'],
]);

export const alien = collection(8091, 'Alien Collection', [
  ['Alien', '1979-05-25'],
  ['Aliens', '1986-07-18'],
  ['Alien³', '1992-05-22'],
  ['Alien Resurrection', '1997-11-12'],
]);

const movie = (id: number, title: string, releaseDate: string): MovieRecord => ({
  kind: 'movie',
  id,
  title,
  releaseDate,
});

export const godzilla = movie(1678, 'Godzilla', '1954-11-03');
export const amelie = movie(194, 'Amélie', '2001-04-25');
export const theThing = movie(1091, 'The Thing', '1982-06-25');
export const seven = movie(807, 'Se7en', '1995-09-22');
export const wallE = movie(10_681, 'WALL·E', '2008-06-22');
export const finalCut = movie(11_099, 'The Final Cut', '2004-10-15');
export const oceans = movie(161, "Ocean's Eleven", '2001-12-07');
export const spiderVerse = movie(324_857, 'Spider-Man: Into the Spider-Verse', '2018-12-06');

const game = (id: number, title: string, firstReleaseDate: string): GameRecord => ({
  kind: 'game',
  id,
  title,
  firstReleaseDate,
});

export const portal = game(72, 'Portal 2', '2011-04-18');
export const eldenRing = game(119_133, 'Elden Ring', '2022-02-25');
