import path from 'node:path';
import { firstNamed, type Library, picturesIn, type Wanted } from './library.ts';

/**
 * How Kometa looks for assets: `find_item_assets` in `modules/plex.py` (398993b). An asset has the name of the folder
 * that a film's video lies in, or of a show's folder.
 * @param assets the asset directory
 */
export function kometaTakes(
  library: Library,
  { of, slot, folder, season, episode }: Wanted,
  assets: string,
  assetFolders = true,
): string | null {
  const name = path.posix.basename(folder);
  const two = (number: number) => String(number).padStart(2, '0');
  const file =
    of === 'season'
      ? `Season${two(season)}`
      : of === 'episode'
        ? `S${two(season)}E${two(episode)}`
        : 'poster';
  const flat = file === 'poster' ? name : `${name}_${file}`;
  const whole = assetFolders ? file : flat;
  const end = { poster: '', titlecard: '', backdrop: 'background', logo: 'logo', squareArt: 'square' }[slot];
  if (end === undefined) return null;
  const wanted = end === '' ? whole : whole === 'poster' ? end : `${whole}_${end}`;
  return firstNamed(picturesIn(library, assetFolders ? path.posix.join(assets, name) : assets), [wanted]);
}
