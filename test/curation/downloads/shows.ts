import type { SetFacts, SetPicture, Work } from '../../../src/curation/downloads/set-pictures.ts';

/** Facts of a Set, as far as a test is about them. */
export function aSet(facts: Partial<SetFacts> = {}): SetFacts {
  return {
    kind: 'show_set',
    id: 12,
    title: 'Breaking Bad · clean',
    createdBy: 'Ada',
    language: 'en',
    dateUpdated: '2026-11-01T00:00:00Z',
    ...facts,
  };
}

export const show: Work = { of: 'show', id: 1, title: 'Breaking Bad', year: 2008 };

let drawn = 0;

/** A picture with a path of its own. */
export function picture(holder: SetPicture['holder'], slot: string, set: SetFacts = aSet()): SetPicture {
  drawn += 1;
  const uuid = `00000000-0000-4000-8000-${String(drawn).padStart(12, '0')}`;
  return { holder, slot, ref: `/artwork/${uuid}.png`, set };
}

export function episode(season: number | null, number: number | null, id = 100): SetPicture['holder'] {
  return { of: 'episode', id, show, season, number };
}

export function season(number: number | null, id = 10): SetPicture['holder'] {
  return { of: 'season', id, show, number };
}
