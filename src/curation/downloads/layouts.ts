import { deviceName } from '../../machine.ts';
import { cleanText } from '../../text.ts';
import { numberCode } from '../words.ts';
import type { DownloadedSet, DownloadWork, PictureHolder } from './set-pictures.ts';

export const layouts = ['plex', 'jellyfin', 'kodi', 'kometa', 'original'] as const;
export type Layout = (typeof layouts)[number];

/** Where a picture goes below the folder of a download. */
export interface Place {
  /** Folders in folders, the outermost first. */
  readonly folders: readonly string[];
  /** The file's name without its extension, which the picture's own bytes decide. */
  readonly stem: string;
}

/** A place, or why the layout has none, as words that end a sentence. */
type Placing = { readonly place: Place } | { readonly without: string };

type Slots = Readonly<Partial<Record<string, string>>>;

/**
 * The names that each program looks for beside a work (Plex: local media assets; Jellyfin: its local image provider;
 * Kodi: artwork types; Kometa: image asset directory with `asset_folders: true`). What is not listed it does not look
 * for: that is told, never given a name that nothing reads.
 */
const workNames: Readonly<Record<Program, Slots>> = {
  plex: { poster: 'poster', backdrop: 'background', logo: 'clearlogo', squareArt: 'squareArt' },
  jellyfin: { poster: 'poster', backdrop: 'backdrop', logo: 'logo', thumb: 'landscape' },
  kodi: { poster: 'poster', backdrop: 'fanart', logo: 'clearlogo', thumb: 'landscape' },
  kometa: { poster: 'poster', backdrop: 'background', logo: 'logo', squareArt: 'square' },
};

const seasonNames: Readonly<Record<Program, (number: number) => Slots>> = {
  plex: (number) => ({ poster: number === 0 ? 'season-specials-poster' : `Season${pad(number)}` }),
  jellyfin: seasonsBesideShow,
  kodi: seasonsBesideShow,
  kometa: (number) => ({ poster: `Season${pad(number)}`, backdrop: `Season${pad(number)}_background` }),
};

type Program = Exclude<Layout, 'original'>;

const programNames: Readonly<Record<Program, string>> = {
  plex: 'Plex',
  jellyfin: 'Jellyfin',
  kodi: 'Kodi',
  kometa: 'Kometa',
};

/** Where a layout keeps a picture. */
export function placeIn(layout: Layout, holder: PictureHolder, slot: string, set: DownloadedSet): Placing {
  return layout === 'original' ? originalPlace(holder, slot, set) : programPlace(layout, holder, slot);
}

/** The name of a work's folder. `Breaking Bad (2008)`: how media folders are called, and Kometa's asset name. */
export function workName({ of, id, title, year }: DownloadWork): string {
  const name = titleOr(title, `${of} ${id}`);
  return year !== null && Number.isInteger(year) && year > 0 && year < 10_000 ? `${name} (${year})` : name;
}

/** The folder of a Set whose files are kept as they are. */
export function setFolder({ kind, id, title }: DownloadedSet): string {
  const name = title === null ? null : nameOf(title);
  return name === null ? `${kind} ${id}` : `${name} [${kind} ${id}]`;
}

/** The code of an episode in the names of files. `S01E02`. */
function episodeCode(season: number, episode: number): string {
  return numberCode('S', season) + numberCode('E', episode);
}

/** `Season 01`: a season's folder beside its videos. */
function seasonFolder(number: number): string {
  return `Season ${pad(number)}`;
}

/** How a person names what the picture is of. */
export function holderWords(holder: PictureHolder): string {
  switch (holder.of) {
    case 'season':
      return holder.number === null ? `season ${holder.id}` : numberCode('S', holder.number);
    case 'episode':
      return holder.season === null || holder.number === null
        ? `episode ${holder.id}`
        : episodeCode(holder.season, holder.number);
    default:
      return workName(holder);
  }
}

function programPlace(program: Program, holder: PictureHolder, slot: string): Placing {
  const none = (what: string): Placing => ({ without: `${programNames[program]} has no place for ${what}` });
  switch (holder.of) {
    case 'show':
    case 'movie':
      return named(workNames[program][slot], [workName(holder)]) ?? none(`a ${slot} of a ${holder.of}`);
    case 'collection':
    case 'boxset': {
      const folder = collectionFolder(program, holder);
      const stem = folder === null ? undefined : workNames[program][slot];
      return named(stem, [folder ?? '']) ?? none(`a ${slot} of a ${holder.of}`);
    }
    case 'network':
    case 'company': {
      // Kometa makes collections of them, which are called by their names.
      const stem = program === 'kometa' ? workNames.kometa[slot] : undefined;
      return named(stem, [workName(holder)]) ?? none(`a ${slot} of a ${holder.of}`);
    }
    case 'game':
    case 'loadout':
      return none('artwork of games');
    case 'season': {
      if (holder.number === null) return { without: 'the service tells no number of the season' };
      const folders = program === 'plex' ? [seasonFolder(holder.number)] : [];
      const stem = seasonNames[program](holder.number)[slot];
      return named(stem, [workName(holder.show), ...folders]) ?? none(`a ${slot} of a season`);
    }
    case 'episode': {
      const { season, number, show } = holder;
      if (season === null || number === null)
        return { without: 'the service tells no number of the episode' };
      if (slot !== 'titlecard') return none(`a ${slot} of an episode`);
      return { place: episodePlace(program, show, season, number) };
    }
  }
}

/** Kometa reads them in the show's folder; the others look beside the video, for its name. */
function episodePlace(program: Program, show: DownloadWork, season: number, number: number): Place {
  const code = episodeCode(season, number);
  const folder = workName(show);
  if (program === 'kometa') return { folders: [folder], stem: code };
  const stem = `${folder} - ${code}`;
  return { folders: [folder, seasonFolder(season)], stem: program === 'plex' ? stem : `${stem}-thumb` };
}

/** Null: the program takes no files for collections. */
function collectionFolder(program: Program, { title, of, id }: DownloadWork): string | null {
  const name = titleOr(title, `${of} ${id}`);
  return program === 'plex' ? null : program === 'jellyfin' ? `${name} [boxset]` : name;
}

function titleOr(title: string | null, otherwise: string): string {
  return (title === null ? null : nameOf(title)) ?? otherwise;
}

/** Names that plan_set reads: the folder can be planned again as it is. */
function originalPlace(holder: PictureHolder, slot: string, set: DownloadedSet): Placing {
  const words = originalWords(holder);
  return { place: { folders: [setFolder(set)], stem: words === null ? slot : `${words} ${slot}` } };
}

/** Null: what it is of is the Set's only one. */
function originalWords(holder: PictureHolder): string | null {
  switch (holder.of) {
    case 'season':
      return holder.number === null ? `season ${holder.id}` : seasonFolder(holder.number);
    case 'episode':
    case 'movie':
    case 'network':
    case 'company':
      return holderWords(holder);
    case 'collection':
      return collectionName(holder);
    case 'show':
    case 'game':
    case 'boxset':
    case 'loadout':
      return null;
  }
}

/** Without that word it could be one of the films. */
function collectionName(collection: DownloadWork): string {
  const name = workName(collection);
  return /\bcollection$/i.test(name) ? name : `${name} Collection`;
}

function named(stem: string | undefined, folders: readonly string[]): Placing | null {
  return stem === undefined ? null : { place: { folders, stem } };
}

function seasonsBesideShow(number: number): Slots {
  const season = number === 0 ? 'season-specials' : `season${pad(number)}`;
  return { poster: `${season}-poster`, backdrop: `${season}-fanart` };
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

/**
 * Bytes of UTF-8 that one title may take in a name. A file can hold the title twice in its path, and beside it what a
 * layout adds: so paths stay short enough for Windows, and names for encrypted file systems, which take 143 bytes.
 */
const longestTitle = 96;

// What Windows, macOS or a network share takes for something else than a letter of a name.
const unfit = /["*<>?]/g;
const separators = /[/\\|]/g;
// Joiners stay: Persian and emoji are spelt with them.
const hidden = /[\p{Cc}\p{Cs}\p{Co}\ufdd0-\ufdef\ufffe\uffff]|(?![\u200c\u200d])\p{Cf}/gu;

/**
 * A title as a part of a file's name that every file system takes and keeps: NFC, without control, direction and
 * hidden characters, without what separates paths, no device's name, no dots or spaces at its ends. Null where nothing
 * of it is left, as of `..`.
 */
export function nameOf(title: string, longest = longestTitle): string | null {
  const text = cleanText(title)
    .replace(/\s+/g, ' ')
    .replace(hidden, '')
    .normalize('NFC')
    .replace(/\s*:\s+/g, ' - ')
    .replace(/:/g, '-')
    .replace(separators, '-')
    .replace(/["\u201c\u201d]/g, "'")
    .replace(unfit, '')
    .replace(/ +/g, ' ');
  const name = withoutEnds(cutBytes(withoutEnds(text), longest));
  return name === '' ? null : name.replace(deviceName, '$1_');
}

/** Whether a name can stand as it is: what a person names is refused rather than changed. */
export function isSafeName(name: string): boolean {
  return name === nameOf(name, 240);
}

function withoutEnds(text: string): string {
  return text.replace(/^[\s.]+|[\s.]+$/g, '');
}

/** Whole characters as a person sees them, of at most so many bytes. */
function cutBytes(text: string, longest: number): string {
  if (Buffer.byteLength(text) <= longest) return text;
  let kept = '';
  let bytes = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > longest) break;
    kept += segment;
  }
  return kept;
}
