// The one table of operations: each is one file, and one line here.
export { assignGroupingAssets } from './assign-grouping-assets.ts';
export { changeRelationship } from './change-relationship.ts';
export { createGroup } from './create-group.ts';
export { createGroupingSet } from './create-grouping-set.ts';
export { createMediaSet } from './create-media-set.ts';
export { editAssetMetadata } from './edit-asset-metadata.ts';
export { editGroup } from './edit-group.ts';
export { editSet } from './edit-set.ts';
export { selectPreviewFrame } from './select-preview-frame.ts';
export { uploadAsset } from './upload-asset.ts';
