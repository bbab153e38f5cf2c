import path from 'node:path';
import { firstNamed, type Library, picturesIn, stemOf, type Wanted } from './library.ts';

/**
 * How Jellyfin looks for local pictures: `MediaBrowser.LocalMetadata/Images/LocalImageProvider.cs` (00088c2) and
 * `EpisodeLocalImageProvider.cs`; the first that it finds of a type is shown.
 */
export function jellyfinTakes(library: Library, wanted: Wanted): string | null {
  const { of, slot, folder, video, season, isLoose } = wanted;
  if (of === 'episode') {
    const beside = picturesIn(library, path.posix.dirname(video));
    return slot === 'titlecard' ? firstNamed(beside, [`${stemOf(video)}-thumb`, stemOf(video)]) : null;
  }
  const pictures = picturesIn(library, folder);
  if (of === 'season') {
    // By the season's name first: "Season 1" without its blank.
    const prefixes =
      season === 0
        ? ['specials', 'season-specials']
        : [`season${season}`, `season${String(season).padStart(2, '0')}`];
    const end = slot === 'poster' ? 'poster' : 'fanart';
    return firstNamed(
      pictures,
      prefixes.map((prefix) => `${prefix}-${end}`),
    );
  }
  const own = of === 'movie' ? stemOf(video) : path.posix.basename(folder);
  const withPrefix = (names: readonly string[]) => names.map((name) => `${own}-${name}`);
  const both = (...names: readonly string[]) =>
    names.flatMap((name) => (isLoose ? [`${own}-${name}`] : [`${own}-${name}`, name]));
  switch (slot) {
    case 'poster': {
      const names = ['poster', 'folder', 'cover', 'default', of === 'movie' ? 'movie' : 'show'];
      return firstNamed(pictures, [own, ...withPrefix(names), ...(isLoose ? [] : names)]);
    }
    case 'backdrop':
      return firstNamed(pictures, both('fanart', 'background', 'art', 'backdrop'));
    case 'logo':
      return firstNamed(pictures, both('logo', 'clearlogo'));
    case 'thumb':
      return firstNamed(pictures, both('landscape', 'thumb'));
    case 'banner':
      return firstNamed(pictures, both('banner'));
    default:
      return null;
  }
}
