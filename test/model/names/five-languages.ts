import { apart, either, filmsOf, partsOf, unmatched } from './expectations.ts';
import type { CollectionRecord, Expectation, NamedFile, ShowRecord } from './types.ts';

/**
 * Names in five languages, in the manners in which the programs that read artwork and the people who use them write
 * folders and files: each manner once for every language's own words.
 */
interface Language {
  readonly code: string;
  readonly show: string;
  readonly year: number;
  /** Of two seasons, three each. */
  readonly titles: readonly (readonly [string, string, string])[];
  readonly season: string;
  readonly episode: string;
  /** The second season, as an ordinal. */
  readonly second: string;
  readonly specials: string;
  readonly poster: string;
  readonly backdrop: string;
  readonly release: string;
  readonly films: readonly (readonly [title: string, year: number])[];
  readonly collection: string;
  /** A word that no program knows. */
  readonly unknown: string;
}

const languages: readonly Language[] = [
  {
    ...{ code: 'en', show: 'The Glass Orchard', year: 2012, season: 'Season', episode: 'Episode' },
    titles: [
      ['First Frost', 'The Grafting', 'Windfall'],
      ['Bare Branches', 'Late Bloom', 'The Last Cider'],
    ],
    ...{ second: '2nd Season', specials: 'Specials', poster: 'poster', backdrop: 'background' },
    ...{ release: 'ENGLISH', collection: 'The Copper Road Collection', unknown: 'Bluebottle' },
    films: [
      ['The Copper Road', 1994],
      ['Timber and Salt', 1998],
    ],
  },
  {
    ...{ code: 'de', show: 'Die Brückenwärter', year: 2014, season: 'Staffel', episode: 'Folge' },
    titles: [
      ['Der erste Zoll', 'Hochwasser', 'Die stille Schleuse'],
      ['Nebelhorn', 'Zwei Ufer', 'Letzte Fähre'],
    ],
    ...{ second: '2.Staffel', specials: 'Specials', poster: 'Plakat', backdrop: 'Hintergrund' },
    ...{ release: 'GERMAN', collection: 'Der Uhrmacher Collection', unknown: 'Schnörkel' },
    films: [
      ['Der Uhrmacher von Köln', 1987],
      ['Rückkehr nach Köln', 1991],
    ],
  },
  {
    ...{ code: 'fr', show: "Les Vagues d'Été", year: 2016, season: 'Saison', episode: 'Épisode' },
    titles: [
      ['Marée basse', 'Le Phare éteint', 'Bonne écume'],
      ['Grand Large', 'Coup de vent', 'Retour au port'],
    ],
    ...{ second: '2e saison', specials: 'Specials', poster: 'affiche', backdrop: 'fanart' },
    ...{ release: 'FRENCH', collection: 'Le Jardin Collection', unknown: 'Coquelicot' },
    films: [
      ['Le Jardin Oublié', 2001],
      ['Le Retour du Jardinier', 2005],
    ],
  },
  {
    ...{ code: 'es', show: 'La Casa del Páramo', year: 2018, season: 'Temporada', episode: 'Capítulo' },
    titles: [
      ['El forastero', 'Niebla espesa', 'La llave de cobre'],
      ['Noche de reyes', 'El pozo seco', 'La despedida'],
    ],
    ...{ second: '2a temporada', specials: 'Specials', poster: 'póster', backdrop: 'fanart' },
    ...{ release: 'SPANISH', collection: 'El Faro Collection', unknown: 'Golondrina' },
    films: [
      ['El Faro del Sur', 1999],
      ['Tormenta en Cabo Frío', 2003],
    ],
  },
  {
    ...{ code: 'it', show: 'Il Canto della Cicala', year: 2011, season: 'Stagione', episode: 'Episodio' },
    titles: [
      ['Mezzogiorno di fuoco', 'La vigna', "Pioggia d'agosto"],
      ['Ritorno a casa', 'Il pozzo', "L'ultima sera"],
    ],
    ...{ second: '2a stagione', specials: 'Specials', poster: 'locandina', backdrop: 'sfondo' },
    ...{ release: 'ITALIAN', collection: 'La Strada Collection', unknown: 'Papavero' },
    films: [
      ['La Strada Bianca', 1985],
      ['Ritorno alla Miniera', 1989],
    ],
  },
];

function showOf({ show, year, titles }: Language, at: number): ShowRecord {
  const base = 9_000_000 + at * 1_000;
  const special = { id: base + 900, episodeNumber: 1, title: null, airDate: null };
  return {
    kind: 'show',
    id: base,
    title: show,
    year,
    seasons: [
      { id: base + 10, seasonNumber: 0, title: 'Specials', airDate: null, episodes: [special] },
      ...titles.map((of, season) => ({
        id: base + 11 + season,
        seasonNumber: season + 1,
        title: null,
        airDate: null,
        episodes: of.map((title, number) => ({
          id: base + (season + 1) * 100 + number,
          episodeNumber: number + 1,
          title,
          airDate: `${year + season}-03-${String(14 + 7 * number - season).padStart(2, '0')}`,
        })),
      })),
    ],
  };
}

function collectionOf({ collection, films }: Language, at: number): CollectionRecord {
  const base = 9_100_000 + at * 1_000;
  return {
    kind: 'collection',
    id: base,
    title: collection,
    movies: films.map(([title, year], place) => ({
      kind: 'movie',
      id: base + 1 + place,
      title,
      releaseDate: `${year}-05-01`,
    })),
  };
}

const dotted = (text: string) => text.replace(/[\s']+/g, '.');
const plainly = (text: string) => text.normalize('NFD').replace(/[\u0300-\u036f]/g, '');

function ofShow(language: Language, show: ShowRecord): Readonly<Record<string, Expectation>> {
  const { season, episode, second, specials, release, year, titles, poster, backdrop, unknown } = language;
  const name = show.title;
  const { own, ownIn, season: picture, card } = partsOf(show);
  const [[one = '', two = ''] = [], [four = '', five = '', six = ''] = []] = titles;
  const roman = `${season} II`;
  return {
    [`${name} - S01E01.jpg`]: card(1, 1),
    [`${name} - S02E03 - ${six}.png`]: card(2, 3),
    [`${plainly(name)} S01E02 ${plainly(two)}.jpg`]: card(1, 2),
    [`${name.toUpperCase()} 1X03.JPG`]: card(1, 3),
    [`${name} - 2x01 - ${four}.jpg`]: card(2, 1),
    [`${dotted(name)}.S02E02.${release}.1080p.WEB.x264-GRP.jpg`]: card(2, 2),
    [`${dotted(name)}.${year}.S01E03.${release}.720p.jpg`]: card(1, 3),
    [`${name} (${year})/Season 01/S01E01 - ${one}.jpg`]: card(1, 1),
    [`${name} (${year}) {tvdb-${show.id}}/Season 02/S02E02.jpg`]: card(2, 2),
    [`${name} [tvdbid-${show.id}]/${season} 1/${name} S01E02.jpg`]: card(1, 2),
    [`${name} (${year}) [imdbid=tt9000001]/S02E01.jpg`]: card(2, 1),
    [`${name} ${season} 1 ${episode} 2.jpg`]: card(1, 2),
    [`${season} 2 - ${episode} 3.jpg`]: card(2, 3),
    [`${season} 2/${episode} 1.jpg`]: card(2, 1),
    [`${season} 2/02 - ${five}.jpg`]: card(2, 2),
    [`${season} 1/03.jpg`]: card(1, 3),
    'S02/E03.jpg': card(2, 3),
    [`S 02/${name} - 01.jpg`]: card(2, 1),
    [`${roman}/E02.jpg`]: card(2, 2),
    [`${second}/03 - ${six}.jpg`]: card(2, 3),
    [`${name} - ${year}-03-14.jpg`]: card(1, 1),
    [`${name} ${year} 03 21.jpg`]: card(1, 2),
    [`${name} ${year} - 03 - 28.jpg`]: card(1, 3),
    [`${name} 13.03.${year + 1}.jpg`]: card(2, 1),
    [`${dotted(name)}.${year + 1}.03.20.jpg`]: card(2, 2),
    '1x01-x03.jpg': either(card(1, 1), card(1, 2), card(1, 3)),
    '02x01 - x02.jpg': either(card(2, 1), card(2, 2)),
    [`${name} S01E01-x02.jpg`]: either(card(1, 1), card(1, 2)),
    [`${name} S02E01-E02.jpg`]: either(card(2, 1), card(2, 2)),
    '2x01_02.jpg': either(card(2, 1), card(2, 2)),
    [`${name} Cap.102.jpg`]: either(card(1, 2)),
    [`${name}.${season}.2.Cap.203.jpg`]: either(card(2, 3)),
    'season02-poster.jpg': picture(2),
    'season02-landscape.jpg': either(picture(2, 'backdrop')),
    'season01-fanart.jpg': picture(1, 'backdrop'),
    'season-specials-poster.jpg': picture(0),
    'Season01.jpg': picture(1),
    [`${specials}/poster.jpg`]: picture(0),
    [`${season} 1.jpg`]: picture(1),
    [`${season}_02_${poster}.png`]: picture(2),
    [`${name} - ${season} 2 - ${backdrop}.jpg`]: picture(2, 'backdrop'),
    [`${roman}.jpg`]: picture(2),
    [`${roman}/${poster}.jpg`]: picture(2),
    [`${second}/folder.jpg`]: picture(2),
    [`${second}.jpg`]: picture(2),
    'S 01/poster.jpg': picture(1),
    'S01.jpg': picture(1),
    [`${season} 01 (${year})/poster.jpg`]: picture(1),
    [`${name} (${year}).jpg`]: own('poster'),
    [`${name} tt9000001.jpg`]: own('poster'),
    [`${poster}.jpg`]: own('poster'),
    [`${backdrop}.jpg`]: own('backdrop'),
    'clearlogo.png': own('logo'),
    'landscape.jpg': either(own('thumb'), own('backdrop')),
    [`${name}/squareart.jpg`]: own('squareArt'),
    'banner.jpg': ownIn('banner'),
    [`${unknown} - S01E01.jpg`]: unmatched('other_work'),
    [`${unknown} (2003)/S01E02.jpg`]: unmatched('other_work'),
    [`${name} - S07E01.jpg`]: unmatched('no_such_season'),
  };
}

function ofFilms({ poster, backdrop, release, unknown }: Language, collection: CollectionRecord) {
  const { own, film } = filmsOf(collection);
  const names = collection.movies.map(({ title, releaseDate }): [string, Expectation][] => {
    const year = Number(releaseDate?.slice(0, 4));
    const its = (slot: string) => film(title, slot);
    return [
      [`${title} (${year}).jpg`, its('poster')],
      [`${plainly(title)} (${year}) {tmdb-4711}.jpg`, its('poster')],
      [`${title} (${year}) [imdbid-tt0081505].jpg`, its('poster')],
      [`${title} (${year}) tmdbid=4711 ${poster}.jpg`, its('poster')],
      [`${title} (${year}) {edition-Director's Cut}.jpg`, its('poster')],
      [`${title} (${year}) - Extended Edition.jpg`, its('poster')],
      [`${dotted(title)}.${year}.${release}.1080p.BluRay.x264-GRP.jpg`, its('poster')],
      [`${title.toUpperCase().replaceAll(' ', '_')}_${year}.JPG`, its('poster')],
      [`${title} (${year})/poster.jpg`, its('poster')],
      [`${title} (${year})/${title} (${year})-${backdrop}.jpg`, its('backdrop')],
      [`${title} (${year}) {tmdb-4711}/clearlogo.png`, its('logo')],
      [`${title}/folder.jpg`, its('poster')],
      [`${title} - ${poster}.jpg`, its('poster')],
      [`${title} (${year}) ${unknown}.jpg`, either(its('poster'))],
      [`${unknown} ${title} (${year}).jpg`, either(its('poster'))],
      [`${title} ${unknown}.jpg`, either(its('poster'))],
      [`${title} (${year + 9}).jpg`, either(its('poster'))],
    ];
  });
  const others: [string, Expectation][] = [
    [`${collection.title}.jpg`, own('poster')],
    [`${unknown} (1977).jpg`, unmatched('no_such_film')],
    [`${unknown}/poster.jpg`, unmatched('other_work')],
  ];
  return Object.fromEntries([...names.flat(), ...others]);
}

/** Each name stands alone in its folder. */
export const inFiveLanguages: readonly NamedFile[] = languages.flatMap((language, at) => {
  const [show, collection] = [showOf(language, at), collectionOf(language, at)];
  return [
    ...apart('other-languages', show, ofShow(language, show)),
    ...apart('other-languages', collection, ofFilms(language, collection)),
  ];
});
