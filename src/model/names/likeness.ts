// How alike two names are. One measure for all that compare: a word of a title that a person types, a whole title as a
// file has it, a word of a schema that a model got wrong. Both sides are folded before (`folded`).

const shortest = 4;
const allDigits = /^\d+$/;

/**
 * From 1 for the same word, or the same title without its blanks, to 0 for another one.
 * @param oneIn of so many letters one may be wrong
 */
export function likeness(one: string, other: string, oneIn = 4): number {
  if (one === other) return 1;
  const length = Math.max(one.length, other.length);
  // 24 and 42 are two numbers, not one with a slip.
  if (length < shortest || allDigits.test(one) || allDigits.test(other)) return 0;
  const most = Math.floor((length + 1) / oneIn);
  const wrong = editsBetween(one, other, most);
  return wrong > most ? 0 : 1 - (1.15 * wrong) / length;
}

/**
 * Letters to insert, leave out, change or swap with their neighbour (optimal string alignment).
 * @returns `most + 1` where they are more than `most`
 */
export function editsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 0; i < one.length; i += 1) {
    const next = [i + 1];
    let least = i + 1;
    for (let j = 0; j < other.length; j += 1) {
      const changed = (row[j] ?? 0) + (one[i] === other[j] ? 0 : 1);
      const isSwapped = i > 0 && j > 0 && one[i] === other[j - 1] && one[i - 1] === other[j];
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : changed;
      const edits = Math.min(changed, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1);
      next.push(edits);
      least = Math.min(least, edits);
    }
    // What follows takes no edit back.
    if (least > most) return most + 1;
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
