import { nameOf } from './file-names.ts';
import type { PictureHolder, DownloadedSet, DownloadWork } from './set-pictures.ts';

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
export type Placing = { readonly place: Place } | { readonly without: string };

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
  const name = (title === null ? null : nameOf(title)) ?? `${of} ${id}`;
  return year !== null && Number.isInteger(year) && year > 0 && year < 10_000 ? `${name} (${year})` : name;
}

/** The folder of a Set whose files are kept as they are. */
export function setFolder({ kind, id, title }: DownloadedSet): string {
  const name = title === null ? null : nameOf(title);
  return name === null ? `${kind} ${id}` : `${name} [${kind} ${id}]`;
}

/** The code of an episode in the names of files. `S01E02`. */
export function episodeCode(season: number, episode: number): string {
  return `S${pad(season)}E${pad(episode)}`;
}

/** `Season 01`: a season's folder beside its videos. */
export function seasonFolder(number: number): string {
  return `Season ${pad(number)}`;
}

/** How a person names what the picture is of. */
export function holderWords(holder: PictureHolder): string {
  switch (holder.of) {
    case 'season':
      return holder.number === null ? `season ${holder.id}` : `S${pad(holder.number)}`;
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
  const name = (title === null ? null : nameOf(title)) ?? `${of} ${id}`;
  switch (program) {
    case 'plex':
      return null;
    case 'jellyfin':
      return `${name} [boxset]`;
    case 'kodi':
    case 'kometa':
      return name;
  }
}

/** Names that plan_set reads: the folder can be planned again as it is. */
function originalPlace(holder: PictureHolder, slot: string, set: DownloadedSet): Placing {
  const folders = [setFolder(set)];
  switch (holder.of) {
    case 'season':
      return {
        place: {
          folders,
          stem:
            holder.number === null ? `season ${holder.id} ${slot}` : `${seasonFolder(holder.number)} ${slot}`,
        },
      };
    case 'episode':
      return { place: { folders, stem: `${holderWords(holder)} ${slot}` } };
    case 'movie':
    case 'network':
    case 'company':
      return { place: { folders, stem: `${workName(holder)} ${slot}` } };
    case 'collection':
      return { place: { folders, stem: `${collectionName(holder)} ${slot}` } };
    case 'show':
    case 'game':
    case 'boxset':
    case 'loadout':
      return { place: { folders, stem: slot } };
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
