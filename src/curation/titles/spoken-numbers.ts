/** Numbers as people say them, and as names write them, become digits: both sides are compared so. */

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

const values = new Map<string, number>([
  ...units.map((word, value) => [word, value] as const),
  ...tens.map((word, at) => [word, (at + 2) * 10] as const),
]);

const romans = new Map(
  'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx'
    .split(' ')
    .map((word, at) => [word, String(at + 1)] as const),
);

/**
 * A text with the numbers among its words as digits. Only those in words, in a text: season twenty one is season
 * 21.
 */
export function withDigits(text: string): string {
  const words = text.split(' ');
  const found: string[] = [];
  for (let at = 0; at < words.length; ) {
    const { value, length } = numberAt(words, at);
    found.push(value ?? words[at] ?? '');
    at += Math.max(1, length);
  }
  return found.join(' ');
}

const decades = new Map(
  'twenties thirties forties fifties sixties seventies eighties nineties'
    .split(' ')
    .map((word, at) => [word, String(1920 + at * 10)] as const),
);

/** Terms with the numbers among them as digits, whether in words or in Roman digits. */
export function withNumbers(terms: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = 0; at < terms.length; ) {
    const { value, length } = numberAt(terms, at);
    if (value !== null) {
      found.push(value);
      at += length;
      continue;
    }
    const term = terms[at] ?? '';
    const decade =
      decades.get(term) ?? (terms[at + 1] === 's' && /^[2-9]0$/.test(term) ? `19${term}` : undefined);
    if (decade !== undefined) {
      found.push(decade, 's');
      at += terms[at + 1] === 's' ? 2 : 1;
      continue;
    }
    const roman = romans.get(term);
    // One letter alone is a number only behind something that it can number.
    found.push(roman !== undefined && (term.length > 1 || at > 0) ? roman : withoutZeros(term));
    at += 1;
  }
  return found;
}

function withoutZeros(term: string): string {
  return /^0\d+$/.test(term) ? String(Number(term)) : term;
}

interface Spoken {
  readonly value: string | null;
  /** How many words it takes. */
  readonly length: number;
}

const none: Spoken = { value: null, length: 0 };

/** A number in words: forty nine, two thousand one, three hundred; and a year as it is said: twenty forty nine. */
function numberAt(terms: readonly string[], at: number): Spoken {
  const first = below100(terms, at);
  if (first === null) return none;
  const scale = { hundred: 100, thousand: 1_000 }[terms[at + first.length] ?? ''];
  if (scale !== undefined) {
    const rest = below100(terms, at + first.length + 1);
    const value = first.value * scale + (rest?.value ?? 0);
    return { value: String(value), length: first.length + 1 + (rest?.length ?? 0) };
  }
  const second = below100(terms, at + first.length);
  if (first.value >= 10 && second !== null && second.value >= 10) {
    return { value: `${first.value}${second.value}`, length: first.length + second.length };
  }
  return { value: String(first.value), length: first.length };
}

function below100(terms: readonly string[], at: number): { value: number; length: number } | null {
  const value = values.get(terms[at] ?? '');
  if (value === undefined) return null;
  const unit = values.get(terms[at + 1] ?? '') ?? 0;
  return value >= 20 && unit > 0 && unit < 10 ? { value: value + unit, length: 2 } : { value, length: 1 };
}
