/** A picture of the page, named as the one who reads its bytes knows it. */
export interface PictureCell {
  readonly cell: 'picture';
  readonly picture: string;
  /** In short what it is of: `S01E03`, `Poster`. */
  readonly label: string;
  /** Its own title, such as an episode's. */
  readonly title?: string | undefined;
  /** What it is, where label and title alone do not tell those who only hear them. */
  readonly spoken?: string | undefined;
  /** What becomes of it: `replaces what is there`. */
  readonly mark?: string | undefined;
  /** What else is known of it: creator, language, size. */
  readonly facts?: readonly string[] | undefined;
  /** What the person has to answer. */
  readonly question?: string | undefined;
  readonly warnings?: readonly string[] | undefined;
  /** Why it can't be used. */
  readonly problem?: string | undefined;
  /** Tells its proportions until it has been read. */
  readonly slot: string;
}

/** A place without a picture. */
interface GapCell {
  readonly cell: 'gap';
  readonly label: string;
  readonly title?: string | undefined;
  readonly state: 'missing' | 'not aired yet';
  readonly slot: string;
}

export type PageCell = PictureCell | GapCell;

/** How much of what there could be is there. */
export interface Tally {
  readonly name: string;
  readonly has: number;
  readonly of: number;
}

/** Pictures under a heading. */
export interface PictureBlock {
  readonly block: 'pictures';
  readonly heading: string;
  readonly tally?: Tally | undefined;
  readonly note?: string | undefined;
  /** Its pictures come with sentences, which need room. */
  readonly wordy?: boolean | undefined;
  /** Each list begins a row of its own. */
  readonly rows: readonly (readonly PageCell[])[];
}

/** Lists that are opened by what stands above them. */
interface FoldedBlock {
  readonly block: 'folded';
  readonly heading: string;
  readonly groups: readonly { readonly why: string; readonly lines: readonly string[] }[];
}

export type Block = PictureBlock | FoldedBlock | PageSection;

/** What stands under one title: one Set, one entity. */
export interface PageSection extends PageHead {
  readonly block: 'section';
  readonly blocks: readonly Block[];
}

/** What stands above the rest, of a page or of a part of it. */
interface PageHead {
  /** `Show Set`, `Movie`. */
  readonly kind?: string | undefined;
  readonly title: string;
  readonly facts: readonly string[];
  readonly description?: string | undefined;
  readonly tallies: readonly Tally[];
  /** Sentences of ours. */
  readonly notes: readonly string[];
}

export type PageKind = 'gallery' | 'plan';

/** What a person is shown of an answer. */
export interface Page extends PageHead {
  readonly page: PageKind;
  readonly blocks: readonly Block[];
  /** Said where there are no blocks. */
  readonly nothing?: string | undefined;
}

/** The pictures that blocks show, in their order. */
export function picturesIn(blocks: readonly Block[]): string[] {
  return blocks.flatMap((one) => {
    switch (one.block) {
      case 'section':
        return picturesIn(one.blocks);
      case 'pictures':
        return one.rows.flat().flatMap((cell) => (cell.cell === 'picture' ? [cell.picture] : []));
      default:
        return [];
    }
  });
}
