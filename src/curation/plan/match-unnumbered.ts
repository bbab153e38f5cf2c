import { posterNames } from '../../model/names/known-words.ts';
import { explain, hasDoubt, phrasesOutside, type Said, unknownIn } from '../../model/names/name.ts';
import type { Numbers } from '../../model/names/numbers.ts';
import { isNumberName } from '../../model/names/numerals.ts';
import { titleIn, type WordRange } from '../../model/names/titles.ts';
import { plain, rawTextOf, type Word, wordKey, wordsOf } from '../../model/names/words.ts';
import type { EpisodeTarget, Place, Target } from '../../model/target.ts';
import { matchEpisodes } from './match-episodes.ts';
import { cardsOf, distinctPlaces } from './places.ts';
import { type ShowFile, titleAndMore } from './show-file.ts';
import { episodesBySeasonFirst } from './show-index.ts';
import { askFor, meansCard, nothing, slotsMeant, slotsSaid, type Verdict, type Why } from './verdict.ts';

/**
 * A name without a season: an episode's title, a number by itself, artwork of the show or of the season whose
 * folder it lies in. It is sure only where all that it can be read as is one thing.
 * @param called an episode's number that is called one
 */
export function matchUnnumbered(file: ShowFile, called: Numbers | null): Verdict {
  const { name } = file;
  const whole = explain(wordsOf(name.text), name.text);
  const said = explain(wordsOf(name.rest), name.text);
  const isMore = name.title === 'whole' && unknownIn(said).length > 0;
  const titled = isMore ? [asTitle(file, whole), asTitle(file, said)] : [asTitle(file, whole)];
  const readings = [
    ...titled,
    byNumber(file, called, said, whole),
    asSeasonTitle(file, said),
    asPicture(file, said),
  ];
  const found = readings.filter(({ places }) => places.length > 0);
  if (found.length === 0) return asGuess(file, said, readings);
  const places = ofItsYear(file, distinctPlaces(found.flatMap((reading) => reading.places)));
  if (places.length === 0) return nothing('other_year', yearsBeside(file).join(' '));
  const unsure = found.find(({ why }) => why !== null);
  const isTitle = readings[0] === found[0] && found.length === 1;
  return {
    ...(unsure ?? {}),
    places,
    why: unsure?.why ?? (places.length > 1 ? 'number_alone' : null),
    usual: found.every((reading) => reading.usual === true),
    alone: isTitle && isAlone(file, said),
    byShape: found.some((reading) => reading.byShape === true),
  };
}

function textOf(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ');
}

/** Not a title, but part of some, or nearly some; or the show's title beside words that may make it another's. */
function asGuess(file: ShowFile, said: Said, readings: readonly Verdict[]): Verdict {
  const part = asPartOfTitle(file, said);
  const years = yearsBeside(file);
  if (part.places.length > 0) {
    const places = ofItsYear(file, part.places);
    return places.length === 0 ? nothing('other_year', years.join(' ')) : { ...part, places };
  }
  const unknown = unknownIn(said).filter(({ text }) => !/^\d+$/.test(text));
  const other = years.find((year) => !isOfShow(year, file));
  if (other !== undefined && unknown.length > 0) return nothing('other_year', String(other));
  const { name, stem } = file;
  const own = asPicture(file, { ...said, roles: said.roles.map((role) => role ?? 'noise') }, true);
  const beside = name.title === 'whole' ? titleAndMore(name, unknown, []) : null;
  if (beside !== null && own.places.length > 0) {
    return { ...own, why: 'short_name', called: rawTextOf(stem, beside) };
  }
  // hdtvlogo/x.png: one word more says nothing, and the folder says what it is.
  const isNone = readings.some(({ why }) => why === 'no_such_episode');
  const isPlain =
    name.title === 'whole' || (file.folders.slots.within !== null && unknownIn(said).length === 1);
  if (isPlain && !isNone && own.places.length > 0)
    return { ...own, why: 'unclear_words', about: textOf(unknownIn(said)) };
  return readings.find(({ why }) => why !== 'says_nothing') ?? nothing('says_nothing');
}

/**
 * Without the episodes that a year in the name speaks against: a title and the year of something else name a film
 * that is called as an episode is.
 */
function ofItsYear(file: ShowFile, places: readonly Place[]): Place[] {
  const years = yearsBeside(file);
  if (years.length === 0) return [...places];
  const isNear = (own: number | null) => own !== null && years.some((year) => Math.abs(year - own) <= 1);
  return places.filter(({ target: { kind, title, date } }) => {
    if (kind !== 'episode' || isNear(file.index.show.year)) return true;
    if (wordsOf(plain(title)).some(({ text }) => years.includes(Number(text)))) return true;
    return date === null || isNear(Number(date.slice(0, 4)));
  });
}

/** Years in a name that neither it nor its folder says to be the show's. */
function yearsBeside({ name, folders, index }: ShowFile): number[] {
  if (name.title !== null || folders.own) return [];
  const words = wordsOf(name.text).filter(({ text }) => /^(?:19|20)\d{2}$/.test(text));
  return words.map(({ text }) => Number(text)).filter((year) => index.seasonsNumbered(year).length === 0);
}

/** Whether anything of the show was shown in that year. */
function isOfShow(year: number, { index: { show, seasons } }: ShowFile): boolean {
  const days = seasons.flatMap(({ episodes }) => episodes.map(({ date }) => date ?? ''));
  return show.year === year || days.some((day) => day.startsWith(`${year}-`));
}

/** Neither the show, nor a season, nor that it is a title card is said anywhere. */
function isAlone({ name, folders }: ShowFile, said: Said): boolean {
  const { within, chosen } = folders.slots;
  const words = [within, chosen, ...phrasesOutside(said, null)];
  return name.title === null && !folders.own && folders.seasons.length === 0 && !words.some(meansCard);
}

function asTitle({ index, folders }: ShowFile, said: Said): Verdict {
  const { named } = titleIn(said, index.titles);
  const [season, ...others] = folders.seasons;
  const inSeason = named.filter(
    ({ item }) => others.length === 0 && (season === undefined || item.season === season),
  );
  const fitting = (inSeason.length > 0 ? inSeason : named).filter(
    (title) => slotsSaid('episode', phrasesOutside(said, title), folders.slots).slots.length > 0,
  );
  const [first] = fitting;
  if (first === undefined) return nothing(named.length > 0 ? 'no_slot' : 'says_nothing');
  const episodes = [...new Set(fitting.map(({ item }) => item))];
  const why: Why | null =
    (episodes.length > 1 ? 'title_shared' : null) ??
    (inSeason.length === 0 ? 'names_differ' : null) ??
    (hasDoubt(said, first) || saysLittle(said, first) ? 'unclear_words' : null);
  return { places: cardsOf(episodes), why };
}

/** A title that would be something else for any other work: a number, a word for artwork. */
export function saysLittle({ words, roles }: Said, { from, to }: WordRange): boolean {
  return words.slice(from, to).every(({ text }, at) => {
    const role = roles[from + at] ?? null;
    return (role !== null && role !== 'pictogram') || /^\d+$/.test(text) || isNumberName(text);
  });
}

/** A season's title, or its number where that is a year, which may be the show's as well. */
function asSeasonTitle({ index, name, folders }: ShowFile, said: Said): Verdict {
  const { named } = titleIn(said, index.seasonTitles);
  const year = /^\d{4}$/.test(wordKey(said.words)) ? Number(wordKey(said.words)) : null;
  const numbered = year === null ? [] : index.seasonsNumbered(year);
  const ofYear = year !== null && year === index.show.year && name.title === null ? [index.own] : [];
  const targets: Target[] = [...new Set([...named.map(({ item }) => item), ...numbered]), ...ofYear];
  const places = targets.flatMap((target) =>
    slotsSaid(target.kind, phrasesOutside(said, null), folders.slots).slots.map((slot) => ({ target, slot })),
  );
  if (places.length === 0) return nothing('says_nothing');
  const isSure = places.length === 1 && year === null;
  return { places, why: isSure ? null : 'names_differ', usual: said.slots.length === 0 };
}

/** Artwork of the show, or of the season in whose folder it lies: nothing is said but what it is. */
function asPicture({ index, folders, name }: ShowFile, said: Said, isMeant = false): Verdict {
  if (unknownIn(said).length > 0) return nothing('says_nothing');
  const isNamed = isMeant || name.title !== null || posterNames.has(wordKey(said.words));
  const phrases = phrasesOutside(said, null);
  if (phrases.length === 0 && !isNamed) return nothing('says_nothing');
  const [number] = folders.seasons;
  const seasons = folders.seasons.flatMap((one) => index.seasonsNumbered(one));
  if (number !== undefined && seasons.length === 0) return nothing('no_such_season', String(number));
  const targets: Target[] = [...seasons, ...(seasons.length === 0 || isNamed ? [index.own] : [])];
  const meant = targets.map((target) => ({ target, ...slotsSaid(target.kind, phrases, folders.slots) }));
  const places = distinctPlaces(
    meant.flatMap(({ target, slots }) => slots.map((slot) => ({ target, slot }))),
  );
  if (places.length === 0) return nothing(phrases.every(meansCard) ? 'says_nothing' : 'no_slot');
  const isUnclear = places.length > 1 || meant.some(({ sure }) => !sure);
  const why: Why | null =
    (name.title === 'part' ? 'short_name' : null) ??
    (hasDoubt(said) ? 'unclear_words' : null) ??
    (isUnclear ? 'slot_unclear' : null);
  const byShape = meant.some((one) => one.byShape === true);
  return { places, why, usual: meant.every(({ usual }) => usual === true), byShape };
}

function asPartOfTitle({ index }: ShowFile, said: Said): Verdict {
  const { core } = titleIn(said, index.titles);
  if (wordKey(core).length < 3 || /^\d+$/.test(wordKey(core))) return nothing('says_nothing');
  if (said.slots.some(({ phrase }) => slotsMeant('episode', phrase).slots.length === 0))
    return nothing('no_slot');
  const near = index.titles.near(core).map(([episode]) => episode);
  return askFor(
    [...near, ...index.titles.holding(core)],
    near.length > 0 ? 'title_misspelt' : 'title_in_part',
  );
}

/**
 * A number without a season, called an episode's or not: of the season whose folder it lies in, of any season,
 * counted through all of them, or with the season's number first.
 */
function byNumber(file: ShowFile, called: Numbers | null, said: Said, whole: Said): Verdict {
  if (called !== null) return asCalled(file, called);
  const unknown = unknownIn(said);
  const [only, second, ...more] = unknown.filter(({ text }) => /^\d{1,4}$/.test(text));
  if (only === undefined) return asOwnTitle(file, unknown, whole);
  if (second !== undefined)
    return more.length > 0 ? nothing('says_nothing') : ofTwo(file, only, second, unknown);
  // Numbers behind a word such as image or export count pictures, not episodes.
  const isSerial = file.name.title === null && said.roles.includes('version');
  const isStrange = unknown.length > 1 || isSerial;
  const [season, ...others] = file.folders.seasons;
  if (season !== undefined && others.length === 0) return inSeason(file, season, only, isStrange);
  const { episodes, isCertain } = meantBy(Number(only.text), file);
  if (episodes.length === 0) return nothing('no_such_episode', only.text);
  // With unknown words beside it a number may mean anything, unless it stands behind the show's title.
  const verdict = matchEpisodes(file, [bare(only, isStrange || !isCertain)], [], episodes);
  const isTold = file.name.title === 'whole' || titleIn(said, file.index.titles).named.length > 0;
  return isStrange && !isTold && verdict.why !== null ? nothing('says_nothing') : verdict;
}

/** 1-3 and 4.13: a season and an episode, or several episodes. 06.5: between two. 1 of 5: the first of so many. */
function ofTwo(file: ShowFile, one: Word, other: Word, unknown: readonly Word[]): Verdict {
  const { name, index, folders } = file;
  const [first, second] = [Number(one.text), Number(other.text)];
  const between = name.text.slice(one.end, other.start);
  const [season, ...more] = folders.seasons;
  const inFolder = season !== undefined && more.length === 0 ? index.episodesNumbered(season, first) : [];
  const numbered = inFolder.length > 0 ? inFolder : meantBy(first, file).episodes;
  if (/^\s?(?:of|von|de|\/)\s?$/.test(between) && first <= second) return askFor(numbered, 'number_alone');
  if (!/^\s?[-.~&+]?\s?$/.test(between)) return nothing('says_nothing');
  const both = index.episodesNumbered(first, second);
  if (between === '.' && other.text.length === 1) {
    const isHalf = one.text.startsWith('0') || inFolder.length > 0;
    return askFor(isHalf ? [...numbered, ...both] : [...both, ...numbered], 'between_episodes');
  }
  const tagged = unknown.filter(({ start, within }) => start < other.end || within !== '[');
  // An episode's title that agrees makes it sure.
  if (both.length > 0 && tagged.length > 2) {
    const code = { season: first, episodes: [second], doubtful: true, start: one.start, end: other.end };
    return matchEpisodes(file, [code]);
  }
  const isStrange = tagged.length > 2 && name.title !== 'whole';
  const range = isStrange || second <= first ? [] : numbered;
  return askFor(one.text.startsWith('0') ? [...range, ...both] : [...both, ...range], 'number_alone');
}

/** The show's title is a number itself. */
function asOwnTitle(file: ShowFile, unknown: readonly Word[], whole: Said): Verdict {
  const [own, ...more] = whole.words;
  const isNumber =
    own !== undefined && more.length === 0 && unknown.length === 0 && /^\d{1,3}$/.test(own.text);
  const [season, ...others] = file.folders.seasons;
  if (isNumber && season !== undefined && others.length === 0) {
    return askFor(file.index.episodesNumbered(season, Number(own.text)), 'number_alone');
  }
  return isNumber
    ? askFor(meantBy(Number(own.text), file).episodes, 'number_alone')
    : nothing('says_nothing');
}

function inSeason(file: ShowFile, season: number, number: Word, isStrange: boolean): Verdict {
  const { index } = file;
  const value = Number(number.text);
  if (index.episodesNumbered(season, value).length > 0) {
    return matchEpisodes(file, [{ ...bare(number, isStrange), season }]);
  }
  const joint = episodesBySeasonFirst(value, index).filter((episode) => episode.season === season);
  return joint.length === 0 ? nothing('no_such_episode', number.text) : askFor(joint, 'number_alone');
}

function asCalled(file: ShowFile, called: Numbers): Verdict {
  const readings = called.episodes.map((number) => meantBy(number, file));
  const episodes = [...new Set(readings.flatMap((reading) => reading.episodes))];
  if (episodes.length === 0) return nothing('no_such_episode', called.episodes.join(' '));
  const isCertain = readings.every((reading) => reading.isCertain);
  return matchEpisodes(file, [{ ...called, doubtful: called.doubtful || !isCertain }], [], episodes);
}

interface Meant {
  readonly episodes: readonly EpisodeTarget[];
  readonly isCertain: boolean;
}

function meantBy(number: number, { index, counting }: ShowFile): Meant {
  const through = index.counted(number);
  if (counting === 'through' && through !== null) return { episodes: [through], isCertain: true };
  const joint = episodesBySeasonFirst(number, index);
  if (counting === 'season first' && joint.length > 0) return { episodes: joint, isCertain: true };
  const numbered = index.episodesNumbered(null, number);
  const episodes = [...new Set([...numbered, ...(through === null ? [] : [through])])];
  if (episodes.length === 0) return { episodes: joint, isCertain: false };
  // Counted through alone it is a guess: the person who counted may have counted other episodes.
  return { episodes, isCertain: episodes.length === 1 && numbered.length === 1 };
}

function bare({ text, start, end }: Word, doubtful: boolean): Numbers {
  return { season: null, episodes: [Number(text)], doubtful, start, end };
}
