/** Numbers as people say them and as titles write them: in words and in Roman figures. */

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const romans = 'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx'.split(' ');

const spoken = new Map([
  ...units.map((word, at) => [word, at] as const),
  ...tens.map((word, at) => [word, 10 * (at + 2)] as const),
]);
const roman = new Map(romans.map((word, at) => [word, at + 1]));

/** What is a number by itself, and which: up to twenty in words, or a Roman figure. */
export const namesOfNumbers: ReadonlyMap<string, number> = new Map([
  ...[...spoken].filter(([, value]) => value <= 20),
  ...roman,
]);

/** What a Roman figure stands for, from i to xx; undefined for another word. Those of one letter are words too. */
export function romanValue(word: string): number | undefined {
  return roman.get(word);
}

/** A word that is a number's name, in figures; another one as it is. */
export function inFigures(word: string): string {
  return String(namesOfNumbers.get(word) ?? word);
}

/** The number below 100 that stands in words at words[at], and how many words it takes; null where there is none. */
export function numberAt(words: readonly string[], at: number) {
  const value = spoken.get(words[at] ?? '');
  if (value === undefined) return null;
  const unit = spoken.get(words[at + 1] ?? '') ?? 0;
  return value >= 20 && unit > 0 && unit < 10 ? { value: value + unit, length: 2 } : { value, length: 1 };
}
