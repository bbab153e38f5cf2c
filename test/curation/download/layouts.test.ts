import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LayoutName, layoutNames } from '../../../src/curation/download/layouts/index.ts';
import type { Slot } from '../../../src/model/slots.ts';
import type { Target } from '../../../src/model/target.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { episode, pathsOf, picture, planIn, season, show, aWork as work } from './shows.ts';

let empty: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  empty = await temporaryFolder();
});

afterAll(async () => {
  await empty.remove();
});

/** The path without its extension; null where the layout has none. */
async function path(layout: LayoutName, target: Target, slot: Slot): Promise<string | null> {
  return pathsOf(await planIn(empty.path, layout, [picture(target, slot)]))[0] ?? null;
}

describe('where each layout keeps a picture', () => {
  it.each<[string, Target, Slot, Record<LayoutName, string | null>]>([
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
        plex: 'Breaking Bad (2008)/Season01',
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
        plex: 'Breaking Bad (2008)/season-specials-poster',
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
        jellyfin: 'collections/Toy Story Collection [boxset]/poster',
        kodi: 'Movie Sets/Toy Story Collection/poster',
        kometa: 'Toy Story Collection/poster',
        original: 'Breaking Bad · clean [show_set 12]/Toy Story Collection poster',
      },
    ],
    [
      'poster of a collection with a sign in its name',
      work('collection', 'Mission: Impossible Collection', null),
      'poster',
      {
        plex: null,
        jellyfin: 'collections/Mission  Impossible Collection [boxset]/poster',
        kodi: 'Movie Sets/Mission_ Impossible Collection/poster',
        kometa: 'Mission Impossible Collection/poster',
        original: 'Breaking Bad · clean [show_set 12]/Mission - Impossible Collection poster',
      },
    ],
    [
      'poster of a boxset',
      work('boxset', 'Heisenberg', null),
      'poster',
      {
        plex: null,
        jellyfin: null,
        kodi: null,
        kometa: null,
        original: 'Breaking Bad · clean [show_set 12]/poster',
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
  ])('%s', async (_, target, slot, expected) => {
    for (const layout of layoutNames) {
      expect([layout, await path(layout, target, slot)]).toEqual([layout, expected[layout]]);
    }
  });

  it('names what has no title, or none that a name can be made of, by its id', async () => {
    expect(await path('kometa', work('movie', '..', null), 'poster')).toBe('movie 7/poster');
    expect(await path('kometa', work('movie', '', 1995), 'poster')).toBe('movie 7 (1995)/poster');
    expect(await path('kometa', work('movie', '../../x', 20_250), 'poster')).toBe('-..-x/poster');
  });
});
