import type { Tool } from '../mcp/tool.ts';
import { accountStatus } from './account/account-status.ts';
import { connectAccount } from './account/connect-account.ts';
import { disconnectAccount } from './account/disconnect-account.ts';
import { getEntity } from './catalogue/get-entity.ts';
import { getSet } from './catalogue/get-set.ts';
import { listEpisodes } from './catalogue/list-episodes.ts';
import { readFeed } from './catalogue/read-feed.ts';
import { viewArtwork } from './catalogue/view-artwork.ts';
import { findUploadDestinations } from './me/find-upload-destinations.ts';
import { getOwned } from './me/get-owned.ts';
import { listRelationships } from './me/list-relationships.ts';

/** The one list of tools, in the order hosts see them. */
export const tools: readonly Tool[] = [
  getEntity,
  getSet,
  listEpisodes,
  readFeed,
  viewArtwork,
  getOwned,
  findUploadDestinations,
  listRelationships,
  accountStatus,
  connectAccount,
  disconnectAccount,
];
