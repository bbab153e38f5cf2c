import { authorizationMount } from './account/authorization.ts';
import { createFaults } from './faults/faults.ts';
import { frontPageMount } from './front-page/front-page.ts';
import { protectedMount } from './me/mount.ts';
import type { Lifetimes } from './oauth/provider.ts';
import type { Mount } from './server-context.ts';

export interface CatalogueOptions {
  /** `{auth_url}`; default: the origin. */
  readonly authUrl?: string;
  readonly lifetimes?: Partial<Lifetimes>;
  /** How far public reads lag behind what was saved; default: 3 seconds. */
  readonly publicationLagMs?: number;
  /** Enables fault injection at `/.sandbox/faults`, for tests; default: no. */
  readonly faults?: boolean;
}

/** The handlers of the catalogue other than its public reads, in the order in which they get a request. */
export function catalogueMounts(parts: CatalogueOptions = {}): readonly Mount[] {
  const { publicationLagMs = 3_000, faults: wanted = false, ...authorization } = parts;
  const faults = wanted ? createFaults() : null;
  return [
    ...(faults === null ? [] : [faults.mount]),
    frontPageMount(authorization),
    authorizationMount(authorization),
    protectedMount({ publicationLagMs, processingOf: faults?.processingOf ?? (() => null) }),
  ];
}
