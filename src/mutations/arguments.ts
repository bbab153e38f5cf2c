/** What every mutation is called with. */
export interface Guarded {
  /** A UUID: the identity of the mutation, in the ledger and, where the interface document shows it, on the wire. */
  readonly clientMutationId: string;
  /** The revision that the caller has seen; null, or "none", where there is none. */
  readonly expectedUpdatedAt: string | null;
  /** Checks everything and shows the requests, claims and sends nothing. */
  readonly dryRun?: boolean | undefined;
}

/** Merged into a body that the interface document does not show; it can't override a named field. */
export interface Extended {
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

export interface UploadAssetArguments extends Guarded {
  /** An absolute path or a `file:` URI. */
  readonly file: string;
  readonly operation: 'add' | 'replace';
  readonly slot: string;
  /** Needed, with `targetId`, unless `setId` or `groupId` is given. */
  readonly targetKind?: string | undefined;
  readonly targetId?: number | undefined;
  readonly languageCode?: string | undefined;
  /** If and only if `operation` is `replace`. */
  readonly previousAssetId?: string | undefined;
  /** The two exclude each other. */
  readonly setId?: number | undefined;
  readonly groupId?: number | undefined;
}

export interface EditAssetMetadataArguments extends Guarded {
  readonly assetId: string;
  /** At least one of the two is given; what is left out stays as it is. */
  readonly languageCode?: string | null | undefined;
  readonly editionId?: string | number | null | undefined;
}

export interface SelectPreviewFrameArguments extends Guarded, Extended {
  readonly assetId: string;
  readonly selectedSourceFrame: number;
}

export interface CreateGroupArguments extends Guarded, Extended {
  readonly kind: 'boxset' | 'loadout';
  readonly title: string;
  readonly description?: string | null | undefined;
  readonly languageCode?: string | null | undefined;
  readonly setIds?: readonly number[] | undefined;
}

export interface EditGroupArguments extends Guarded, Extended {
  readonly groupId: number;
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly languageCode?: string | null | undefined;
  /** The complete membership. */
  readonly setIds?: readonly number[] | undefined;
}

export interface CreateGroupingSetArguments extends Guarded, Extended {
  readonly setKind: 'talent_set' | 'brand_set' | 'category_set';
  readonly titleBase: string;
  readonly entryTargetKind?: string | undefined;
  readonly entryTargetId?: number | undefined;
  readonly networkIds?: readonly number[] | undefined;
  readonly companyIds?: readonly number[] | undefined;
  readonly description?: string | null | undefined;
  readonly languageCode?: string | null | undefined;
  readonly editionId?: string | number | null | undefined;
}

export interface AssignedItem {
  readonly existingAssetId: string;
  readonly expectedAssetUpdatedAt: string;
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
  /** Left out: derived from the clientMutationId and the item's place. */
  readonly itemId?: string | undefined;
  /** Left out: the item's place, from 0. */
  readonly position?: number | undefined;
}

export interface AssignGroupingAssetsArguments extends Guarded, Extended {
  readonly setId: number;
  readonly items: readonly AssignedItem[];
}

export interface CreateMediaSetArguments extends Guarded {
  readonly entryTargetKind: string;
  readonly entryTargetId: number;
  readonly titleBase: string;
  readonly languageCode: string;
  readonly finalised: boolean;
  readonly description?: string | null | undefined;
  readonly editionId?: string | number | null | undefined;
  /** A record of the upload destinations, as it came. */
  readonly destination?: Readonly<Record<string, unknown>> | null | undefined;
  readonly declaredFiles: readonly NamedItem[];
}

/** Where an item goes. */
export interface ItemArguments {
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
  /** Left out: derived from the clientMutationId and the position. */
  readonly itemId?: string | undefined;
  /** Left out: the item's place, from 0. */
  readonly position?: number | undefined;
}

export interface NamedItem extends ItemArguments {
  /** An absolute path or a `file:` URI. */
  readonly file: string;
  /** What it is announced as; left out: its own name, as far as a header can carry it. */
  readonly filename?: string | undefined;
  readonly selectedSourceFrame?: number | null | undefined;
}

/** Which of them belong to which operation is checked: see the interface document, Grouped Set edit. */
export interface EditedItem extends ItemArguments {
  readonly operation: 'add' | 'replace' | 'assign' | 'asset_metadata';
  readonly file?: string | undefined;
  readonly expectedPreviousAssetId?: string | undefined;
  readonly existingAssetId?: string | undefined;
  readonly expectedAssetUpdatedAt?: string | undefined;
  readonly languageCode?: string | null | undefined;
  readonly editionId?: string | number | null | undefined;
}

export interface EditSetArguments extends Guarded {
  readonly setId: number;
  readonly setKind: 'media_set' | 'talent_set' | 'brand_set' | 'category_set';
  /** Sparse: what is left out stays as it is. */
  readonly metadata?:
    | {
        readonly titleBase?: string | undefined;
        readonly description?: string | null | undefined;
        readonly languageCode?: string | null | undefined;
        readonly editionId?: string | number | null | undefined;
        readonly finalised?: boolean | undefined;
      }
    | undefined;
  readonly items?: readonly EditedItem[] | undefined;
}

export interface ChangeRelationshipArguments extends Guarded, Extended {
  readonly targetKind: string;
  readonly targetId: string | number;
  readonly relationship: 'follow' | 'hide' | 'clear';
}
