/** One line of a Set's glance: how many of a kind of holder have a picture in a slot, and which lack it. */
export interface SlotCount {
  /** show, season, episode, movie, game, collection, network, company, or set for the group's own poster. */
  readonly of: string;
  readonly slot: string;
  readonly has: number;
  readonly total: number;
  /** The first of those that lack it; a season without any is one entry. */
  readonly lacks?: string[];
}

/** The Asset path members of the interface document (Resources, Conventions). */
const slots: ReadonlySet<string> = new Set([
  'poster',
  'backdrop',
  'logo',
  'squareArt',
  'thumb',
  'titlecard',
  'cover',
  'hero',
  'wideCover',
  'background',
  'squareCover',
  'icon',
]);

const holderNames: Readonly<Record<string, string>> = {
  seasons: 'season',
  episodes: 'episode',
  movies: 'movie',
  networks: 'network',
  companies: 'company',
};

const mostNamed = 12;

interface Holder {
  readonly of: string;
  readonly name: string;
  /** What it stands in: episodes are named together when a whole season lacks them. */
  readonly within: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** What a Set has and lacks, slot by slot. A path is there or null; what the Set does not list is not counted. */
export function gapsOf(set: Readonly<Record<string, unknown>>): SlotCount[] {
  const counts = new Map<string, { of: string; slot: string; has: Holder[]; lacks: Holder[] }>();
  for (const holder of holdersOf(set, 'set', '', '')) {
    for (const [slot, path] of Object.entries(holder.record)) {
      if (!slots.has(slot) || (path !== null && typeof path !== 'string')) continue;
      const key = `${holder.of} ${slot}`;
      const count = counts.get(key) ?? { of: holder.of, slot, has: [], lacks: [] };
      (path === null ? count.lacks : count.has).push(holder);
      counts.set(key, count);
    }
  }
  return [...counts.values()].map(({ of, slot, has, lacks }) => ({
    of,
    slot,
    has: has.length,
    total: has.length + lacks.length,
    ...(lacks.length > 0 && has.length + lacks.length > 1 ? { lacks: namesOf(lacks, has) } : {}),
  }));
}

export interface SlotPath {
  /** Which holder, where the Set has several: S01E03, or kind and id. Never catalogue text: it gets drawn. */
  readonly holder: string;
  readonly slot: string;
  readonly path: string;
}

/** Every picture of a Set, by holder and slot. */
export function slotPathsOf(set: Readonly<Record<string, unknown>>): SlotPath[] {
  return [...holdersOf(set, 'set', '', '')].flatMap(({ of, name, record }) => {
    const numbered = 'seasonNumber' in record || 'episodeNumber' in record;
    const holder = name === '' ? '' : numbered ? name : `${of} ${String(record.id)}`;
    return Object.entries(record).flatMap(([slot, path]) =>
      slots.has(slot) && typeof path === 'string' ? [{ holder, slot, path }] : [],
    );
  });
}

function* holdersOf(record: object, of: string, name: string, within: string): Generator<Holder> {
  const own = { ...record };
  yield { of, name, within, record: own };
  for (const [key, value] of Object.entries(own)) {
    if (key === 'sets' || key === 'boxset' || key === 'loadout') continue;
    if (Array.isArray(value)) {
      for (const item of value) {
        if (isObject(item)) yield* holdersOf(item, holderNames[key] ?? key, nameOf(item, name), name);
      }
    } else if (isObject(value)) {
      yield* holdersOf(value, key, '', '');
    }
  }
}

function namesOf(lacking: readonly Holder[], having: readonly Holder[]): string[] {
  const named = new Map<string, string[]>();
  for (const { within, name } of lacking) named.set(within, [...(named.get(within) ?? []), name]);
  const names = [...named].flatMap(([within, members]) => {
    const whole = within !== '' && members.length > 1 && !having.some((holder) => holder.within === within);
    return whole ? [`${within} (all ${members.length})`] : members;
  });
  return names.length > mostNamed
    ? [...names.slice(0, mostNamed), `and ${names.length - mostNamed} more`]
    : names;
}

function nameOf(item: Readonly<Record<string, unknown>>, within: string): string {
  if (typeof item.seasonNumber === 'number') return `S${pad(item.seasonNumber)}`;
  if (typeof item.episodeNumber === 'number') return `${within}E${pad(item.episodeNumber)}`;
  const title = item.title ?? item.name;
  const year = typeof item.year === 'number' ? ` (${item.year})` : '';
  return typeof title === 'string' ? `${title}${year}` : `id ${String(item.id)}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
