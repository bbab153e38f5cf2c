import { readdir } from 'node:fs/promises';
import { ArtworkError } from '../../errors.ts';
import { codeOf } from '../../storage/store-error.ts';
import type { DownloadRoot } from './download-root.ts';
import { enterFolder } from './enter-folder.ts';
import { nameKey } from './file-names.ts';

const videoEnd = /\.(mkv|mp4|m4v|avi|ts|m2ts|mov|wmv|webm|mpe?g|iso|strm)$/i;
const episodeNumbers = /(?<![a-z0-9])s(\d{1,4})[ ._-]?e(\d{1,4})(?!\d)/i;
const seasonName = /^(?:season|staffel|saison|temporada|stagione)[ ._-]*0*(\d{1,4})$/i;

/** What lies below the folder of a download already: artwork goes beside the media that it is for. */
export interface MediaFolders {
  /** The folder of a work: one of its name, or the only one whose name goes on in tags, such as `{tvdb-81189}`. */
  work(name: string): Promise<string>;
  /** The folder of a season, under whichever name it has. */
  season(work: string, number: number, otherwise: string): Promise<string>;
  /** The name, without its extension, of the only video of an episode; null where there is none or there are several. */
  video(
    work: string,
    season: string,
    numbers: readonly [season: number, episode: number],
  ): Promise<string | null>;
}

/**
 * Finds the folders of films and shows, and their videos, below the folder for downloads.
 * @param folders below the root, as the caller named them
 */
export function createMediaFolders(root: DownloadRoot, folders: readonly string[]): MediaFolders {
  const listed = new Map<string, Promise<readonly Entry[]>>();
  const videos = new Map<string, Promise<ReadonlyMap<string, readonly string[]>>>();
  const list = (...below: string[]) => {
    const key = JSON.stringify(below);
    const known = listed.get(key) ?? entriesOf(root, [...folders, ...below]);
    listed.set(key, known);
    return known;
  };
  const foldersIn = async (...below: string[]) =>
    (await list(...below)).filter(({ isFolder }) => isFolder).map(({ name }) => name);

  return {
    async work(name) {
      const names = await foldersIn();
      const key = nameKey(name);
      const exact = names.find((one) => nameKey(one) === key);
      if (exact !== undefined) return exact;
      const [only, ...others] = names.filter((one) => nameKey(withoutTags(one)) === key);
      return only === undefined || others.length > 0 ? name : only;
    },
    async season(work, number, otherwise) {
      const names = await foldersIn(work);
      const [only, ...others] = names.filter((name) => seasonOf(name) === number);
      return only === undefined || others.length > 0 ? otherwise : only;
    },
    async video(work, season, [ofSeason, ofEpisode]) {
      const key = JSON.stringify([work, season]);
      const ofFolder = videos.get(key) ?? list(work, season).then(videosByCode);
      videos.set(key, ofFolder);
      const [only, ...others] = (await ofFolder).get(`${ofSeason} ${ofEpisode}`) ?? [];
      return only === undefined || others.length > 0 ? null : only;
    },
  };
}

/** By the numbers of the season and the episode, or of the first one where a video holds several. */
function videosByCode(entries: readonly Entry[]): ReadonlyMap<string, readonly string[]> {
  const stems = new Map<string, string[]>();
  for (const { name, isFolder } of entries) {
    const [, season, episode] = episodeNumbers.exec(name) ?? [];
    if (isFolder || episode === undefined || !videoEnd.test(name)) continue;
    const key = `${Number(season)} ${Number(episode)}`;
    stems.set(key, [...(stems.get(key) ?? []), name.replace(videoEnd, '')]);
  }
  return stems;
}

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** What can't be looked into holds nothing that names could be taken from. */
async function entriesOf(root: DownloadRoot, folders: readonly string[]): Promise<readonly Entry[]> {
  try {
    const folder = await enterFolder(root, folders, false);
    if (folder === null) return [];
    const found = await readdir(folder.path, { withFileTypes: true });
    return found.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  } catch (error) {
    if (error instanceof ArtworkError || codeOf(error) !== null) return [];
    throw error;
  }
}

/** `Breaking Bad (2008) {tvdb-81189} [1080p]` without what stands in braces and brackets at its end. */
function withoutTags(name: string): string {
  return name.replace(/(?:\s*(?:\{[^{}]*\}|\[[^[\]]*\]))+$/, '');
}

function seasonOf(name: string): number | null {
  if (/^specials?$/i.test(name)) return 0;
  const [, number] = seasonName.exec(name) ?? [];
  return number === undefined ? null : Number(number);
}
