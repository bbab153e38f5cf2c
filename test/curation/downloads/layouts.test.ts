import { describe, expect, it } from 'vitest';
import { type Layout, layouts, placeIn } from '../../../src/curation/downloads/layouts.ts';
import type { DownloadWork, PictureHolder } from '../../../src/curation/downloads/set-pictures.ts';
import { aSet, episode, season, show } from './shows.ts';

const work = (
  of: DownloadWork['of'],
  title: string | null = 'Toy Story',
  year: number | null = 1995,
): DownloadWork => ({
  ...{ of, id: 7, title, year },
});

/** The path without its extension; null where the layout has none. */
function path(layout: Layout, holder: PictureHolder, slot: string): string | null {
  const placing = placeIn(layout, holder, slot, aSet());
  return 'place' in placing ? [...placing.place.folders, placing.place.stem].join('/') : null;
}

describe('where each layout keeps a picture', () => {
  it.each<[string, PictureHolder, string, Record<Layout, string | null>]>([
    [
      'poster of a show',
      show,
      'poster',
      {
        plex: 'Breaking Bad (2008)/poster',
        jellyfin: 'Breaking Bad (2008)/poster',
        kodi: 'Breaking Bad (2008)/poster',
        kometa: 'Breaking Bad (2008)/poster',
        original: 'Breaking Bad · clean [show_set 12]/poster',
      },
    ],
    [
      'backdrop of a film',
      work('movie'),
      'backdrop',
      {
        plex: 'Toy Story (1995)/background',
        jellyfin: 'Toy Story (1995)/backdrop',
        kodi: 'Toy Story (1995)/fanart',
        kometa: 'Toy Story (1995)/background',
        original: 'Breaking Bad · clean [show_set 12]/Toy Story (1995) backdrop',
      },
    ],
    [
      'logo of a show',
      show,
      'logo',
      {
        plex: 'Breaking Bad (2008)/clearlogo',
        jellyfin: 'Breaking Bad (2008)/logo',
        kodi: 'Breaking Bad (2008)/clearlogo',
        kometa: 'Breaking Bad (2008)/logo',
        original: 'Breaking Bad · clean [show_set 12]/logo',
      },
    ],
    [
      'square art of a show',
      show,
      'squareArt',
      {
        plex: 'Breaking Bad (2008)/squareArt',
        jellyfin: null,
        kodi: null,
        kometa: 'Breaking Bad (2008)/square',
        original: 'Breaking Bad · clean [show_set 12]/squareArt',
      },
    ],
    [
      'thumb of a show',
      show,
      'thumb',
      {
        plex: null,
        jellyfin: 'Breaking Bad (2008)/landscape',
        kodi: 'Breaking Bad (2008)/landscape',
        kometa: null,
        original: 'Breaking Bad · clean [show_set 12]/thumb',
      },
    ],
    [
      'poster of a season',
      season(1),
      'poster',
      {
        plex: 'Breaking Bad (2008)/Season 01/Season01',
        jellyfin: 'Breaking Bad (2008)/season01-poster',
        kodi: 'Breaking Bad (2008)/season01-poster',
        kometa: 'Breaking Bad (2008)/Season01',
        original: 'Breaking Bad · clean [show_set 12]/Season 01 poster',
      },
    ],
    [
      'poster of the specials',
      season(0),
      'poster',
      {
        plex: 'Breaking Bad (2008)/Season 00/season-specials-poster',
        jellyfin: 'Breaking Bad (2008)/season-specials-poster',
        kodi: 'Breaking Bad (2008)/season-specials-poster',
        kometa: 'Breaking Bad (2008)/Season00',
        original: 'Breaking Bad · clean [show_set 12]/Season 00 poster',
      },
    ],
    [
      'backdrop of a season',
      season(2),
      'backdrop',
      {
        plex: null,
        jellyfin: 'Breaking Bad (2008)/season02-fanart',
        kodi: 'Breaking Bad (2008)/season02-fanart',
        kometa: 'Breaking Bad (2008)/Season02_background',
        original: 'Breaking Bad · clean [show_set 12]/Season 02 backdrop',
      },
    ],
    [
      'title card',
      episode(1, 2),
      'titlecard',
      {
        plex: 'Breaking Bad (2008)/Season 01/Breaking Bad (2008) - S01E02',
        jellyfin: 'Breaking Bad (2008)/Season 01/Breaking Bad (2008) - S01E02-thumb',
        kodi: 'Breaking Bad (2008)/Season 01/Breaking Bad (2008) - S01E02-thumb',
        kometa: 'Breaking Bad (2008)/S01E02',
        original: 'Breaking Bad · clean [show_set 12]/S01E02 titlecard',
      },
    ],
    [
      'title card of an episode without a number',
      episode(1, null),
      'titlecard',
      {
        plex: null,
        jellyfin: null,
        kodi: null,
        kometa: null,
        original: 'Breaking Bad · clean [show_set 12]/episode 100 titlecard',
      },
    ],
    [
      'poster of a collection',
      work('collection', 'Toy Story Collection', null),
      'poster',
      {
        plex: null,
        jellyfin: 'Toy Story Collection [boxset]/poster',
        kodi: 'Toy Story Collection/poster',
        kometa: 'Toy Story Collection/poster',
        original: 'Breaking Bad · clean [show_set 12]/Toy Story Collection poster',
      },
    ],
    [
      'logo of a network',
      work('network', 'AMC', null),
      'logo',
      {
        plex: null,
        jellyfin: null,
        kodi: null,
        kometa: 'AMC/logo',
        original: 'Breaking Bad · clean [show_set 12]/AMC logo',
      },
    ],
    [
      'cover of a game',
      work('game', 'Portal', 2007),
      'cover',
      {
        plex: null,
        jellyfin: null,
        kodi: null,
        kometa: null,
        original: 'Breaking Bad · clean [show_set 12]/cover',
      },
    ],
  ])('%s', (_, holder, slot, expected) => {
    expect(Object.fromEntries(layouts.map((layout) => [layout, path(layout, holder, slot)]))).toEqual(
      expected,
    );
  });

  it('names what has no title, or none that a name can be made of, by its id', () => {
    expect(path('kometa', work('movie', '..', null), 'poster')).toBe('movie 7/poster');
    expect(path('kometa', work('movie', null, 1995), 'poster')).toBe('movie 7 (1995)/poster');
    expect(path('kometa', work('movie', '../../x', 20_250), 'poster')).toBe('-..-x/poster');
  });
});
