import { groupedBy } from '../../grouped-by.ts';
import { type Holdings, holdingsOf, inState } from '../../model/holdings.ts';
import { kindWords } from '../../model/kinds.ts';
import type { ArtworkSet, SetPlace } from '../../model/set.ts';
import { slotsWords, slotWords } from '../../model/slots.ts';
import { codeOf, isSameTarget, keyOfTarget, labelOf, seasonWords, type Target } from '../../model/target.ts';
import { capitalisedWords, countOf } from '../../model/words.ts';
import { aheadIn, type Work } from '../../model/work.ts';
import type { Found, Picture } from './found.ts';
import type { Cell, Group, Page, Tally } from './page.ts';

type Places = Holdings<SetPlace>;

/**
 * A Set as a gallery: what it has, and as gaps what it lacks among what it has of others.
 * @param parts of what the Set is for, as far as they could be read: Sets name episodes by their numbers alone, and films without their dates
 * @param today `YYYY-MM-DD`: tells what is still to come
 */
export function setGallery(set: ArtworkSet, parts: Pick<Work, 'seasons' | 'films'>, today: string): Page {
  const ahead = aheadIn(parts, today);
  const holdings = holdingsOf(set.places, {
    has: ({ path }) => path !== null,
    isAhead: (target) => ahead.has(keyOfTarget(target)),
  });
  const shown = inState(holdings, 'has', 'lacks', 'ahead');
  const isOwn = (target: Target) => isSameTarget(target, set.work ?? set);
  const titles = new Map(
    parts.seasons.flatMap(({ episodes }) => episodes.map((one) => [keyOfTarget(one), one.title])),
  );
  return {
    page: 'gallery',
    kind: kindWords(set.kind),
    title: set.title || kindWords(set.kind),
    facts: factsOf(set),
    notes: set.members.length === 0 ? [] : [`It holds ${countOf(set.members.length, 'Set')}.`],
    groups: [...groupedBy(shown, ({ target }) => togetherBy(target)).values()].map((places) =>
      groupOf(places, isOwn, titles),
    ),
  };
}

function factsOf({ createdBy, language, updated }: ArtworkSet): string[] {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(updated ?? '') ?? [];
  return [
    createdBy === null ? null : `by ${createdBy}`,
    language,
    day === undefined ? null : `updated ${day}`,
  ].filter((fact) => fact !== null);
}

/** What is still to come does not count as lacking. */
function tallyOf(name: string, places: Places): Tally {
  return { name, has: inState(places, 'has').length, of: inState(places, 'has', 'lacks').length };
}

/** Whose pictures stand together: a season's with those of its episodes. */
function togetherBy(target: Target): string {
  const isPart = target.kind === 'season' || target.kind === 'episode';
  return isPart ? `season ${target.season}` : keyOfTarget(target);
}

function groupOf(
  places: Places,
  isOwn: (target: Target) => boolean,
  titles: ReadonlyMap<string, string>,
): Group {
  const cards = places.filter(({ target }) => target.kind === 'episode');
  const others = places.filter(({ target }) => target.kind !== 'episode');
  const target = places[0]?.target;
  const heading = target === undefined ? '' : headingOf(target, isOwn(target));
  const cells = (some: Places) => some.map((place) => cellOf(place, titles));
  return {
    heading,
    tally: cards.length === 0 ? undefined : tallyOf(slotsWords(cards[0]?.slot ?? ''), cards),
    rows: [cells(others), cells(cards)],
  };
}

function headingOf(target: Target, isOwn: boolean): string {
  if (target.kind === 'season' || target.kind === 'episode') return seasonWords(target.season);
  return isOwn ? `The ${target.kind}` : labelOf(target) || kindWords(target.kind);
}

function cellOf({ target, slot, path, state }: Places[number], titles: ReadonlyMap<string, string>): Cell {
  const isEpisode = target.kind === 'episode';
  return {
    picture: path ?? undefined,
    gap: path !== null ? undefined : state === 'ahead' ? 'not out yet' : 'missing',
    label: (isEpisode && codeOf(target)) || capitalisedWords(slotWords(slot)),
    title: isEpisode ? titles.get(keyOfTarget(target)) || target.title : undefined,
    slot,
  };
}

/** What one item of a call turned out to have, and how people call it. */
export interface FoundOf {
  readonly kind?: string;
  readonly title: string;
  readonly found: readonly Found[];
}

/** What a page calls a picture that was found: of an animation each frame is one. */
export function keyOfPicture({ ref, frame }: Picture): string {
  return frame === undefined ? ref : `${ref} ${frame}`;
}

/** The pictures that a call asked for, with the gaps between them; of several things side by side. */
export function galleryOf(all: readonly FoundOf[]): Page {
  const only = all.length === 1 ? all[0] : undefined;
  const cells = all.flatMap(({ title, found }) =>
    found.map((one) => cellOfFound(one, only === undefined ? title : undefined)),
  );
  const count = cells.filter(({ picture }) => picture !== undefined).length;
  return {
    page: 'gallery',
    kind: only?.kind === undefined ? undefined : kindWords(only.kind),
    title: only?.title ?? `${all.length} side by side`,
    facts: [countOf(count, 'picture')],
    notes: [],
    groups: [{ heading: 'Pictures', rows: [cells] }],
  };
}

function cellOfFound(found: Found, of?: string): Cell {
  const { label } = found;
  const title = of === label ? undefined : of;
  if ('error' in found) return { label, title, warnings: [found.error.message] };
  if ('missing' in found) {
    const facts = found.missing > 1 ? [`${found.missing} of them`] : [];
    return { label, title, gap: 'missing', facts, slot: found.slot };
  }
  const { note, slot } = found;
  return { label, title, picture: keyOfPicture(found), facts: note === undefined ? [] : [note], slot };
}
