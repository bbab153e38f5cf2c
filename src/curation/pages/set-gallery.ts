import { begunIn, gapsOf, type SlotPlace, slotPlacesOf } from '../gaps.ts';
import type { PageCell, GalleryPart, PageSection, Tally } from './view.ts';
import {
  capitalised,
  dayWords,
  kindWords,
  languageWords,
  listWords,
  slotsWords,
  slotWords,
} from './words.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a Set does not say of its episodes. */
export interface EpisodeFacts {
  readonly title: string;
  /** `YYYY-MM-DD`, or null where it is not known. */
  readonly airDate: string | null;
}

export interface SetGalleryOptions {
  /** Only this slot. */
  readonly slot?: string | undefined;
  /** By the ids of episodes, as far as they could be read. */
  readonly episodes: ReadonlyMap<number, EpisodeFacts>;
  /** Tells what has not aired yet: `YYYY-MM-DD`. */
  readonly today: string;
}

/** A Set as a gallery: what it has, and as gaps what it lacks among what it has of others. */
export function setGallery(kind: string, set: Json, options: SetGalleryOptions): GalleryPart {
  const places = slotPlacesOf(set).filter(({ slot }) => options.slot === undefined || slot === options.slot);
  const isBegun = begunIn(places);
  return {
    kind: kindWords(kind),
    title: textOf(set.title) ?? kindWords(kind),
    facts: factsOf(set),
    description: textOf(set.description) ?? undefined,
    tallies: talliesOf(set, options.slot),
    notes: notesOf(set, places, isBegun),
    sections: sectionsOf(places.filter(isBegun), options),
  };
}

/** Whose pictures stand together: a season's with those of its episodes. */
function sectionKey({ of, name, within }: SlotPlace): string {
  return of === 'episode' && within !== '' ? `season ${within}` : `${of} ${name}`;
}

function isAlone({ name }: SlotPlace): boolean {
  return name === '';
}

function sectionsOf(places: readonly SlotPlace[], options: SetGalleryOptions): PageSection[] {
  const groups = new Map<string, SlotPlace[]>();
  for (const place of places) {
    const key = sectionKey(place);
    groups.set(key, [...(groups.get(key) ?? []), place]);
  }
  return [...groups.values()].map((group): PageSection => {
    const cards = group.filter(({ of }) => of === 'episode');
    const others = group.filter(({ of }) => of !== 'episode');
    const [first] = others.length > 0 ? others : cards;
    const heading = first === undefined ? '' : headingOf(first);
    const cell = (place: SlotPlace) => cellOf(place, heading, options);
    return {
      heading,
      ...(cards.length === 0 ? {} : { tally: tallyOf('Title cards', cards) }),
      rows: [others.map(cell), cards.map(cell)].filter((row) => row.length > 0),
    };
  });
}

function tallyOf(name: string, places: readonly SlotPlace[]): Tally {
  return { name, has: places.filter(({ path }) => path !== null).length, of: places.length };
}

function headingOf({ of, name, within }: SlotPlace): string {
  const season = of === 'episode' ? within : of === 'season' ? name : null;
  if (season !== null) {
    const [, digits] = /^S(\d+)/.exec(season) ?? [];
    return digits === undefined
      ? capitalised(of)
      : Number(digits) === 0
        ? 'Specials'
        : `Season ${Number(digits)}`;
  }
  if (of === 'set') return 'Its own poster';
  return name === '' ? `The ${of}` : name;
}

function cellOf(place: SlotPlace, heading: string, { episodes, today }: SetGalleryOptions): PageCell {
  const { of, name, slot, path, record } = place;
  const facts = of === 'episode' && typeof record.id === 'number' ? episodes.get(record.id) : undefined;
  const common = {
    label: of === 'episode' ? name : capitalised(slotWords(slot)),
    ...(of === 'episode' ? { title: facts?.title } : {}),
    slot,
  };
  const spoken = of === 'episode' ? {} : { spoken: `${heading}, ${slotWords(slot)}` };
  if (path !== null) return { cell: 'picture', picture: path, ...common, ...spoken };
  const isLater = facts?.airDate != null && facts.airDate > today;
  return { cell: 'gap', state: isLater ? 'not aired yet' : 'missing', ...common };
}

/** The slots of what the Set is for come together, as do those that many have one by one. */
function talliesOf(set: Json, slot: string | undefined): Tally[] {
  const counts = gapsOf(set).filter((count) => slot === undefined || count.slot === slot);
  const single = counts.filter((count) => count.total === 1);
  const has = single.reduce((sum, count) => sum + count.has, 0);
  const [first] = single;
  const own: Tally[] =
    first === undefined || has === 0
      ? []
      : [{ name: `${capitalised(first.of)} artwork`, has, of: single.length }];
  const many = counts.filter((count) => count.total > 1 && count.has > 0);
  return [
    ...own,
    ...many.map(
      (count): Tally => ({
        name: capitalised(
          count.of === 'episode' ? slotsWords(count.slot) : `${count.of} ${slotsWords(count.slot)}`,
        ),
        has: count.has,
        of: count.total,
      }),
    ),
  ];
}

function notesOf(set: Json, places: readonly SlotPlace[], isBegun: (place: SlotPlace) => boolean): string[] {
  const nothing = new Set(
    places
      .filter((place) => !isBegun(place))
      .map((place) =>
        isAlone(place)
          ? `artwork for the ${place.of} itself`
          : `${place.of === 'episode' ? '' : `${place.of} `}${slotsWords(place.slot)}`,
      ),
  );
  const children = Array.isArray(set.sets) ? set.sets.length : 0;
  return [
    ...(nothing.size === 0 ? [] : [`It has ${listWords([...nothing].map((what) => `no ${what}`))}.`]),
    ...(children === 0 ? [] : [`It holds ${children} ${children === 1 ? 'Set' : 'Sets'}.`]),
  ];
}

function factsOf(set: Json): string[] {
  const creator = textOf(set.createdBy);
  const language = textOf(set.language);
  const edition = textOf(set.edition);
  const updated = dayWords(textOf(set.dateUpdated) ?? '');
  const group = set.boxset ?? set.loadout;
  const within = typeof group === 'object' && group !== null && 'title' in group ? textOf(group.title) : null;
  return [
    ...(creator === null ? [] : [`by ${creator}`]),
    ...(language === null ? [] : [languageWords(language)]),
    ...(edition === null ? [] : [edition]),
    ...(updated === null ? [] : [`updated ${updated}`]),
    ...(within === null ? [] : [`in ${within}`]),
  ];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
