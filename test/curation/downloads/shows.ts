import type {
  DownloadedSet,
  DownloadWork,
  PictureToDownload,
} from '../../../src/curation/downloads/set-pictures.ts';

/** Facts of a Set, as far as a test is about them. */
export function aSet(facts: Partial<DownloadedSet> = {}): DownloadedSet {
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

export const show: DownloadWork = { of: 'show', id: 1, title: 'Breaking Bad', year: 2008 };

let drawn = 0;

/** A picture with a path of its own. */
export function picture(
  holder: PictureToDownload['holder'],
  slot: string,
  set: DownloadedSet = aSet(),
): PictureToDownload {
  drawn += 1;
  const uuid = `00000000-0000-4000-8000-${String(drawn).padStart(12, '0')}`;
  return { holder, slot, ref: `/artwork/${uuid}.png`, set };
}

export function episode(season: number | null, number: number | null, id = 100): PictureToDownload['holder'] {
  return { of: 'episode', id, show, season, number };
}

export function season(number: number | null, id = 10): PictureToDownload['holder'] {
  return { of: 'season', id, show, number };
}
