import { describe, expect, it } from 'vitest';
import type { FolderWish } from '../../../src/curation/plan/match.ts';
import type { Shape } from '../../../src/curation/plan/verdict.ts';
import { breakingBad } from '../../model/names/contexts/breaking-bad.ts';
import { backToTheFuture, madMax } from '../../model/names/contexts/films.ts';
import { portal2 } from '../../model/names/contexts/games.ts';
import { lanternStreet } from '../../model/names/contexts/lantern-street.ts';
import { seen } from '../../model/names/seen/index.ts';
import type { Context } from '../../model/names/types.ts';
import { gradeOf, matchFiles, matchOf } from './matched.ts';
import { targetsOf } from './targets-of.ts';

describe('the folder matcher', () => {
  it('takes titles that stand by themselves for episodes in a folder of title cards', () => {
    const alone = seen.filter((file) => {
      const match = matchOf(file);
      return match.status === 'ambiguous' && match.why === 'title_alone';
    });
    expect(alone.length).toBeGreaterThan(0);
    const cards = alone.map((file) => ({ file, match: matchOf(file, { slot: 'titlecard', name: null }) }));
    expect(cards.filter(({ file, match }) => gradeOf(match, file.expected) !== 'right')).toEqual([]);
    const named = alone.map((file) => ({ file, match: matchOf(file, { slot: null, name: 'Title Cards' }) }));
    expect(named.filter(({ file, match }) => gradeOf(match, file.expected) !== 'right')).toEqual([]);
  });

  it('takes them for episodes in company', () => {
    const files = ['Pilot.jpg', 'Ozymandias.png', 'Felina.jpg'].map((path) => ({ path, shape: null }));
    const targets = targetsOf(breakingBad);
    const folder = { slot: null, name: null };
    expect(matchFiles(files, targets, folder).map(({ status }) => status)).toEqual(
      files.map(() => 'matched'),
    );
    expect(matchFiles(files.slice(1), targets, folder).map(({ status }) => status)).toEqual([
      'ambiguous',
      'ambiguous',
    ]);
  });
});

describe('what is known beside the name', () => {
  const wide = { width: 1920, height: 1080 };
  const tall = { width: 1000, height: 1500 };
  const match = (context: Context, path: string, shape: Shape | null, folder: Partial<FolderWish> = {}) =>
    matchFiles([{ path, shape }], targetsOf(context), { slot: null, name: null, ...folder })[0];

  it('confirms a slot by its proportions, and decides nothing else by them', () => {
    const show = { target: expect.objectContaining({ kind: 'show', id: breakingBad.id }) };
    expect(match(breakingBad, 'Breaking Bad (2008).jpg', tall)).toEqual({
      status: 'matched',
      place: { ...show, slot: 'poster' },
    });
    const asked = match(breakingBad, 'Breaking Bad (2008).jpg', wide);
    expect(asked).toMatchObject({ status: 'ambiguous', why: 'slot_unclear' });
    expect(asked?.status === 'ambiguous' ? asked.places.map(({ slot }) => slot) : []).toContain('backdrop');
    // Its name says what it is, and its looks are against that.
    expect(match(breakingBad, 'Breaking Bad - Poster.jpg', wide)).toMatchObject({
      status: 'ambiguous',
      why: 'shape_differs',
      places: [{ ...show, slot: 'poster' }],
    });
    for (const [path, shape] of [
      ['S01E02.jpg', tall],
      ['S01E02.jpg', { width: 1000, height: 1000 }],
      ['Breaking Bad - 1x03.jpg', tall],
      ['Pilot.jpg', tall],
      ['Season 2.jpg', wide],
    ] as const) {
      expect({ path, is: match(breakingBad, path, shape) }).toMatchObject({ is: { status: 'ambiguous' } });
      const cards = match(breakingBad, path, shape, {
        slot: path.startsWith('Season') ? 'poster' : 'titlecard',
      });
      expect({ path, is: cards }).toMatchObject({
        is: { why: 'shape_differs', places: [expect.anything()] },
      });
    }
    // Not quite the usual proportions are a warning's matter.
    expect(match(breakingBad, 'S01E02.jpg', { width: 1440, height: 1080 })).toMatchObject({
      status: 'matched',
    });
    expect(match(breakingBad, 'Season 2.jpg', { width: 1000, height: 1420 })).toMatchObject({
      status: 'matched',
    });
    expect(match(breakingBad, 'DSC01234.jpg', tall)).toMatchObject({ status: 'unmatched' });
    expect(match(portal2, 'Portal 2.jpg', { width: 600, height: 900 })).toMatchObject({
      status: 'matched',
      place: { slot: 'cover' },
    });
    expect(match(portal2, 'grid.png', { width: 920, height: 430 })).toMatchObject({
      status: 'matched',
      place: { slot: 'wideCover' },
    });
  });

  it('keeps to the slot that was asked for', () => {
    const folder = { slot: 'backdrop' } as const;
    expect(match(breakingBad, 'Season 1.jpg', wide, folder)).toMatchObject({
      status: 'matched',
      place: { target: { kind: 'season' }, slot: 'backdrop' },
    });
    expect(match(breakingBad, 'Season 1 - Poster.jpg', tall, folder)).toEqual({
      status: 'ignored',
      why: 'other_slot',
    });
    expect(match(breakingBad, 'S01E01.jpg', wide, folder)).toEqual({ status: 'ignored', why: 'other_slot' });
  });

  it('reads the name of the chosen folder, and holds nothing in it against a file', () => {
    const second = { status: 'matched', place: { target: { kind: 'episode' } } };
    expect(match(breakingBad, '05.jpg', wide, { name: 'Season 2' })).toMatchObject(second);
    expect(match(breakingBad, '05.jpg', wide)).toMatchObject({ status: 'ambiguous' });
    expect(match(breakingBad, 'S02E05.jpg', wide, { name: 'Better Call Saul' })).toMatchObject(second);
    expect(match(breakingBad, 'Better Call Saul/S02E05.jpg', wide)).toMatchObject({ status: 'unmatched' });
    for (const name of ['art', 'My Art', 'fanart', 'Posters'])
      expect(match(breakingBad, 'S02E05.jpg', wide, { name })).toMatchObject(second);
    expect(match(breakingBad, 'Posters/S02E05.jpg', wide)).not.toMatchObject(second);
    const poster = match(breakingBad, 'Season 2.jpg', null, { name: 'Posters' });
    expect(poster).toMatchObject({
      status: 'matched',
      place: { target: { kind: 'season' }, slot: 'poster' },
    });
  });

  it('finds the films of a collection that is called as one of them, whatever the folder is called', () => {
    const [first, second] = madMax.movies;
    for (const name of ['Mad Max', 'Mad Max Collection', 'Filme', null]) {
      const at = (path: string) => match(madMax, path, null, { name });
      const of = (targetKind: string, targetId?: number) => ({
        status: 'matched',
        place: { target: { kind: targetKind, id: targetId } },
      });
      expect(at('Mad Max (1979).jpg')).toMatchObject(of('movie', first?.id));
      expect(at('Mad Max 2 (1981).jpg')).toMatchObject(of('movie', second?.id));
      expect(at('poster.jpg')).toMatchObject(of('collection', madMax.id));
      expect(at('Mad Max.jpg')).toMatchObject({ status: 'ambiguous', why: 'title_shared' });
      expect(at('Mad Max (1979)/Mad Max.jpg')).toMatchObject(of('movie', first?.id));
    }
    // A folder of one film, chosen for its collection, and a film in another one's folder.
    const film = { name: 'Mad Max (1979)' };
    expect(match(madMax, 'poster.jpg', null, film)).toMatchObject({ place: { target: { id: first?.id } } });
    expect(match(madMax, 'Mad Max 2 (1981).jpg', null, film)).toMatchObject({ why: 'names_differ' });
    // The film's whole title, and the collection's but for one word.
    const either = match(backToTheFuture, 'poster.jpg', null, { name: 'Back to the Future' });
    expect(either).toMatchObject({ status: 'ambiguous', why: 'title_shared' });
  });

  it('asks once whether a short name is the work’s, and takes what was confirmed for its title', () => {
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
    for (const [path, called] of short) {
      expect({ path, is: match(lanternStreet, path, null) }).toMatchObject({
        path,
        is: { status: 'ambiguous', why: 'short_name', called, places: [expect.anything()] },
      });
      expect({ path, is: match(lanternStreet, path, null, { alsoCalled: [called] }) }).toMatchObject({
        path,
        is: { status: 'matched' },
      });
    }
    const confirmed = { alsoCalled: ['Irregulars', 'Die Laternenstraße'] };
    const at = (path: string) => match(lanternStreet, path, null, confirmed);
    expect(at('Die Laternenstrasse/S01E08.jpg')).toMatchObject({ status: 'matched' });
    // A name with more words is asked about again; another year, and a number that there is not.
    expect(at('Irregulars Abroad S01E01.jpg')).toMatchObject({ called: 'irregulars abroad' });
    expect(at('Irregulars (1999) S01E01.jpg')).toMatchObject({ status: 'unmatched', why: 'other_year' });
    expect(at('Irregulars Abroad/S01E01.jpg')).toMatchObject({ called: 'irregulars abroad' });
    expect(match(lanternStreet, 'Irregulars S09E01.jpg', null)).toMatchObject({ why: 'no_such_season' });
    const called = { alsoCalled: ['Mad Max: Die Sammlung'] };
    expect(match(madMax, 'Mad Max - Die Sammlung - Logo.png', null, called)).toMatchObject({
      place: { target: { kind: 'collection' }, slot: 'logo' },
    });
  });
});
