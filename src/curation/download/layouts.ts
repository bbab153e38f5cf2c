import type { ImageFormat } from '../../files/decode.ts';
import type { Slot } from '../../model/slots.ts';
import { codeOf, keyOfTarget, type Target, type WorkTarget } from '../../model/target.ts';
import { folderOfSeason, workName } from './names.ts';

/*
 * Where each program looks for artwork, one table for each, with the source of its rules. Names have no ending: the
 * picture's type decides it. In a name {video} stands for that of a video without its ending, {folder} for that of the
 * work's folder, {code} for S01E02, {n} and {nn} for a season's number and for two digits of it.
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
  readonly is: 'reader';
  /** Of a film or a show that has a folder of its own, and of what collects them. */
  readonly own: FileNames;
  /** In the show's folder. */
  readonly season: FileNames;
  /** Left out: they are season 0 like any other. */
  readonly specials?: FileNames;
  /** Those with {video} lie beside their video. */
  readonly episode: FileNames;
  /** Of a film that lies among others. */
  readonly loose: FileNames;
  /** What holds works and is none itself. */
  readonly collections: {
    readonly kinds: readonly WorkTarget['kind'][];
    /** The folder that they lie in, apart from the works; null: beside these. */
    readonly within: string | null;
    /** Around the name of one, which `*` stands for. */
    readonly folder: string;
    /** What it puts for each sign that not every file system takes; it looks for exactly this name. */
    readonly sign: string;
  };
  /** Its folders lie apart from the media, are called as these without such signs, and can be left out. */
  readonly isApart: boolean;
  /** Files that it shows rather than ours where both lie there, by `kind slot`, the first before all others. */
  readonly before: Readonly<Record<string, string>>;
  /** Of several it shows the first by the alphabet, so that not all of `before` are. */
  readonly byAlphabet: boolean;
}

/** Files as they are kept, whatever reads them. */
interface KeptLayout extends CommonLayout {
  readonly is: 'kept';
  /** What a file's name tells of its target; null: the Set has only one that it can be of. */
  nameOf(target: Target): string | null;
}

export type Layout = ReaderLayout | KeptLayout;

/**
 * Local media assets, as the agent LocalMedia.bundle looks for them (`localmedia.py`). It takes no files for
 * collections. It reads the posters of seasons in the show's folder wherever the videos lie.
 */
const plex: ReaderLayout = {
  is: 'reader',
  words: 'Plex',
  types: ['png', 'jpeg'],
  own: { poster: 'poster', backdrop: 'background', logo: 'clearlogo', squareArt: 'squareArt' },
  season: { poster: 'Season{nn}' },
  specials: { poster: 'season-specials-poster' },
  episode: { titlecard: '{video}' },
  loose: { poster: '{video}', backdrop: '{video}-fanart' },
  collections: { kinds: [], within: null, folder: '*', sign: '' },
  isApart: false,
  before: {
    'movie poster': 'cover, default, folder, movie, {video}',
    'movie backdrop': 'art, backdrop, fanart, {video}-fanart',
    'show poster': 'folder, show',
    'show backdrop': 'art, backdrop, fanart',
    'season poster': 'season-{n}, season-{nn}, season-{n}-poster, season-{nn}-poster',
  },
  byAlphabet: true,
};

/** `LocalImageProvider.cs`, `EpisodeLocalImageProvider.cs`; collections as its own `data/collections` has them. */
const jellyfin: ReaderLayout = {
  is: 'reader',
  words: 'Jellyfin',
  types: ['png', 'jpeg', 'webp', 'gif'],
  own: { poster: 'poster', backdrop: 'backdrop', logo: 'logo', thumb: 'landscape' },
  season: { poster: 'season{nn}-poster', backdrop: 'season{nn}-fanart' },
  specials: { poster: 'season-specials-poster', backdrop: 'season-specials-fanart' },
  episode: { titlecard: '{video}-thumb' },
  loose: {
    poster: '{video}-poster',
    backdrop: '{video}-backdrop',
    logo: '{video}-logo',
    thumb: '{video}-landscape',
  },
  collections: { kinds: ['collection'], within: 'collections', folder: '* [boxset]', sign: ' ' },
  isApart: false,
  before: {
    'movie poster': '{video}, {video}-poster, {video}-folder, {video}-cover, {video}-default, {video}-movie',
    'movie backdrop':
      '{video}-fanart, fanart, {video}-background, background, {video}-art, art, {video}-backdrop',
    'movie logo': '{video}-logo',
    'movie thumb': '{video}-landscape',
    'show poster': '{folder}, {folder}-poster',
    'show backdrop': '{folder}-fanart, fanart, background, art',
    'season poster': 'season{n}-poster',
    'season backdrop': 'season{n}-fanart',
    'specials poster': 'specials-poster',
    'specials backdrop': 'specials-fanart',
  },
  byAlphabet: false,
};

/**
 * Local artwork (`VideoInfoScanner.cpp`). Collections are for its movie set information folder, a setting of its own,
 * where it looks for names as `CUtil::MakeLegalFileName` makes them.
 */
const kodi: ReaderLayout = {
  is: 'reader',
  words: 'Kodi',
  types: ['png', 'jpeg', 'webp', 'gif'],
  own: { poster: 'poster', backdrop: 'fanart', logo: 'clearlogo', thumb: 'landscape' },
  season: { poster: 'season{nn}-poster', backdrop: 'season{nn}-fanart' },
  specials: { poster: 'season-specials-poster', backdrop: 'season-specials-fanart' },
  episode: { titlecard: '{video}-thumb' },
  loose: {
    poster: '{video}-poster',
    backdrop: '{video}-fanart',
    logo: '{video}-clearlogo',
    thumb: '{video}-landscape',
  },
  collections: { kinds: ['collection'], within: 'Movie Sets', folder: '*', sign: '_' },
  isApart: false,
  before: {
    'movie poster': '{video}-poster',
    'movie backdrop': '{video}-fanart',
    'movie logo': '{video}-clearlogo',
    'movie thumb': '{video}-landscape',
  },
  byAlphabet: false,
};

/**
 * Its image asset directory (`find_item_assets` in `plex.py`), with `asset_folders` on or off. It makes collections of
 * networks and companies too. It calls an asset as the folder that the media lies in, without the signs that
 * `validate_filename` in `util.py` takes out.
 */
const kometa: ReaderLayout = {
  is: 'reader',
  words: 'Kometa',
  types: ['png', 'jpeg', 'webp'],
  own: { poster: 'poster', backdrop: 'background', logo: 'logo', squareArt: 'square' },
  season: { poster: 'Season{nn}', backdrop: 'Season{nn}_background' },
  episode: { titlecard: '{code}' },
  loose: {},
  collections: { kinds: ['collection', 'network', 'company'], within: null, folder: '*', sign: '' },
  isApart: true,
  before: {},
  byAlphabet: false,
};

/** Names that plan_set reads: the folder can be planned again as it is. */
const original: KeptLayout = {
  is: 'kept',
  words: 'original',
  types: ['png', 'jpeg', 'webp', 'gif'],
  nameOf(target) {
    switch (target.kind) {
      case 'season':
        return target.season === null ? keyOfTarget(target) : folderOfSeason(target.season);
      case 'episode':
        return target.season === null ? keyOfTarget(target) : codeOf(target) || keyOfTarget(target);
      case 'collection': {
        // Without that word it could be one of the films.
        const name = workName(target);
        return /\bcollection$/i.test(name) ? name : `${name} Collection`;
      }
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

/** What a layout calls the file of a slot of a target that has a folder; null where the program looks for none. */
export function fileIn(layout: ReaderLayout, target: Target, slot: Slot): string | null {
  switch (target.kind) {
    case 'season':
      return ((target.season === 0 ? layout.specials : undefined) ?? layout.season)[slot] ?? null;
    case 'episode':
      return layout.episode[slot] ?? null;
    case 'show':
    case 'movie':
      return layout.own[slot] ?? null;
    default:
      return layout.collections.kinds.includes(target.kind) ? (layout.own[slot] ?? null) : null;
  }
}
