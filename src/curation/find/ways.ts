import type { SpokenPart, TitleQuery } from './asked.ts';
import type { Anchor, Gathering, Groups, Table } from './gather.ts';
import { groupsLackingOne, type Spelling } from './spellings.ts';
import { isPartKind, type TitleQuestion, titleSetKinds } from './title-index.ts';

/** Works whose parts are looked at. */
const mostAnchors = 6;
/** Of so many also what has not all of the other words. */
const mostRelaxed = 2;
/** Of those that have not all of the words so many are looked at. */
const few = 25;

/** One way to take what was asked: which words are names, and which numbers. */
export interface Way extends Spelling {
  readonly tables: readonly Table[];
  /** Of an episode or a season; null where none is named, or where its number is taken for a part of a name. */
  readonly numbers: Pick<NonNullable<TitleQuery['numbered']>, 'season' | 'episode'> | null;
  /** Kinds of Sets are asked for. */
  readonly wantsSets: boolean;
  /** One of the words is left out: then no name can be told from what belongs to it. */
  readonly isShort: boolean;
}

/**
 * The ways to take what was asked. With a number of an episode the words of parts are those without it; a work may have
 * it in its name: Episode I.
 * @param spell how its words are spelt
 */
export function waysOf(asked: TitleQuery, spell: (said: readonly SpokenPart[]) => Spelling): Way[] {
  const wantsSets = titleSetKinds.some((kind) => asked.kinds.has(kind));
  const whole: Way = {
    ...spell(asked.said),
    tables: ['work_words', 'part_words'],
    numbers: null,
    wantsSets,
    isShort: false,
  };
  if (asked.numbered === null) return [whole];
  const { said, season, episode } = asked.numbered;
  return [
    { ...whole, ...spell(said), numbers: { season, episode } },
    { ...whole, tables: ['work_words'], wantsSets: false },
  ];
}

/** The same with one word left out; at last with none, which is everything within what it has to belong to. */
export function butForOneWord(way: Way): Way {
  return { ...way, groups: [...groupsLackingOne(way.groups[0] ?? []), []], isShort: true };
}

/**
 * Brings together whatever this way may lead to.
 * @param within words of what it has to belong to, in each way to say that; empty for anything
 */
export function gatherBy(
  gathering: Gathering,
  question: TitleQuestion,
  way: Way,
  within: readonly Groups[],
): void {
  if (within.length > 0) gatherWithin(gathering, question, way, within);
  else if (!way.isShort) gatherWorks(gathering, question, way);
  else for (const groups of way.groups) gathering.byWords(groups, [], way.tables, few);
}

function gatherWithin(
  gathering: Gathering,
  { target }: TitleQuestion,
  { groups, numbers }: Way,
  within: readonly Groups[],
): void {
  for (const belonging of within)
    for (const some of groups) gathering.byWords(some, belonging, ['part_words']);
  if (numbers === null || target?.kind !== 'show' || typeof target.id !== 'number') return;
  gathering.numbered(target.id, numbers.season, numbers.episode);
}

/** Works by their names, and what belongs to them. */
function gatherWorks(gathering: Gathering, question: TitleQuestion, way: Way): void {
  const { said, isGuessed, tables } = way;
  const anchors = gathering.byName(said, isGuessed);
  for (const groups of way.groups) {
    for (const record of gathering.byWords(groups, [], tables)) {
      if (!isPartKind(record.kind)) anchors.push({ record, from: 0, to: said.length });
    }
  }
  if (!tables.includes('part_words')) return;
  const found = distinct(anchors);
  const isWhole = (work: Anchor) => restOf(said, work).length === 0;
  // Where all that was said is one name, a shorter one in it is not the name of a show with the rest as an episode.
  const [best] = found;
  const works = (best !== undefined && isWhole(best) ? found.filter(isWhole) : found).slice(0, mostAnchors);
  for (const [at, work] of works.entries()) {
    gatherParts(gathering, question, way, work, works);
    // Behind a guess one of the words may belong to nothing.
    if (isGuessed && at < mostRelaxed) {
      for (const some of groupsLackingOne(restOf(said, work))) gathering.belongingTo([work.record], some);
    }
  }
}

/** What belongs to a work, by the words that are not its name, or by number. */
function gatherParts(
  gathering: Gathering,
  { kind }: TitleQuestion,
  way: Way,
  { record, from, to }: Anchor,
  works: readonly Anchor[],
): void {
  const { said, numbers } = way;
  const wantsSets = way.wantsSets || kind === 'set' || titleSetKinds.some((one) => one === kind);
  const rest = restOf(said, { from, to });
  if (record.kind === 'show' && typeof record.id === 'number') {
    if (numbers !== null) gathering.numbered(record.id, numbers.season, numbers.episode);
    if (kind === 'episode') gathering.episodesOf(record.id);
    const wantsSeasons = kind === 'season' || said.some(({ term }) => term === 'seasons');
    if (wantsSeasons) gathering.numbered(record.id, null, null);
  }
  if (rest.length > 0) gathering.belongingTo([record], rest);
  if (wantsSets) gathering.setsOf(record);
  else if (rest.length === 0) return;
  if (record.kind !== 'creator') return;
  for (const other of works) {
    if (other.record.kind !== 'creator') gathering.belongingTo([record, other.record], []);
  }
}

/** The telling words that are not the work's name. */
function restOf(said: readonly SpokenPart[], { from, to }: Pick<Anchor, 'from' | 'to'>): Groups {
  return said.filter(({ weight }, at) => weight === 1 && (at < from || at >= to)).map(({ term }) => [term]);
}

/** One anchor for each record, where it has most of the words. */
function distinct(anchors: readonly Anchor[]): Anchor[] {
  const found = new Map<number, Anchor>();
  for (const anchor of anchors) if (!found.has(anchor.record.row)) found.set(anchor.record.row, anchor);
  return [...found.values()];
}
