import {
  type Explained,
  explainWords,
  hasDoubt,
  phrasesOutside,
  unknownWordsOf,
} from '../../model/names/explain.ts';
import { posterNames } from '../../model/names/known-words.ts';
import type { Numbers } from '../../model/names/numbers.ts';
import { saysLittle, titleIn } from '../../model/names/titles.ts';
import { plain, type Word, wordKey, wordsOf } from '../../model/names/words.ts';
import type { EpisodeTarget, Place, Target } from '../../model/target.ts';
import { matchEpisodes } from './match-episodes.ts';
import { cardsOf, distinctPlaces } from './places.ts';
import type { ShowFile } from './show-file.ts';
import { meansCard, slotsMeant, slotsNamed } from './slots-named.ts';
import { type MatchVerdict, noMatch, type Why } from './verdict.ts';
import { episodesBySeasonFirst } from './work-index.ts';

/**
 * A name without a season: an episode's title, a number by itself, artwork of the show or of the season whose
 * folder it lies in. Whatever it can be read as counts; it is sure only where that is one thing.
 * @param called an episode's number that is called one
 */
export function matchUnnumbered(file: ShowFile, called: Numbers | null): MatchVerdict {
  const { name } = file;
  const whole = explainWords(wordsOf(name.text), name.text);
  const said = explainWords(wordsOf(name.rest), name.rest);
  const untitled = name.title === 'whole' && unknownWordsOf(said).length > 0;
  const readings = [
    asTitle(file, whole),
    ...(untitled ? [asTitle(file, said)] : []),
    matchNumber(file, called, said, whole),
    asSeasonTitle(file, said),
    asPicture(file, said),
  ];
  const found = readings.filter(({ places }) => places.length > 0);
  if (found.length === 0) {
    const part = asPartOfTitle(file, said);
    if (part.places.length > 0) {
      const own = ofItsYear(file, part.places);
      return own.length === 0 ? noMatch('other_work') : { ...part, places: own };
    }
    const isOther = yearsBeside(file).some((year) => !isOfShow(year, file));
    if (isOther && unknownWordsOf(said).some(({ text }) => !/^\d+$/.test(text))) return noMatch('other_work');
    return readings.find(({ why }) => why !== 'says_nothing') ?? noMatch('says_nothing');
  }
  const places = ofItsYear(file, distinctPlaces(found.flatMap((reading) => reading.places)));
  if (places.length === 0) return noMatch('other_work');
  const usual = found.every((reading) => reading.usual === true);
  const unsure = found.find(({ why }) => why !== null);
  const why = unsure?.why ?? (places.length > 1 ? 'number_alone' : null);
  const titled = readings[0] === found[0] && found.length === 1;
  const alone = titled && isAlone(file, said);
  const byShape = found.some((reading) => reading.byShape === true);
  return { places, why, usual, alone, byShape };
}

/**
 * Without the episodes that a year in the name speaks against: a title and the year of something else name a film
 * that is called as an episode is.
 */
function ofItsYear(file: ShowFile, places: readonly Place[]): Place[] {
  const years = yearsBeside(file);
  if (years.length === 0) return [...places];
  const near = (own: number | null) => own !== null && years.some((year) => Math.abs(year - own) <= 1);
  return places.filter(({ target: { kind, title, date } }) => {
    if (kind !== 'episode' || near(file.index.show.year)) return true;
    if (wordsOf(plain(title)).some(({ text }) => years.includes(Number(text)))) return true;
    return date === null || near(Number(date.slice(0, 4)));
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
function isAlone({ name, folders }: ShowFile, said: Explained): boolean {
  const { within, chosen } = folders.slots;
  const words = [within, chosen, ...said.slots.map(({ phrase }) => phrase)];
  return name.title === null && !folders.own && folders.seasons.length === 0 && !words.some(meansCard);
}

function asTitle({ index, folders }: ShowFile, said: Explained): MatchVerdict {
  const { named } = titleIn(said, index.titles);
  const [season, ...others] = folders.seasons;
  const inSeason = named.filter(
    ({ item }) => others.length === 0 && (season === undefined || item.season === season),
  );
  const fitting = (inSeason.length > 0 ? inSeason : named).filter(
    (title) => slotsNamed('episode', phrasesOutside(said, title), folders.slots).slots.length > 0,
  );
  const [first] = fitting;
  if (first === undefined) return noMatch(named.length > 0 ? 'no_slot' : 'says_nothing');
  const episodes = [...new Set(fitting.map(({ item }) => item))];
  const doubtful = hasDoubt(said, first) || saysLittle(said, first);
  const open: Why | null =
    episodes.length > 1
      ? 'title_shared'
      : inSeason.length === 0
        ? 'names_differ'
        : doubtful
          ? 'unclear_words'
          : null;
  return { places: cardsOf(episodes), why: open };
}

/** A season's title, or its number where that is a year, which may be the show's as well. */
function asSeasonTitle({ index, name, folders }: ShowFile, said: Explained): MatchVerdict {
  const { named } = titleIn(said, index.seasonTitles);
  const year = /^\d{4}$/.test(wordKey(said.words)) ? Number(wordKey(said.words)) : null;
  const numbered = year === null ? [] : index.seasonsNumbered(year);
  const ofYear = year !== null && year === index.show.year && name.title === null ? [index.own] : [];
  const targets: Target[] = [...new Set([...named.map(({ item }) => item), ...numbered]), ...ofYear];
  const places = targets.flatMap((target) =>
    slotsNamed(target.kind, said.slots, folders.slots).slots.map((slot) => ({ target, slot })),
  );
  if (places.length === 0) return noMatch('says_nothing');
  const isSure = places.length === 1 && year === null;
  return { places, why: isSure ? null : 'names_differ', usual: said.slots.length === 0 };
}

/** Artwork of the show, or of the season in whose folder it lies: nothing is said but what it is. */
function asPicture({ index, folders, name }: ShowFile, said: Explained): MatchVerdict {
  if (unknownWordsOf(said).length > 0) return noMatch('says_nothing');
  const named = name.title !== null || posterNames.has(wordKey(said.words));
  if (said.slots.length === 0 && !named) return noMatch('says_nothing');
  const seasons = folders.seasons.flatMap((number) => index.seasonsNumbered(number));
  if (folders.seasons.length > 0 && seasons.length === 0) return noMatch('no_such_season');
  const targets: Target[] = [...seasons, ...(seasons.length === 0 || named ? [index.own] : [])];
  const meant = targets.map((target) => ({
    target,
    ...slotsNamed(target.kind, said.slots, folders.slots),
  }));
  const places = distinctPlaces(
    meant.flatMap(({ target, slots }) => slots.map((slot) => ({ target, slot }))),
  );
  if (places.length === 0) {
    return noMatch(said.slots.every(({ phrase }) => meansCard(phrase)) ? 'says_nothing' : 'no_slot');
  }
  const open: Why | null =
    name.title === 'part'
      ? 'short_name'
      : hasDoubt(said)
        ? 'unclear_words'
        : places.length > 1 || meant.some(({ sure }) => !sure)
          ? 'slot_unclear'
          : null;
  const byShape = meant.some((one) => one.byShape === true);
  return { places, why: open, usual: meant.every(({ usual }) => usual === true), byShape };
}

/** Not a title, but part of some, or nearly some: to be asked about. */
function asPartOfTitle({ index }: ShowFile, said: Explained): MatchVerdict {
  const { core } = titleIn(said, index.titles);
  if (wordKey(core).length < 3 || /^\d+$/.test(wordKey(core))) return noMatch('says_nothing');
  const fits = said.slots.every(({ phrase }) => slotsMeant('episode', phrase).slots.length > 0);
  const episodes = new Set([...index.titles.near(core).keys(), ...index.titles.holding(core)]);
  if (!fits || episodes.size === 0) return noMatch(fits ? 'says_nothing' : 'no_slot');
  return { places: cardsOf([...episodes]), why: 'title_in_part' };
}

/**
 * A number without a season, called an episode's or not: of the season whose folder it lies in, of any season,
 * counted through all of them, or with the season's number first.
 */
function matchNumber(
  file: ShowFile,
  called: Numbers | null,
  said: Explained,
  whole: Explained,
): MatchVerdict {
  if (called !== null) return asCalled(file, called);
  const unknown = unknownWordsOf(said);
  const [only, second, ...more] = unknown.filter(({ text }) => /^\d{1,4}$/.test(text));
  if (only === undefined) return asOwnTitle(file, unknown, whole);
  if (second !== undefined) {
    // 1-3: a season and an episode, perhaps.
    const both = more.length === 0 && unknown.length === 2 && second.start - only.end === 1;
    return both
      ? askByNumber(file.index.episodesNumbered(Number(only.text), Number(second.text)))
      : noMatch('says_nothing');
  }
  // Numbers behind a word such as image or export count pictures, not episodes.
  const serial = file.name.title === null && said.roles.includes('version');
  const strange = unknown.length > 1 || serial;
  const [season, ...others] = file.folders.seasons;
  if (season !== undefined && others.length === 0) return inSeason(file, season, only, strange);
  const { episodes, certain } = meantBy(Number(only.text), file);
  if (episodes.length === 0) return noMatch('no_such_episode');
  // With unknown words beside it a number may mean anything, unless it stands behind the show's title.
  const verdict = matchEpisodes(file, [bare(only, strange || !certain)], [], episodes);
  const told = file.name.title === 'whole' || titleIn(said, file.index.titles).named.length > 0;
  return strange && !told && verdict.why !== null ? noMatch('says_nothing') : verdict;
}

/** The show's title is a number itself. */
function asOwnTitle(file: ShowFile, unknown: readonly Word[], whole: Explained): MatchVerdict {
  const [own, ...more] = whole.words;
  if (own === undefined || more.length > 0 || unknown.length > 0) return noMatch('says_nothing');
  return /^\d{1,3}$/.test(own.text)
    ? askByNumber(meantBy(Number(own.text), file).episodes)
    : noMatch('says_nothing');
}

function inSeason(file: ShowFile, season: number, number: Word, strange: boolean): MatchVerdict {
  const { index } = file;
  if (index.episodesNumbered(season, Number(number.text)).length > 0) {
    return matchEpisodes(file, [{ ...bare(number, strange), season }]);
  }
  const joint = episodesBySeasonFirst(Number(number.text), index).filter(
    (episode) => episode.season === season,
  );
  return joint.length === 0 ? noMatch('no_such_episode') : askByNumber(joint);
}

function asCalled(file: ShowFile, called: Numbers): MatchVerdict {
  const readings = called.episodes.map((number) => meantBy(number, file));
  const episodes = [...new Set(readings.flatMap((reading) => reading.episodes))];
  if (episodes.length === 0) return noMatch('no_such_episode');
  const certain = readings.every((reading) => reading.certain);
  return matchEpisodes(file, [{ ...called, doubtful: called.doubtful || !certain }], [], episodes);
}

function meantBy(
  number: number,
  { index, counting }: ShowFile,
): { readonly episodes: readonly EpisodeTarget[]; readonly certain: boolean } {
  const through = index.counted(number);
  if (counting === 'through' && through !== null) return { episodes: [through], certain: true };
  const joint = episodesBySeasonFirst(number, index);
  if (counting === 'season first' && joint.length > 0) return { episodes: joint, certain: true };
  const numbered = index.episodesNumbered(null, number);
  const episodes = [...new Set([...numbered, ...(through === null ? [] : [through])])];
  if (episodes.length === 0) return { episodes: joint, certain: false };
  // Counted through alone it is a guess: the person who counted may have counted other episodes.
  return { episodes, certain: episodes.length === 1 && numbered.length === 1 };
}

function bare({ text, start, end }: Word, doubtful: boolean): Numbers {
  return { season: null, episodes: [Number(text)], doubtful, start, end };
}

function askByNumber(episodes: readonly EpisodeTarget[]): MatchVerdict {
  if (episodes.length === 0) return noMatch('says_nothing');
  return { places: cardsOf(episodes), why: 'number_alone' };
}
