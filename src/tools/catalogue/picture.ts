import type { EntityKind } from '../../catalogue/records/index.ts';

/** Something that can be fetched and shown. */
export interface Picture {
  /** A root-relative path or an absolute URL, as the catalogue gave it; a file, as the caller named it. */
  readonly ref: string;
  /** Of a file on this machine: its path or URI. */
  readonly file?: string;
  /** Made of our own words and the caller's, never of the catalogue's, since it is drawn on the sheet. */
  readonly label: string;
  /** Whose it is and its language; of a planned file, what it is for. Names alone, since it is drawn too. */
  readonly credit?: string | undefined;
  /** Files for one place have the same. */
  readonly rival?: string | undefined;
  /** Of one's own. */
  readonly assetId?: string | undefined;
  /** The entity whose `metadataImages` hold the URL. */
  readonly seenIn?: { readonly kind: EntityKind; readonly id: number } | undefined;
}
