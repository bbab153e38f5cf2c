import {
  explain,
  hasDoubt,
  phrasesOutside,
  type Role,
  type Said,
  unknownIn,
} from '../../model/names/name.ts';
import { daysIn, episodesIn, isCounter, type Numbers } from '../../model/names/numbers.ts';
import { titleIn, type WordRange } from '../../model/names/titles.ts';
import { outsideOf, type Span, textIn, textOf, type Word, wordsOf } from '../../model/names/words.ts';
import type { EpisodeTarget } from '../../model/target.ts';
import { cardsOf, distinctPlaces } from './places.ts';
import type { Why } from './reasons.ts';
import { type ShowFile, titleAndMore } from './show-file.ts';
import { episodesOf, type ShowIndex } from './show-index.ts';
import { firstOf, nothing, slotsSaid, type Verdict } from './verdict.ts';

/**
 * A name that says which episodes it is for. Its other words may confirm that, or speak against it: another
 * work's name before the number, the title of another episode behind it.
 * @param codes the first is the file's own; others make it doubtful, unless they are its title
 * @param besides where the season's number stands, if not in the code
 * @param given the episodes that are meant, where the code alone does not tell
 */
export function matchEpisodes(
  file: ShowFile,
  [code, ...others]: readonly Numbers[],
  besides: readonly Span[] = [],
  given: readonly EpisodeTarget[] | null = null,
): Verdict {
  const { index, folders, name } = file;
  if (code === undefined) return nothing('says_nothing');
  const meant = given ?? episodesOf([code], index);
  const words = outsideOf(wordsOf(name.rest), [code, ...besides]);
  const before = explain(
    words.filter(({ end }) => end <= code.start),
    name.text,
  );
  const behind = explain(
    words.filter(({ start }) => start >= code.end),
    name.text,
  );
  // Behind the number, brackets hold tags, and never another work's name.
  const isTag = (at: number) => /^[[{]/.test(behind.words[at]?.within ?? '');
  const after = { ...behind, roles: behind.roles.map((role, at) => role ?? (isTag(at) ? 'noise' : null)) };
  const strange = strangeBefore(withoutCounter(before), meant, file, [code, ...besides]);
  if (strange?.why === 'other_work') return { ...strange, places: [] };
  const meaning = meaningOf(meant, [code, ...others], after, index);
  if (meaning.episodes.length === 0) {
    const noSeason = code.season !== null && index.seasonsNumbered(code.season).length === 0;
    return noSeason
      ? nothing('no_such_season', String(code.season))
      : nothing('no_such_episode', name.text.slice(code.start, code.end).trim());
  }
  const phrases = [...phrasesOutside(before, null), ...phrasesOutside(after, meaning.title)];
  const slot = slotsSaid('episode', phrases, folders.slots);
  if (slot.slots.length === 0) return nothing('no_slot');
  const outer = folders.seasons.filter((season) => code.season !== null && season !== code.season);
  const why = firstOf(
    code.between === true && 'between_episodes',
    meaning.why,
    strange?.why ?? null,
    !meaning.isConfirmed && name.title === 'part' && 'short_name',
    !meaning.isConfirmed && code.doubtful && 'unclear_words',
    (hasDoubt(before) || hasDoubt(after, meaning.title)) && 'unclear_words',
    outer.length > 0 && 'names_differ',
    !slot.sure && 'slot_unclear',
  );
  const told = why !== null && why === strange?.why ? strange : { about: meaning.about };
  return {
    places: distinctPlaces(cardsOf(meaning.episodes)),
    why,
    ...told,
  };
}

interface Strange {
  /** `other_work`: nothing is asked. */
  readonly why: Why;
  readonly about?: string;
  readonly called?: string;
}

/** What stands before a number names the work or the episode, or else another work. */
function strangeBefore(
  said: Said,
  meant: readonly EpisodeTarget[],
  { index, name, folders }: ShowFile,
  numbers: readonly Span[],
): Strange | null {
  const unknown = unknownIn(said);
  if (unknown.length === 0) {
    const isVersion = said.roles.includes('version') && name.title === null && !folders.own;
    return isVersion ? { why: 'unclear_words', about: textOf(said.words) } : null;
  }
  if (titleIn(said, index.titles).named.some(({ item }) => meant.includes(item))) return null;
  const about = textOf(unknown);
  const called = name.title === 'whole' ? titleAndMore(name, unknown, numbers) : null;
  if (called !== null) return { why: 'short_name', about, called: textIn(name.text, called) };
  return { why: name.title === 'whole' || /^\d{1,3}$/.test(about) ? 'unclear_words' : 'other_work', about };
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

/** What a name means, numbers and words together. */
interface Meaning {
  readonly episodes: readonly EpisodeTarget[];
  /** Null where it is clear which. */
  readonly why: Why | null;
  /** The words tell the same as the numbers. */
  readonly isConfirmed: boolean;
  /** The words behind the number that are the episode's title, and so no slot's name. */
  readonly title: WordRange | null;
  readonly about: string;
}

/**
 * Holds the words behind a number against it: they confirm it, choose among several, or contradict it.
 * @param meant the episodes that the number means
 * @param others further numbers in the name
 */
function meaningOf(
  meant: readonly EpisodeTarget[],
  [code, ...others]: readonly [Numbers, ...Numbers[]],
  after: Said,
  index: ShowIndex,
): Meaning {
  const { named, core } = titleIn(after, index.titles);
  const about = textOf(core);
  const ask = (why: Why, more: readonly EpisodeTarget[] = []): Meaning => {
    return { episodes: [...new Set([...meant, ...more])], why, isConfirmed: false, title: null, about };
  };
  const sure = (episodes: readonly EpisodeTarget[], isConfirmed: boolean, title: WordRange | null = null) => {
    const why: Why | null = episodes.length > 1 ? 'several_of_one_number' : null;
    return { episodes, why, isConfirmed, title, about };
  };
  const titled = named.map(({ item }) => item);
  const same = meant.filter((episode) => titled.includes(episode));
  const isOfSeveral = code.episodes.length > 1;
  if (same.length > 0 && !isOfSeveral) {
    return sure(same, true, named.find(({ item }) => same.includes(item)) ?? null);
  }
  const more = episodesOf(others, index).filter((episode) => !meant.includes(episode));
  if (more.length > 0) return ask('several_at_once', more);
  if (meant.length === 0 || (titled.length > 0 && same.length === 0))
    return ask('number_and_title_differ', titled);
  if (isOfSeveral) return isOneEntry(meant, code, index) ? sure(meant, false) : ask('several_at_once');
  if (core.length === 0) return sure(meant, false);
  const against = (told: readonly EpisodeTarget[], why: Why) => {
    const chosen = meant.filter((episode) => told.includes(episode));
    return chosen.length > 0 ? sure(chosen, true) : ask(why, told);
  };
  const aired = daysIn(about).flatMap(({ days }) => days.flatMap((day) => index.episodesOf(day)));
  if (aired.length > 0) return against(aired, 'number_and_day_differ');
  if (core.every((word) => /^\d+$/.test(word.text))) return ask('unclear_words');
  const called = episodesIn(about).flatMap(({ episodes }) => episodes);
  if (called.some((number) => !code.episodes.includes(number))) return ask('several_at_once');
  const clue = clueIn(after.words, core, index);
  // A title that the catalogue does not have speaks against nothing.
  return clue.length === 0 ? sure(meant, false) : against(clue, 'number_and_title_differ');
}

/** The episodes that words mean which are no whole title: nearly one, more than one, a part of one. */
function clueIn(
  all: readonly Word[],
  core: readonly Word[],
  { titles }: ShowIndex,
): readonly EpisodeTarget[] {
  const nearest = (words: readonly Word[]) => {
    const near = titles.near(words);
    return near.filter(([, like]) => like === near[0]?.[1]).map(([episode]) => episode);
  };
  // What is taken for a word about the picture may be the title's: "Full Measures".
  const clues = [nearest(all), titles.within(core), nearest(core)];
  return clues.find((episodes) => episodes.length > 0) ?? titles.holding(core);
}

/** One picture for several numbers: clear only where the catalogue has one entry in the place of all of them. */
function isOneEntry([only, ...others]: readonly EpisodeTarget[], code: Numbers, index: ShowIndex): boolean {
  const last = Math.max(...code.episodes);
  const ofSeason = index.seasons.filter(({ season }) => season === only?.season);
  const goesOn = ofSeason.some(({ episodes }) => episodes.some((one) => (one.episode ?? 0) > last));
  return others.length === 0 && only?.episode === Math.min(...code.episodes) && goesOn;
}
