import { isSetKind, isWorkKind, kinds } from '../../model/kinds.ts';
import { likeness } from '../../model/names/likeness.ts';
import { Candidates, type Group, type Rows } from './candidates.ts';
import { type Asked, askedIn } from './query.ts';
import { type Score, scoreOf } from './score.ts';
import { type Entry, ofCreator, ofKind, ofTarget, textOf, trigramsOf } from './table.ts';
import { asInitials, canBeInitials } from './terms.ts';
import type { Findings, Hit, TitleQuestion } from './titles.ts';

/** How many of those that have all words are looked at, of those that lack one, and of all Sets of one thing. */
const mostWithAll = 60;
const mostLackingOne = 20;
const mostListed = 5_000;
/** How many works are looked into for what else the question names. */
const mostLookedInto = 6;
/** So good an answer needs no further search. */
const goodEnough = 0.9;
/** Below it a title has nothing to do with the question. */
const leastLike = 0.25;
const mostWords = 12;
const mostGroups = 8;

type Scored = Entry & Score;
type Kind = TitleQuestion['kind'];

/** Words first, then, where they find nothing good, other words of names that are spelt like them. */
export async function searchTitles(rows: Rows, question: TitleQuestion): Promise<Findings> {
  const { query = '', kind, createdBy, target, offset, limit } = question;
  const read = askedIn(query.slice(0, 300));
  const asked = { ...read, words: read.words.slice(0, mostWords) };
  const within = [
    ...(createdBy === undefined ? [] : [ofCreator(createdBy)]),
    ...(target === undefined ? [] : [ofTarget(target)]),
  ].map((term) => [term]);
  const found = new Candidates(rows);
  let scored: Scored[];
  if (asked.words.length === 0) {
    await found.match('parts', [...within, [ofKind(kind ?? 'set')]], mostListed);
    await found.learnNames();
    const all = [...found.entries.values()].sort(byUpdate);
    scored = all.map((entry) => ({ ...entry, likeness: 1, isWhole: true, explained: new Set() }));
  } else {
    if (target?.kind === 'show') await found.numbered(Number(target.id), asked.season, asked.episode);
    const unknown = await unknownWords(rows, asked);
    const slips = unknown.length === 0 ? null : await spellings(rows, asked, unknown);
    scored = await hunt(found, asked, within, kind, slips);
    if (scored[0]?.isWhole !== true)
      scored = await hunt(found, asked, within, kind, await spellings(rows, asked, tellingWords(asked)));
  }
  const hits = scored.slice(offset, offset + limit).map((entry) => hitOf(entry, found));
  return { hits, total: scored.length };
}

/**
 * What is like the question, best first. A search goes only as far as it has to: all words, what works have beside their
 * own names, then all words but one.
 * @param spelt for each word others that are spelt like it; null: only as they are
 */
async function hunt(
  found: Candidates,
  asked: Asked,
  within: readonly Group[],
  kind: Kind,
  spelt: Spellings | null,
): Promise<Scored[]> {
  const { words } = asked;
  const isInside = within.length > 0;
  const tables = isInside ? (['parts'] as const) : (['works', 'parts'] as const);
  const groups = tellingWords(asked).map((at) => groupOf(asked, at, spelt));
  const known = new Map<number, Score>();
  const score = async (): Promise<Scored[]> => {
    await found.learnNames();
    const all = [...found.entries.values()].map((entry) => {
      const its = known.get(entry.row) ?? scoreOf(asked, found.compared(entry), spelt !== null);
      known.set(entry.row, its);
      return { ...entry, ...its };
    });
    return all.sort(byLikeness);
  };
  const answers = async (): Promise<Scored[]> =>
    (await score()).filter((entry) => entry.likeness >= leastLike && isOfKind(entry, kind));
  const isGood = (best: readonly Scored[]) => (best[0]?.likeness ?? 0) >= goodEnough;

  if (!isInside) await found.keyed(words.map(({ text }) => text));
  const lacking: (typeof tables)[number][] = [];
  for (const table of tables) {
    const all = await found.match(table, [...within, ...groups], mostWithAll);
    if (kind !== undefined && kind !== 'season')
      await found.match(table, [...within, [ofKind(kind)], ...groups], mostWithAll);
    if (all.length === 0 && groups.length > 1) lacking.push(table);
  }
  let best = await answers();
  if (isGood(best) && !asked.wantsSets) return best;
  for (const isLast of [false, true]) {
    if (!isInside) {
      const works = (await score()).filter(isStep);
      for (const work of works.slice(0, mostLookedInto)) await lookInto(found, asked, work, works, spelt);
    }
    best = await answers();
    if (best[0]?.isWhole === true || isLast || lacking.length === 0) return best;
    for (const table of lacking) {
      let some = 0;
      for (const left of groups) {
        const rest = groups.filter((group) => group !== left);
        some += (await found.match(table, [...within, ...rest], mostLackingOne)).length;
      }
      if (some > 0 || groups.length === 2) continue;
      for (const group of groups) await found.match(table, [...within, group], mostLackingOne);
    }
  }
  return best;
}

/** Whether what a question names may be in it, or by it. */
function isStep({ kind, explained }: Scored): boolean {
  return explained.size > 0 && (isWorkKind(kind) || kind === 'creator');
}

/** What a question names beside a work, among that work's own; and its Sets, where they are asked for. */
async function lookInto(
  found: Candidates,
  asked: Asked,
  work: Scored,
  works: readonly Scored[],
  spelt: Spellings | null,
): Promise<void> {
  if (work.kind === 'show') await found.numbered(Number(work.id), asked.season, asked.episode);
  const its = [work.kind === 'creator' ? ofCreator(String(work.id)) : ofTarget(work)];
  const left = tellingWords(asked)
    .filter((at) => !work.explained.has(at))
    .map((at) => groupOf(asked, at, spelt));
  if (left.length > 0) {
    const all = await found.match('parts', [its, ...left], mostLackingOne);
    if (all.length === 0) await found.match('parts', [its, left.flat()], mostLackingOne);
  }
  if (!asked.wantsSets) return;
  for (const { id } of works.filter(({ kind }) => kind === 'creator').slice(0, 2))
    await found.match('parts', [its, [ofCreator(String(id))]], mostLackingOne);
  await found.match('parts', [its, [ofKind('set')]], mostLackingOne);
}

/** Words that tell a title, by their index: those that mean something else only where there are no others. */
function tellingWords({ words }: Asked): number[] {
  const all = words.map((_, at) => at);
  const heavy = all.filter((at) => words[at]?.weight === 1);
  const plain = heavy.filter((at) => words[at]?.means === null);
  return [plain, heavy, all].find(({ length }) => length > 0)?.slice(0, mostGroups) ?? [];
}

/** What may stand in a name for a word: itself, joined with its neighbours, as initials, and what is spelt like it. */
function groupOf({ words }: Asked, at: number, spelt: Spellings | null): Group {
  const word = words[at]?.text ?? '';
  const [before, next] = [words[at - 1]?.text, words[at + 1]?.text];
  return [
    word,
    ...(before === undefined ? [] : [before + word]),
    ...(next === undefined ? [] : [word + next]),
    ...(canBeInitials(word) ? [asInitials(word)] : []),
    ...(spelt?.get(at) ?? []),
  ];
}

/** What may be a slip: figures and signs are what they are. */
const misspelt = /^[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]{4,24}$/u;

type Spellings = ReadonlyMap<number, readonly string[]>;

/** How many words that share trigrams with one are compared, and how many of those are looked for. */
const mostShared = 300;
const mostSpellings = 5;
const leastSpelt = 0.6;

/** Those that no name has, by their index. */
async function unknownWords(rows: Rows, asked: Asked): Promise<number[]> {
  const words = tellingWords(asked).filter((at) => misspelt.test(asked.words[at]?.text ?? ''));
  const texts = words.map((at) => asked.words[at]?.text ?? '');
  const known = await rows(`SELECT text FROM word WHERE text IN (${texts.map(() => '?').join()})`, ...texts);
  const names = new Set(known.map((row) => textOf(row.text)));
  return words.filter((at) => !names.has(asked.words[at]?.text ?? ''));
}

/** For each word of a question those of names that are spelt like it. */
async function spellings(rows: Rows, asked: Asked, places: readonly number[]): Promise<Spellings> {
  const found = new Map<number, readonly string[]>();
  for (const at of places) {
    const text = asked.words[at]?.text ?? '';
    if (!misspelt.test(text)) continue;
    const shared = await rows(
      `SELECT text FROM word WHERE id IN (SELECT rowid FROM slips WHERE slips MATCH ? LIMIT ${mostShared})`,
      slipsOf(text),
    );
    const like = shared
      .map((row) => textOf(row.text) ?? '')
      .map((word) => ({ word, value: word === text ? 0 : likeness(text, word) }))
      .filter(({ value }) => value >= leastSpelt)
      .sort((one, other) => other.value - one.value);
    found.set(
      at,
      like.slice(0, mostSpellings).map(({ word }) => word),
    );
  }
  return found;
}

/** One slip leaves two neighbouring trigrams of a word as they are, or both its ends; of a short one a single trigram. */
function slipsOf(word: string): string {
  const trigrams = trigramsOf(word).map((trigram) => `"${trigram}"`);
  if (word.length <= 5) return trigrams.join(' OR ');
  const pairs = trigrams.slice(1).map((trigram, at) => `(${trigrams[at]} AND ${trigram})`);
  return [...pairs, `(${trigrams[0]} AND ${trigrams.at(-1)})`].join(' OR ');
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

function isOfKind(entry: Entry, kind: Kind): boolean {
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
