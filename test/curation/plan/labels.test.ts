import { describe, expect, it } from 'vitest';
import { placeNamesOf } from '../../../src/curation/plan/places.ts';
import type { EpisodeTarget, Target, WorkTarget } from '../../../src/model/target.ts';

const collection: WorkTarget = { kind: 'collection', id: 1, title: 'Puddle', year: null, date: null };
const film = (id: number, year: number | null): WorkTarget => ({ ...collection, kind: 'movie', id, year });
const episode = (id: number): EpisodeTarget => ({
  kind: 'episode',
  id,
  title: '',
  season: 2,
  episode: 5,
  date: null,
});

const labelsOf = (targets: readonly Target[]) => {
  const names = placeNamesOf(targets);
  return targets.map((target) => names.shown({ target, slot: 'poster' }).label);
};

describe('what targets are called', () => {
  it('tells those of one title apart, by year, and by kind and id where nothing else differs', () => {
    expect(labelsOf([collection, film(2, 1979), film(3, null)])).toEqual([
      'Puddle (collection)',
      'Puddle (1979)',
      'Puddle',
    ]);
    expect(labelsOf([film(2, 1979), film(3, 1979), episode(4), episode(5), episode(6)])).toEqual([
      'Puddle (1979) (movie 2)',
      'Puddle (1979) (movie 3)',
      'S02E05 (episode 4)',
      'S02E05 (episode 5)',
      'S02E05 (episode 6)',
    ]);
  });
});
