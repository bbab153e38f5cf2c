import type { Tool } from '../mcp/tool.ts';
import { getEntity } from './catalogue/get-entity.ts';
import { getSet } from './catalogue/get-set.ts';
import { listEpisodes } from './catalogue/list-episodes.ts';
import { readFeed } from './catalogue/read-feed.ts';
import { viewArtwork } from './catalogue/view-artwork.ts';

/** The one list of tools, in the order hosts see them. */
export const tools: readonly Tool[] = [getEntity, getSet, listEpisodes, readFeed, viewArtwork];
