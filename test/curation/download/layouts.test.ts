import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LayoutName, layoutNames } from '../../../src/curation/download/layouts.ts';
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

const pictures: readonly (readonly [Target, Slot])[] = [
  [show, 'poster'],
  [work('movie'), 'backdrop'],
  [show, 'logo'],
  [show, 'squareArt'],
  [show, 'thumb'],
  [season(1), 'poster'],
  [season(0), 'poster'],
  [season(2), 'backdrop'],
  [episode(1, 2), 'titlecard'],
  [episode(1, null), 'titlecard'],
  [work('collection', 'Mission: Impossible Collection', null), 'poster'],
  [work('boxset', 'Heisenberg', null), 'poster'],
  [work('network', 'AMC', null), 'logo'],
  [work('game', 'Portal', 2007), 'cover'],
  // What has no title that a name can be made of, and a year that is none.
  [work('movie', '..', 1995), 'poster'],
  [work('movie', '../../x', 20_250), 'poster'],
];

/** In the order of the pictures; null where the layout has no place. */
const tables: Readonly<Record<LayoutName, readonly (string | null)[]>> = {
  plex: [
    'Breaking Bad (2008)/poster',
    'Toy Story (1995)/background',
    'Breaking Bad (2008)/clearlogo',
    'Breaking Bad (2008)/squareArt',
    null,
    'Breaking Bad (2008)/Season01',
    'Breaking Bad (2008)/season-specials-poster',
    null,
    'Breaking Bad (2008)/Season 01/Breaking Bad (2008) - S01E02',
    null,
    null,
    null,
    null,
    null,
    'movie 7 (1995)/poster',
    '-..-x/poster',
  ],
  jellyfin: [
    'Breaking Bad (2008)/poster',
    'Toy Story (1995)/backdrop',
    'Breaking Bad (2008)/logo',
    null,
    'Breaking Bad (2008)/landscape',
    'Breaking Bad (2008)/season01-poster',
    'Breaking Bad (2008)/season-specials-poster',
    'Breaking Bad (2008)/season02-fanart',
    'Breaking Bad (2008)/Season 01/Breaking Bad (2008) - S01E02-thumb',
    null,
    'collections/Mission  Impossible Collection [boxset]/poster',
    null,
    null,
    null,
    'movie 7 (1995)/poster',
    '-..-x/poster',
  ],
  kodi: [
    'Breaking Bad (2008)/poster',
    'Toy Story (1995)/fanart',
    'Breaking Bad (2008)/clearlogo',
    null,
    'Breaking Bad (2008)/landscape',
    'Breaking Bad (2008)/season01-poster',
    'Breaking Bad (2008)/season-specials-poster',
    'Breaking Bad (2008)/season02-fanart',
    'Breaking Bad (2008)/Season 01/Breaking Bad (2008) - S01E02-thumb',
    null,
    'Movie Sets/Mission_ Impossible Collection/poster',
    null,
    null,
    null,
    'movie 7 (1995)/poster',
    '-..-x/poster',
  ],
  kometa: [
    'Breaking Bad (2008)/poster',
    'Toy Story (1995)/background',
    'Breaking Bad (2008)/logo',
    'Breaking Bad (2008)/square',
    null,
    'Breaking Bad (2008)/Season01',
    'Breaking Bad (2008)/Season00',
    'Breaking Bad (2008)/Season02_background',
    'Breaking Bad (2008)/S01E02',
    null,
    'Mission Impossible Collection/poster',
    null,
    'AMC/logo',
    null,
    'movie 7 (1995)/poster',
    '-..-x/poster',
  ],
  original: [
    'Breaking Bad · clean [show_set 12]/poster',
    'Breaking Bad · clean [show_set 12]/Toy Story (1995) backdrop',
    'Breaking Bad · clean [show_set 12]/logo',
    'Breaking Bad · clean [show_set 12]/squareArt',
    'Breaking Bad · clean [show_set 12]/thumb',
    'Breaking Bad · clean [show_set 12]/Season 01 poster',
    'Breaking Bad · clean [show_set 12]/Season 00 poster',
    'Breaking Bad · clean [show_set 12]/Season 02 backdrop',
    'Breaking Bad · clean [show_set 12]/S01E02 titlecard',
    'Breaking Bad · clean [show_set 12]/episode 100 titlecard',
    'Breaking Bad · clean [show_set 12]/Mission - Impossible Collection poster',
    'Breaking Bad · clean [show_set 12]/poster',
    'Breaking Bad · clean [show_set 12]/AMC logo',
    'Breaking Bad · clean [show_set 12]/cover',
    'Breaking Bad · clean [show_set 12]/movie 7 (1995) poster',
    'Breaking Bad · clean [show_set 12]/-..-x poster',
  ],
};

describe('where a layout keeps a picture', () => {
  it.each(layoutNames)('%s', async (layout) => {
    const paths: (string | null)[] = [];
    for (const [target, slot] of pictures)
      paths.push(pathsOf(await planIn(empty.path, layout, [picture(target, slot)]))[0] ?? null);
    expect(paths).toEqual(tables[layout]);
  });
});
