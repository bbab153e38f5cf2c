import { describe, expect, it } from 'vitest';
import { planTargetNamesOf } from '../../../src/curation/targets/names.ts';
import type { EpisodeTarget, PlanTarget, Work } from '../../../src/curation/targets/targets.ts';

const collection: Work = { kind: 'collection', id: 1, title: 'Puddle', year: null };
const film = (id: number, year: number | null): Work => ({ kind: 'movie', id, title: 'Puddle', year });
const episode = (id: number): EpisodeTarget => ({
  kind: 'episode',
  id,
  title: '',
  number: 5,
  season: 2,
  airDate: null,
});

const labelsOf = (targets: readonly PlanTarget[]) => {
  const names = planTargetNamesOf(targets);
  return targets.map(({ kind, id }) => names.place({ targetKind: kind, targetId: id, slot: 'poster' }).label);
};

describe('what targets are called', () => {
  it('tells those of one title apart, by year, by kind, and by id where nothing else differs', () => {
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
