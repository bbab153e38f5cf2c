import {
  explain,
  hasDoubt,
  phrasesOutside,
  type Role,
  type Said,
  unknownIn,
} from '../../model/names/name.ts';
import { daysIn, episodesIn, isCounter, type Numbers } from '../../model/names/numbers.ts';
import { abbreviates, titleAt, titleIn, type WordRange } from '../../model/names/titles.ts';
import { outsideOf, rawTextOf, type Span, type Word, wordsOf } from '../../model/names/words.ts';
import type { EpisodeTarget } from '../../model/target.ts';
import { cardsOf, distinctPlaces } from './places.ts';
import { type ShowFile, titleAndMore } from './show-file.ts';
import { episodesOf, type ShowIndex } from './show-index.ts';
import { nothing, slotsSaid, type Verdict, type Why } from './verdict.ts';

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
): Verdict {
  const { index, folders, name } = file;
  const [code, ...others] = codes;
  if (code === undefined) return nothing('says_nothing');
  const meant = given ?? episodesOf([code], index);
  const { before, after } = wordsAround(file, code, besides);
  const strange = strangeBefore(before, meant, file, [code, ...besides]);
  if (strange?.places !== undefined) return { ...strange, places: [] };
  const meaning = meaningOf({ meant, code, others, after }, index);
  if (meaning.episodes.length === 0) {
    const noSeason = code.season !== null && index.seasonsNumbered(code.season).length === 0;
    if (noSeason) return nothing('no_such_season', String(code.season));
    return nothing('no_such_episode', name.text.slice(code.start, code.end).trim());
  }
  const phrases = [...phrasesOutside(before, null), ...phrasesOutside(after, meaning.title)];
  const slot = slotsSaid('episode', phrases, folders.slots);
  if (slot.slots.length === 0) return nothing('no_slot');
  const outer = folders.seasons.filter((season) => code.season !== null && season !== code.season);
  const elsewhere = outer.flatMap((season) => episodesOf([{ ...code, season }], index));
  const places = distinctPlaces(cardsOf([...meaning.episodes, ...elsewhere]));
  const isDoubted = hasDoubt(before) || hasDoubt(after, meaning.title);
  const why: Why | null =
    (code.between === true ? 'between_episodes' : null) ??
    meaning.why ??
    strange?.why ??
    (meaning.isConfirmed ? null : unconfirmed(file, code)) ??
    (isDoubted ? 'unclear_words' : null) ??
    (outer.length > 0 ? 'names_differ' : null) ??
    (slot.sure ? null : 'slot_unclear');
  const told = why !== null && why === strange?.why ? strange : meaning;
  return {
    ...{ places, why },
    ...(told.about === undefined ? {} : { about: told.about }),
    ...(strange?.called === undefined || why !== strange.why ? {} : { called: strange.called }),
  };
}

function wordsAround({ name, index }: ShowFile, code: Numbers, besides: readonly Span[]) {
  const words = outsideOf(wordsOf(name.rest), [code, ...besides]);
  const before = words.filter(({ end }) => end <= code.start);
  const after = words.filter(({ start }) => start >= code.end);
  return {
    before: explain(before, name.text),
    after: withTags(withOwnTitle(explain(after, name.text), index)),
  };
}

/** Behind the number, brackets hold tags, and never another work's name. */
function withTags(said: Said): Said {
  const roles = said.roles.map((role, at): Role => {
    const { within = '' } = said.words[at] ?? {};
    return role === null && (within === '[' || within === '{') ? 'noise' : role;
  });
  return { ...said, roles };
}

/** The show's title may stand behind the number, too. */
function withOwnTitle(said: Said, { forms }: ShowIndex): Said {
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

interface Strange {
  readonly why: Why;
  readonly about?: string;
  readonly called?: string;
  /** Given: nothing is asked, since the words are another work's name. */
  readonly places?: readonly [];
}

/** What stands before a number names the work or the episode, or else another work. */
function strangeBefore(
  before: Said,
  meant: readonly EpisodeTarget[],
  { index, name, stem, folders }: ShowFile,
  numbers: readonly Span[],
): Strange | null {
  const said = withoutCounter(before);
  const unknown = unknownIn(said);
  const [only, ...more] = unknown;
  if (only === undefined) {
    const isOwn = name.title !== null || folders.own;
    return said.roles.includes('version') && !isOwn
      ? { why: 'unclear_words', about: textOf(said.words) }
      : null;
  }
  if (titleIn(said, index.titles).named.some(({ item }) => meant.includes(item))) return null;
  const about = textOf(unknown);
  if (name.title === 'whole') {
    const called = titleAndMore(name, unknown, numbers);
    return called === null
      ? { why: 'unclear_words', about }
      : { why: 'short_name', about, called: rawTextOf(stem, called) };
  }
  if (more.length === 0 && abbreviates(only.text, index.forms)) return { why: 'short_name', about };
  return /^\d{1,3}$/.test(about) ? { why: 'unclear_words', about } : { why: 'other_work', about, places: [] };
}

function textOf(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ');
}

/** "Folge" of "Folge 2x11" says that a number follows; a language before a number may be part of a name. */
function withoutCounter(before: Said): Said {
  const last = before.words.length - 1;
  const roles = before.roles.map((role, at): Role => {
    if (at === last && isCounter(before.words[at]?.text ?? '')) return 'noise';
    return role === 'language' && before.words[at]?.within === '' ? null : role;
  });
  return { ...before, roles };
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
  readonly isConfirmed: boolean;
  /** The words behind the number that are the episode's title, and so no slot's name. */
  readonly title: WordRange | null;
  readonly about?: string;
}

interface Numbered {
  /** The episodes that the number means. */
  readonly meant: readonly EpisodeTarget[];
  readonly code: Numbers;
  /** Further codes in the name. */
  readonly others: readonly Numbers[];
  /** The words behind the number. */
  readonly after: Said;
}

/** Holds the words behind a number against it: they confirm it, choose among several, or contradict it. */
function meaningOf({ meant, code, others, after }: Numbered, index: ShowIndex): Meaning {
  const { named, core } = titleIn(after, index.titles);
  const titled = [...new Set(named.map(({ item }) => item))];
  const isOfSeveral = code.episodes.length > 1;
  const agreed = named.find(({ item }) => meant.includes(item));
  if (agreed !== undefined && !isOfSeveral) {
    const same = titled.filter((episode) => meant.includes(episode));
    return { ...settled(same, true), title: agreed };
  }
  const more = episodesOf(others, index).filter((episode) => !meant.includes(episode));
  if (more.length > 0) return unsettled([...meant, ...more], 'several_at_once');
  const about = textOf(core);
  if (meant.length === 0) return { ...unsettled(titled, 'number_and_title_differ'), about };
  if (titled.length > 0 && agreed === undefined) {
    return { ...unsettled([...meant, ...titled], 'number_and_title_differ'), about };
  }
  if (isOfSeveral) return ofSeveral(meant, code.episodes, index);
  return core.length === 0 ? settled(meant, false) : { ...judged(meant, code, core, after, index), about };
}

function settled(episodes: readonly EpisodeTarget[], isConfirmed: boolean): Meaning {
  return { episodes, why: episodes.length > 1 ? 'several_of_one_number' : null, isConfirmed, title: null };
}

function unsettled(episodes: readonly EpisodeTarget[], why: Why): Meaning {
  return { episodes: [...new Set(episodes)], why, isConfirmed: false, title: null };
}

/** One picture for several numbers: clear only where the catalogue has one entry in the place of all of them. */
function ofSeveral(found: readonly EpisodeTarget[], numbers: readonly number[], index: ShowIndex): Meaning {
  const [only, ...others] = found;
  const last = Math.max(...numbers);
  const goesOn = index.seasons.some(
    ({ season, episodes }) => season === only?.season && episodes.some((one) => (one.episode ?? 0) > last),
  );
  const isFirst = only?.episode === Math.min(...numbers);
  return others.length === 0 && isFirst && goesOn
    ? settled(found, false)
    : unsettled(found, 'several_at_once');
}

/** Words that are no episode's whole title: a day, part of a title, nearly one, or unknown words. */
function judged(
  meant: readonly EpisodeTarget[],
  code: Numbers,
  core: readonly Word[],
  after: Said,
  index: ShowIndex,
): Meaning {
  const text = textOf(core);
  const aired = daysIn(text).flatMap(({ days }) => days.flatMap((day) => index.episodesOf(day)));
  if (aired.length > 0) return against(meant, aired, 'number_and_day_differ');
  if (core.every((word) => /^\d+$/.test(word.text))) return unsettled(meant, 'unclear_words');
  const called = episodesIn(text).flatMap(({ episodes }) => episodes);
  if (called.some((number) => !code.episodes.includes(number))) return unsettled(meant, 'several_at_once');
  const { titles } = index;
  const nearest = (words: readonly Word[]) => {
    const near = titles.near(words);
    return near.filter(([, like]) => like === near[0]?.[1]).map(([episode]) => episode);
  };
  // What is taken for a word about the picture may be the title's: "Full Measures".
  const clues = [nearest(after.words), titles.within(core), nearest(core)];
  const clue = clues.find((episodes) => episodes.length > 0) ?? titles.holding(core);
  // A title that the catalogue does not have speaks against nothing.
  return clue.length === 0 ? settled(meant, false) : against(meant, clue, 'number_and_title_differ');
}

/** What the words tell chooses among what the number means, or contradicts it. */
function against(meant: readonly EpisodeTarget[], told: readonly EpisodeTarget[], why: Why): Meaning {
  const same = meant.filter((episode) => told.includes(episode));
  return same.length > 0 ? settled(same, true) : unsettled([...meant, ...told], why);
}
