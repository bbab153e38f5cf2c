import { createFaults } from './faults/faults.ts';
import { ownerMount } from './me/mount.ts';
import type { Lifetimes } from './oauth/lifetimes.ts';
import { authorizationMount } from './oauth/mount.ts';
import type { Mount } from './premises.ts';

export interface CatalogueParts {
  /** `{auth_url}`; default: the origin. */
  readonly authUrl?: string;
  readonly lifetimes?: Partial<Lifetimes>;
  /** How far public reads are behind what was saved; default: 3 seconds. */
  readonly publicationLagMs?: number;
  /** Lets tests have it fail, at `/.sandbox/faults`; default: no. */
  readonly faults?: boolean;
}

/** Every part of the catalogue beside its public reads, in the order in which they are asked. */
export function catalogueMounts(parts: CatalogueParts = {}): readonly Mount[] {
  const { publicationLagMs = 3_000, faults: wanted = false, ...authorization } = parts;
  const faults = wanted ? createFaults() : null;
  return [
    ...(faults === null ? [] : [faults.mount]),
    authorizationMount(authorization),
    ownerMount({ publicationLagMs, processingOf: faults?.processingOf ?? (() => null) }),
  ];
}
