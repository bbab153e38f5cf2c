import type { Span } from './words.ts';

/** What a name says about seasons and episodes, before anybody asks the catalogue. */
export interface Numbers extends Span {
  /** Null where it names none; 0 for specials. */
  readonly season: number | null;
  /** Empty where it names none. More than one: a picture for several at once. */
  readonly episodes: readonly number[];
  /** SP03, which not everybody means for a special; a letter after the number: S01E04a. */
  readonly doubtful: boolean;
}

const before = String.raw`(?<![\p{L}\p{N}'])`;
const after = String.raw`(?![\p{L}\p{N}])`;
const gap = String.raw`[\s._-]*`;
const seasonWord =
  'seasons?|series|serie|staffel|saison|temporada|stagione|seizoen|saeson|sasong|sesong|sezon|kausi|evad|sezona|sezonul|seria|musim|mua|сезон|σεζον|κυκλος|シーズン|시즌|עונה|الموسم';
const episodeWord =
  'episodes?|eps?|folge|episodios?|capitulo|cap|puntata|avsnitt|afsnit|aflevering|odcinek|bolum|dil|jakso|resz|odc|epizoda?|epizod|episodul|diel|tap|capitol|серия|серія|эпизод|выпуск|епизод|επεισοδιο|エピソード|에피소드|פרק|الحلقة';
/** Those that stand before a number and name no work: a show may be called "Episodes". */
const counters =
  /^(?:ep|episode|folge|staffel|episodio|capitulo|cap|puntata|avsnitt|afsnit|aflevering|odcinek|bolum|jakso|resz|odc|epizoda?|diel|capitol|серия|серія|эпизод|выпуск|епизод|επεισοδιο|エピソード|에피소드|פרק|الحلقة)$/u;
/** More episodes of the same picture: -E02, E02, x02, -02, +2, & E02, and 3. */
const further = String.raw`(?:\s?[-+&,~]\s?|[._]|\s(?:and|to)\s|\s)?(?:ep?[\s._]?|x)\d{1,4}|-\d{1,4}|\s?(?:[+&~]|and\s|to\s)\s?\d{1,4}`;
/** Which of several pictures it is: S01E02v2. */
const version = String.raw`(?:v\d{1,2})?`;
/** 1x01-02, 1x01x02, 1x01-x03, 1x02 - x04, 1x01_02; but "2x09_4 Days Out" is one episode. */
const furtherCrossed = String.raw`[-+&x]\d{1,4}(?!x)|(?:\s?[-+&,~]\s?|[\s._])?x\d{1,4}|_\d{2}(?![\dx])`;

const codes = [
  // S01E02, s1e2, S01 E02, S01.E02, S01-E02, S01xE02, S1x02, S01EP02, S01E01-E02, S01E04a
  new RegExp(
    `${before}s[\\s._]?(\\d{1,4})${gap}(?:x?e(?:p(?:isode)?)?${gap}|x)(\\d{1,4})((?:${further})*)([a-c]?)${version}${after}`,
    'gu',
  ),
  // 1x02, 01x02, 1x01-02, 1x01-x03
  new RegExp(`${before}(\\d{1,4})x(\\d{1,4})((?:${furtherCrossed})*)([a-c]?)${version}${after}`, 'gu'),
  // Season 1 Episode 2, Series 1 - Ep. 2, Season 4 E02
  new RegExp(
    `${before}(?:${seasonWord})${gap}(\\d{1,4})[\\s._,:;()-]*(?:${episodeWord}|e)[\\s._#-]*(\\d{1,4})((?:${further})*)([a-c]?)${version}${after}`,
    'gu',
  ),
  /第\s?(\d{1,4})\s?[季期部]\s*第\s?(\d{1,4})\s?[集話话回]()()/gu,
  // T01E02, T1 C2, T1 Cap. 2
  new RegExp(`${before}t(\\d{1,2})${gap}(?:e|c|ep|cap)[\\s._]*(\\d{1,4})()()${after}`, 'gu'),
  // 1 сезон 2 серия, 2. Staffel 3. Folge, 1a temporada 2o episodio
  new RegExp(
    `${before}(\\d{1,2})(?:st|nd|rd|th|re|er|eme|a|o|е|и|я|-я|-и|\\.)?[\\s._]*(?:${seasonWord})[\\s._,-]*(\\d{1,4})(?:st|nd|rd|th|e|er|eme|a|o|-я|я|\\.)?[\\s._]*(?:${episodeWord})()()${after}(?![\\s._#-]*\\d)`,
    'gu',
  ),
  /시즌\s?(\d{1,4})\s*(\d{1,4})\s?[화회]()()/gu,
  /シーズン\s?(\d{1,4})\s*第?\s?(\d{1,4})\s?[話回]()()/gu,
];
const seasons = [
  new RegExp(`${before}(?:${seasonWord})${gap}(\\d{1,4})((?:[-+&,]\\d{1,4})*)([a-c]?)${after}`, 'gu'),
  // Of several a range may be written with spaces; after one, "1 - 02" is an episode of it.
  new RegExp(`${before}seasons${gap}(\\d{1,4})((?:\\s?(?:[-+&,]|and|to)\\s?\\d{1,4})*)()${after}`, 'gu'),
  new RegExp(`${before}s(\\d{1,4})((?:[-+&]s\\d{1,4})*)([a-c]?)${after}`, 'gu'),
  // S 01, S.01, s_1
  new RegExp(`${before}s[\\s._](\\d{1,2})()()${after}(?![.:]\\d)`, 'gu'),
  new RegExp(
    `${before}(\\d{1,2})(?:st|nd|rd|th|re|eme|e|a|-?и|-?я|\\.)${gap}()()(?:${seasonWord})${after}`,
    'gu',
  ),
  new RegExp(`${before}(\\d{1,2})[\\s._]*()()сезон${after}(?![\\s._#-]*\\d)`, 'gu'),
  /第\s?(\d{1,4})\s?[季期部]()()/gu,
];
const specials = new RegExp(`${before}specials?${after}`, 'gu');
const episodes = [
  new RegExp(
    `${before}(?:(?:${episodeWord})[\\s._#-]*|e[.#]?)(\\d{1,4})((?:${further})*)([a-c]?)${version}${after}`,
    'gu',
  ),
  /第\s?(\d{1,4})\s?[集話话回]()()/gu,
  new RegExp(`${before}(\\d{1,4})\\s?[화회]()()${after}`, 'gu'),
];
const numberedSpecials = new RegExp(`${before}(specials?${gap}#?|sp${gap})(\\d{1,3})${after}`, 'gu');

/** Season and episode together, wherever they stand in `text` (what `plain` answered), in order. */
export function codesIn(text: string): Numbers[] {
  return inOrder(
    codes.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match) => {
        const [, season, first, more = '', letter] = match;
        return found(match, Number(season), span(Number(first), more), letter !== '');
      }),
    ),
  );
}

/** Seasons alone, one entry each; those of a range stand at the same place. */
export function seasonsIn(text: string): Numbers[] {
  const numbered = inOrder(
    seasons.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match) =>
        found(match, null, span(Number(match[1]), match[2] ?? ''), false),
      ),
    ),
  ).flatMap((one) => one.episodes.map((season) => ({ ...one, season, episodes: [] })));
  const unnumbered = [...text.matchAll(specials)].map((match) =>
    // One special is as likely meant as all of them.
    found(match, 0, [], match[0] === 'special'),
  );
  return [...numbered, ...unnumbered].sort((a, b) => a.start - b.start);
}

/** An episode that is called one, or a special that has a number; its season may stand elsewhere. */
export function episodesIn(text: string): Numbers[] {
  return inOrder([
    ...episodes.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match) =>
        found(match, null, span(Number(match[1]), match[2] ?? ''), match[3] !== ''),
      ),
    ),
    ...[...text.matchAll(numberedSpecials)].map((match) =>
      found(
        match,
        0,
        [Number(match[2])],
        match[1]?.startsWith('sp') === true && !match[1].startsWith('special'),
      ),
    ),
  ]);
}

/** Whether a word only says that a number follows: Folge 2x11. */
export function isCounter(word: string): boolean {
  return counters.test(word);
}

function found(
  match: RegExpExecArray,
  season: number | null,
  numbers: readonly number[],
  doubtful: boolean,
): Numbers {
  const start = match.index;
  return { season, episodes: numbers, doubtful, start, end: start + match[0].length };
}

/** 1 and 3 are 1, 2 and 3, as people write it; what goes downwards stays as it stands. */
function span(first: number, more: string): number[] {
  const others = [...more.matchAll(/\d{1,4}/g)].map(([digits]) => Number(digits));
  const last = others.at(-1) ?? first;
  if (others.length === 1 && last > first && last - first <= longestSpan) {
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  }
  return [...new Set([first, ...others])];
}

const longestSpan = 20;

/** By place; of two that overlap the one that begins earlier, or says more. */
function inOrder(numbers: readonly Numbers[]): Numbers[] {
  const sorted = [...numbers].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Numbers[] = [];
  for (const one of sorted) if ((kept.at(-1)?.end ?? -1) <= one.start) kept.push(one);
  return kept;
}

/** Days that a name may mean, `YYYY-MM-DD`: several where day and month could be either. */
export interface NamedDay extends Span {
  readonly days: readonly string[];
}

const months =
  'january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sept|sep october|oct november|nov december|dec'.split(
    ' ',
  );
const month = months.join('|');
const beforeDay = String.raw`(?<![\p{L}\p{N}])`;
const year = '((?:19|20)\\d{2})';

const patterns: readonly (readonly [RegExp, (parts: readonly string[]) => readonly string[]])[] = [
  // 2020-02-29, 2020.2.29, 2020_02_29, 2020 02 29, 2020 - 02 - 29
  [
    new RegExp(`${beforeDay}${year}(\\s?[-._]\\s?|\\s)(\\d{1,2})\\2(\\d{1,2})${after}`, 'gu'),
    ([y = '', , m = '', d = '']) => [dayOf(y, m, d)],
  ],
  [
    new RegExp(`${beforeDay}${year}(\\d{2})(\\d{2})${after}`, 'gu'),
    ([y = '', m = '', d = '']) => [dayOf(y, m, d)],
  ],
  // 31.12.2021 is written so where the day comes first.
  [
    new RegExp(`${beforeDay}(\\d{1,2})\\.(\\d{1,2})\\.${year}${after}`, 'gu'),
    ([d = '', m = '', y = '']) => [dayOf(y, m, d)],
  ],
  [
    new RegExp(`${beforeDay}(\\d{1,2})(\\s?[-_/]\\s?|\\s)(\\d{1,2})\\2${year}${after}`, 'gu'),
    ([one = '', , two = '', y = '']) => [dayOf(y, one, two), dayOf(y, two, one)],
  ],
  [
    new RegExp(`${beforeDay}(${month})[\\s._-]*(\\d{1,2})(?:st|nd|rd|th)?[\\s.,_-]+${year}${after}`, 'gu'),
    ([name = '', d = '', y = '']) => [dayOf(y, monthOf(name), d)],
  ],
  [
    new RegExp(
      `${beforeDay}(\\d{1,2})(?:st|nd|rd|th|\\.)?[\\s._-]*(${month})[\\s.,_-]+${year}${after}`,
      'gu',
    ),
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
