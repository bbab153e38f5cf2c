import { describe, expect, it } from 'vitest';
import { setRecord } from '../../src/catalogue/records/kinds.ts';
import { countsOf, holdingsOf } from '../../src/model/holdings.ts';
import { setOf } from '../../src/model/set.ts';
import { labelInSentence } from '../../src/model/target.ts';

const season = (seasonNumber: number, cards: readonly (string | null)[], poster: string | null = '/p') => ({
  id: seasonNumber,
  seasonNumber,
  poster,
  episodes: cards.map((titlecard, index) => ({
    id: seasonNumber * 100 + index,
    episodeNumber: index + 1,
    titlecard,
  })),
});

const set = (...seasons: ReturnType<typeof season>[]) => ({
  id: 1,
  boxset: { id: 2, poster: '/not/this/one' },
  show: { id: 3, poster: null, seasons },
});

const countsIn = (record: ReturnType<typeof set>) =>
  countsOf(
    holdingsOf(setOf('show_set', 1, setRecord.parse(record)).places, { has: ({ path }) => path !== null }),
  );
const lineOf = (record: ReturnType<typeof set>, of: string) =>
  countsIn(record).find((line) => line.of === of);

describe('the holdings of a Set', () => {
  it('count what is there and name what is not; a slot without any was never meant to be filled', () => {
    const record = set(season(1, ['/a', null, null, '/b', null]), season(2, ['/c'], null));
    expect(countsIn(record)).toEqual([
      { of: 'show', slot: 'poster', has: 0, total: 1, lacks: [] },
      { of: 'season', slot: 'poster', has: 1, total: 2, lacks: ['S02'] },
      { of: 'episode', slot: 'titlecard', has: 3, total: 6, lacks: ['S01E02–E03', 'S01E05'] },
    ]);
  });

  it('join what follows one another in a season', () => {
    const empty = [null, null, null];
    const record = set(season(1, empty), season(3, ['/a', null, null]), season(5, empty));
    const lacks = lineOf(record, 'episode')?.lacks ?? [];
    expect(lacks).toEqual(['S01E01–E03', 'S03E02–E03', 'S05E01–E03']);
    expect(lacks.map(labelInSentence)).toEqual(lacks);
  });

  it('name the one episode of a season that has one', () => {
    expect(lineOf(set(season(0, [null]), season(1, ['/a'])), 'episode')).toMatchObject({
      total: 2,
      lacks: ['S00E01'],
    });
  });
});
