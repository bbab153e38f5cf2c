import {
  type Explained,
  explainWords,
  hasDoubt,
  phrasesOutside,
  unknownWordsOf,
  type WordRange,
} from '../../model/names/explain.ts';
import { daysIn, episodesIn, isCounter, type Numbers } from '../../model/names/numbers.ts';
import { abbreviates, titleAt, titleIn } from '../../model/names/titles.ts';
import { outsideOf, type Span, type Word, wordsOf } from '../../model/names/words.ts';
import type { EpisodeTarget } from '../../model/target.ts';
import { cardsOf, distinctPlaces } from './places.ts';
import type { ShowFile } from './show-file.ts';
import { slotsNamed } from './slots-named.ts';
import { type MatchVerdict, noMatch, type Why } from './verdict.ts';
import { episodesOf, type ShowIndex } from './work-index.ts';

/**
 * A name that says which episodes it is for. Its other words may confirm that, or speak against it: another
 * work's name before the number, the title of another episode behind it.
 * @param codes the first is the file's own; others make it doubtful, unless they are its title
 * @param besides where the season's number stands, if not in the code
 * @param given the episodes that are meant, where the code alone does not tell
 */
export function matchEpisodes(
  file: ShowFile,
  codes: readonly Numbers[],
  besides: readonly Span[] = [],
  given: readonly EpisodeTarget[] | null = null,
): MatchVerdict {
  const { index, folders } = file;
  const [code, ...others] = codes;
  if (code === undefined) return noMatch('says_nothing');
  const meant = given ?? episodesOf([code], index);
  const { before, after } = wordsAround(file, code, besides);
  const foreign = foreignNameIn(before, meant, file);
  if (foreign === 'other_work') return noMatch(foreign);
  const meaning = meaningOf({ meant, code, others, after }, index);
  if (meaning.episodes.length === 0) return noMatch(missing(code, index));
  const phrases = [...phrasesOutside(before, null), ...phrasesOutside(after, meaning.title)];
  const slot = slotsNamed('episode', phrases, folders.slots);
  if (slot.slots.length === 0) return noMatch('no_slot');
  const outer = folders.seasons.filter((season) => code.season !== null && season !== code.season);
  const elsewhere = outer.flatMap((season) => episodesOf([{ ...code, season }], index));
  const places = distinctPlaces(cardsOf([...meaning.episodes, ...elsewhere]));
  const doubtful = hasDoubt(before) || hasDoubt(after, meaning.title);
  const open: Why | null =
    meaning.why ??
    foreign ??
    (meaning.confirmed ? null : unconfirmed(file, code)) ??
    (doubtful ? 'unclear_words' : null) ??
    (outer.length > 0 ? 'names_differ' : null) ??
    (slot.sure ? null : 'slot_unclear');
  return { places, why: open };
}

function wordsAround({ name, index }: ShowFile, code: Numbers, besides: readonly Span[]) {
  const words = outsideOf(wordsOf(name.rest), [code, ...besides]);
  const before = words.filter(({ end }) => end <= code.start);
  const after = words.filter(({ start }) => start >= code.end);
  return { before: explainWords(before, name.rest), after: ownMarked(explainWords(after, name.rest), index) };
}

/** The show's title may stand behind the number, too. */
function ownMarked(said: Explained, { forms }: ShowIndex): Explained {
  const roles = [...said.roles];
  for (let at = 0; at < said.words.length; at += 1) {
    const found = titleAt(said.words, at, forms);
    if (found?.as !== 'whole') continue;
    said.words.forEach(({ end }, index) => {
      if (index >= at && end <= found.end) roles[index] = 'own';
    });
  }
  return { ...said, roles };
}

function missing({ season }: Numbers, index: ShowIndex): Why {
  return season !== null && index.seasonsNumbered(season).length === 0 ? 'no_such_season' : 'no_such_episode';
}

/** What stands before a number names the work or the episode, or else another work. */
function foreignNameIn(
  before: Explained,
  meant: readonly EpisodeTarget[],
  { index, name, folders }: ShowFile,
): Why | null {
  const [only, ...more] = unknownWordsOf(withoutCounter(before));
  if (only === undefined) {
    const own = name.title !== null || folders.own;
    return before.roles.includes('version') && !own ? 'unclear_words' : null;
  }
  if (titleIn(before, index.titles).named.some(({ item }) => meant.includes(item))) return null;
  return more.length === 0 && abbreviates(only.text, index.forms) ? 'short_name' : 'other_work';
}

function withoutCounter(before: Explained): Explained {
  const last = before.words.length - 1;
  if (!isCounter(before.words[last]?.text ?? '')) return before;
  return { ...before, roles: before.roles.with(last, 'noise') };
}

/** What a title would have confirmed. */
function unconfirmed({ name }: ShowFile, { doubtful }: Numbers): Why | null {
  if (name.title === 'part') return 'short_name';
  return doubtful ? 'unclear_words' : null;
}

/** What a name means, numbers and words together. */
interface Meaning {
  readonly episodes: readonly EpisodeTarget[];
  /** Null where it is clear which. */
  readonly why: Why | null;
  /** The words tell the same as the numbers. */
  readonly confirmed: boolean;
  /** The words behind the number that are the episode's title, and so no slot's name. */
  readonly title: WordRange | null;
}

interface NumberedMeaning {
  /** The episodes that the number means. */
  readonly meant: readonly EpisodeTarget[];
  readonly code: Numbers;
  /** Further codes in the name. */
  readonly others: readonly Numbers[];
  /** The words behind the number. */
  readonly after: Explained;
}

/** Holds the words behind a number against it: they confirm it, choose among several, or contradict it. */
function meaningOf({ meant, code, others, after }: NumberedMeaning, index: ShowIndex): Meaning {
  const { named, core } = titleIn(after, index.titles);
  const titled = [...new Set(named.map(({ item }) => item))];
  const several = code.episodes.length > 1;
  const agreed = named.find(({ item }) => meant.includes(item));
  if (agreed !== undefined && !several) {
    const { from, to } = agreed;
    const same = titled.filter((episode) => meant.includes(episode));
    return { ...settled(same, true), title: { from, to } };
  }
  const more = episodesOf(others, index).filter((episode) => !meant.includes(episode));
  if (more.length > 0) return unsettled([...meant, ...more], 'several_at_once');
  if (meant.length === 0) return unsettled(titled, 'number_and_title_differ');
  if (titled.length > 0 && agreed === undefined) {
    return unsettled([...meant, ...titled], 'number_and_title_differ');
  }
  if (several) return ofSeveral(meant, code.episodes, index);
  return core.length === 0 ? settled(meant, false) : judge(meant, code, core, after, index);
}

function settled(episodes: readonly EpisodeTarget[], confirmed: boolean): Meaning {
  const why = episodes.length > 1 ? 'several_of_one_number' : null;
  return { episodes, why, confirmed, title: null };
}

function unsettled(episodes: readonly EpisodeTarget[], why: Why): Meaning {
  return { episodes: [...new Set(episodes)], why, confirmed: false, title: null };
}

/** One picture for several numbers: clear only where the catalogue has one entry in the place of all of them. */
function ofSeveral(found: readonly EpisodeTarget[], numbers: readonly number[], index: ShowIndex): Meaning {
  const [only, ...others] = found;
  const last = Math.max(...numbers);
  const goesOn = index.seasons.some(
    ({ season, episodes }) => season === only?.season && episodes.some((one) => (one.episode ?? 0) > last),
  );
  const first = only?.episode === Math.min(...numbers);
  return others.length === 0 && first && goesOn ? settled(found, false) : unsettled(found, 'several_at_once');
}

/** Words that are no episode's whole title: a day, part of a title, nearly one, or unknown words. */
function judge(
  meant: readonly EpisodeTarget[],
  code: Numbers,
  core: readonly Word[],
  after: Explained,
  index: ShowIndex,
): Meaning {
  const text = core.map((word) => word.text).join(' ');
  const aired = daysIn(text).flatMap(({ days }) => days.flatMap((day) => index.episodesOf(day)));
  if (aired.length > 0) return against(meant, aired, 'number_and_day_differ');
  if (core.every((word) => /^\d+$/.test(word.text))) return unsettled(meant, 'unclear_words');
  const called = episodesIn(text).flatMap(({ episodes }) => episodes);
  if (called.some((number) => !code.episodes.includes(number))) return unsettled(meant, 'several_at_once');
  const { titles } = index;
  // What is taken for a word about the picture may be the title's: "Full Measures".
  const clues = [nearestOf(titles.near(after.words)), titles.within(core), nearestOf(titles.near(core))];
  const clue = clues.find((episodes) => episodes.length > 0) ?? titles.holding(core);
  // A title that the catalogue does not have speaks against nothing.
  return clue.length === 0 ? settled(meant, false) : against(meant, clue, 'number_and_title_differ');
}

/** What the words tell chooses among what the number means, or contradicts it. */
function against(meant: readonly EpisodeTarget[], told: readonly EpisodeTarget[], why: Why): Meaning {
  const same = meant.filter((episode) => told.includes(episode));
  return same.length > 0 ? settled(same, true) : unsettled([...meant, ...told], why);
}

function nearestOf(near: ReadonlyMap<EpisodeTarget, number>): EpisodeTarget[] {
  const most = Math.max(0, ...near.values());
  return [...near].filter(([, likeness]) => likeness === most).map(([episode]) => episode);
}
