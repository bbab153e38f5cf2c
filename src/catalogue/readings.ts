import type { EpisodesIndexItem } from './records/feeds.ts';
import type { AnySet, Entity, EntityKind, FeedItem, FeedName, SetKind } from './records/index.ts';
import type { OwnedAsset, OwnedGroup, OwnedSet, UploadDestination } from './records/owned.ts';

/** A record that the service has just shown, parsed and cleaned, and where it was read (interface document, Endpoints). */
export type CatalogueReading =
  | { readonly of: 'entity'; readonly kind: EntityKind; readonly record: Entity }
  | { readonly of: 'set'; readonly kind: SetKind; readonly record: AnySet }
  /** The service answered 404. */
  | { readonly of: 'gone'; readonly kind: EntityKind | SetKind; readonly id: number | string }
  | { readonly of: 'episodes'; readonly items: readonly EpisodesIndexItem[] }
  | { readonly of: 'feed'; readonly feed: FeedName; readonly items: readonly FeedItem<FeedName>[] }
  | { readonly of: 'own asset'; readonly record: OwnedAsset }
  | { readonly of: 'own set'; readonly record: OwnedSet }
  | { readonly of: 'own group'; readonly record: OwnedGroup }
  | { readonly of: 'own destinations'; readonly items: readonly UploadDestination[] };

/** Is told of each reading before its caller has it; must not throw, and does its work later. */
export type OnReading = (reading: CatalogueReading) => void;
