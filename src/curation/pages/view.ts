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

export type GapState = 'missing' | 'not aired yet' | 'not kept any more' | 'nothing before';

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
  /** null: there was none. */
  readonly before: { readonly picture: string | null } | null;
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

/** Slots of the interface document in a person's words. */
const slotNames: Readonly<Record<string, string>> = {
  squareArt: 'square art',
  titlecard: 'title card',
  wideCover: 'wide cover',
  squareCover: 'square cover',
};

/** A slot as people say it on a page, in the singular. */
export function slotWords(slot: string): string {
  return slotNames[slot] ?? slot;
}

/** A slot as people say it on a page, in the plural. */
export function slotsWords(slot: string): string {
  const words = slotWords(slot);
  if (words === 'square art') return words;
  return words === 'hero' ? 'heroes' : `${words}s`;
}

/** Words that begin with a capital. */
export function capitalisedWords(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A kind as people say it: `show_set` is a Show Set, `movie` a Movie. */
export function kindWords(kind: string): string {
  return kind.split('_').map(capitalisedWords).join(' ');
}

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** A language as people call it: English for `en`; the code itself where it names no language. */
export function languageWords(code: string): string {
  try {
    return languages.of(code) ?? code;
  } catch (error) {
    // Other people's writing: what is no language tag is shown as it is.
    if (error instanceof RangeError) return code;
    throw error;
  }
}

const days = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const minutes = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** A day as people write it: 1 November 2026, in UTC; null for what is no time. */
export function dayWords(timestamp: string): string | null {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? null : days.format(time);
}

/** A time as people write it: 1 Nov 2026, 21:43 UTC. */
export function timeWords(timestamp: string): string | null {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? null : `${minutes.format(time)} UTC`;
}

/** A list as people say it: `posters, backdrops and logos`. */
export function listWords(words: readonly string[], and = 'and'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${and} ${last}`;
}
