import type { Reader } from '../../../model/slots.ts';
import type { Target, WorkTarget } from '../../../model/target.ts';
import type { ImageFormat } from '../../thumbnail.ts';

interface CommonLayout {
  /** As people call it. */
  readonly words: string;
  /** Types of pictures that it reads. */
  readonly types: readonly ImageFormat[];
}

/**
 * How a program wants its folders. The names of files beside a work are the model's: `slots.ts` has a column for each
 * program.
 */
export interface ReaderLayout extends CommonLayout {
  readonly reader: Reader;
  /** The works that it looks for artwork of, and their folder: `*` stands for a work's name. */
  readonly folders: Readonly<Partial<Record<WorkTarget['kind'], string>>>;
  readonly seasons: {
    /** The folder that it looks for their files in. */
    readonly beside: 'show' | 'videos';
    /** How their files begin; `*` stands for two digits. */
    readonly name: string;
    /** The same for the specials. */
    readonly specials: string;
  };
  /** Whether title cards lie beside videos, and are called as these, or in the show's folder by number. */
  readonly cards: 'show' | 'videos';
}

/** Files as they are kept, whatever reads them. */
export interface KeptLayout extends CommonLayout {
  readonly reader: null;
  /** What a file's name tells of its target; null: the Set has only one that it can be of. */
  nameOf(target: Target): string | null;
}

export type Layout = ReaderLayout | KeptLayout;
