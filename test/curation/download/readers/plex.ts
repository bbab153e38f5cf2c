import path from 'node:path';
import { type Library, picturesIn, stemOf, videosIn, type Wanted } from './library.ts';

/**
 * How Plex looks for local pictures: `findAssets` in `Contents/Code/localmedia.py` of its agent LocalMedia.bundle (read
 * in the copy antgiant/LocalMedia.bundle, 51e5f3a). Of all that fit it shows the first by name. What that agent does not
 * know, the clear logo and the square art, is in "Local Media Assets" of Plex's support pages.
 */
export function plexTakes(library: Library, wanted: Wanted): string | null {
  const folders =
    wanted.of === 'season' ? [wanted.folder, path.posix.dirname(wanted.video)] : [folderOf(wanted)];
  const pictures = [...new Set(folders)].flatMap((folder) => picturesIn(library, folder));
  const pattern = patternOf(wanted);
  if (pattern === null) return null;
  const found = pictures
    .filter((file) => new RegExp(`^(?:${pattern})$`, 'i').test(stemOf(file)))
    .filter((file) => wanted.of !== 'movie' || isCounted(library, wanted, file))
    .sort((one, other) => (stemOf(one).toLowerCase() < stemOf(other).toLowerCase() ? -1 : 1));
  return found[0] ?? null;
}

function folderOf({ of, folder, video }: Wanted): string {
  return of === 'movie' || of === 'episode' ? path.posix.dirname(video) : folder;
}

function patternOf({ of, slot, video, season }: Wanted): string | null {
  const root = stemOf(video).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  if (slot === 'logo' && of !== 'season') return 'clearlogo';
  if (slot === 'squareArt' && of !== 'season') return 'squareart';
  switch (of) {
    case 'movie':
      return slot === 'poster'
        ? `(?:poster|default|cover|movie|folder|${root})-?[0-9]?`
        : slot === 'backdrop'
          ? `(?:fanart|art|background|backdrop|${root}-fanart)-?[0-9]?`
          : null;
    case 'show':
      return slot === 'poster'
        ? '(?:show|poster|folder)-?[0-9]?'
        : slot === 'backdrop'
          ? '(?:fanart|art|background|backdrop)-?[0-9]?'
          : null;
    case 'season':
      // The second search for the specials forgets what the first has found.
      if (slot !== 'poster') return null;
      return season === 0 ? 'season-specials-poster' : `season-?0?${season}[-a-z]?(?:-poster)?`;
    case 'episode':
      return `${root}(?:-|-thumb)?[0-9]?`;
  }
}

/** In a folder with several films only what begins as the video is the film's; versions of one year count once. */
function isCounted(library: Library, { video }: Wanted, file: string): boolean {
  const films = videosIn(library, path.posix.dirname(video)).map((one) => {
    const name = path.posix.basename(one);
    const year = /[([.-][12]\d{3}[.\-)\]_,+]/.exec(name);
    return year === null ? name : name.slice(0, year.index + year[0].length);
  });
  const isOnly = new Set(films).size === 1;
  return isOnly || path.posix.basename(file).toLowerCase().startsWith(stemOf(video).toLowerCase());
}
