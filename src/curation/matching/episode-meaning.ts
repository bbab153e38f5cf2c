import { daysIn } from './names/dates.ts';
import type { Explained } from './names/explain.ts';
import { episodesIn, type Numbers } from './names/numbers.ts';
import { titleIn } from './names/title-in.ts';
import type { Word } from './names/words.ts';
import type { WordRange } from './named-slots.ts';
import { episodesOf, type ShowIndex } from './show-index.ts';
import type { EpisodeTarget } from './targets.ts';
import type { Why } from './verdict.ts';

/** What a name means, numbers and words together. */
export interface Meaning {
  readonly episodes: readonly EpisodeTarget[];
  /** Null where it is clear which. */
  readonly why: Why | null;
  /** The words tell the same as the numbers. */
  readonly confirmed: boolean;
  /** The words behind the number that are the episode's title, and so no slot's name. */
  readonly title: WordRange | null;
}

export interface NumberedMeaning {
  /** The episodes that the number means. */
  readonly meant: readonly EpisodeTarget[];
  readonly code: Numbers;
  /** Further codes in the name. */
  readonly others: readonly Numbers[];
  /** The words behind the number. */
  readonly after: Explained;
}

/** Holds the words behind a number against it: they confirm it, choose among several, or contradict it. */
export function meaningOf({ meant, code, others, after }: NumberedMeaning, index: ShowIndex): Meaning {
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
  if (more.length > 0) return open([...meant, ...more], 'several_at_once');
  if (meant.length === 0) return open(titled, 'number_and_title_differ');
  if (titled.length > 0 && agreed === undefined) {
    return open([...meant, ...titled], 'number_and_title_differ');
  }
  if (several) return ofSeveral(meant, code.episodes, index);
  return core.length === 0 ? settled(meant, false) : judge(meant, code, core, after, index);
}

function settled(episodes: readonly EpisodeTarget[], confirmed: boolean): Meaning {
  const why = episodes.length > 1 ? 'several_of_one_number' : null;
  return { episodes, why, confirmed, title: null };
}

function open(episodes: readonly EpisodeTarget[], why: Why): Meaning {
  return { episodes: [...new Set(episodes)], why, confirmed: false, title: null };
}

/** One picture for several numbers: clear only where the catalogue has one entry in the place of all of them. */
function ofSeveral(found: readonly EpisodeTarget[], numbers: readonly number[], index: ShowIndex): Meaning {
  const [only, ...others] = found;
  const last = Math.max(...numbers);
  const goesOn = index.seasons.some(
    ({ number, episodes }) =>
      number === only?.season && episodes.some((episode) => (episode.number ?? 0) > last),
  );
  const first = only?.number === Math.min(...numbers);
  return others.length === 0 && first && goesOn ? settled(found, false) : open(found, 'several_at_once');
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
  if (core.every((word) => /^\d+$/.test(word.text))) return open(meant, 'unclear_words');
  const called = episodesIn(text).flatMap(({ episodes }) => episodes);
  if (called.some((number) => !code.episodes.includes(number))) return open(meant, 'several_at_once');
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
  return same.length > 0 ? settled(same, true) : open([...meant, ...told], why);
}

function nearestOf(near: ReadonlyMap<EpisodeTarget, number>): EpisodeTarget[] {
  const most = Math.max(0, ...near.values());
  return [...near].filter(([, likeness]) => likeness === most).map(([episode]) => episode);
}
