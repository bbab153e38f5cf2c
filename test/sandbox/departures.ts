import path from 'node:path';
import { z } from 'zod';
import { data, linesOf } from './seed-rows.ts';

/** Where one kind of public record shows null although the interface document shows none there. */
const place = z.strictObject({
  /** The first part of the record's path. */
  resource: z.string(),
  /**
   * Title or name of the record. A season or episode has its show's title before it; a Set is meant by the title
   * of its work, and then all the Sets of that work are meant.
   */
  of: z.string(),
  /** Members of the record, such as `movies[].releaseDate`. */
  members: z.array(z.string()).min(1),
});

/** What is plainly fictional and lacks something, to try out how clients bear it. */
const departure = z.strictObject({ work: z.string(), lacks: z.string(), places: z.array(place).min(1) });

/**
 * Every departure of the data from the interface document: the catalogue shows null there, where the document
 * shows none. All else is to the letter.
 */
export const departures = linesOf(path.join(data, '../departures.jsonl'), departure);

/**
 * The one departure that no fictional work can stand for: the document gives a feed's `previousAssetId` as a
 * UUID, and an Asset that was added or edited has not replaced any. It is null there.
 */
export const unavoidable: z.infer<typeof place> = {
  resource: 'feeds/assets',
  of: 'an Asset that was added or edited',
  members: ['previousAssetId'],
};
