import { describe, expect, it } from 'vitest';
import { breakingBad } from '../../model/names/contexts/breaking-bad.ts';
import { backToTheFuture, madMax } from '../../model/names/contexts/films.ts';
import { portal2 } from '../../model/names/contexts/games.ts';
import { lanternStreet } from '../../model/names/contexts/lantern-street.ts';
import { seen } from '../../model/names/seen/index.ts';
import type { Context } from '../../model/names/types.ts';
import { entriesFor, entryFor, gradeOf, type Wish } from './matched.ts';
import { targetsOf } from './targets-of.ts';

const match = (context: Context, path: string, wish: Wish = {}) =>
  entriesFor([path], targetsOf(context), wish)[0];

describe('names', () => {
  it('that are a title alone are asked about once, and are episodes in a folder of title cards', () => {
    const alone = seen.filter((file) => {
      const entry = entryFor(file);
      return entry?.status === 'ambiguous' && entry.why.code === 'title_alone';
    });
    const episodes = alone.filter(
      ({ expected }) => 'match' in expected && expected.match.slot === 'titlecard',
    );
    expect(episodes.length).toBeGreaterThan(0);
    const entries = episodes.map((file) => entryFor(file));
    const asks = entries.flatMap((entry) => (entry?.status === 'ambiguous' ? [entry.ask] : []));
    expect(new Set(asks).size).toBe(1);
    for (const wish of [{ slot: 'titlecard' }, { name: 'Title Cards' }] as const)
      expect(episodes.filter((file) => gradeOf(entryFor(file, wish), file) !== 'right')).toEqual([]);
  });

  it('keep to the slot that was asked for', () => {
    expect(match(breakingBad, 'Season 1.jpg', { slot: 'backdrop' })).toMatchObject({
      status: 'matched',
      place: { target: { kind: 'season' }, slot: 'backdrop' },
    });
    const other = { status: 'ignored', why: { code: 'outside' } };
    expect(match(breakingBad, 'Season 1 - Poster.jpg', { slot: 'backdrop' })).toMatchObject(other);
    expect(match(breakingBad, 'S01E01.jpg', { slot: 'backdrop' })).toMatchObject(other);
    expect(match(portal2, 'Portal 2.jpg', { slot: 'hero' })).toMatchObject({ place: { slot: 'hero' } });
  });

  it('are read with the name of the chosen folder, which is held against no file', () => {
    const second = { status: 'matched', place: { target: { kind: 'episode' }, season: 2 } };
    expect(match(breakingBad, '05.jpg', { name: 'Season 2' })).toMatchObject(second);
    expect(match(breakingBad, '05.jpg')).toMatchObject({ status: 'ambiguous' });
    expect(match(breakingBad, 'S02E05.jpg', { name: 'Better Call Saul' })).toMatchObject(second);
    expect(match(breakingBad, 'Better Call Saul/S02E05.jpg')).toMatchObject({ status: 'unmatched' });
    const poster = match(breakingBad, 'Season 2.jpg', { name: 'Posters' });
    expect(poster).toMatchObject({
      status: 'matched',
      place: { target: { kind: 'season' }, slot: 'poster' },
    });
  });

  it('say nothing of the show in the folder of an episode', () => {
    const episode = { target: { kind: 'episode' }, season: 1 };
    const card = match(breakingBad, 'Breaking Bad S01E02 - Cats in the Bag/thumb.jpg');
    expect(card).toMatchObject({ status: 'matched', place: episode });
    expect(match(breakingBad, 'Season 1/S01E02/poster.jpg')).toMatchObject({ status: 'unmatched' });
    expect(match(breakingBad, 'Firefly S01E02/thumb.jpg')).toMatchObject({ status: 'unmatched' });
  });

  it('find the films of a collection that is called as one of them, whatever the folder is called', () => {
    const [first, second] = madMax.movies;
    const of = (kind: string, id?: number) => ({ status: 'matched', place: { target: { kind, id } } });
    for (const name of ['Mad Max', 'Mad Max Collection', 'Filme', null]) {
      const at = (path: string) => match(madMax, path, { name });
      expect(at('Mad Max (1979).jpg')).toMatchObject(of('movie', first?.id));
      expect(at('Mad Max 2 (1981).jpg')).toMatchObject(of('movie', second?.id));
      // The collection's title is a film's as well.
      const collection = name === 'Mad Max' ? { status: 'ambiguous' } : of('collection', madMax.id);
      expect(at('poster.jpg')).toMatchObject(collection);
      expect(at('Mad Max.jpg')).toMatchObject({ status: 'ambiguous', why: { code: 'several_meant' } });
      expect(at('Mad Max (1979)/Mad Max.jpg')).toMatchObject(of('movie', first?.id));
    }
    // A folder of one film, chosen for its collection, and a film in another one's folder.
    const film = { name: 'Mad Max (1979)' };
    expect(match(madMax, 'poster.jpg', film)).toMatchObject(of('movie', first?.id));
    const either = match(backToTheFuture, 'poster.jpg', { name: 'Back to the Future' });
    expect(either).toMatchObject({ status: 'ambiguous', why: { code: 'several_meant' } });
  });

  it('that call the work otherwise are asked about once, and what was confirmed counts as its title', () => {
    const short = [
      ['Irregulars S01E01.jpg', 'irregulars'],
      ['irregulars_1x02.png', 'irregulars'],
      ['Street Irregulars - S01E03 - A Ladder Too Many.jpg', 'street irregulars'],
      ['The Irregulars (2018) Season 2.jpg', 'the irregulars'],
      ['Irregulars - Poster.jpg', 'irregulars'],
      ['Ｌａｎｔｅｒｎ Strèet/S01E05.jpg', 'lantern street'],
      ['Irregulars/Season 1/06.jpg', 'irregulars'],
      ['Lantern Street Irregulars Abroad/S01E07.jpg', 'lantern street irregulars abroad'],
    ] as const;
    const asking = (called: string) => ({
      status: 'ambiguous',
      why: { code: 'short_name' },
      ask: expect.stringContaining(JSON.stringify([called])),
      places: [expect.anything()],
    });
    for (const [path, called] of short) {
      expect({ path, is: match(lanternStreet, path) }).toMatchObject({ path, is: asking(called) });
      const confirmed = match(lanternStreet, path, { alsoCalled: [called] });
      expect({ path, is: confirmed }).toMatchObject({ path, is: { status: 'matched' } });
    }
    const at = (path: string) =>
      match(lanternStreet, path, { alsoCalled: ['Irregulars', 'Die Laternenstraße'] });
    expect(at('Die Laternenstrasse/S01E08.jpg')).toMatchObject({ status: 'matched' });
    // A name with more words is asked about again; another year, and a number that there is not.
    const again = { why: { code: 'short_name' }, ask: expect.stringContaining('irregulars abroad') };
    expect(at('Irregulars Abroad S01E01.jpg')).toMatchObject(again);
    expect(at('Irregulars Abroad/S01E01.jpg')).toMatchObject(again);
    expect(at('Irregulars (1999) S01E01.jpg')).toMatchObject({ status: 'unmatched' });
    expect(match(lanternStreet, 'Irregulars S09E01.jpg')).toMatchObject({ status: 'unmatched' });
    const called = { alsoCalled: ['Mad Max: Die Sammlung'] };
    expect(match(madMax, 'Mad Max - Die Sammlung - Logo.png', called)).toMatchObject({
      place: { target: { kind: 'collection' }, slot: 'logo' },
    });
  });
});
