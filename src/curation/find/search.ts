import { isSetKind, kinds } from '../../model/kinds.ts';
import { likeness } from '../../model/names/likeness.ts';
import { type Candidates, createCandidates, type Group, type Rows } from './candidates.ts';
import { type Asked, askedIn } from './question.ts';
import { type Score, scoreOf } from './score.ts';
import {
  asAbbreviation,
  asWhole,
  type Entry,
  misspelt,
  ofCreator,
  ofKind,
  ofTarget,
  slipsOf,
  type TermTable,
  textOf,
} from './table.ts';
import { canBeInitials } from './terms.ts';
import type { Findings, Hit, TitleQuestion } from './titles.ts';

/** How many of those that have all words are looked at, of those that lack one, and of all Sets of one thing. */
const mostWithAll = 40;
const mostLackingOne = 12;
const mostListed = 5_000;
/** How many titles are looked into for what else the question names. */
const mostLookedInto = 4;
/** Below it a title has nothing to do with the question. */
const leastLike = 0.25;
const longestQuery = 300;
const mostGroups = 4;

type Scored = Entry & Score;

interface Hunt {
  readonly found: Candidates;
  readonly asked: Asked;
  /** Whose, and of what, everything has to be. */
  readonly within: readonly Group[];
  readonly kind: TitleQuestion['kind'];
  /** For each word others that are spelt like it; null: only as they are. */
  readonly spelt: Spellings | null;
}

/** Words first, then, where they find nothing that explains all of the question, other words that are spelt like them. */
export async function searchTitles(rows: Rows, question: TitleQuestion): Promise<Findings> {
  const { query = '', kind, createdBy, target, offset, limit } = question;
  const asked = askedIn(query.slice(0, longestQuery));
  const within = [
    ...(createdBy === undefined ? [] : [[ofCreator(createdBy)]]),
    ...(target === undefined ? [] : [[ofTarget(target)]]),
  ];
  const found = createCandidates(rows);
  let scored: readonly Scored[];
  if (asked.words.length === 0) {
    await found.match('parts', [...within, [ofKind(kind ?? 'set')]], mostListed);
    await found.learnNames();
    const score = { likeness: 1, isWhole: true, explained: new Set<number>() };
    scored = [...found.entries.values()].sort(byUpdate).map((entry) => ({ ...entry, ...score }));
  } else {
    if (target?.kind === 'show') await found.numbered(Number(target.id), asked);
    scored = await hunt({ found, asked, within, kind, spelt: null });
    if (scored[0]?.isWhole !== true)
      scored = await hunt({ found, asked, within, kind, spelt: await spellings(rows, asked) });
  }
  const hits = scored.slice(offset, offset + limit).map((entry) => hitOf(entry, found));
  return { hits, total: scored.length };
}

/**
 * What is like the question, best first. A search goes only as far as it has to: all words, what titles have beside their
 * own names, then all words but one.
 */
async function hunt({ found, asked, within, kind, spelt }: Hunt): Promise<readonly Scored[]> {
  const isInside = within.length > 0;
  const groups = tellingWords(asked).map((at) => groupOf(asked, at, spelt));
  const scores = new Map<number, Score>();
  const scored = async (): Promise<Scored[]> => {
    await found.learnNames();
    const all = [...found.entries.values()].map((entry) => {
      const score = scores.get(entry.row) ?? scoreOf(asked, found.compared(entry), spelt !== null);
      scores.set(entry.row, score);
      return { ...entry, ...score };
    });
    return all.sort(byLikeness);
  };
  const answers = async () =>
    (await scored()).filter((entry) => entry.likeness >= leastLike && isOfKind(entry, kind));

  if (!isInside && spelt === null) await found.match('works', [wholeNames(asked)], mostWithAll);
  const lacking: TermTable[] = [];
  for (const table of isInside ? (['parts'] as const) : (['works', 'parts'] as const)) {
    const all = await found.match(table, [...within, ...groups], mostWithAll);
    if (kind !== undefined) await found.match(table, [...within, [ofKind(kind)], ...groups], mostWithAll);
    if (all === 0 && groups.length > 1) lacking.push(table);
  }
  let best = await answers();
  if (!isInside && best[0]?.isWhole !== true) {
    const named = (await scored()).filter(({ explained }) => explained.size > 0);
    for (const one of named.slice(0, mostLookedInto)) await lookInto(found, asked, one, spelt);
    best = await answers();
  }
  if (best[0]?.isWhole === true) return best;
  for (const table of lacking)
    for (const left of groups) {
      const rest = groups.filter((group) => group !== left);
      await found.match(table, [...within, ...rest], mostLackingOne);
    }
  return answers();
}

/** What a question names beside a title, among what belongs to it; and its Sets, where they are asked for. */
async function lookInto(found: Candidates, asked: Asked, title: Scored, spelt: Hunt['spelt']): Promise<void> {
  if (title.kind === 'show') await found.numbered(Number(title.id), asked);
  const its = [title.kind === 'creator' ? ofCreator(String(title.id)) : ofTarget(title)];
  const left = tellingWords(asked).filter((at) => !title.explained.has(at));
  const groups = left.map((at) => groupOf(asked, at, spelt));
  if (groups.length > 0 && (await found.match('parts', [its, ...groups], mostLackingOne)) === 0)
    await found.match('parts', [its, groups.flat()], mostLackingOne);
  if (asked.wantsSets) await found.match('parts', [its, [ofKind('set')]], mostLackingOne);
}

/** Words that tell a title, by their index: those that mean something else only where there are no others. */
function tellingWords({ words }: Asked): number[] {
  const all = words.map((_, at) => at);
  const named = all.filter((at) => words[at]?.weight === 1 && words[at]?.means === null);
  return (named.length > 0 ? named : all).slice(0, mostGroups);
}

/** Some of the words, which follow each other, may be all of a name. */
function wholeNames({ words }: Asked): Group {
  const texts = words.map(({ text }) => text);
  return texts.flatMap((_, from) =>
    texts.slice(from).map((__, length) => asWhole(texts.slice(from, from + length + 1))),
  );
}

function textAt({ words }: Asked, at: number): string {
  return words[at]?.text ?? '';
}

/** The forms in which a name may have a word: as it is, joined with a neighbour, as initials, or spelt a little otherwise. */
function groupOf(asked: Asked, at: number, spelt: Spellings | null): Group {
  const word = textAt(asked, at);
  const short = canBeInitials(word) ? [asAbbreviation(word)] : [];
  const joined = [textAt(asked, at - 1) + word, word + textAt(asked, at + 1)];
  return [...new Set([word, ...joined, ...short, ...(spelt?.get(at) ?? [])])];
}

/** Of a word of the question, by its index, those of names that are spelt like it. */
type Spellings = ReadonlyMap<number, readonly string[]>;

/** How many words that share a gram with one are read, and compared, and how many are looked for. */
const mostSharing = 40;
const mostSpellings = 5;
const leastSpelt = 0.6;

async function spellings(rows: Rows, asked: Asked): Promise<Spellings> {
  const found = new Map<number, readonly string[]>();
  for (const at of tellingWords(asked)) {
    const word = textAt(asked, at);
    if (!misspelt.test(word)) continue;
    const grams = slipsOf(word);
    // Of a common gram some words are enough: a word that is like this one shares a rarer one too.
    const sharing = grams.map(
      () => `SELECT * FROM (SELECT rowid AS of FROM slips WHERE slips MATCH ? LIMIT ${mostSharing})`,
    );
    const shared = await rows(
      `SELECT text FROM (${sharing.join(' UNION ALL ')}) JOIN word ON word.id = of WHERE text != ?
       GROUP BY of ORDER BY count(*) DESC LIMIT ${mostSharing}`,
      ...[...grams.map((gram) => `"${gram}"`), word],
    );
    const like = shared
      .map((row) => textOf(row.text) ?? '')
      .filter((other) => likeness(word, other) >= leastSpelt)
      .sort((one, other) => likeness(word, other) - likeness(word, one));
    found.set(at, like.slice(0, mostSpellings));
  }
  return found;
}

function hitOf(entry: Scored, found: Candidates): Hit {
  const { kind, id, name, year, show, season, episode, creator, updated } = entry;
  const [target] = entry.targets;
  return {
    ...{ kind, id, name, year, season, episode, creator, updated },
    show: show === null ? null : { id: show, name: found.nameOf({ kind: 'show', id: show }) },
    target: target === undefined ? null : { ...target, name: found.nameOf(target) },
    likeness: Math.min(1, entry.likeness),
  };
}

function isOfKind(entry: Entry, kind: TitleQuestion['kind']): boolean {
  return kind === undefined || entry.kind === kind || (kind === 'set' && isSetKind(entry.kind));
}

/** Where two are as much alike, what people ask for more often comes first, then the shorter name, then the newer. */
function byLikeness(one: Scored, other: Scored): number {
  const value = ({ likeness: like, kind }: Scored) =>
    like + (isSetKind(kind) || kind === 'creator' ? 0.01 : kinds[kind].asked);
  const length = ({ name }: Entry) => name?.length ?? 0;
  return value(other) - value(one) || length(one) - length(other) || byUpdate(one, other);
}

function byUpdate(one: Entry, other: Entry): number {
  return (other.updated ?? '').localeCompare(one.updated ?? '') || one.row - other.row;
}
