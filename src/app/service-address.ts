import type { CatalogueAddress } from '../catalogue/endpoint.ts';

export interface ServiceAddress extends CatalogueAddress {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly assetOrigin: string;
  /** null: none is configured, and only the embedded catalogue knows this program without. */
  readonly clientId: string | null;
}
