import type { Owned } from '../../catalogue/owned.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { assetIdIn, pathOfAsset } from '../../model/asset.ts';
import type { ChangeLine, PlaceChange } from './change.ts';

interface PictureReads {
  /** @throws ArtworkError `not_found` where there is no picture */
  picture(path: string): Promise<Buffer>;
  account(): Promise<{ readonly owned: Pick<Owned, 'readAsset'> }>;
  readonly deadline: Deadline;
}

/** Endings of the files that the service takes as artwork. */
const endings = ['jpg', 'png', 'webp', 'gif', 'jpeg'];

/**
 * Reads pictures of changes: by its path what stands in a place now, by the id of its Asset what stood there before. No
 * public read shows the path of an Asset that was replaced: the record of one's own does, and anybody's is looked for
 * where the one lies that stands there now, under its own id and as a file of any type.
 * @throws ArtworkError `not_found` where none of this leads to it; why it can't be read
 */
export function picturesOfChanges(
  lines: readonly Pick<ChangeLine, 'places'>[],
  reads: PictureReads,
): (named: string) => Promise<Buffer> {
  const replaced = new Map(
    lines.flatMap(({ places }) =>
      places.flatMap(({ before, after }) => (before === null ? [] : [[before.assetId, after] as const])),
    ),
  );
  return async (named) => {
    const after = replaced.get(named);
    if (after === undefined) return reads.picture(named);
    for await (const path of pathsOf(named, after, reads)) {
      try {
        return await reads.picture(path);
      } catch (error) {
        if (!(error instanceof ArtworkError) || error.category !== 'not_found') throw error;
      }
    }
    throw new ArtworkError('not_found', 'Nothing shows where the picture of this Asset is.');
  };
}

/** The likeliest first: each costs a request. */
async function* pathsOf(
  assetId: string,
  { assetId: current, path }: PlaceChange['after'],
  reads: PictureReads,
): AsyncGenerator<string> {
  // What is no id of an Asset names no file either, and has no place in a path.
  const isNamed =
    path !== null &&
    assetIdIn(assetId) === assetId.toLowerCase() &&
    assetIdIn(path) === current.toLowerCase();
  const alike = isNamed ? path.replace(new RegExp(current, 'gi'), assetId.toLowerCase()) : null;
  if (alike !== null) yield alike;
  const own = await ownPathOf(assetId, reads);
  if (own !== null && own !== alike) yield own;
  const [, stem, ending = '', query = ''] = /^([^?]*\.)(\w+)(\?.*)?$/.exec(alike ?? '') ?? [];
  if (stem === undefined || own !== null) return;
  for (const other of endings) if (other !== ending.toLowerCase()) yield stem + other + query;
}

/** Null where the account has no such Asset, is not connected, or its record shows no path. */
async function ownPathOf(assetId: string, { account, deadline }: PictureReads): Promise<string | null> {
  try {
    return pathOfAsset(await (await account()).owned.readAsset(assetId, deadline));
  } catch (error) {
    if (error instanceof ArtworkError && error.category !== 'cancelled') return null;
    throw error;
  }
}
