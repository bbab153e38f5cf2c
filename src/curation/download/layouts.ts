import type { ImageFormat } from '../../files/decode.ts';
import type { Slot } from '../../model/slots.ts';
import { codeOf, keyOfTarget, type Target, type WorkTarget } from '../../model/target.ts';
import { seasonName, twoDigits, workName } from './names.ts';

/**
 * The file name under which a program looks for the picture of a slot, without its ending. `<video>` stands for the name of a video, `<00>` for
 * the number of a season, `<S00E00>` for that of an episode. A slot that is not named has no place.
 */
type Names = Readonly<Partial<Record<Slot, string>>>;

/** Where one program looks for pictures: all that is known of it here. */
export interface ReaderLayout {
  /** As people call it. */
  readonly words: string;
  /** Types that it can show, among them PNG and JPEG. Pictures of others are converted. */
  readonly types: readonly ImageFormat[];
  /** In the folder of a film or a show. */
  readonly work: Names;
  /** Beside the video of a film that lies among others. */
  readonly loose: Names;
  /** In the folder of the show. */
  readonly season: Names;
  readonly specials: Names;
  /** With `<video>` beside the episode's video, else in the folder of the show. */
  readonly episode: Names;
  /** In the folder of a work that holds no media. */
  readonly collection: Names;
  /** Such folders, by kind, where the program looks for them: `<title>` is the work's. */
  readonly folders: Readonly<Partial<Record<WorkTarget['kind'], string>>>;
  /** Replaces each character of a title that some file systems refuse. */
  readonly sign: string;
  /** Its folders lie apart from the media, are called as those without such signs, and can be left out. */
  readonly isApart?: true;
}

/** Files as they are kept, in a folder for each Set, whatever reads them. */
export interface KeptLayout extends Pick<ReaderLayout, 'words' | 'types'> {
  /** What a file's name tells of its target; null: the Set has only one that it can be of. */
  nameOf(target: Target): string | null;
}

export type Layout = ReaderLayout | KeptLayout;

/**
 * "Local Media Assets" in Plex's support pages, and `localmedia.py` of its agent LocalMedia.bundle. It takes no files for
 * collections, and reads the posters of seasons in the show's folder wherever the videos lie.
 */
const plex: ReaderLayout = {
  words: 'Plex',
  types: ['png', 'jpeg'],
  work: { poster: 'poster', backdrop: 'background', logo: 'clearlogo', squareArt: 'squareArt' },
  loose: { poster: '<video>', backdrop: '<video>-fanart' },
  season: { poster: 'Season<00>' },
  specials: { poster: 'season-specials-poster' },
  episode: { titlecard: '<video>' },
  collection: {},
  folders: {},
  sign: '',
};

/** `LocalImageProvider.cs` and `EpisodeLocalImageProvider.cs`; collections as its own `data/collections` has them. */
const jellyfin: ReaderLayout = {
  words: 'Jellyfin',
  types: ['png', 'jpeg', 'webp', 'gif'],
  work: { poster: 'poster', backdrop: 'backdrop', logo: 'logo', thumb: 'landscape' },
  loose: {
    ...{ poster: '<video>-poster', backdrop: '<video>-backdrop' },
    ...{ logo: '<video>-logo', thumb: '<video>-landscape' },
  },
  season: { poster: 'season<00>-poster', backdrop: 'season<00>-fanart' },
  specials: { poster: 'season-specials-poster', backdrop: 'season-specials-fanart' },
  episode: { titlecard: '<video>-thumb' },
  collection: { poster: 'poster', backdrop: 'backdrop', logo: 'logo' },
  folders: { collection: 'collections/<title> [boxset]' },
  sign: ' ',
};

/**
 * "Artwork/Accessing with file names" in Kodi's wiki, and `VideoInfoScanner.cpp`. Collections are for its movie set
 * information folder, where it looks for names as `CUtil::MakeLegalFileName` makes them.
 */
const kodi: ReaderLayout = {
  words: 'Kodi',
  types: ['png', 'jpeg', 'webp', 'gif'],
  work: { poster: 'poster', backdrop: 'fanart', logo: 'clearlogo', thumb: 'landscape' },
  loose: {
    ...{ poster: '<video>-poster', backdrop: '<video>-fanart' },
    ...{ logo: '<video>-clearlogo', thumb: '<video>-landscape' },
  },
  season: { poster: 'season<00>-poster', backdrop: 'season<00>-fanart' },
  specials: { poster: 'season-specials-poster', backdrop: 'season-specials-fanart' },
  episode: { titlecard: '<video>-thumb' },
  collection: { poster: 'poster', backdrop: 'fanart', logo: 'clearlogo' },
  folders: { collection: 'Movie Sets/<title>' },
  sign: '_',
};

/**
 * Its image asset directory (`find_item_assets` in `modules/plex.py`). It makes collections of networks and companies
 * too, and takes signs out of names as `validate_filename` in `util.py` does.
 */
const kometa: ReaderLayout = {
  words: 'Kometa',
  types: ['png', 'jpeg', 'webp'],
  work: { poster: 'poster', backdrop: 'background', logo: 'logo', squareArt: 'square' },
  loose: {},
  season: { poster: 'Season<00>', backdrop: 'Season<00>_background' },
  specials: { poster: 'Season00', backdrop: 'Season00_background' },
  episode: { titlecard: '<S00E00>' },
  collection: { poster: 'poster', backdrop: 'background', logo: 'logo', squareArt: 'square' },
  folders: { collection: '<title>', network: '<title>', company: '<title>' },
  sign: '',
  isApart: true,
};

/** Names that plan_set reads: the folder can be planned again as it is. */
const original: KeptLayout = {
  words: 'original',
  types: ['png', 'jpeg', 'webp', 'gif'],
  nameOf(target) {
    switch (target.kind) {
      case 'season':
        return target.season === null ? keyOfTarget(target) : seasonName(target.season);
      case 'episode':
        return target.season === null ? keyOfTarget(target) : codeOf(target) || keyOfTarget(target);
      case 'collection':
        // Without that word it could be one of the films.
        return workName(target).replace(/(?<!\bcollection)$/i, ' Collection');
      case 'show':
      case 'game':
      case 'boxset':
      case 'loadout':
        return null;
      default:
        return workName(target);
    }
  },
};

/** Every layout, in the order in which hosts show them. */
export const layouts = { plex, jellyfin, kodi, kometa, original } satisfies Readonly<Record<string, Layout>>;

export type LayoutName = keyof typeof layouts;

export const layoutNames = Object.keys(layouts) as readonly LayoutName[];

/** The file name of a target's picture with its numbers filled in; null if the program looks for none. */
export function nameIn(layout: ReaderLayout, target: Target, slot: Slot): string | null {
  switch (target.kind) {
    case 'season': {
      if (target.season === null) return null;
      const names = target.season === 0 ? layout.specials : layout.season;
      return names[slot]?.replace('<00>', twoDigits(target.season)) ?? null;
    }
    case 'episode':
      if (target.season === null || target.episode === null) return null;
      return layout.episode[slot]?.replace('<S00E00>', codeOf(target)) ?? null;
    case 'movie':
    case 'show':
      return layout.work[slot] ?? null;
    default:
      return target.kind in layout.folders ? (layout.collection[slot] ?? null) : null;
  }
}
