/**
 * The records of the protected side that the interface document names without showing them (Protected-side
 * records). Each is one assumption; nothing else in the catalogue decides about their fields.
 *
 * Assumed of all of them: they come as `{ data }`; a single record's revision is `updatedAt`; what public
 * reads call by a name has the same name here, but for `language`, which the admission bodies call
 * `languageCode`, and `edition`, which they call `editionId`.
 */

/** `not_required`: public reads never show it, as with Talent and Category Sets. */
export type PublicationStatus = 'not_required' | 'pending' | 'succeeded';

export interface TargetReference {
  readonly id: number;
  readonly kind: string;
}

/** Assumed of a target in a record about something else: its title comes along, so that a person knows it. */
export interface NamedTarget extends TargetReference {
  readonly title: string;
  readonly year: number | null;
}

/** Assumed: how an Asset is listed in its Set. */
export interface SetAsset {
  readonly id: string;
  readonly slot: string;
  readonly target: TargetReference;
  /** Root-relative, as in public Sets. */
  readonly path: string;
  readonly languageCode: string | null;
  readonly editionId: number | null;
  readonly width: number;
  readonly height: number;
  readonly updatedAt: string;
  readonly publicationStatus: PublicationStatus;
}

/** Assumed: the Asset as its Set lists it, and all else that is known of it. */
export interface OwnedAsset extends SetAsset {
  readonly kind: 'asset';
  readonly setId: number | null;
  readonly contentType: string;
  /** 1 for a still picture. */
  readonly frames: number;
  /** Which frame of an animated one is its preview; null for a still one, and until one is selected. */
  readonly selectedSourceFrame: number | null;
  readonly previousAssetId: string | null;
  /** A replaced Asset can still be read, but not changed any more. */
  readonly replacedByAssetId: string | null;
  readonly dateCreated: string;
}

/**
 * Assumed: `kind` is the public kind; `setKind` the word of the admission bodies, where every Set of media is
 * a `media_set`. Assets are listed without those that were replaced, with those that are not yet public.
 */
export interface OwnedSet {
  readonly id: number;
  readonly kind: string;
  readonly setKind: SetKindWord;
  readonly title: string;
  readonly description: string | null;
  readonly languageCode: string | null;
  readonly editionId: number | null;
  readonly finalised: boolean;
  /** null for a Brand Set, which has networks and companies. */
  readonly target: NamedTarget | null;
  readonly networks?: readonly { readonly id: number; readonly name: string }[];
  readonly companies?: readonly { readonly id: number; readonly name: string }[];
  readonly group: { readonly id: number; readonly kind: string; readonly title: string } | null;
  readonly createdBy: string;
  readonly dateCreated: string;
  readonly updatedAt: string;
  readonly publicationStatus: PublicationStatus;
  readonly assets: readonly SetAsset[];
}

export type SetKindWord = 'media_set' | 'talent_set' | 'brand_set' | 'category_set';

/** Assumed: a Boxset or a Loadout with its members in their order. */
export interface OwnedGroup {
  readonly id: number;
  readonly kind: 'boxset' | 'loadout';
  readonly title: string;
  readonly description: string | null;
  readonly languageCode: string | null;
  readonly poster: SetAsset | null;
  readonly createdBy: string;
  readonly dateCreated: string;
  readonly updatedAt: string;
  readonly publicationStatus: PublicationStatus;
  readonly sets: readonly {
    readonly id: number;
    readonly kind: string;
    readonly title: string;
    readonly target: NamedTarget;
    readonly updatedAt: string;
  }[];
}

/** Assumed: the destination's kind as it was asked for, and enough to recognise it. Loadouts are `boxset` of the family `game`. */
export interface UploadDestination {
  readonly id: number;
  readonly kind: DestinationKind;
  readonly family: Family;
  readonly title: string;
  /** null for a group. */
  readonly target: NamedTarget | null;
  readonly updatedAt: string;
}

export type DestinationKind = 'talent_set' | 'media_set' | 'boxset';
export type Family = 'media' | 'game';

/** Assumed: the most that `/me/upload-destinations` returns. */
export const mostDestinations = 20;

/** Assumed: one follows and hides other accounts, one relationship per account. */
export interface Relationship {
  readonly targetKind: 'user';
  readonly targetId: number;
  readonly target: { readonly id: number; readonly kind: 'user'; readonly name: string };
  readonly relationship: 'follow' | 'hide';
  readonly updatedAt: string;
}
