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

/** One picture that came, or came in the place of another. */
export interface ShownChange {
  readonly label: string;
  /** `replaced twice`, `added`, `described anew`. */
  readonly what: string;
  /** 1 Nov 2026, 21:43 UTC. */
  readonly when: string;
  readonly slot: string;
  /** Null: there was none. Else the id of its Asset, whose path is not known before it is asked for. */
  readonly before: { readonly picture: string } | null;
  readonly after: { readonly picture: string | null };
}

interface ChangeBlock {
  readonly block: 'changes';
  readonly changes: readonly ShownChange[];
}

export interface ShownFinding {
  /** A sentence. */
  readonly words: string;
  readonly places: readonly string[];
  /** `bad`: a person should mend it; `later`: nothing can be done yet. */
  readonly weight: 'bad' | 'later';
}

/** What was found, season by season, or once for the whole. */
export interface FindingBlock {
  readonly block: 'findings';
  readonly groups: readonly { readonly heading: string; readonly found: readonly ShownFinding[] }[];
}

/** Lists that are opened by what stands above them. */
interface FoldedBlock {
  readonly block: 'folded';
  readonly heading: string;
  readonly groups: readonly { readonly why: string; readonly lines: readonly string[] }[];
}

/** What needs one line each. */
interface LineBlock {
  readonly block: 'lines';
  readonly heading: string;
  readonly note: string;
  readonly lines: readonly { readonly title: string; readonly facts: readonly string[] }[];
}

/** What a person can ask for in the conversation that made the page. */
interface AskBlock {
  readonly block: 'ask';
  readonly summary: string;
  readonly ask: string;
}

/** Sentences of ours. */
export interface NoteBlock {
  readonly block: 'notes';
  readonly notes: readonly string[];
  readonly weight?: 'bad' | undefined;
}

export type Block =
  | PictureBlock
  | ChangeBlock
  | FindingBlock
  | FoldedBlock
  | LineBlock
  | AskBlock
  | NoteBlock
  | PageSection;

/** What stands under one title: one Set, one entity, what changed in one place. */
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

export type PageKind = 'gallery' | 'plan' | 'changes' | 'audit';

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
      case 'changes':
        return one.changes.flatMap(({ before, after }) =>
          [before, after].flatMap((version) => version?.picture ?? []),
        );
      default:
        return [];
    }
  });
}
