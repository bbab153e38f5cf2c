import { type LayoutName, layouts } from '../../../src/curation/download/layouts.ts';
import { openLibrary } from '../../../src/curation/download/library.ts';
import { type Picture, type Places, placePictures } from '../../../src/curation/download/place.ts';
import type { ArtworkSet } from '../../../src/model/set.ts';
import type { Slot } from '../../../src/model/slots.ts';
import type { EpisodeTarget, SeasonTarget, Target, WorkTarget } from '../../../src/model/target.ts';

/** A film, a brand … whatever stands for itself. */
export function aWork(
  kind: WorkTarget['kind'],
  title = 'Toy Story',
  year: number | null = 1995,
  id = 7,
): WorkTarget {
  return { kind, id, title, date: null, year };
}

export const show = aWork('show', 'Breaking Bad', 2008, 1);

/** Facts of a Set, as far as a test is about them. */
export function aSet(facts: Partial<ArtworkSet> = {}): ArtworkSet {
  return {
    ...{ kind: 'show_set', id: 12, title: 'Breaking Bad · clean', description: null, createdBy: 'Ada' },
    ...{ created: null, updated: '2026-11-01T00:00:00Z', language: 'en', edition: null, work: show },
    ...{ group: null, seasons: [], places: [], members: [] },
    ...facts,
  };
}

let drawn = 0;

/** A picture with a path of its own. */
export function picture(target: Target, slot: Slot, set: ArtworkSet = aSet()): Picture {
  drawn += 1;
  const uuid = `00000000-0000-4000-8000-${String(drawn).padStart(12, '0')}`;
  return { target, slot, path: `/artwork/${uuid}.png`, set };
}

export function episode(season: number | null, number: number | null, id = 100): EpisodeTarget {
  return { kind: 'episode', id, title: '', date: null, season, episode: number };
}

export function season(number: number | null, id = 10): SeasonTarget {
  return { kind: 'season', id, title: '', date: null, season: number };
}

interface Planned {
  /** Below the root. */
  readonly folders?: readonly string[];
  readonly assetFolders?: boolean;
}

/** Where pictures go below a folder of the disk. */
export async function planIn(
  root: string,
  layout: LayoutName,
  pictures: readonly Picture[],
  { folders = [], assetFolders = true }: Planned = {},
): Promise<Places> {
  const seen = { path: root, home: `${root}, elsewhere` };
  return placePictures(pictures, {
    ...{ layout: layouts[layout], folders, assetFolders, mayMake: true },
    library: openLibrary(seen),
  });
}

/** Without the endings, which the pictures decide. */
export function pathsOf({ files }: Pick<Places, 'files'>): string[] {
  return files.map(({ folders, stem }) => [...folders, stem].join('/'));
}
