// How alike two names are. One measure for all that compare: a word of a title that a person types, a whole title as a
// file has it, a word of a schema that a model got wrong. Both sides are folded before (`folded`).

const shortest = 4;
const allDigits = /^\d+$/;

/** Letters that may be wrong among so many. */
function mostWrongLetters(length: number): number {
  if (length < shortest) return 0;
  if (length < 7) return 1;
  return length < 11 ? 2 : Math.max(3, Math.floor(length / 5));
}

/** From 1 for the same word, or the same title without its blanks, to 0 for another one. */
export function likeness(one: string, other: string): number {
  if (one === other) return 1;
  if (allDigits.test(one) || allDigits.test(other)) return 0;
  if (isPlural(one, other) || isPlural(other, one)) return 0.95;
  const length = Math.max(one.length, other.length);
  if (Math.min(one.length, other.length) < 3) return 0;
  const most = mostWrongLetters(length);
  if (most === 0) return 0;
  const wrong = editsBetween(one, other, most);
  return wrong > most ? 0 : Math.max(0, 1 - (1.15 * wrong) / length);
}

const shortestTitle = 5;

/** How alike two whole titles are, as `likeness` says; 0 where more than a fifth of the letters differs. */
export function titleLikeness(one: string, other: string): number {
  if (one === other) return one === '' ? 0 : 1;
  const length = Math.max(one.length, other.length);
  if (Math.min(one.length, other.length) < shortestTitle) return 0;
  const most = Math.floor(length / 5);
  return editsBetween(one, other, most) > most ? 0 : likeness(one, other);
}

function isPlural(one: string, other: string): boolean {
  return other.length === one.length + 1 && other.endsWith('s') && other.startsWith(one);
}

/** What tells two texts apart quickly: their lengths, and a bit for each letter. Two letters may share one. */
interface Letters {
  readonly length: number;
  readonly bits: number;
}

export function lettersOf(text: string): Letters {
  let bits = 0;
  for (let at = 0; at < text.length; at += 1) bits |= 1 << (text.charCodeAt(at) & 31);
  return { length: text.length, bits };
}

/** Whether two titles may be alike at all, as `titleLikeness` says. */
export function mayBeAlike(one: Letters, other: Letters): boolean {
  return mayDifferBy(Math.floor(Math.max(one.length, other.length) / 5), one, other);
}

/** Each edit makes at most two letters appear on one side alone. */
function mayDifferBy(most: number, one: Letters, other: Letters): boolean {
  return Math.abs(one.length - other.length) <= most && bitsIn(one.bits ^ other.bits) <= 2 * most;
}

function bitsIn(letters: number): number {
  let bits = 0;
  for (let rest = letters; rest !== 0; rest &= rest - 1) bits += 1;
  return bits;
}

/**
 * Letters to insert, leave out, change or swap with their neighbour (optimal string alignment).
 * @returns `most + 1` where they are more than `most`
 */
export function editsBetween(one: string, other: string, most: number): number {
  const [length, width] = [one.length, other.length];
  if (!mayDifferBy(most, lettersOf(one), lettersOf(other))) return most + 1;
  const rowOf = () => new Uint16Array(width + 1).fill(most + 1);
  let [before, row, next] = [rowOf(), rowOf(), rowOf()];
  for (let j = 0; j <= Math.min(width, most); j += 1) row[j] = j;
  for (let i = 1; i <= length; i += 1) {
    // Farther from the diagonal than `most` no way is short enough.
    const [from, to] = [Math.max(1, i - most), Math.min(width, i + most)];
    next[from - 1] = from === 1 ? i : most + 1;
    let least = next[from - 1] ?? 0;
    for (let j = from; j <= to; j += 1) {
      const same = one.charCodeAt(i - 1) === other.charCodeAt(j - 1);
      let cost = Math.min((row[j - 1] ?? 0) + (same ? 0 : 1), (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      next[j] = cost;
      least = Math.min(least, cost);
    }
    if (to < width) next[to + 1] = most + 1;
    if (least > most) return most + 1;
    [before, row, next] = [row, next, before];
  }
  return Math.min(row[width] ?? 0, most + 1);
}
