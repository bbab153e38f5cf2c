import type { Tool } from '../mcp/tool.ts';
import { accountStatus } from './account/account-status.ts';
import { connectAccount } from './account/connect-account.ts';
import { disconnectAccount } from './account/disconnect-account.ts';
import { auditSets } from './catalogue/audit-sets.ts';
import { downloadSet } from './catalogue/download-set.ts';
import { findTitles } from './catalogue/find-titles.ts';
import { getEntity } from './catalogue/get-entity.ts';
import { getSet } from './catalogue/get-set.ts';
import { listChanges } from './catalogue/list-changes.ts';
import { listEpisodes } from './catalogue/list-episodes.ts';
import { readFeed } from './catalogue/read-feed.ts';
import { updateDownloadsTool } from './catalogue/update-downloads.ts';
import { viewArtwork } from './catalogue/view-artwork.ts';
import { watch } from './catalogue/watch.ts';
import { assignGroupingAssetsTool } from './curate/assign-grouping-assets.ts';
import { changeRelationshipTool } from './curate/change-relationship.ts';
import { createGroupTool } from './curate/create-group.ts';
import { createGroupingSetTool } from './curate/create-grouping-set.ts';
import { createMediaSetTool } from './curate/create-media-set.ts';
import { editAssetMetadataTool } from './curate/edit-asset-metadata.ts';
import { editGroupTool } from './curate/edit-group.ts';
import { editSetTool } from './curate/edit-set.ts';
import { newMutationIds } from './curate/new-mutation-ids.ts';
import { planSet } from './curate/plan-set.ts';
import { resumeMutation } from './curate/resume-mutation.ts';
import { selectPreviewFrameTool } from './curate/select-preview-frame.ts';
import { uploadAssetTool } from './curate/upload-asset.ts';
import { findUploadDestinations } from './me/find-upload-destinations.ts';
import { getMutationStatus } from './me/get-mutation-status.ts';
import { getOwned } from './me/get-owned.ts';
import { listMutations } from './me/list-mutations.ts';
import { listRelationships } from './me/list-relationships.ts';

/** The one list of tools, in the order hosts see them. */
export const tools: readonly Tool[] = [
  findTitles,
  getEntity,
  getSet,
  listEpisodes,
  readFeed,
  viewArtwork,
  listChanges,
  auditSets,
  watch,
  downloadSet,
  updateDownloadsTool,
  getOwned,
  getMutationStatus,
  listMutations,
  findUploadDestinations,
  listRelationships,
  accountStatus,
  connectAccount,
  disconnectAccount,
  newMutationIds,
  planSet,
  uploadAssetTool,
  editAssetMetadataTool,
  selectPreviewFrameTool,
  createGroupTool,
  editGroupTool,
  createGroupingSetTool,
  assignGroupingAssetsTool,
  changeRelationshipTool,
  createMediaSetTool,
  editSetTool,
  resumeMutation,
];
