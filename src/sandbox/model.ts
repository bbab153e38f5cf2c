import type { Row, Store } from './store.ts';

/** What an upload to a slot has to look like, and how a picture of the catalogue's own is drawn for it. */
interface SlotFacts {
  /** The name of its `assets` array. */
  readonly list: string;
  /** Width by height of what is taken, any of these; null: any. */
  readonly ratios: readonly number[] | null;
  /** Pixels of what is taken. */
  readonly minWidth: number;
  /** Pixels of what is drawn: no more than media centres and launchers need, since drawing takes its time. */
  readonly drawn: readonly [width: number, height: number];
}

const wide = { ratios: [16 / 9], minWidth: 400 };
const square = { ratios: [1], minWidth: 200, drawn: [640, 640] } as const;

/** The slots as the interface document writes them in Set responses. */
export const slots = {
  poster: { list: 'posters', ratios: [2 / 3], minWidth: 200, drawn: [720, 1080] },
  backdrop: { list: 'backdrops', ...wide, drawn: [1280, 720] },
  logo: { list: 'logos', ratios: null, minWidth: 64, drawn: [800, 310] },
  squareArt: { list: 'squareArts', ...square },
  thumb: { list: 'thumbs', ...wide, drawn: [1024, 576] },
  titlecard: { list: 'titlecards', ...wide, drawn: [1280, 720] },
  // Store covers come in 600 × 900 and in 660 × 930.
  cover: { list: 'covers', ratios: [2 / 3, 66 / 93], minWidth: 200, drawn: [600, 900] },
  // Launchers take 1920 × 620 and 1600 × 650.
  hero: { list: 'heroes', ratios: [96 / 31, 32 / 13], minWidth: 600, drawn: [1600, 650] },
  wideCover: { list: 'wideCovers', ratios: [460 / 215], minWidth: 300, drawn: [920, 430] },
  background: { list: 'backgrounds', ...wide, drawn: [1280, 720] },
  squareCover: { list: 'squareCovers', ...square },
  icon: { list: 'icons', ratios: [1], minWidth: 8, drawn: [256, 256] },
} as const satisfies Readonly<Record<string, SlotFacts>>;

export type Slot = keyof typeof slots;

/** The kinds of works, with the slots that their records list under `assets` and under `metadataImages`. */
export const kinds = {
  show: {
    slots: ['poster', 'backdrop', 'logo', 'squareArt', 'thumb'],
    images: ['poster', 'backdrop', 'logo'],
  },
  season: { slots: ['poster', 'backdrop'], images: ['poster'] },
  episode: { slots: ['titlecard'], images: [] },
  movie: {
    slots: ['poster', 'backdrop', 'logo', 'squareArt', 'thumb'],
    images: ['poster', 'backdrop', 'logo'],
  },
  collection: { slots: ['poster', 'backdrop', 'logo', 'squareArt'], images: ['poster', 'backdrop', 'logo'] },
  game: {
    slots: ['cover', 'hero', 'logo', 'wideCover', 'background', 'squareCover', 'icon'],
    images: ['poster', 'backdrop', 'logo'],
  },
  company: { slots: ['poster', 'thumb', 'logo'], images: ['logo'] },
  network: { slots: ['poster', 'thumb', 'logo'], images: ['logo'] },
  person: { slots: ['poster'], images: ['profile'] },
  category: { slots: ['poster', 'thumb'], images: [] },
} as const satisfies Readonly<
  Record<string, { readonly slots: readonly Slot[]; readonly images: readonly (Slot | 'profile')[] }>
>;

export type Kind = keyof typeof kinds;

export function isSlot(word: string): word is Slot {
  return Object.hasOwn(slots, word);
}

export function isKind(word: string): word is Kind {
  return Object.hasOwn(kinds, word);
}

export interface Target {
  readonly kind: string;
  readonly id: number;
}

/** What an Asset or a Set can be for: a work, or a Boxset or Loadout. */
export interface FoundTarget extends Target {
  readonly title: string;
  /** A second line for pictures: a season's title, an episode's show and number, a movie's year. */
  readonly subtitle: string | null;
  readonly year: number | null;
}

export function findTarget(store: Store, kind: string, id: number): FoundTarget | undefined {
  if (kind === 'boxset' || kind === 'loadout') {
    const group = store.first('SELECT title FROM groups WHERE kind = ? AND id = ?', kind, id);
    return group && { kind, id, title: group.text('title'), subtitle: null, year: null };
  }
  const row = store.first(
    `SELECT e.title, e.number, e.date, p.title AS parent_title, p.number AS parent_number, w.title AS show_title
     FROM entities e
       LEFT JOIN entities p ON p.id = e.parent_id AND
         p.kind = CASE e.kind WHEN 'season' THEN 'show' WHEN 'episode' THEN 'season' END
       LEFT JOIN entities w ON w.id = p.parent_id AND w.kind = 'show' AND e.kind = 'episode'
     WHERE e.kind = ? AND e.id = ?`,
    kind,
    id,
  );
  if (!row) return undefined;
  const title = row.text('title');
  const year = yearOf(row.textOrNull('date'));
  const two = (number: number) => String(number).padStart(2, '0');
  if (kind === 'season') {
    return { kind, id, title: row.text('parent_title'), subtitle: title, year: null };
  }
  if (kind === 'episode') {
    const place = `S${two(row.integer('parent_number'))}E${two(row.integer('number'))}`;
    return { kind, id, title, subtitle: `${row.text('show_title')} · ${place}`, year: null };
  }
  const subtitle = kind === 'movie' && year !== null ? String(year) : null;
  return { kind, id, title, subtitle, year: ['movie', 'show', 'game'].includes(kind) ? year : null };
}

/** Of something that is there as long as what refers to it. */
export function targetOf(store: Store, kind: string, id: number): FoundTarget {
  const target = findTarget(store, kind, id);
  if (!target) throw new Error(`There is no ${kind} ${id}.`);
  return target;
}

export function yearOf(date: string | null): number | null {
  return date === null ? null : Number(date.slice(0, 4));
}

/** Root-relative (the interface document, Resources), also where `{base_url}` has a path. */
export function assetPath(asset: Row): string {
  const format = asset.text('format');
  return `/artwork/${asset.text('id')}.${format === 'jpeg' ? 'jpg' : format}`;
}

/**
 * SQL condition on `assets a` for those that are public at a time, which is passed twice: the Asset's own publication
 * has come, that of a replacement has not.
 */
export const assetIsPublic = 'a.public_from <= ? AND (a.replaced_from IS NULL OR a.replaced_from > ?)';
