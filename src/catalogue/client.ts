import type { EpisodesIndexItem } from './records/episodes-index.ts';
import type { EntityKind, EntityOf, FeedItem, FeedName, SetKind, SetOf } from './records/index.ts';

/** Where the catalogue is. */
export interface CatalogueAddress {
  /** `{base_url}`; it may carry a path prefix. */
  readonly baseUrl: string | URL;
  /** Origin that root-relative Asset paths resolve against. */
  readonly assetOrigin: string | URL;
}

/** What every call takes. */
export interface Call {
  /** Aborting it aborts the request and rejects with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the whole call, retries and waits included. 45,000 unless told otherwise. */
  readonly deadlineMs?: number | undefined;
}

/** One page of a feed or of the episodes index. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** What follows, for the same function again; null on the last page. */
  readonly nextPage: string | null;
  readonly page: number | null;
  readonly totalPages: number | null;
  /** Feeds only: the snapshot that all pages of one reading belong to. */
  readonly snapshot: string | null;
}

/** Bytes whose first ones say that they are an image of one of four types; they have not been decoded. */
export interface CatalogueImage {
  readonly url: string;
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
  readonly bytes: Buffer;
}

export interface ImageCall extends Call {
  /** An entity that is read to learn its `metadataImages` when the URL's host has not been seen yet. */
  readonly seenIn?: { readonly kind: EntityKind; readonly id: number | string } | undefined;
}

/**
 * Public reads of the catalogue (interface document, Endpoints: Public reads). Every string of an answer is
 * already free of control and bidirectional-override characters. Rejections are ArtworkErrors.
 */
export interface Catalogue {
  readEntity<Kind extends EntityKind>(kind: Kind, id: number | string, call?: Call): Promise<EntityOf<Kind>>;
  readSet<Kind extends SetKind>(kind: Kind, id: number | string, call?: Call): Promise<SetOf<Kind>>;
  /** The first page for null, else the one that a page's `nextPage` names. */
  readEpisodesPage(nextPage: string | null, call?: Call): Promise<Page<EpisodesIndexItem>>;
  /**
   * The first page for null (it makes a snapshot), else the one that a page's `nextPage` names.
   * `snapshot_expired` when the snapshot is gone: start again with null.
   */
  readFeedPage<Feed extends FeedName>(
    feed: Feed,
    nextPage: string | null,
    call?: Call,
  ): Promise<Page<FeedItem<Feed>>>;
  /**
   * `ref` is a root-relative path of a Set, or an absolute URL of an entity's `metadataImages`.
   * `bad_response` when it is not an image, `invalid_arguments` when it may not be fetched.
   */
  fetchImage(ref: string, call?: ImageCall): Promise<CatalogueImage>;
  /** Ends every connection; calls in flight reject. */
  close(): Promise<void>;
}
