import { meaningOf } from './episode-meaning.ts';
import { type Explained, explainWords, unknownWordsOf } from './names/explain.ts';
import { isCounter, type Numbers } from './names/numbers.ts';
import { titleIn } from './names/title-in.ts';
import { abbreviates, titleAt } from './names/work-title.ts';
import { type Word, wordsOf } from './names/words.ts';
import { distinctPlaces, planPlaceOf } from './places.ts';
import { hasDoubt, phrasesOutside, slotsNamed } from './named-slots.ts';
import type { ShowFile } from './show-file.ts';
import { episodesOf, type ShowIndex } from './show-index.ts';
import type { EpisodeTarget } from './targets.ts';
import { noMatch, type MatchVerdict, type Why } from './verdict.ts';

interface Span {
  readonly start: number;
  readonly end: number;
}

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
  const slot = slotsNamed('episode', phrases, folders.slot);
  if (slot.slots.length === 0) return noMatch('no_slot');
  const outer = folders.seasons.filter((season) => code.season !== null && season !== code.season);
  const elsewhere = outer.flatMap((season) => episodesOf([{ ...code, season }], index));
  const places = distinctPlaces(
    [...meaning.episodes, ...elsewhere].map((episode) => planPlaceOf(episode, 'titlecard')),
  );
  const doubtful = hasDoubt(before) || hasDoubt(after, meaning.title);
  const open: Why | null =
    meaning.why ??
    foreign ??
    (meaning.confirmed ? null : unconfirmed(file, code)) ??
    (doubtful ? 'unclear_words' : null) ??
    (outer.length > 0 ? 'names_differ' : null) ??
    (slot.sure ? null : 'slot_unclear');
  return { places, sure: open === null && places.length === 1, why: open };
}

function wordsAround({ name, index }: ShowFile, code: Numbers, besides: readonly Span[]) {
  const words = wordsOf(name.rest).filter((word) => ![code, ...besides].some((span) => overlaps(word, span)));
  const before = words.filter(({ end }) => end <= code.start);
  const after = words.filter(({ start }) => start >= code.end);
  return { before: explainWords(before, name.rest), after: ownMarked(explainWords(after, name.rest), index) };
}

function overlaps(word: Word, span: Span): boolean {
  return word.start < span.end && word.end > span.start;
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
