import { artworkTables } from './tables-artwork.ts';
import { entityTables } from './tables-entities.ts';
import { feedTables } from './tables-feeds.ts';

/** Every table of the catalogue's public side. Other sides add their own with `CREATE TABLE IF NOT EXISTS`. */
export const catalogueTables = artworkTables + entityTables + feedTables;
