import { type ArtworkSet, picturesOf, type SetPlace } from '../../model/set.ts';
import type { WorkTarget } from '../../model/target.ts';

/** One picture of a Set, to be downloaded. */
export interface Picture extends SetPlace {
  /** Root-relative path on the service. */
  readonly path: string;
  readonly set: ArtworkSet;
}

/** All pictures of a Set; of a group its own poster. */
export function picturesToDownload(set: ArtworkSet): Picture[] {
  return picturesOf(set).map((place) => ({ ...place, set }));
}

/** The work that a picture belongs to: of a season or an episode its show. Null where the Set tells none. */
export function workOf({ target, set }: Pick<Picture, 'target' | 'set'>): WorkTarget | null {
  return target.kind === 'season' || target.kind === 'episode' ? set.work : target;
}
