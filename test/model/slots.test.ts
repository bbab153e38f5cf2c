import { expect, it } from 'vitest';
import { slotsOf } from '../../src/model/kinds.ts';
import { listOfSlot } from '../../src/model/slots.ts';

// Interface document, Resources and their fields: the members of `assets` of each kind of work.
it.each([
  ['show', ['posters', 'backdrops', 'logos', 'squareArts', 'thumbs']],
  ['season', ['posters', 'backdrops']],
  ['episode', ['titlecards']],
  ['movie', ['posters', 'backdrops', 'logos', 'squareArts', 'thumbs']],
  ['collection', ['posters', 'backdrops', 'logos', 'squareArts']],
  ['game', ['covers', 'heroes', 'logos', 'wideCovers', 'backgrounds', 'squareCovers', 'icons']],
  ['company', ['posters', 'thumbs', 'logos']],
  ['network', ['posters', 'thumbs', 'logos']],
  ['person', ['posters']],
  ['category', ['posters', 'thumbs']],
])('%s has the lists of artwork that the document names', (kind, lists) => {
  expect((slotsOf(kind) ?? []).map(listOfSlot).toSorted()).toEqual(lists.toSorted());
});
