import type { Span } from './words.ts';

/** What a name says about seasons and episodes, before anybody asks the catalogue. */
export interface Numbers extends Span {
  /** Null where it names none; 0 for specials. */
  readonly season: number | null;
  /** Empty where it names none. More than one: a picture for several at once. */
  readonly episodes: readonly number[];
  /** It may be another number all the same: SP03, S01E04a, S01E06.5. */
  readonly doubtful: boolean;
}

const before = String.raw`(?<![\p{L}\p{N}'])`;
const after = String.raw`(?![\p{L}\p{N}])`;
const gap = String.raw`[\s._-]*`;
/** What people call a season, as `plain` writes it: a new spelling goes here. */
export const seasonWord =
  'seasons?|series|serie|staffel|saison|temporada|stagione|seizoen|saeson|sasong|sesong|sezon|kausi|evad|sezona|sezonul|seria|musim|mua|сезон|σεζον|κυκλος|シーズン|시즌|עונה|الموسم';
/** Those that stand before a number and name no work. */
const counter =
  'ep|folge|episodio|capitulo|cap|puntata|avsnitt|afsnit|aflevering|odcinek|bolum|jakso|resz|odc|epizoda?|diel|capitol|серия|серія|эпизод|выпуск|епизод|επεισοδιο|エピソード|에피소드|פרק|الحلقة';
export const episodeWord = `episodes?|episodios|eps|dil|epizod|episodul|tap|${counter}`;
const counters = new RegExp(`^(?:episode|${counter})$`, 'u');
/** More episodes of the same picture: -E02, E02, x02, -02, +2, & E02, and 3. */
const further = String.raw`(?:(?:\s?[-+&,~]\s?|[._]|\s(?:and|to)\s|\s)?(?:ep?[\s._]?|x)\d{1,4}|-\d{1,4}|\s?(?:[+&~]|and\s|to\s)\s?\d{1,4})*`;
/** 1x01-02, 1x01x02, 1x01-x03, 1x02 - x04, 1x01_02; but "2x09_4 Days Out" is one episode. */
const crossed = String.raw`(?:[-+&x]\d{1,4}(?!x)|(?:\s?[-+&,~]\s?|[\s._])?x\d{1,4}|_\d{2}(?![\dx]))*`;
/** Behind an episode's number: a half, the letter of a part, which of several pictures it is. */
const tail = String.raw`(?<half>[.,]\d(?![\p{L}\p{N}]|[.,]\d))?(?<letter>[a-c])?(?:v\d{1,2})?`;
const ordinal = String.raw`(?:st|nd|rd|th|re|er|eme|e|a|o|-?[еия]|\.)?`;
const inSeason = String.raw`(?<season>\d{1,4})`;
const episode = String.raw`(?<episode>\d{1,4})`;

const expressions = (...sources: readonly string[]) => sources.map((source) => new RegExp(source, 'gu'));

const codes = expressions(
  // S01E02, s1e2, S01 E02, S01.E02, S01xE02, S1x02, S01EP02, S01E01-E02, S01E04a, S01E06.5
  `(?:${before}|(?<=e\\d{1,4}))s[\\s._]?${inSeason}${gap}(?:x?e(?:p(?:isode)?)?${gap}|x)${episode}(?<more>${further})${tail}(?:${after}|(?=s\\d{1,4}e\\d))`,
  // 1x02, 01x02, 1x01-02, 1x01-x03
  `${before}${inSeason}x${episode}(?<more>${crossed})${tail}${after}`,
  // Season 1 Episode 2, Series 1 - Ep. 2, Season 4 E02
  `${before}(?:${seasonWord})${gap}${inSeason}[\\s._,:;()-]*(?:${episodeWord}|e)[\\s._#-]*${episode}(?<more>${further})${tail}${after}`,
  // T01E02, T1x02, T1 C2, T1 Cap. 2
  `${before}t(?<season>\\d{1,2})(?:x|${gap}(?:e|c|ep|cap)[\\s._]*)${episode}${after}`,
  // 1 сезон 2 серия, 2. Staffel 3. Folge, 1a temporada 2o episodio
  `${before}(?<season>\\d{1,2})${ordinal}[\\s._]*(?:${seasonWord})[\\s._,-]*${episode}${ordinal}[\\s._]*(?:${episodeWord})${after}(?![\\s._#-]*\\d)`,
);
const seasons = expressions(
  `${before}(?:${seasonWord})${gap}${inSeason}(?<more>(?:[-+&,]\\d{1,4})*)(?<letter>[a-c])?${after}`,
  `${before}s${inSeason}(?<more>(?:[-+&]s\\d{1,4})*)(?<letter>[a-c])?${after}`,
  // S 01, S.01, s_1
  `${before}s[\\s._](?<season>\\d{1,2})${after}(?![.:]\\d)`,
  `${before}(?<season>\\d{1,2})(?:st|nd|rd|th|re|eme|e|a|-?[ия]|\\.)${gap}(?:${seasonWord})${after}`,
  `${before}(?<season>\\d{1,2})[\\s._]*сезон${after}(?![\\s._#-]*\\d)`,
);
const specials = new RegExp(`${before}specials?${after}`, 'gu');
const episodes = expressions(
  `${before}(?:(?:${episodeWord})[\\s._#-]*|e[.#]?)${episode}(?<more>${further})${tail}${after}`,
);
const numberedSpecials = expressions(
  `${before}specials?${gap}#?(?<episode>\\d{1,3})${after}`,
  `${before}(?<letter>sp|ova|oad)${gap}(?<episode>\\d{1,3})${after}`,
);

/** Season and episode together, wherever they stand in `text` (what `plain` answered), in order. */
export function codesIn(text: string): Numbers[] {
  return inOrder(read(text, codes));
}

/** Seasons alone, one entry each; those of a range stand at the same place. */
export function seasonsIn(text: string): Numbers[] {
  const numbered = inOrder(read(text, seasons)).flatMap(({ season, more, ...one }) =>
    spanOf(season ?? 0, more).map((each) => ({ ...one, season: each })),
  );
  const unnumbered = [...text.matchAll(specials)].map(({ index: start, 0: word }): Numbers => {
    // One special is as likely meant as all of them.
    return { season: 0, episodes: [], doubtful: word === 'special', start, end: start + word.length };
  });
  return [...numbered, ...unnumbered].sort((a, b) => a.start - b.start);
}

/** An episode that is called one, or a special that has a number; its season may stand elsewhere. */
export function episodesIn(text: string): Numbers[] {
  const ofSpecials = read(text, numberedSpecials).map((one) => ({ ...one, season: 0 }));
  return inOrder([...read(text, episodes), ...ofSpecials]);
}

/** Whether a word only says that a number follows: Folge 2x11. A show may be called "Episodes". */
export function isCounter(word: string): boolean {
  return counters.test(word);
}

function read(text: string, patterns: readonly RegExp[]): (Numbers & { readonly more: string })[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index: start, 0: whole, groups = {} }) => {
      const { season, episode: first, more = '', letter, half } = groups;
      return {
        ...{ start, end: start + whole.length, more },
        season: season === undefined ? null : Number(season),
        episodes: first === undefined ? [] : spanOf(Number(first), more),
        doubtful: letter !== undefined || half !== undefined,
      };
    }),
  );
}

const longestSpan = 20;

/** 1 and 3 are 1, 2 and 3, as people write it; what goes downwards stays as it stands. */
function spanOf(first: number, more: string): number[] {
  const others = [...more.matchAll(/\d{1,4}/g)].map(([digits]) => Number(digits));
  const last = others.at(-1) ?? first;
  if (others.length === 1 && last > first && last - first <= longestSpan) {
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  }
  return [...new Set([first, ...others])];
}

/** By place; of two that overlap the one that begins earlier, or says more. */
function inOrder<Part extends Span>(numbers: readonly Part[]): Part[] {
  const sorted = [...numbers].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Part[] = [];
  for (const one of sorted) if ((kept.at(-1)?.end ?? -1) <= one.start) kept.push(one);
  return kept;
}

/** Days that a name may mean, `YYYY-MM-DD`: several where day and month could be either. */
export interface NamedDay extends Span {
  readonly days: readonly string[];
}

const months = 'january february march april may june july august september october november december';
const year = '(?<year>(?:19|20)\\d{2})';
const named = `(?<named>${months.replace(/(\w{3})(\w*) ?/g, '$1(?:$2)?|')}sept)`;
const days = expressions(
  // 2020-02-29, 2020.2.29, 2020_02_29, 2020 02 29, 2020 - 02 - 29, 20200229
  `${before}${year}(?<sign>\\s?[-._]\\s?|\\s)(?<month>\\d{1,2})\\k<sign>(?<day>\\d{1,2})${after}`,
  `${before}${year}(?<month>\\d{2})(?<day>\\d{2})${after}`,
  // 31.12.2021, 03/04/2021: day and month may be either.
  `${before}(?<one>\\d{1,2})(?<sign>\\s?[-._/]\\s?|\\s)(?<two>\\d{1,2})\\k<sign>${year}${after}`,
  // March 15, 2023, Mar 15th 2023, 15 March 2023, 15.mar.2023
  `${before}${named}[\\s._-]*(?<day>\\d{1,2})(?:st|nd|rd|th)?[\\s.,_-]+${year}${after}`,
  `${before}(?<day>\\d{1,2})(?:st|nd|rd|th)?[\\s._-]*${named}[\\s.,_-]+${year}${after}`,
);

/** The days that `text` (what `plain` answered) names, in order. */
export function daysIn(text: string): NamedDay[] {
  const found = days.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index: start, 0: whole, groups = {} }) => {
      const { year: y = '', named: word = '', day = '', one = '', two = '' } = groups;
      const { month = String(months.split(' ').findIndex((name) => name.startsWith(word)) + 1) } = groups;
      const meant = one === '' ? [dayOf(y, month, day)] : [dayOf(y, one, two), dayOf(y, two, one)];
      return { days: [...new Set(meant)].filter(isDay), start, end: start + whole.length };
    }),
  );
  return found.filter((one) => one.days.length > 0).sort((a, b) => a.start - b.start);
}

function dayOf(y: string, m: string, d: string): string {
  return `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
}

function isDay(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
