/** Where one kind of public record shows null although the interface document shows none there. */
interface Place {
  /** The first part of the record's path. */
  readonly resource: string;
  /**
   * Title or name of the record. A season or episode has its show's title before it; a Set is meant by the title
   * of its work, and then all the Sets of that work are meant.
   */
  readonly of: string;
  /** Members of the record, such as `movies[].releaseDate`. */
  readonly members: readonly string[];
}

export interface Departure {
  /** What is plainly fictional, and is there to try out how clients bear it. */
  readonly work: string;
  readonly lacks: string;
  readonly places: readonly Place[];
}

/**
 * Every departure of the seed from the interface document: the catalogue shows null there, where the document
 * shows none. All else is to the letter. The works are fictional, and say so. `test/sandbox/letter.test.ts`
 * compares this list with what is served, both ways; `docs/embedded-catalogue.md` tells people of it.
 */
export const departures: readonly Departure[] = [
  {
    work: 'The Almanac That Was Never Printed',
    lacks: 'a tagline, a release date, a runtime and a collection',
    places: [
      {
        resource: 'movies',
        of: 'The Almanac That Was Never Printed',
        members: ['collection', 'releaseDate', 'runtimeMinutes', 'tagline'],
      },
    ],
  },
  {
    work: 'A Blink of an Imaginary Eye',
    lacks: 'a collection',
    places: [{ resource: 'movies', of: 'A Blink of an Imaginary Eye', members: ['collection'] }],
  },
  {
    work: 'The Last Imaginary Day of the Century',
    lacks: 'a runtime',
    places: [
      { resource: 'movies', of: 'The Last Imaginary Day of the Century', members: ['runtimeMinutes'] },
    ],
  },
  {
    work: 'The Undated Twins',
    lacks:
      'a release date for both of its films, Undated Twin A and Undated Twin B, and a runtime for the second',
    places: [
      { resource: 'movies', of: 'Undated Twin A', members: ['releaseDate'] },
      { resource: 'movies', of: 'Undated Twin B', members: ['releaseDate', 'runtimeMinutes'] },
      { resource: 'movie-set', of: 'Undated Twin A', members: ['movie.year'] },
      { resource: 'movie-set', of: 'Undated Twin B', members: ['movie.year'] },
      {
        resource: 'collections',
        of: 'The Undated Twins',
        members: ['firstReleaseDate', 'latestReleaseDate', 'movies[].releaseDate'],
      },
      { resource: 'collection-set', of: 'The Undated Twins', members: ['collection.movies[].year'] },
    ],
  },
  {
    work: 'The Unfilmed Cycle',
    lacks: 'films, and so the dates of the first and the latest',
    places: [
      {
        resource: 'collections',
        of: 'The Unfilmed Cycle',
        members: ['firstReleaseDate', 'latestReleaseDate'],
      },
    ],
  },
  {
    work: 'A Collection of One',
    lacks: 'a creator and a description, in each of its Sets',
    places: [
      { resource: 'collection-set', of: 'A Collection of One', members: ['createdBy', 'description'] },
    ],
  },
  {
    work: 'Nothing Is Known of This Game',
    lacks: 'a release date; and a creator and a description, in each of its Sets',
    places: [
      { resource: 'games', of: 'Nothing Is Known of This Game', members: ['firstReleaseDate'] },
      {
        resource: 'game-set',
        of: 'Nothing Is Known of This Game',
        members: ['createdBy', 'description', 'game.year'],
      },
    ],
  },
  {
    work: 'The Unfilmed Hours of Zibbidy Marmaladium',
    lacks: 'episodes, and so every date',
    places: [
      {
        resource: 'shows',
        of: 'The Unfilmed Hours of Zibbidy Marmaladium',
        members: ['firstAirDate', 'lastAirDate', 'year'],
      },
      {
        resource: 'seasons',
        of: 'The Unfilmed Hours of Zibbidy Marmaladium · Season 1',
        members: ['airDate'],
      },
      { resource: 'show-set', of: 'The Unfilmed Hours of Zibbidy Marmaladium', members: ['show.year'] },
    ],
  },
  {
    work: 'Tomorrow, Perhaps, in Thimbleton',
    lacks: 'a date of its second season; and a creator and a description, in each of its Sets',
    places: [
      { resource: 'seasons', of: 'Tomorrow, Perhaps, in Thimbleton · Season 2', members: ['airDate'] },
      { resource: 'show-set', of: 'Tomorrow, Perhaps, in Thimbleton', members: ['createdBy', 'description'] },
    ],
  },
  {
    work: 'The Department of Miscounted Parcels',
    lacks: 'a date of two of its episodes',
    places: [
      {
        resource: 'seasons',
        of: 'The Department of Miscounted Parcels · Specials',
        members: ['episodes[].airDate'],
      },
      {
        resource: 'seasons',
        of: 'The Department of Miscounted Parcels · Season 2',
        members: ['episodes[].airDate'],
      },
      {
        resource: 'episodes',
        of: 'The Department of Miscounted Parcels · The Making of a Cardboard Box',
        members: ['airDate', 'year'],
      },
      {
        resource: 'episodes',
        of: 'The Department of Miscounted Parcels · Undelivered',
        members: ['airDate', 'year'],
      },
    ],
  },
  {
    work: 'Thimble & Gravy Imaginary Productions',
    lacks: 'a homepage and both countries',
    places: [
      {
        resource: 'companies',
        of: 'Thimble & Gravy Imaginary Productions',
        members: ['headquartersCountry', 'homepage', 'originCountry'],
      },
    ],
  },
  {
    work: 'Imaginary Broadcasting Union',
    lacks: 'a homepage and a country',
    places: [
      { resource: 'networks', of: 'Imaginary Broadcasting Union', members: ['homepage', 'originCountry'] },
    ],
  },
  {
    work: 'Zibbidy Marmaladium',
    lacks: 'a birthday, a place of birth and a department',
    places: [
      {
        resource: 'people',
        of: 'Zibbidy Marmaladium',
        members: ['birthday', 'knownForDepartment', 'placeOfBirth'],
      },
    ],
  },
  {
    work: 'Broadcasters of Nowhere',
    lacks: 'a creator and a description, as a Brand Set',
    places: [{ resource: 'brand-set', of: 'Broadcasters of Nowhere', members: ['createdBy', 'description'] }],
  },
  {
    work: 'Edge Cases',
    lacks:
      'a creator or a description in some of the Boxsets of that name, and a year where they hold an Undated Twin',
    places: [
      { resource: 'boxsets', of: 'Edge Cases', members: ['createdBy', 'description', 'sets[].movie.year'] },
    ],
  },
];

/**
 * The one departure that no work could be made up for: the document gives a feed's `previousAssetId` as a
 * UUID, and an Asset that was added or edited has not replaced any. It is null there.
 */
export const unavoidable: Place = {
  resource: 'feeds/assets',
  of: 'an Asset that was added or edited',
  members: ['previousAssetId'],
};
