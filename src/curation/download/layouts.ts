import type { ImageFormat } from '../../files/decode.ts';
import type { Slot } from '../../model/slots.ts';
import { codeOf, keyOfTarget, type Target, type WorkTarget } from '../../model/target.ts';
import { folderOfSeason, workName } from './names.ts';

/*
 * Where each program looks for artwork: one table for each, with the source of its rules. Names have no ending, since
 * the picture's type decides it. In a name {video} stands for that of a video without its ending, {code} for S01E02,
 * and {nn} for a season's number in two digits.
 */

/** What a program calls the file of a slot. A slot that is not there has no place. */
type FileNames = Readonly<Partial<Record<Slot, string>>>;

interface CommonLayout {
  /** As people call it. */
  readonly words: string;
  /** Types of pictures that it reads. Others are converted. */
  readonly types: readonly ImageFormat[];
}

export interface ReaderLayout extends CommonLayout {
  /** Of a film or a show, in its own folder. */
  readonly work: FileNames;
  /** Of a film that lies among others. */
  readonly loose: FileNames;
  /** Of a season, in the show's folder. */
  readonly season: FileNames;
  readonly specials: FileNames;
  /** Of an episode: with {video} beside its video, else in the show's folder. */
  readonly episode: FileNames;
  /** Of what holds works. `within`: the folder of theirs. `folder`: its name, of which `*` is the title. */
  readonly collections: FileNames & {
    readonly kinds: readonly WorkTarget['kind'][];
    readonly within?: string;
    readonly folder: string;
    /** What it puts for each sign that not every file system takes; it looks for exactly this name. */
    readonly sign: string;
  };
  /** Its folders lie apart from the media, are called as these without such signs, and can be left out. */
  readonly isApart?: true;
}

/** Files as they are kept, whatever reads them. */
interface KeptLayout extends CommonLayout {
  /** What a file's name tells of its target; null: the Set has only one that it can be of. */
  nameOf(target: Target): string | null;
}

export type Layout = ReaderLayout | KeptLayout;

/**
 * Local media assets, as the agent LocalMedia.bundle looks for them (`localmedia.py`). It takes no files for
 * collections. It reads the posters of seasons in the show's folder wherever the videos lie.
 */
const plex: ReaderLayout = {
  words: 'Plex',
  types: ['png', 'jpeg'],
  work: { poster: 'poster', backdrop: 'background', logo: 'clearlogo', squareArt: 'squareArt' },
  loose: { poster: '{video}', backdrop: '{video}-fanart' },
  season: { poster: 'Season{nn}' },
  specials: { poster: 'season-specials-poster' },
  episode: { titlecard: '{video}' },
  collections: { kinds: [], folder: '*', sign: '' },
};

const jellyfinWork = { poster: 'poster', backdrop: 'backdrop', logo: 'logo', thumb: 'landscape' };

/** `LocalImageProvider.cs`, `EpisodeLocalImageProvider.cs`; collections as its own `data/collections` has them. */
const jellyfin: ReaderLayout = {
  words: 'Jellyfin',
  types: ['png', 'jpeg', 'webp', 'gif'],
  work: jellyfinWork,
  loose: besideVideo(jellyfinWork),
  season: { poster: 'season{nn}-poster', backdrop: 'season{nn}-fanart' },
  specials: { poster: 'season-specials-poster', backdrop: 'season-specials-fanart' },
  episode: { titlecard: '{video}-thumb' },
  collections: {
    ...jellyfinWork,
    ...{ kinds: ['collection'], within: 'collections', folder: '* [boxset]', sign: ' ' },
  },
};

const kodiWork = { poster: 'poster', backdrop: 'fanart', logo: 'clearlogo', thumb: 'landscape' };

/**
 * Local artwork (`VideoInfoScanner.cpp`). Collections are for its movie set information folder, a setting of its own,
 * where it looks for names as `CUtil::MakeLegalFileName` makes them.
 */
const kodi: ReaderLayout = {
  words: 'Kodi',
  types: ['png', 'jpeg', 'webp', 'gif'],
  work: kodiWork,
  loose: besideVideo(kodiWork),
  season: { poster: 'season{nn}-poster', backdrop: 'season{nn}-fanart' },
  specials: { poster: 'season-specials-poster', backdrop: 'season-specials-fanart' },
  episode: { titlecard: '{video}-thumb' },
  collections: { ...kodiWork, kinds: ['collection'], within: 'Movie Sets', folder: '*', sign: '_' },
};

const kometaWork = { poster: 'poster', backdrop: 'background', logo: 'logo', squareArt: 'square' };
const kometaSeason = { poster: 'Season{nn}', backdrop: 'Season{nn}_background' };

/**
 * Its image asset directory (`find_item_assets` in `plex.py`), with `asset_folders` on or off. It makes collections of
 * networks and companies too. It calls an asset as the folder that the media lies in, without the signs that
 * `validate_filename` in `util.py` takes out.
 */
const kometa: ReaderLayout = {
  words: 'Kometa',
  types: ['png', 'jpeg', 'webp'],
  work: kometaWork,
  loose: {},
  season: kometaSeason,
  specials: kometaSeason,
  episode: { titlecard: '{code}' },
  collections: { ...kometaWork, kinds: ['collection', 'network', 'company'], folder: '*', sign: '' },
  isApart: true,
};

/** Names that plan_set reads: the folder can be planned again as it is. */
const original: KeptLayout = {
  words: 'original',
  types: ['png', 'jpeg', 'webp', 'gif'],
  nameOf(target) {
    switch (target.kind) {
      case 'season':
        return target.season === null ? keyOfTarget(target) : folderOfSeason(target.season);
      case 'episode':
        return target.season === null ? keyOfTarget(target) : codeOf(target) || keyOfTarget(target);
      case 'collection':
        // Without that word it could be one of the films.
        return workName(target).replace(/(?<!\bcollection)$/i, ' Collection');
      // Their own folder has the name.
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

function besideVideo(names: Readonly<Record<string, string>>): FileNames {
  return Object.fromEntries(Object.entries(names).map(([slot, name]) => [slot, `{video}-${name}`]));
}

/** What a layout calls the file of a slot of a target that has a folder; null where the program looks for none. */
export function fileIn(layout: ReaderLayout, target: Target, slot: Slot): string | null {
  switch (target.kind) {
    case 'season':
      return layout[target.season === 0 ? 'specials' : 'season'][slot] ?? null;
    case 'episode':
      return layout.episode[slot] ?? null;
    case 'show':
    case 'movie':
      return layout.work[slot] ?? null;
    default:
      return layout.collections.kinds.includes(target.kind) ? (layout.collections[slot] ?? null) : null;
  }
}
