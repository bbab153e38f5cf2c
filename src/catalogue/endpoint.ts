import { isLoopbackHost } from './addresses.ts';
import type { CallTime } from './request-time.ts';

/** Where the catalogue is. */
export interface CatalogueAddress {
  /** `{base_url}`; it may carry a path prefix. */
  readonly baseUrl: string | URL;
  /** Origin that root-relative Asset paths resolve against. */
  readonly assetOrigin: string | URL;
}

/**
 * Asked before every request. `fresh`: the last address refused a connection, so the locator should not
 * answer from memory but start the catalogue again if it is theirs to start.
 */
export type Locate = (fresh: boolean) => Promise<CatalogueAddress>;

export interface Endpoint {
  readonly origin: string;
  /** What every path of the interface document is appended to; no slash at its end. */
  readonly prefix: string;
  readonly assetOrigin: string;
  /** The catalogue runs on this machine. */
  readonly local: boolean;
}

export interface EndpointFinder {
  find(time: CallTime): Promise<Endpoint>;
  /** The address that was found last refused a connection. */
  refused(): void;
}

/** Finds the addresses of the catalogue for a request. */
export function createEndpointFinder(locate: Locate): EndpointFinder {
  let fresh = false;
  return {
    async find(time) {
      const asked = fresh;
      const address = await time.race(locate(asked));
      // Kept while it can't be found, so that the next call asks in the same way.
      if (asked) fresh = false;
      const base = new URL(address.baseUrl);
      return {
        origin: base.origin,
        prefix: base.pathname.replace(/\/+$/, ''),
        assetOrigin: new URL(address.assetOrigin).origin,
        local: isLoopbackHost(base.hostname),
      };
    },
    refused() {
      fresh = true;
    },
  };
}
