import { z } from 'zod';
import { description, editionId, frame, languageCode, resourceId, revision, title, uuid } from './fields.ts';

/**
 * The records of protected operations that the interface document names without showing them (Protected-side
 * records). Each is one assumption, and no other file decides about their fields. The assumptions about Set
 * submissions are in submissions/assumed.ts.
 *
 * Assumed of all of them: they are sent as `{ data }`; a single record's revision is `updatedAt`; fields have
 * the names of public reads, except `language`, which the admission bodies call `languageCode`, and
 * `edition`, which they call `editionId`.
 */

/** `not_required`: there is no public read, as for Talent and Category Sets. */
export type PublicationStatus = 'not_required' | 'pending' | 'succeeded';

export interface TargetReference {
  readonly id: number;
  readonly kind: string;
}

/** Assumed of a target in another record: its title is included, so that a person recognises it. */
export interface NamedTarget extends TargetReference {
  readonly title: string;
  readonly year: number | null;
}

/** Assumed: an Asset in the list of its Set. */
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

/** Assumed: the Asset as in the list of its Set, with everything else that is known of it. */
export interface OwnedAsset extends SetAsset {
  readonly kind: 'asset';
  readonly setId: number | null;
  readonly contentType: string;
  /** 1 for a still picture. */
  readonly frames: number;
  /** The preview frame of an animated picture; null for a still one, and until one is selected. */
  readonly selectedSourceFrame: number | null;
  readonly previousAssetId: string | null;
  /** A replaced Asset can be read but no longer changed. */
  readonly replacedByAssetId: string | null;
  readonly dateCreated: string;
}

/**
 * Assumed: `kind` is the public kind; `setKind` the name in the admission bodies, where every Set of media is
 * a `media_set`. Replaced Assets are left out; Assets that are not public yet are listed.
 */
export interface OwnedSet {
  readonly id: number;
  readonly kind: string;
  readonly setKind: AdmissionSetKind;
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

export type AdmissionSetKind = 'media_set' | 'talent_set' | 'brand_set' | 'category_set';

/** Assumed: a Boxset or a Loadout with its members in order. */
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

/**
 * Assumed: the destination's kind as in the query, and enough to recognise it. Loadouts are `boxset` of the
 * family `game`, the only family that the document names; destinations for media show none.
 */
export interface UploadDestination {
  readonly id: number;
  readonly kind: DestinationKind;
  readonly family?: 'game';
  readonly title: string;
  /** null for a group. */
  readonly target: NamedTarget | null;
  readonly updatedAt: string;
}

type DestinationKind = 'talent_set' | 'media_set' | 'boxset';
export type Family = 'media' | 'game';

/** Assumed: the maximum that `/me/upload-destinations` returns. */
export const maxDestinations = 20;

/** Assumed: accounts follow and hide other accounts, with one relationship per account. */
export interface Relationship {
  readonly targetKind: 'user';
  readonly targetId: number;
  readonly target: { readonly id: number; readonly kind: 'user'; readonly name: string };
  readonly relationship: 'follow' | 'hide';
  readonly updatedAt: string;
}

/**
 * The bodies of operations that the interface document names without showing them. Assumed of all of them:
 * unknown members are ignored; the revision of the changed resource is required; each may have a
 * `clientMutationId`, which identifies the mutation as in an upload.
 */
const identity = { clientMutationId: uuid.nullish().transform((id) => id ?? null) };

/** Assumed: POST /me/assets/{assetId}/preview. */
export const previewBody = z.object({ ...identity, expectedUpdatedAt: revision, selectedSourceFrame: frame });

/**
 * Assumed: POST /me/groups. A Loadout is `loadout`, or a `boxset` of the family `game` as among the upload
 * destinations.
 */
export const newGroupBody = z.object({
  ...identity,
  kind: z.enum(['boxset', 'loadout']),
  family: z.enum(['media', 'game']).exactOptional(),
  title,
  description: description.default(null),
  languageCode: languageCode.nullable().default(null),
  setIds: z.array(resourceId).max(500).default([]),
});

/** Assumed: POST /me/groups/{groupId}. Omitted fields stay; `setIds` is the complete membership. */
export const groupEditBody = z.object({
  ...identity,
  expectedUpdatedAt: revision,
  title: title.exactOptional(),
  description: description.exactOptional(),
  languageCode: languageCode.nullable().exactOptional(),
  setIds: z.array(resourceId).max(500).exactOptional(),
});

/**
 * Assumed: POST /me/grouping-sets. A Talent Set is for a person and a Category Set for a category, named as
 * in the admission of a media Set; a Brand Set is for at least one network or company.
 */
export const newGroupingSetBody = z.object({
  ...identity,
  setKind: z.enum(['talent_set', 'brand_set', 'category_set']),
  titleBase: title,
  entryTargetKind: z.string().nullish(),
  entryTargetId: resourceId.nullish(),
  networkIds: z.array(resourceId).max(100).default([]),
  companyIds: z.array(resourceId).max(100).default([]),
  description: description.default(null),
  languageCode: languageCode.nullable().default(null),
  editionId: editionId.default(null),
});

/** Assumed: POST /me/grouping-sets/{setId}/assets, with the items of a grouped edit's `assign`. All or none. */
export const assignmentBody = z.object({
  ...identity,
  expectedUpdatedAt: revision,
  items: z
    .array(
      z.object({
        itemId: uuid,
        position: z.int().nonnegative(),
        targetKind: z.string(),
        targetId: resourceId,
        slot: z.string(),
        existingAssetId: uuid,
        expectedAssetUpdatedAt: revision,
      }),
    )
    .min(1)
    .max(300),
});

/**
 * Assumed: POST /me/relationships sends the wanted state; null and `clear` mean none. An account is named by
 * its id or its name. A given `expectedUpdatedAt` is compared; null: there is none yet.
 */
export const relationshipBody = z.object({
  ...identity,
  targetKind: z.literal('user', {
    error: 'This catalogue knows relationships to accounts alone: give "user".',
  }),
  targetId: z.union([resourceId, z.string().min(1)], {
    error: 'Give the id or the name of an account.',
  }),
  relationship: z.enum(['follow', 'hide', 'clear']).nullable(),
  expectedUpdatedAt: revision.nullable().exactOptional(),
});

/** Assumed: the stored receipt of a mutation, sent as `{ data }`. */
interface MutationReceipt extends MutationResult {
  readonly clientMutationId: string | null;
  readonly operation: string;
}

export interface MutationResult {
  /** The new revision of the changed resource; null for a relationship that was cleared. */
  readonly updatedAt: string | null;
  readonly publicationStatus: PublicationStatus;
}

/** Assumed: the receipt of a single upload, which "identifies the saved Asset and carries `publicationStatus`". */
export interface UploadReceipt extends MutationReceipt {
  /** null where the upload was accepted and nothing has been saved. */
  readonly assetId: string | null;
  readonly processingStatus: 'processing' | 'succeeded';
  readonly slot: string;
  readonly target: TargetReference;
  readonly previousAssetId: string | null;
  /** The Set or group that contains the Asset, with its new revision. */
  readonly holder: { readonly kind: 'set' | 'group'; readonly id: number; readonly updatedAt: string } | null;
}
