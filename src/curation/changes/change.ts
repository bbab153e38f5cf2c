/** A thing of the catalogue as people call it. */
export interface NamedTarget {
  readonly kind: string;
  readonly id: number;
  /** Other people's writing, cleaned, on one line and short; null: no read has shown it. */
  readonly title: string | null;
}

/** One picture of a chain. */
export interface Version {
  readonly assetId: string;
  /**
   * Root-relative. Of a replaced one it is put together from the path of the one that stands there now, since no
   * read shows it any more: it may lead nowhere. Null: nothing tells it.
   */
  readonly path: string | null;
}

/** All that happened in one place (target and slot), as one: first and last, with how many between. */
export interface PlaceChange {
  /** By the first of its changes: `added`, `replaced`, `updated` (its language or edition), or the service's own word. */
  readonly change: string;
  readonly target: { readonly kind: string; readonly id: number };
  readonly slot: string;
  /** S01E03, S01, a title where the line is of several works; empty for what the line itself is of. */
  readonly label: string;
  /** How often it was replaced. */
  readonly replacements: number;
  /** Further changes between the first and the last. */
  readonly between: number;
  /** ISO 8601, as the service gave them; null: it gave none that can be read. */
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  /** What stood there before the first replacement; null: nothing, or nothing tells it. */
  readonly before: Version | null;
  readonly after: Version;
}

/** What changed in one Set or, of Assets that stand in none, of one creator: one line of an answer. */
export interface ChangeLine {
  /** Null: the Assets stand in none, or nothing shows in which. */
  readonly set: NamedTarget | null;
  /** What the feed of Sets says of the Set itself: `added`, `updated`, its own word; null: nothing. */
  readonly setChange: string | null;
  /** What the artwork is for: the work of the Set, else the target itself; null: of several, or nothing tells it. */
  readonly of: NamedTarget | null;
  /** The creator's name; null: nothing shows it. */
  readonly by: string | null;
  /** When the last and the first of it changed. */
  readonly lastAt: string | null;
  readonly firstAt: string | null;
  /** In the order of seasons and episodes; of several works one after the other. */
  readonly places: readonly PlaceChange[];
}

export const scopes = ['mine', 'watched', 'followed', 'all'] as const;
export type Scope = (typeof scopes)[number];

/** What is asked for; `null` leaves nothing out. */
export interface ChangesQuestion {
  readonly scope: Scope;
  /** `replaced`, `added`, `updated` (replacements too, as the feeds have it), or the service's own word. */
  readonly changeType: string | null;
  readonly slot: string | null;
}

export interface Coverage {
  /** Times of the oldest and the newest change that the feeds were seen to have. */
  readonly oldest: string | null;
  readonly newest: string | null;
  /** The feeds were seen to reach back to the time asked for. False: older ones may have left them. */
  readonly complete: boolean;
}

/** One page of an answer. */
export interface ChangesPage {
  readonly asked: ChangesQuestion;
  /** Changes then or later. */
  readonly since: string;
  readonly lines: readonly ChangeLine[];
  readonly coverage: Coverage;
  /** Only with the last page: what it stands for has been told whole by then. */
  readonly until: string | null;
  readonly warnings: readonly string[];
}
