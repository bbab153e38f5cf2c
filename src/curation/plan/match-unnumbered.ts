import { posterNames } from '../../model/names/known-words.ts';
import { explain, hasDoubt, phrasesOutside, type Said, unknownIn } from '../../model/names/name.ts';
import type { Numbers } from '../../model/names/numbers.ts';
import { isNumberName } from '../../model/names/numerals.ts';
import { titleIn, type WordRange } from '../../model/names/titles.ts';
import { plain, textOf, type Word, wordKey, wordsOf } from '../../model/names/words.ts';
import type { EpisodeTarget, Place, Target } from '../../model/target.ts';
import { yearOf } from '../../model/work.ts';
import { matchEpisodes } from './match-episodes.ts';
import { cardsOf, distinctPlaces } from './places.ts';
import type { ShowFile } from './show-file.ts';
import { episodesBySeasonFirst } from './show-index.ts';
import {
  askFor,
  firstOf,
  meansCard,
  nothing,
  picturesOf,
  slotsMeant,
  slotsSaid,
  type Verdict,
} from './verdict.ts';

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
  const readings = [
    asTitle(file, whole),
    ...(isMore ? [asTitle(file, said)] : []),
    byNumber(file, called, said, whole),
    asSeasonTitle(file, said),
    asPicture(file, said),
  ];
  const found = readings.filter(({ places }) => places.length > 0);
  if (found.length === 0) return asGuess(file, said, readings);
  const places = ofItsYear(file, distinctPlaces(found.flatMap((reading) => reading.places)));
  if (places.length === 0) return nothing('other_year', yearsBeside(file).join(' '));
  const unsure = found.find(({ why }) => why !== null);
  // Neither the show, nor a season, nor that it is a title card is said anywhere.
  const { own, seasons, slots } = file.folders;
  const words = [slots.within, slots.chosen, ...phrasesOutside(said, null)];
  const isAlone = name.title === null && !own && seasons.length === 0 && !words.some(meansCard);
  return {
    ...(unsure ?? {}),
    places,
    why: firstOf(unsure?.why ?? null, places.length > 1 && 'number_alone'),
    usual: found.every((reading) => reading.usual === true),
    alone: readings[0] === found[0] && found.length === 1 && isAlone,
    byShape: found.some((reading) => reading.byShape === true),
  };
}

/** Not a title, but part of some, or nearly some; or the show's title beside words that may make it another's. */
function asGuess(file: ShowFile, said: Said, readings: readonly Verdict[]): Verdict {
  const part = asPartOfTitle(file, said);
  if (part.places.length > 0) {
    const places = ofItsYear(file, part.places);
    return places.length === 0 ? nothing('other_year', yearsBeside(file).join(' ')) : { ...part, places };
  }
  const { name, folders } = file;
  const unknown = unknownIn(said);
  const own = asPicture(file, { ...said, roles: said.roles.map((role) => role ?? 'noise') }, true);
  // hdtvlogo/x.png: one word more says nothing, and the folder says what it is.
  const isNone = readings.some(({ why }) => why === 'no_such_episode');
  const isPlain = name.title === 'whole' || (folders.slots.within !== null && unknown.length === 1);
  if (isPlain && !isNone && own.places.length > 0)
    return { ...own, why: 'unclear_words', about: textOf(unknown) };
  return readings.find(({ why }) => why !== 'says_nothing') ?? nothing('says_nothing');
}

/**
 * Without the episodes that a year in the name speaks against: a title and the year of something else name a film
 * that is called as an episode is.
 */
function ofItsYear(file: ShowFile, places: readonly Place[]): readonly Place[] {
  const years = yearsBeside(file);
  if (years.length === 0) return places;
  const isNear = (own: number | null) => own === null || years.some((year) => Math.abs(year - own) <= 1);
  return places.filter(({ target: { kind, title, date } }) => {
    const isTitle = wordsOf(plain(title)).some(({ text }) => years.includes(Number(text)));
    return kind !== 'episode' || isTitle || isNear(file.index.show.year) || isNear(yearOf(date));
  });
}

/** Years in a name that neither it nor its folder says to be the show's. */
function yearsBeside({ name, folders, index }: ShowFile): number[] {
  if (name.title !== null || folders.own) return [];
  const words = wordsOf(name.text).filter(({ text }) => /^(?:19|20)\d{2}$/.test(text));
  return words.map(({ text }) => Number(text)).filter((year) => index.seasonsNumbered(year).length === 0);
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
  const why = firstOf(
    episodes.length > 1 && 'title_shared',
    inSeason.length === 0 && 'names_differ',
    (hasDoubt(said, first) || saysLittle(said, first)) && 'unclear_words',
  );
  return { places: cardsOf(episodes), why };
}

/** A title that would be something else for any other work: a number, a word for artwork. */
function saysLittle({ words, roles }: Said, { from, to }: WordRange): boolean {
  return words.slice(from, to).every(({ text }, at) => {
    const role = roles[from + at] ?? null;
    return (role !== null && role !== 'pictogram') || /^\d+$/.test(text) || isNumberName(text);
  });
}

/** A season's title, or its number where that is a year, which may be the show's as well. */
function asSeasonTitle({ index, name, folders }: ShowFile, said: Said): Verdict {
  const { named } = titleIn(said, index.seasonTitles);
  const year = /^\d{4}$/.test(textOf(said.words)) ? Number(textOf(said.words)) : null;
  const numbered = year === null ? [] : index.seasonsNumbered(year);
  const ofYear = year !== null && year === index.show.year && name.title === null ? [index.own] : [];
  const targets: Target[] = [...new Set([...named.map(({ item }) => item), ...numbered]), ...ofYear];
  if (targets.length === 0) return nothing('says_nothing');
  const phrases = phrasesOutside(said, null);
  const { places } = picturesOf(
    targets.map((target) => ({ target, phrases })),
    folders.slots,
  );
  const isSure = places.length === 1 && year === null;
  return { places, why: isSure ? null : 'names_differ', usual: said.slots.length === 0 };
}

/** Artwork of the show, or of the season in whose folder it lies: nothing is said but what it is. */
function asPicture({ index, folders, name }: ShowFile, said: Said, isMeant = false): Verdict {
  const isNamed = isMeant || name.title !== null || posterNames.has(wordKey(said.words));
  const phrases = phrasesOutside(said, null);
  if (unknownIn(said).length > 0 || (phrases.length === 0 && !isNamed)) return nothing('says_nothing');
  const [number] = folders.seasons;
  const seasons = folders.seasons.flatMap((one) => index.seasonsNumbered(one));
  if (number !== undefined && seasons.length === 0) return nothing('no_such_season', String(number));
  const targets: Target[] = [...seasons, ...(seasons.length === 0 || isNamed ? [index.own] : [])];
  const { isSure, ...pictures } = picturesOf(
    targets.map((target) => ({ target, phrases })),
    folders.slots,
  );
  if (pictures.places.length === 0) return nothing(phrases.every(meansCard) ? 'says_nothing' : 'no_slot');
  const why = firstOf(
    name.title === 'part' && 'short_name',
    hasDoubt(said) && 'unclear_words',
    !isSure && 'slot_unclear',
  );
  return { ...pictures, why };
}

function asPartOfTitle({ index }: ShowFile, said: Said): Verdict {
  const { core } = titleIn(said, index.titles);
  if (wordKey(core).length < 3 || /^\d+$/.test(wordKey(core))) return nothing('says_nothing');
  if (said.slots.some(({ phrase }) => slotsMeant('episode', phrase).slots.length === 0))
    return nothing('no_slot');
  const near = index.titles.near(core).map(([episode]) => episode);
  const why = near.length > 0 ? 'title_misspelt' : 'title_in_part';
  return askFor([...near, ...index.titles.holding(core)], why);
}

/** A number without a season, called an episode's or not. */
function byNumber(file: ShowFile, called: Numbers | null, said: Said, whole: Said): Verdict {
  if (called !== null) return ofNumbers(file, called);
  const unknown = unknownIn(said);
  const [only, second, ...more] = unknown.filter(({ text }) => /^\d{1,4}$/.test(text));
  if (only === undefined) {
    // The show's title is a number itself.
    const isOwn = unknown.length === 0 && /^\d{1,3}$/.test(textOf(whole.words));
    return askFor(isOwn ? meantBy(Number(textOf(whole.words)), file).episodes : [], 'number_alone');
  }
  if (second !== undefined)
    return more.length > 0 ? nothing('says_nothing') : ofTwo(file, only, second, unknown);
  // Numbers behind a word such as image or export count pictures, not episodes.
  const isSerial = file.name.title === null && said.roles.includes('version');
  const doubtful = unknown.length > 1 || isSerial;
  return ofNumbers(file, { ...only, season: null, episodes: [Number(only.text)], doubtful });
}

/** 1-3 and 4.13: a season and an episode, or several episodes. 06.5: between two. 1 of 5: the first of so many. */
function ofTwo(file: ShowFile, one: Word, other: Word, unknown: readonly Word[]): Verdict {
  const { name, index, folders } = file;
  const [first, second] = [Number(one.text), Number(other.text)];
  const between = name.text.slice(one.end, other.start);
  const numbered = meantBy(first, file).episodes;
  if (/^\s?(?:of|von|de|\/)\s?$/.test(between) && first <= second) return askFor(numbered, 'number_alone');
  if (!/^\s?[-.~&+]?\s?$/.test(between)) return nothing('says_nothing');
  const both = index.episodesNumbered(first, second);
  const isPadded = one.text.startsWith('0');
  if (between === '.' && other.text.length === 1) {
    const isHalf = isPadded || folders.seasons.length === 1;
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
  return askFor(isPadded ? [...range, ...both] : [...both, ...range], 'number_alone');
}

function ofNumbers(file: ShowFile, numbers: Numbers): Verdict {
  const readings = numbers.episodes.map((number) => meantBy(number, file));
  const episodes = [...new Set(readings.flatMap((reading) => reading.episodes))];
  if (episodes.length === 0) return nothing('no_such_episode', numbers.episodes.join(' '));
  const isCertain = readings.every((reading) => reading.isCertain);
  const [season = null, ...others] = file.folders.seasons;
  const code = { ...numbers, season: others.length === 0 ? season : null };
  return matchEpisodes(file, [{ ...code, doubtful: code.doubtful || !isCertain }], [], episodes);
}

/**
 * The episode that a number means: of the season whose folder it lies in, or of any; counted through all seasons; or
 * with the season's number first.
 */
function meantBy(
  number: number,
  { index, counting, folders }: ShowFile,
): { episodes: readonly EpisodeTarget[]; isCertain: boolean } {
  const [season, ...others] = folders.seasons;
  const joint = episodesBySeasonFirst(number, index);
  if (season !== undefined && others.length === 0) {
    const episodes = index.episodesNumbered(season, number);
    if (episodes.length > 0) return { episodes, isCertain: true };
    return { episodes: joint.filter((episode) => episode.season === season), isCertain: false };
  }
  const through = index.counted(number);
  if (counting === 'through' && through !== null) return { episodes: [through], isCertain: true };
  if (counting === 'season first' && joint.length > 0) return { episodes: joint, isCertain: true };
  const numbered = index.episodesNumbered(null, number);
  const episodes = [...new Set([...numbered, ...(through === null ? [] : [through])])];
  if (episodes.length === 0) return { episodes: joint, isCertain: false };
  // Counted through alone it is a guess: the person who counted may have counted other episodes.
  return { episodes, isCertain: episodes.length === 1 && numbered.length === 1 };
}
