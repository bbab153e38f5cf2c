import type { ImageFormat } from '../../../files/decode.ts';
import type { Reader, Slot } from '../../../model/slots.ts';
import type { Target, WorkTarget } from '../../../model/target.ts';

interface CommonLayout {
  /** As people call it. */
  readonly words: string;
  /** Types of pictures that it reads. */
  readonly types: readonly ImageFormat[];
}

/**
 * How a program wants its folders. The names of files are the model's: `slots.ts` has a column for each program. In the
 * patterns here `{video}` stands for the name of a video without its ending, `{folder}` for that of the work's folder,
 * `{file}` for the model's name.
 */
export interface ReaderLayout extends CommonLayout {
  readonly reader: Reader;
  /** The works that it looks for artwork of in a folder of their own. */
  readonly works: readonly WorkTarget['kind'][];
  /** How it keeps the folders of what holds works and is none itself. */
  readonly collections: {
    readonly kinds: readonly WorkTarget['kind'][];
    /** The folder that they lie in, apart from the works; null: beside these. */
    readonly within: string | null;
    /** Around the name of one, which `*` stands for. */
    readonly folder: string;
    /** What it puts for each sign that not every file system takes; it looks for exactly this name. */
    readonly sign: string;
  };
  /** How the files of a season begin, in the show's folder: `*` stands for two digits. */
  readonly seasons: { readonly name: string; readonly specials: string };
  /** Whether title cards lie beside videos, and are called as these, or in the show's folder by number. */
  readonly cards: 'show' | 'videos';
  /** What it reads of a film that has no folder of its own, by the model's name; `*` for any other. */
  readonly loose: Readonly<Record<string, string>>;
  /**
   * Files that it shows rather than the model's where both lie there, by `kind slot`, the first before all others.
   * `{n}` stands for a season's number, `{nn}` for two digits of it, `{season}` for season1 or specials.
   */
  readonly before: Readonly<Record<string, string>>;
  /** Of several it shows the first by the alphabet, so that not all of `before` are. */
  readonly byAlphabet: boolean;
  /** Files that lie without folders, all in one: how they begin, and what stands between that and the model's name. */
  readonly flat: { readonly gap: string; readonly bare: Slot } | null;
}

/** Files as they are kept, whatever reads them. */
export interface KeptLayout extends CommonLayout {
  readonly reader: null;
  /** What a file's name tells of its target; null: the Set has only one that it can be of. */
  nameOf(target: Target): string | null;
}

export type Layout = ReaderLayout | KeptLayout;
