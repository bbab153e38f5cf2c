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

type GapState = 'missing' | 'not aired yet';

/** A place without a picture. */
export interface GapCell {
  readonly cell: 'gap';
  readonly label: string;
  readonly title?: string | undefined;
  readonly state: GapState;
  readonly slot: string;
}

export type PageCell = PictureCell | GapCell;

/** How much of what there could be is there. */
export interface Tally {
  readonly name: string;
  readonly has: number;
  readonly of: number;
}

export interface PageSection {
  readonly heading: string;
  readonly tally?: Tally | undefined;
  readonly note?: string | undefined;
  /** Its pictures come with sentences, which need room. */
  readonly wordy?: boolean | undefined;
  /** Each list begins a row of its own. */
  readonly rows: readonly (readonly PageCell[])[];
}

/** What stands above the sections: of a page, or of one of several parts. */
export interface PageHead {
  /** `Show Set`, `Movie`. */
  readonly kind: string;
  readonly title: string;
  readonly facts: readonly string[];
  readonly description?: string | undefined;
  readonly tallies: readonly Tally[];
  /** Sentences of ours. */
  readonly notes: readonly string[];
}

/** One Set or entity. */
export interface GalleryPart extends PageHead {
  readonly sections: readonly PageSection[];
}

export interface GalleryView {
  readonly page: 'gallery';
  readonly title: string;
  readonly parts: readonly GalleryPart[];
}

/** A folder beside what it is for. */
export interface PlanView extends PageHead {
  readonly page: 'plan';
  readonly sections: readonly PageSection[];
  /** Files that are not part of it, by why. */
  readonly passedOver: readonly { readonly why: string; readonly files: readonly string[] }[];
}

/** One picture that came, or came in the place of another. */
export interface ChangeView {
  readonly label: string;
  readonly title?: string | undefined;
  /** `replaced twice`, `added`, `described anew`. */
  readonly what: string;
  /** 1 Nov 2026, 21:43 UTC. */
  readonly when: string;
  readonly slot: string;
  /** null: there was none. Else the id of its Asset, whose path is not known before it is asked for. */
  readonly before: { readonly picture: string } | null;
  readonly after: { readonly picture: string | null };
}

/** What changed in one Set, or of one target. */
export interface ChangedView {
  readonly title: string;
  readonly facts: readonly string[];
  readonly changes: readonly ChangeView[];
}

export interface ChangesView extends PageHead {
  readonly page: 'changes';
  readonly changed: readonly ChangedView[];
}

export interface FindingView {
  /** A sentence. */
  readonly words: string;
  readonly places: readonly string[];
  /** `bad`: a person should mend it; `later`: nothing can be done yet. */
  readonly weight: 'bad' | 'later';
}

export interface AuditedView {
  readonly title: string;
  readonly facts: readonly string[];
  readonly tallies: readonly Tally[];
  /** Season by season, or once for the whole. */
  readonly findings: readonly { readonly heading: string | null; readonly found: readonly FindingView[] }[];
  readonly notes: readonly string[];
  /** Why it could not be audited. */
  readonly failed?: string | undefined;
  /** What a person asks for to have it mended. */
  readonly mend?: string | undefined;
}

export interface AuditView extends PageHead {
  readonly page: 'audit';
  readonly sets: readonly AuditedView[];
}

/** The pictures that sections show, in their order. */
export function picturesIn(sections: readonly PageSection[]): string[] {
  return sections.flatMap(({ rows }) =>
    rows.flat().flatMap((cell) => (cell.cell === 'picture' ? [cell.picture] : [])),
  );
}
