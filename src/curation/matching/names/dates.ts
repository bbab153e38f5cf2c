/** Days that a name may mean, `YYYY-MM-DD`: several where day and month could be either. */
export interface NamedDay {
  readonly days: readonly string[];
  readonly start: number;
  readonly end: number;
}

const months = [
  'january|jan',
  'february|feb',
  'march|mar',
  'april|apr',
  'may',
  'june|jun',
  'july|jul',
  'august|aug',
  'september|sept|sep',
  'october|oct',
  'november|nov',
  'december|dec',
];
const month = months.join('|');
const before = String.raw`(?<![\p{L}\p{N}])`;
const after = String.raw`(?![\p{L}\p{N}])`;
const year = '((?:19|20)\\d{2})';

const patterns: readonly (readonly [RegExp, (parts: readonly string[]) => readonly string[]])[] = [
  // 2020-02-29, 2020.2.29, 2020_02_29
  [
    new RegExp(`${before}${year}([-._ ])(\\d{1,2})\\2(\\d{1,2})${after}`, 'gu'),
    ([y = '', , m = '', d = '']) => [dayOf(y, m, d)],
  ],
  [
    new RegExp(`${before}${year}(\\d{2})(\\d{2})${after}`, 'gu'),
    ([y = '', m = '', d = '']) => [dayOf(y, m, d)],
  ],
  // 31.12.2021 is written so where the day comes first.
  [
    new RegExp(`${before}(\\d{1,2})\\.(\\d{1,2})\\.${year}${after}`, 'gu'),
    ([d = '', m = '', y = '']) => [dayOf(y, m, d)],
  ],
  [
    new RegExp(`${before}(\\d{1,2})([-_/ ])(\\d{1,2})\\2${year}${after}`, 'gu'),
    ([one = '', , two = '', y = '']) => [dayOf(y, one, two), dayOf(y, two, one)],
  ],
  [
    new RegExp(`${before}(${month})[\\s._-]*(\\d{1,2})(?:st|nd|rd|th)?[\\s.,_-]+${year}${after}`, 'gu'),
    ([name = '', d = '', y = '']) => [dayOf(y, monthOf(name), d)],
  ],
  [
    new RegExp(`${before}(\\d{1,2})(?:st|nd|rd|th|\\.)?[\\s._-]*(${month})[\\s.,_-]+${year}${after}`, 'gu'),
    ([d = '', name = '', y = '']) => [dayOf(y, monthOf(name), d)],
  ],
];

/** The days that `text` (what `plain` answered) names, in order. */
export function daysIn(text: string): NamedDay[] {
  return patterns
    .flatMap(([pattern, read]) =>
      [...text.matchAll(pattern)].map((match) => ({
        days: [...new Set(read(match.slice(1)))].filter(isDay),
        start: match.index,
        end: match.index + match[0].length,
      })),
    )
    .filter(({ days }) => days.length > 0)
    .sort((a, b) => a.start - b.start);
}

function dayOf(y: string, m: string, d: string): string {
  return `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
}

function monthOf(name: string): string {
  return String(months.findIndex((names) => names.split('|').includes(name)) + 1);
}

function isDay(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
