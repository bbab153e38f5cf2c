import { describe, expect, it } from 'vitest';
import { likeness } from '../../src/model/names/likeness.ts';
import { numbersIn } from '../../src/model/names/name.ts';

const cases: readonly (readonly [name: string, expected: Partial<Record<string, unknown>>])[] = [
  ['Top Gun Maverick (2022) {tmdb-361743}', { year: 2022 }],
  ['Breaking Bad [tvdbid-81189]', { year: null }],
  ['Alien³ (1992) [imdbid=tt0103644]', { year: 1992 }],
  ['Blade Runner 2049', { year: 2049 }],
  ['2001 A Space Odyssey 1968', { year: 1968 }],
  ["Aliens (1986) - Director's Cut", { year: 1986 }],
  ['The.Matrix.1999.Remastered.1080p.BluRay.x264-GROUP', { year: 1999 }],
  ['[Group] Mushishi - S01E03 [1080p]', { codes: ['1x3'] }],
  ['Dark.S02.German.1080p.WEB', { seasons: [2] }],
  ['Staffel 3', { seasons: [3] }],
  ['3.Staffel', { seasons: [3] }],
  ['Saison VII', { seasons: [7] }],
  ['Temporada 1 Cap.102', { codes: ['1x102'] }],
  ['Season 05 (2012)', { seasons: [5], year: 2012 }],
  ['The Daily Show 2015 09 04', { year: null }],
  ['Lost - season01-poster', { seasons: [1] }],
];

describe('a name of a folder or file', () => {
  it.each(cases)('%s is read', (name, expected) => {
    const read = numbersIn(name);
    const found: Record<string, unknown> = {
      ...read,
      codes: read.codes.map(({ season, episodes }) => `${season}x${episodes.join('-')}`),
      seasons: read.seasons.map(({ season }) => season),
    };
    expect(found).toMatchObject(expected);
  });
});

describe('how alike two names are', () => {
  it.each([
    ['firefly', 'firefly', 1, 1],
    ['firefyl', 'firefly', 0.7, 0.99],
    ['fawlty', 'faulty', 0.7, 0.99],
    ['parcels', 'parcel', 0.8, 0.99],
    ['thelanternstreet', 'thelantermstreet', 0.9, 0.99],
    ['24', '42', 0, 0],
    ['sherlock', 'saltmarsh', 0, 0],
  ])('%s and %s', (one, other, least, most) => {
    expect(likeness(one, other)).toBeGreaterThanOrEqual(least);
    expect(likeness(one, other)).toBeLessThanOrEqual(most);
    expect(likeness(other, one)).toBe(likeness(one, other));
  });
});
