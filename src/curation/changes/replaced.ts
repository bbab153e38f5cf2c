import { ArtworkError } from '../../errors.ts';
import { assetIdIn } from '../audits/set-facts.ts';
import type { PlaceChange } from './change.ts';

interface ReplacedReads {
  /** @throws ArtworkError `not_found` where there is no picture */
  picture(path: string): Promise<Buffer>;
  /** Null: it is none of the connected account's own, or its record shows no path. */
  ownPath(assetId: string): Promise<string | null>;
}

/** Endings of the files that the service takes as artwork. */
const endings = ['jpg', 'png', 'webp', 'gif', 'jpeg'];

/**
 * Reads what stood in a place before. No public read shows the path of an Asset that was replaced: the record of one's
 * own does, and anybody's is looked for where the one lies that stands there now, under its own id and as a file of any
 * type.
 * @throws ArtworkError `not_found` where none of this leads to it; why it can't be read
 */
export async function readReplaced(
  assetId: string,
  { after }: Pick<PlaceChange, 'after'>,
  reads: ReplacedReads,
): Promise<Buffer> {
  for await (const path of pathsOf(assetId, after, reads)) {
    try {
      return await reads.picture(path);
    } catch (error) {
      if (!(error instanceof ArtworkError) || error.category !== 'not_found') throw error;
    }
  }
  throw new ArtworkError('not_found', 'Nothing shows where the picture of this Asset is.');
}

/** The likeliest first: each costs a request. */
async function* pathsOf(
  assetId: string,
  { assetId: current, path }: PlaceChange['after'],
  reads: ReplacedReads,
): AsyncGenerator<string> {
  const isNamed = path !== null && assetIdIn(path) === current.toLowerCase();
  const alike = isNamed ? path.replace(new RegExp(current, 'i'), assetId.toLowerCase()) : null;
  if (alike !== null) yield alike;
  const own = await reads.ownPath(assetId);
  if (own !== null && own !== alike) yield own;
  const [, stem, ending = '', query = ''] = /^([^?]*\.)(\w+)(\?.*)?$/.exec(alike ?? '') ?? [];
  if (stem === undefined || own !== null) return;
  for (const other of endings) if (other !== ending.toLowerCase()) yield stem + other + query;
}
