import { describe, expect, it } from 'vitest';
import { entities } from '../../src/catalogue/records/kinds.ts';
import {
  admissionFor,
  admissionOf,
  allKinds,
  kindNamed,
  kindsInWords,
  kindWords,
  setKindsOf,
  slotsOf,
  slotsWithin,
  wordsFor,
} from '../../src/model/kinds.ts';
import {
  allSlots,
  artworkPhrase,
  listOfSlot,
  shapeOfSlot,
  slotNamed,
  slotsMeantBy,
  slotsWords,
  slotWords,
} from '../../src/model/slots.ts';
import { documentedRecords } from '../support/interface-document.ts';

describe('each kind', () => {
  it.each(allKinds)('%s has the lists of artwork that the interface document names', (kind) => {
    const record = documentedRecords.find(({ path }) => entities[kind]('{id}') === encodeURI(path));
    expect(slotsOf(kind).map(listOfSlot).toSorted()).toEqual(record?.lists.toSorted());
  });

  it.each(allKinds)('%s is known by its own word and its plural, and shares no word with another', (kind) => {
    const [own = '', plural = ''] = wordsFor(kind);
    expect([kindNamed(own.toUpperCase()), kindNamed(` ${plural}`)]).toEqual([kind, kind]);
    const others = allKinds.filter((one) => one !== kind).flatMap(wordsFor);
    expect(wordsFor(kind).filter((word) => others.includes(word))).toEqual([]);
    expect(kindsInWords).toContain(kind);
  });

  it.each([
    ['show', ['show_set'], 'media_set'],
    ['season', ['show_set'], 'media_set'],
    ['episode', ['show_set'], 'media_set'],
    ['movie', ['movie_set', 'collection_set'], 'media_set'],
    ['game', ['game_set'], 'media_set'],
    ['network', ['brand_set'], 'brand_set'],
    ['person', [], 'talent_set'],
    ['category', [], 'category_set'],
    ['boxset', [], 'media_set'],
    ['no kind', [], 'media_set'],
  ])('pictures of a %s are in %j, which /me calls %s', (kind, sets, admission) => {
    expect([setKindsOf(kind), admissionFor(kind)]).toEqual([sets, admission]);
  });
});

it('a Set is named by the word of public reads and by that of /me', () => {
  expect(['movie_set', 'brand_set', 'talent_set', 'boxset', 'set'].map(admissionOf)).toEqual([
    ...['media_set', 'brand_set', 'talent_set', null, null],
  ]);
  expect([kindWords('show_set'), kindWords('movie')]).toEqual(['Show Set', 'Movie']);
});

it.each([
  ['show_set', 'poster backdrop logo squareArt thumb titlecard'],
  ['boxset', 'poster backdrop logo squareArt thumb titlecard'],
  ['loadout', 'poster cover hero logo wideCover background squareCover icon'],
  ['season', 'poster backdrop'],
  ['talent_set', 'poster'],
  ['no word', ''],
])('%s can have pictures in %s', (word, slots) => {
  expect(slotsWithin(word).join(' ')).toBe(slots);
});

describe('a word for a slot', () => {
  it.each([
    ['poster', 'poster'],
    ['Title Cards', 'titlecard'],
    ['assets.heroes', 'hero'],
    ['square-art', 'squareArt'],
    ['fanart', 'backdrop'],
    ['clearlogo', 'logo'],
    ['landscape', null],
    ['banner', null],
    ['', null],
    ['constructor', null],
  ])('of a call: %j is %j', (word, slot) => {
    expect(slotNamed(word)).toBe(slot);
  });

  it('means another slot of another kind', () => {
    expect(slotNamed('cover', slotsOf('game'))).toBe('cover');
    expect(slotNamed('cover', slotsOf('movie'))).toBe('poster');
    expect(slotNamed('art', slotsOf('movie'))).toBeNull();
  });

  it('in a name is a phrase of the table, with or without its count', () => {
    const meant = (words: string, kind: 'movie' | 'game' | 'episode') => {
      const phrase = artworkPhrase(words);
      return phrase === null ? null : slotsMeantBy(phrase, slotsOf(kind));
    };
    expect(meant('backdrop12', 'movie')).toEqual({ slots: ['backdrop'], sure: true });
    expect(meant('landscape', 'movie')).toEqual({ slots: ['backdrop', 'thumb'], sure: false });
    expect(meant('header', 'game')).toEqual({ slots: ['hero', 'wideCover'], sure: false });
    expect(meant('banner', 'movie')).toEqual({ slots: [], sure: false });
    expect([meant('apollo 13', 'movie'), meant('backdrops of', 'movie'), meant('', 'movie')]).toEqual([
      ...[null, null, null],
    ]);
  });

  it.each(allSlots)('%s is named by all that is said of it', (slot) => {
    for (const word of [slot, listOfSlot(slot), slotWords(slot), slotsWords(slot)]) {
      expect(slotNamed(word, [slot])).toBe(slot);
    }
    expect(shapeOfSlot(listOfSlot(slot))).toBe(shapeOfSlot(slot));
  });
});
