import { ArtworkError } from '../errors.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import type { Mutation } from './mutation.ts';
import type { OperationName } from './operation-names.ts';
import { assignGroupingAssets } from './operations/assign-grouping-assets.ts';
import { changeRelationship } from './operations/change-relationship.ts';
import { createGroup } from './operations/create-group.ts';
import { createGroupingSet } from './operations/create-grouping-set.ts';
import { createMediaSet } from './operations/create-media-set.ts';
import { editAssetMetadata } from './operations/edit-asset-metadata.ts';
import { editGroup } from './operations/edit-group.ts';
import { editSet } from './operations/edit-set.ts';
import { selectPreviewFrame } from './operations/select-preview-frame.ts';
import { uploadAsset } from './operations/upload-asset.ts';

/** How each kind of mutation is made again from what the ledger keeps of it. */
const makers: Record<OperationName, (given: object) => Mutation> = {
  upload_asset: uploadAsset,
  edit_asset_metadata: editAssetMetadata,
  select_preview_frame: selectPreviewFrame,
  create_group: createGroup,
  edit_group: editGroup,
  create_grouping_set: createGroupingSet,
  assign_grouping_assets: assignGroupingAssets,
  change_relationship: changeRelationship,
  create_media_set: createMediaSet,
  edit_set: editSet,
};

/** The mutation that an entry stands for; null for one that this version does not understand. */
export function rehydrate({
  operation,
  clientMutationId,
  intent,
}: Pick<LedgerEntry, 'operation' | 'clientMutationId' | 'intent'>): Mutation | null {
  const make = Object.entries(makers).find(([name]) => name === operation)?.[1];
  if (make === undefined) return null;
  try {
    return make({ ...JSON.parse(intent), clientMutationId });
  } catch (error) {
    // What a newer version wrote is not this one's to judge.
    if (error instanceof ArtworkError || error instanceof SyntaxError) return null;
    throw error;
  }
}
