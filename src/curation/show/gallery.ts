import type { Entity } from '../../catalogue/records/kinds.ts';
import { groupedBy } from '../../grouped-by.ts';
import { assetsInSlot, type ListedAsset } from '../../model/asset.ts';
import { type Holdings, holdingsOf, inState } from '../../model/holdings.ts';
import { type Kind, kindWords, slotsOf } from '../../model/kinds.ts';
import type { ArtworkSet, SetPlace } from '../../model/set.ts';
import { type Slot, slotsWords, slotWords } from '../../model/slots.ts';
import { codeOf, isSameTarget, keyOfTarget, labelOf, seasonWords, type Target } from '../../model/target.ts';
import { capitalisedWords, countOf, dayWords, languageWords, listWords } from '../../model/words.ts';
import { aheadIn, partOf, targetOf, type Work } from '../../model/work.ts';
import type { Page, PageCell, PageSection, PictureBlock, Tally } from './page.ts';

/** What the catalogue has of the work that a Set is for, as far as it could be read. */
export type KnownParts = Pick<Work, 'seasons' | 'films'>;

type Places = Holdings<SetPlace>;

/**
 * A Set as a gallery: what it has, and as gaps what it lacks among what it has of others.
 * @param slot only this one; null: all
 * @param parts of what the Set is for: Sets name episodes by their numbers alone, and films without their dates
 * @param today `YYYY-MM-DD`: tells what is still to come
 */
export function setGallery(
  set: ArtworkSet,
  {
    slot,
    parts,
    today,
  }: { readonly slot: string | null; readonly parts: KnownParts; readonly today: string },
): PageSection {
  const ahead = aheadIn(parts, today);
  const holdings = holdingsOf(
    set.places.filter((place) => slot === null || place.slot === slot),
    {
      has: ({ path }) => path !== null,
      isAhead: (target) => ahead.has(keyOfTarget(target)),
    },
  );
  const shown = inState(holdings, 'has', 'lacks', 'ahead');
  const isOwn = (target: Target) => isForItself(set, target);
  return {
    block: 'section',
    kind: kindWords(set.kind),
    title: set.title || kindWords(set.kind),
    facts: factsOfSet(set),
    description: set.description ?? undefined,
    tallies: talliesOf(shown, isOwn),
    notes: notesOf(set, holdings),
    blocks: [...groupedBy(shown, ({ target }) => sectionKey(target)).values()].map((places) =>
      blockOf(places, isOwn, parts),
    ),
  };
}

/** Whether a target is what a Set is for, or the group itself. */
function isForItself({ kind, id, work }: ArtworkSet, target: Target): boolean {
  return isSameTarget(target, work ?? { kind, id });
}

/** Whose pictures stand together: a season's with those of its episodes. */
function sectionKey(target: Target): string {
  return target.kind === 'season' || target.kind === 'episode'
    ? `season ${target.season}`
    : keyOfTarget(target);
}

function blockOf(places: Places, isOwn: (target: Target) => boolean, parts: KnownParts): PictureBlock {
  const cards = places.filter(({ target }) => target.kind === 'episode');
  const others = places.filter(({ target }) => target.kind !== 'episode');
  const [first] = others.length > 0 ? others : cards;
  const heading = first === undefined ? '' : headingOf(first.target, isOwn);
  const titles = new Map(
    parts.seasons.flatMap(({ episodes }) => episodes.map((one) => [keyOfTarget(one), one.title])),
  );
  const cell = (place: Places[number]) => cellOf(place, heading, titles);
  return {
    block: 'pictures',
    heading,
    ...(cards.length === 0 ? {} : { tally: tallyOf(wordsOfSlots(cards), cards) }),
    rows: [others.map(cell), cards.map(cell)].filter((row) => row.length > 0),
  };
}

/** What a season has of its episodes. */
function wordsOfSlots(places: Places): string {
  const [slot = '', ...others] = new Set(places.map((place) => place.slot));
  return others.length === 0 ? slotsWords(slot) : 'pictures';
}

function headingOf(target: Target, isOwn: (target: Target) => boolean): string {
  if (target.kind === 'season' || target.kind === 'episode') return seasonWords(target.season);
  if (target.kind === 'boxset' || target.kind === 'loadout') return 'Its own poster';
  return isOwn(target) ? `The ${target.kind}` : labelOf(target) || kindWords(target.kind);
}

function cellOf(
  { target, slot, path, state }: Places[number],
  heading: string,
  titles: ReadonlyMap<string, string>,
): PageCell {
  const isEpisode = target.kind === 'episode';
  const common = isEpisode
    ? {
        label: codeOf(target) || capitalisedWords(slotWords(slot)),
        title: titles.get(keyOfTarget(target)) || target.title || undefined,
        slot,
      }
    : { label: capitalisedWords(slotWords(slot)), slot };
  if (path === null)
    return { cell: 'gap', state: state === 'ahead' ? 'not aired yet' : 'missing', ...common };
  const spoken = isEpisode ? {} : { spoken: `${heading}, ${slotWords(slot)}` };
  return { cell: 'picture', picture: path, ...common, ...spoken };
}

/** What is still to come does not count as lacking. */
function tallyOf(name: string, places: Places): Tally {
  return { name, has: inState(places, 'has').length, of: inState(places, 'has', 'lacks').length };
}

/** The slots of what the Set is for come together, as do those that many have one by one. */
function talliesOf(shown: Places, isOwn: (target: Target) => boolean): Tally[] {
  const own = shown.filter(({ target }) => isOwn(target));
  const [first] = own;
  const others = shown.filter(({ target }) => !isOwn(target));
  const byWhat = groupedBy(
    others,
    ({ target, slot }) => (target.kind === 'episode' ? '' : `${target.kind} `) + slotsWords(slot),
  );
  return [
    ...(first === undefined ? [] : [tallyOf(`${capitalisedWords(first.target.kind)} artwork`, own)]),
    ...[...byWhat].map(([name, places]) => tallyOf(capitalisedWords(name), places)),
  ];
}

/** Of what the Set was never meant to have, in a sentence. */
function notesOf(set: ArtworkSet, holdings: Places): string[] {
  const isOwn = (target: Target) => isForItself(set, target);
  const hasOwn = inState(holdings, 'has').some(({ target }) => isOwn(target));
  const nothing = new Set(
    inState(holdings, 'unmeant').map(({ target, slot }) => {
      if (!isOwn(target)) return `${target.kind === 'episode' ? '' : `${target.kind} `}${slotsWords(slot)}`;
      return hasOwn ? `${slotWords(slot)} of the ${target.kind}` : `artwork for the ${target.kind} itself`;
    }),
  );
  return [
    ...(nothing.size === 0 ? [] : [`It has ${listWords([...nothing].map((what) => `no ${what}`))}.`]),
    ...(set.members.length === 0 ? [] : [`It holds ${countOf(set.members.length, 'Set')}.`]),
  ];
}

function factsOfSet({ createdBy, language, edition, updated, group }: ArtworkSet): string[] {
  const day = dayWords(updated ?? '');
  return [
    createdBy === null ? null : `by ${createdBy}`,
    language === null ? null : languageWords(language),
    edition,
    day === null ? null : `updated ${day}`,
    group === null || group.title === '' ? null : `in ${group.title}`,
  ].filter((fact) => fact !== null);
}

/**
 * All public artwork of an entity, slot by slot, rivals side by side; a slot without any is a gap.
 * @param slot only this one; null: all
 */
export function entityGallery(kind: Kind, id: number, record: Entity, slot: string | null): PageSection {
  const wanted = slotsOf(kind).filter((one) => slot === null || one === slot);
  const found = wanted.map((one) => ({ slot: one, cells: cellsIn(record, one) }));
  const begun = found.filter(({ cells }) => cells.length > 0);
  const empty = found.filter(({ cells }) => cells.length === 0).map((one) => one.slot);
  const target = targetOf(kind, { ...record, id });
  return {
    block: 'section',
    kind: kindWords(kind),
    title: target === null || target.title === '' ? kindWords(kind) : target.title,
    facts: factsOfEntity(record, target),
    tallies: [],
    notes: empty.length === 0 ? [] : [`It has no ${listWords(empty.map(slotsWords), 'or')} yet.`],
    blocks: [
      ...begun.map(
        ({ slot: own, cells }): PictureBlock => ({
          block: 'pictures',
          heading: capitalisedWords(slotsWords(own)),
          note: String(cells.length),
          rows: [cells],
        }),
      ),
      ...(empty.length === 0
        ? []
        : [{ block: 'pictures' as const, heading: 'Still missing', rows: [empty.map(gapIn)] }]),
    ],
  };
}

function gapIn(slot: Slot): PageCell {
  return { cell: 'gap', label: capitalisedWords(slotWords(slot)), state: 'missing', slot };
}

function cellsIn(record: Entity, slot: Slot): PageCell[] {
  return assetsInSlot(record, slot).flatMap((asset): PageCell[] => {
    const { path, createdBy } = asset;
    if (path === null) return [];
    const label = createdBy ?? 'creator not named';
    const spoken = `${slotWords(slot)} by ${label}`;
    return [{ cell: 'picture', picture: path, label, spoken, facts: factsOfAsset(asset), slot }];
  });
}

function factsOfAsset({ language, edition, size, changedAt }: ListedAsset): string[] {
  return [
    language == null ? null : languageWords(language),
    edition,
    size === null ? null : `${size.width} × ${size.height}`,
    changedAt === null ? null : dayWords(changedAt),
  ].filter((fact) => fact !== null);
}

/** What it is part of, and since when it is there. */
function factsOfEntity(record: Entity, target: Target | null): string[] {
  const { show, season } = partOf(record);
  const titles = [show, season].flatMap((of) => (of === null || of.title === '' ? [] : [of.title]));
  if (target === null) return titles;
  const day = target.date === null ? null : dayWords(target.date);
  const since = target.kind === 'show' ? target.year : day;
  return [
    ...titles,
    ...(target.kind === 'season' && target.season !== null ? [`season ${target.season}`] : []),
    ...(since === null ? [] : [String(since)]),
  ];
}

/** One thing is a page of its own; several stand on it side by side. */
export function galleryPage(sections: readonly PageSection[]): Page {
  const [only] = sections;
  if (sections.length === 1 && only !== undefined) {
    const { block: _, ...head } = only;
    return { ...head, page: 'gallery' };
  }
  return {
    page: 'gallery',
    kind: 'Artwork',
    title: `${sections.length} side by side`,
    facts: [],
    tallies: [],
    notes: [],
    blocks: sections,
  };
}
