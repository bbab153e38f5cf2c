import { ownerMount } from './me/mount.ts';
import type { Lifetimes } from './oauth/lifetimes.ts';
import { authorizationMount } from './oauth/mount.ts';
import type { Mount } from './premises.ts';

export interface CatalogueParts {
  /** `{auth_url}`; default: the origin. */
  readonly authUrl?: string;
  readonly lifetimes?: Partial<Lifetimes>;
}

/** Every part of the catalogue beside its public reads, in the order in which they are asked. */
export function catalogueMounts(parts: CatalogueParts = {}): readonly Mount[] {
  return [authorizationMount(parts), ownerMount()];
}
