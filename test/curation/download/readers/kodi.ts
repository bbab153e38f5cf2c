import path from 'node:path';
import { firstNamed, type Library, picturesIn, stemOf, type Wanted } from './library.ts';

/**
 * How Kodi looks for local artwork: "Artwork/Accessing with file names" of its wiki, and `GetArtwork` and
 * `GetSeasonThumbs` in `xbmc/video/VideoInfoScanner.cpp`: of a film the files that are called as its video go before
 * those of its folder.
 */
export function kodiTakes(library: Library, wanted: Wanted): string | null {
  const { of, slot, folder, video, season, isLoose } = wanted;
  const type = {
    poster: 'poster',
    backdrop: 'fanart',
    logo: 'clearlogo',
    thumb: 'landscape',
    banner: 'banner',
    titlecard: 'thumb',
  }[slot];
  if (type === undefined) return null;
  const beside = of === 'movie' || of === 'episode' ? path.posix.dirname(video) : folder;
  const pictures = picturesIn(library, beside);
  switch (of) {
    case 'movie':
      return firstNamed(pictures, [`${stemOf(video)}-${type}`, ...(isLoose ? [] : [type])]);
    case 'episode':
      return firstNamed(pictures, [`${stemOf(video)}-${type}`]);
    case 'show':
      return firstNamed(pictures, [type]);
    case 'season': {
      // It reads the number, however many digits it has; of both Kodi 20.1 was seen to take the one of two digits.
      const digits = String(season);
      const names =
        season === 0 ? ['season-specials'] : [`season${digits.padStart(2, '0')}`, `season${digits}`];
      return firstNamed(
        pictures,
        names.map((name) => `${name}-${type}`),
      );
    }
  }
}
