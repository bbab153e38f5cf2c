import path from 'node:path';

/** Something that a program looks for a picture of, as it lies in a library. */
export interface Wanted {
  readonly of: 'movie' | 'show' | 'season' | 'episode';
  readonly slot: string;
  /** The folder of the film or show; of a film among others, the folder that it lies in. */
  readonly folder: string;
  /** Of a film or an episode: its video. */
  readonly video: string;
  /** A film that has no folder of its own. */
  readonly isLoose: boolean;
  readonly season: number;
  readonly episode: number;
}

/** Paths of all files, with `/`. */
export type Library = readonly string[];

export const pictureEnd = /\.(png|jpe?g|webp)$/i;

export function stemOf(file: string): string {
  return path.posix.basename(file).replace(/\.[^.]+$/, '');
}

/** The pictures that lie directly in a folder. */
export function picturesIn(library: Library, folder: string): string[] {
  return library.filter((file) => path.posix.dirname(file) === folder && pictureEnd.test(file));
}

export function videosIn(library: Library, folder: string): string[] {
  return library.filter((file) => path.posix.dirname(file) === folder && /\.(mkv|mp4|avi)$/i.test(file));
}

/** The first of the names, in their order, that a picture has. */
export function firstNamed(pictures: readonly string[], names: readonly string[]): string | null {
  for (const name of names) {
    const found = pictures.find((file) => stemOf(file).toLowerCase() === name.toLowerCase());
    if (found !== undefined) return found;
  }
  return null;
}
