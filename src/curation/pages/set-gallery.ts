import { isRecord, type JsonRecord as Json } from '../../catalogue/records/members.ts';
import { gapStateOf, type SlotPlace, slotPlacesOf } from '../gaps.ts';
import { episodesAhead, isSeasonAhead, type LackedPlaces, lackingIn, type SlotState } from '../lacking.ts';
import { groupedBy } from '../../grouped-by.ts';
import {
  capitalisedWords,
  countOf,
  dayWords,
  kindWords,
  languageWords,
  listWords,
  seasonWords,
  slotsWords,
  slotWords,
} from '../words.ts';
import type { GalleryPart, PageCell, PageSection, Tally } from './view.ts';

/** What a Set does not say of its episodes and films. */
export interface EpisodeFacts {
  readonly title: string;
  /** When it is aired or released: `YYYY-MM-DD`, or null where it is not known. */
  readonly airDate: string | null;
}

interface SetGalleryOptions {
  /** Only this slot. */
  readonly slot?: string | undefined;
  /** By the ids of episodes, of a collection by those of films, as far as they could be read. */
  readonly episodes: ReadonlyMap<number, EpisodeFacts>;
  /** Tells what has not aired yet: `YYYY-MM-DD`. */
  readonly today: string;
}

type Place = SlotPlace & SlotState;

/** A Set as a gallery: what it has, and as gaps what it lacks among what it has of others. */
export function setGallery(kind: string, set: Json, options: SetGalleryOptions): GalleryPart {
  const every = slotPlacesOf(set);
  const isAhead = aheadIn(every, options);
  const places = every
    .filter(({ slot }) => options.slot === undefined || slot === options.slot)
    .map((place): Place => ({ ...gapStateOf(place), isAhead: isAhead(place) }));
  const lacking = lackingIn(places);
  const unmeant = new Set(lacking.unmeant);
  const shown = places.filter((place) => !unmeant.has(place));
  return {
    kind: kindWords(kind),
    title: textOf(set.title) ?? kindWords(kind),
    facts: factsOf(set),
    description: textOf(set.description) ?? undefined,
    tallies: talliesOf(shown),
    notes: notesOf(set, places, lacking),
    sections: sectionsOf(shown, options),
  };
}

/** What is still to come, by the dates of the catalogue. */
function aheadIn(
  places: readonly SlotPlace[],
  { episodes, today }: SetGalleryOptions,
): (place: SlotPlace) => boolean {
  const known = places.flatMap(({ of, within, record: { id } }) => {
    const facts = of === 'episode' && typeof id === 'number' ? episodes.get(id) : undefined;
    // Of what could not be read nothing is known, not that it has no date.
    return facts === undefined ? [] : [{ within, id: Number(id), airDate: facts.airDate }];
  });
  const seasons = new Map(
    [...groupedBy(known, ({ within }) => within)].map(([within, its]) => {
      const [, digits] = /^S(\d+)/.exec(within) ?? [];
      return [within, { number: digits === undefined ? null : Number(digits), episodes: its }];
    }),
  );
  const ahead = episodesAhead([...seasons.values()], today);
  return ({ of, name, record }) => {
    const id = typeof record.id === 'number' ? record.id : Number.NaN;
    if (of === 'episode') return ahead.has(id);
    const season = of === 'season' ? seasons.get(name) : undefined;
    if (season !== undefined) return isSeasonAhead(season, ahead);
    return of === 'movie' && (episodes.get(id)?.airDate ?? '') > today;
  };
}

/** Whose pictures stand together: a season's with those of its episodes. */
function sectionKey({ of, name, within }: SlotPlace): string {
  return of === 'episode' && within !== '' ? `season ${within}` : `${of} ${name}`;
}

function sectionsOf(places: readonly Place[], options: SetGalleryOptions): PageSection[] {
  return [...groupedBy(places, sectionKey).values()].map((group): PageSection => {
    const cards = group.filter(({ of }) => of === 'episode');
    const others = group.filter(({ of }) => of !== 'episode');
    const [first] = others.length > 0 ? others : cards;
    const heading = first === undefined ? '' : headingOf(first);
    const cell = (place: Place) => cellOf(place, heading, options);
    return {
      heading,
      ...(cards.length === 0 ? {} : { tally: tallyOf('Title cards', cards) }),
      rows: [others.map(cell), cards.map(cell)].filter((row) => row.length > 0),
    };
  });
}

/** What is still to come does not count as lacking. */
function tallyOf(name: string, places: readonly Place[]): Tally {
  const has = places.filter((place) => place.has).length;
  return { name, has, of: has + places.filter((place) => !place.has && !place.isAhead).length };
}

function headingOf({ of, name, within }: SlotPlace): string {
  const season = of === 'episode' ? within : of === 'season' ? name : null;
  if (season !== null) {
    const [, digits] = /^S(\d+)/.exec(season) ?? [];
    return digits === undefined ? capitalisedWords(of) : seasonWords(Number(digits));
  }
  if (of === 'set') return 'Its own poster';
  return name === '' ? `The ${of}` : name;
}

function cellOf(place: Place, heading: string, { episodes }: SetGalleryOptions): PageCell {
  const { of, name, slot, path, record } = place;
  const facts = of === 'episode' && typeof record.id === 'number' ? episodes.get(record.id) : undefined;
  const common = {
    label: of === 'episode' ? name : capitalisedWords(slotWords(slot)),
    ...(of === 'episode' ? { title: facts?.title } : {}),
    slot,
  };
  const spoken = of === 'episode' ? {} : { spoken: `${heading}, ${slotWords(slot)}` };
  if (path !== null) return { cell: 'picture', picture: path, ...common, ...spoken };
  return { cell: 'gap', state: place.isAhead ? 'not aired yet' : 'missing', ...common };
}

/** The slots of what the Set is for come together, as do those that many have one by one. */
function talliesOf(shown: readonly Place[]): Tally[] {
  const single = shown.filter(({ name }) => name === '');
  const [first] = single;
  const own: Tally[] = first === undefined ? [] : [tallyOf(`${capitalisedWords(first.of)} artwork`, single)];
  const others = shown.filter(({ name }) => name !== '');
  const groups = groupedBy(others, ({ of, slot }) => (of === 'episode' ? '' : `${of} `) + slotsWords(slot));
  return [...own, ...[...groups].map(([name, places]) => tallyOf(capitalisedWords(name), places))];
}

function notesOf(set: Json, places: readonly Place[], { unmeant }: LackedPlaces<Place>): string[] {
  const begunAlone = new Set(places.filter(({ name, has }) => name === '' && has).map(({ of }) => of));
  const nothing = new Set(
    unmeant.map(({ of, name, slot }) =>
      name === ''
        ? begunAlone.has(of)
          ? `${slotWords(slot)} of the ${of}`
          : `artwork for the ${of} itself`
        : `${of === 'episode' ? '' : `${of} `}${slotsWords(slot)}`,
    ),
  );
  const children = Array.isArray(set.sets) ? set.sets.length : 0;
  return [
    ...(nothing.size === 0 ? [] : [`It has ${listWords([...nothing].map((what) => `no ${what}`))}.`]),
    ...(children === 0 ? [] : [`It holds ${countOf(children, 'Set')}.`]),
  ];
}

function factsOf(set: Json): string[] {
  const creator = textOf(set.createdBy);
  const language = textOf(set.language);
  const edition = textOf(set.edition);
  const updated = dayWords(textOf(set.dateUpdated) ?? '');
  const group = set.boxset ?? set.loadout;
  const within = isRecord(group) ? textOf(group.title) : null;
  return [
    creator && `by ${creator}`,
    language && languageWords(language),
    edition,
    updated && `updated ${updated}`,
    within && `in ${within}`,
  ].filter((fact) => fact !== null);
}

/** Text with anything in it; null for whatever else a member holds. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
