/** Numbers as people say them and as titles write them: in words and in Roman figures. */

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

const values = new Map<string, number>([
  ...units.map((word, value) => [word, value] as const),
  ...tens.map((word, at) => [word, (at + 2) * 10] as const),
]);

/** Roman figures from i to xx. */
const romans: ReadonlyMap<string, number> = new Map(
  'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx'
    .split(' ')
    .map((word, at) => [word, at + 1] as const),
);

/** What a Roman figure stands for, from i to xx; undefined for another word. Those of one letter are words too. */
export function romanValue(word: string): number | undefined {
  return romans.get(word);
}

/** Names of numbers that stand for one behind a word such as "season": one word of the language, or a Roman figure. */
export const namesOfNumbers: ReadonlyMap<string, number> = new Map([
  ...[...values].filter(([, value]) => value > 0 && value <= 20),
  ...romans,
]);

/** Whether a word is a number's name, such as "seven" or "vii". */
export function isNumberName(word: string): boolean {
  return namesOfNumbers.has(word);
}

const scales: ReadonlyMap<string, number> = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
]);

/** A word that is a number's name, in figures; another one as it is. */
export function inFigures(word: string): string {
  return String(namesOfNumbers.get(word) ?? scales.get(word) ?? word);
}

/** A number in words, in figures, and how many words it takes; null and 0 where there is none. */
interface Spoken {
  readonly value: string | null;
  readonly length: number;
}

const none: Spoken = { value: null, length: 0 };

/** A number in words: forty nine, two thousand one, three hundred; and a year as it is said: twenty forty nine. */
export function numberAt(words: readonly string[], at: number): Spoken {
  const first = below100(words, at);
  if (first === null) return none;
  const scale = scales.get(words[at + first.length] ?? '');
  if (scale !== undefined) {
    const rest = below100(words, at + first.length + 1);
    const value = first.value * scale + (rest?.value ?? 0);
    return { value: String(value), length: first.length + 1 + (rest?.length ?? 0) };
  }
  const second = below100(words, at + first.length);
  if (first.value >= 10 && second !== null && second.value >= 10) {
    return { value: `${first.value}${second.value}`, length: first.length + second.length };
  }
  return { value: String(first.value), length: first.length };
}

function below100(words: readonly string[], at: number): { value: number; length: number } | null {
  const value = values.get(words[at] ?? '');
  if (value === undefined) return null;
  const unit = values.get(words[at + 1] ?? '') ?? 0;
  return value >= 20 && unit > 0 && unit < 10 ? { value: value + unit, length: 2 } : { value, length: 1 };
}
