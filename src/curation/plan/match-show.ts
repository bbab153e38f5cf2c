import { posterNames } from '../../model/names/known-words.ts';
import { explain, hasDoubt, type Name, readName, type Said, unknownIn } from '../../model/names/name.ts';
import { codesIn, daysIn, episodesIn, type Numbers, seasonsIn } from '../../model/names/numbers.ts';
import { titleIn } from '../../model/names/titles.ts';
import {
  outsideOf,
  type Span,
  textIn,
  textOf,
  type Word,
  wordKey,
  wordsOf,
} from '../../model/names/words.ts';
import type { EpisodeTarget } from '../../model/target.ts';
import { type Around, strangeIn, yearApart } from './around.ts';
import type { ShowIndex } from './show-index.ts';
import {
  asked,
  distinctPlaces,
  type Meant,
  meansCard,
  nothing,
  picturesOf,
  type Verdict,
} from './verdict.ts';

/** One file of a show's folder, with all that tells about it. */
interface ShowFile {
  readonly name: Name;
  readonly around: Around;
  readonly index: ShowIndex;
}

/** Matches one file of a show's folder by its name, and what the folders say that it lies in. */
export function matchInShow(stem: string, around: Around, index: ShowIndex): Verdict {
  const name = readName(stem)(index.forms);
  const { strange } = around;
  const year = yearApart(name, index.show.year);
  if (year !== null) return nothing('other_work', String(year));
  if (strange?.why === 'other_work' && name.title !== 'whole') return nothing('other_work', strange.about);
  const isOtherYear = name.year !== null && index.show.year !== null && name.year !== index.show.year;
  const isUnclear = name.turned || around.isDoubtful || (isOtherYear && !name.isYearBehind);
  const verdict = asked(read({ name, around, index }), isUnclear && 'unclear_words', String(name.year ?? ''));
  const isCalled = strange !== null && (name.title !== 'whole' || strange.why === 'short_name');
  return asked(verdict, isCalled && strange.why, strange?.about);
}

function meaning(target: Meant['target']): Meant {
  return { target };
}

function read(file: ShowFile): Verdict {
  const { name, around, index } = file;
  const codes = codesIn(name.rest);
  const isThere = ({ season, episodes }: Numbers) =>
    episodes.some((number) => index.episodesNumbered(season, number).length > 0);
  // 1920x1080 and 16x9 are no episodes.
  const isCode = ({ start, end }: Numbers) => /[^\dx]/.test(name.rest.slice(start, end));
  const possible = codes.some(isThere) ? codes.filter(isThere) : codes.filter(isCode);
  if (possible.length > 0) return ofEpisodes(file, possible);

  const [day] = daysIn(name.rest);
  if (day !== undefined) {
    const aired = day.days.flatMap((each) => [...index.episodesOf(each)]);
    if (aired.length === 0) return nothing('not_there', day.days.join(' '));
    const code = { ...day, season: null, episodes: [], doubtful: day.days.length > 1 };
    return ofEpisodes(file, [code], aired);
  }

  const seasons = seasonsNamed(name, index);
  const numbered = episodesIn(name.rest);
  const [episode] = numbered;
  if (episode !== undefined) {
    const [said = null, ...others] = seasons.length > 0 ? seasons.map((one) => one.season) : around.seasons;
    const season = episode.season ?? (others.some((other) => other !== said) ? null : said);
    if (season === null) return ofNumber(file, episode);
    const whole = numbered.map((one) => ({ ...one, season: one.season ?? season }));
    return ofEpisodes(file, whole, null, seasons);
  }
  if (seasons.length > 0) return ofSeasons(file, seasons);
  return around.code === null ? ofWords(file) : ofEpisodes(file, [{ ...around.code, start: 0, end: 0 }]);
}

const lastSeason = /(?<!\p{L})(?:final|last)[\s._-]+(?:seasons?|series)(?!\p{L})/u;

/** The seasons that a name says, by their numbers or as the last one. */
function seasonsNamed({ rest }: Name, { lastSeason: season }: ShowIndex): Numbers[] {
  const numbered = seasonsIn(rest);
  const last = numbered.length === 0 && season !== null ? lastSeason.exec(rest) : null;
  if (last === null) return numbered;
  const [start, end] = [last.index, last.index + last[0].length];
  return [{ season, episodes: [], doubtful: true, start, end }];
}

/** The words of a name in front of its numbers, and behind, where brackets hold tags and never another work's name. */
function wordsAround({ name }: ShowFile, numbers: readonly Span[]): { front: Said; behind: Said } {
  const words = outsideOf(wordsOf(name.rest), numbers);
  const start = Math.min(...numbers.map((one) => one.start));
  const isFront = (word: Word) => word.end <= start;
  const behind = explain(
    words.filter((word) => !isFront(word)),
    name.text,
  );
  const isTag = (at: number) => /^[[{]/.test(behind.words[at]?.within ?? '');
  return {
    front: explain(words.filter(isFront), name.text),
    behind: { ...behind, roles: behind.roles.map((role, at) => role ?? (isTag(at) ? 'noise' : null)) },
  };
}

interface Titled {
  readonly found: readonly Meant[];
  /** They have these words as their whole title. */
  readonly isWhole: boolean;
  /** The words from the first that nothing explains to the last. */
  readonly core: readonly Word[];
}

/** What words may be the title of: the whole of one, or else nearly one, more than one, a part of one. */
function titledBy(said: Said, { titles }: ShowIndex): Titled {
  const { named, core } = titleIn(said, titles);
  if (named.length > 0) {
    const found = named.map(({ item, from, to }) => ({ target: item, title: { from, to } }));
    return { found, isWhole: true, core };
  }
  return { found: titles.like(core).map(meaning), isWhole: false, core };
}

/**
 * A name that says which episodes it is for. Its other words may confirm that, or speak against it: another
 * work's name before the number, the title of another episode behind it.
 * @param given the episodes that are meant, where the codes alone do not tell
 * @param besides where the season's number stands, if not in the codes
 */
function ofEpisodes(
  file: ShowFile,
  codes: readonly Numbers[],
  given: readonly EpisodeTarget[] | null = null,
  besides: readonly Span[] = [],
): Verdict {
  const { name, around, index } = file;
  const numbered = codes.flatMap(({ season, episodes }) =>
    episodes.flatMap((number) => index.episodesNumbered(season, number)),
  );
  const meant = new Set<Meant['target']>(given ?? numbered);
  const { front, behind } = wordsAround(file, [...codes, ...besides]);
  const isMeant = ({ target }: Meant) => meant.has(target);
  const before = titledBy(front, index);
  const isTitleBefore = before.isWhole && before.found.some(isMeant);
  const strange = isTitleBefore ? null : strangeIn(name, front, index);
  if (strange?.why === 'other_work') return nothing('other_work', strange.about);

  const told = titledBy(behind, index);
  const titled = told.found.filter(({ target }) => target.kind === 'episode');
  const same = titled.filter(isMeant);
  const isSeveral = codes.some(({ episodes }) => episodes.length > 1);
  const isChosen = same.length > 0 && !isSeveral;
  const chosen = isChosen ? same : [...[...meant].map(meaning), ...(same.length > 0 ? [] : titled)];
  if (chosen.length === 0) {
    const numbers = codes.map(({ start, end }) => ({ text: textIn(name.text, { start, end }) }));
    return nothing('not_there', textOf(numbers));
  }
  const verdict = picturesOf(chosen, [behind, front], around.slots);
  const isConfirmed = isTitleBefore || (told.isWhole && same.length === 1);
  const isOtherSeason = codes.some(
    ({ season }) => season !== null && around.seasons.some((one) => one !== season),
  );
  const isNumber = told.core.length > 0 && told.core.every(({ text }) => /^\d+$/.test(text));
  const isUnsure = !isConfirmed && (isNumber || codes.some(({ doubtful }) => doubtful));
  const isUnclear = isUnsure || hasDoubt(front) || hasDoubt(behind, same[0]?.title ?? null);
  const whole = asked(verdict, strange?.why ?? null, strange?.about);
  const one = asked(whole, (isSeveral || isOtherSeason || meant.size === 0) && 'several_meant');
  return asked(one, isUnclear && 'unclear_words', textOf(told.core));
}

/** A name that says a season and no episode: the season's own picture, unless a number or a title follows. */
function ofSeasons(file: ShowFile, spans: readonly Numbers[]): Verdict {
  const { name, around, index } = file;
  const { front, behind } = wordsAround(file, spans);
  const numbers = [...new Set(spans.map(({ season }) => season))];
  const unknown = unknownIn(behind);
  const [only, ...others] = unknown;
  const [season, ...more] = numbers;
  if (only !== undefined && /^\d{1,3}$/.test(only.text) && others.length + more.length === 0) {
    // "Season 1 - 5" may be five seasons.
    const doubtful = only.text.length < 2;
    const code = { ...only, season: season ?? null, episodes: [Number(only.text)], doubtful };
    return ofEpisodes(file, [code], null, spans);
  }
  const strange = strangeIn(name, front, index);
  if (strange?.why === 'other_work') return nothing('other_work', strange.about);
  if (index.seasonsNumbered(numbers).length === 0) return nothing('not_there', numbers.join(' '));
  const seasons = index.seasonsNumbered([...numbers, ...around.seasons]);
  const verdict = picturesOf(seasons.map(meaning), [behind, front], around.slots);
  const isDoubtful = spans.some(({ doubtful }) => doubtful) || hasDoubt(front) || hasDoubt(behind);
  const whole = asked(verdict, strange?.why ?? null, strange?.about);
  return asked(whole, (isDoubtful || unknown.length > 0) && 'unclear_words', textOf(unknown));
}

/** A number without a season: of the season whose folder it lies in, or of any, or counted through all. */
function ofNumber(file: ShowFile, number: Numbers): Verdict {
  const { around, index } = file;
  const [season = null, ...others] = around.seasons;
  const [first = 0] = number.episodes;
  const numbered = index.episodesNumbered(others.length === 0 ? season : null, first);
  // 213 is S02E13.
  const joint = first < 100 ? [] : index.episodesNumbered(Math.floor(first / 100), first % 100);
  const isInSeason = season !== null && others.length === 0 && numbered.length > 0;
  const episodes = [...new Set([...numbered, ...(isInSeason ? [] : [...joint, ...index.counted(first)])])];
  if (episodes.length === 0) return nothing('not_there', number.episodes.join(' '));
  const doubtful = number.doubtful || episodes.length > 1 || numbered.length === 0;
  return ofEpisodes(file, [{ ...number, season: isInSeason ? season : null, doubtful }], episodes);
}

/** A name without any code: a title, a number by itself, artwork of the show or of the season's folder. */
function ofWords(file: ShowFile): Verdict {
  const { name, around, index } = file;
  const whole = explain(wordsOf(name.text), name.text);
  const said = explain(wordsOf(name.rest), name.text);
  const unknown = unknownIn(said);
  const isInSeason = ({ target }: Meant) =>
    around.seasons.every((season) => 'season' in target && season === target.season);
  const named = [whole, said].map((words) => titledBy(words, index)).filter(({ isWhole }) => isWhole);
  const titles = named.flatMap(({ found }) => found);
  const titled = titles.some(isInSeason) ? titles.filter(isInSeason) : titles;
  const isDoubtful = !titled.every(isInSeason) || hasDoubt(whole, titled[0]?.title ?? null);
  const numbers = unknown.filter(({ text }) => /^\d{1,4}$/.test(text));
  const readings = [
    asked(picturesOf(titled, [whole], around.slots), isDoubtful && 'unclear_words'),
    ofNumbers(file, numbers, said),
    ofOwn(file, said),
  ];
  const found = readings.filter(({ places }) => places.length > 0);
  const [first] = found;
  if (first === undefined) return ofGuess(file, said, readings);
  const places = distinctPlaces(found.flatMap((each) => each.places));
  const why = found.find((each) => each.why !== null)?.why ?? null;
  const usual = found.every((each) => each.usual === true);
  // The show's title may be a number itself.
  const isNumber = unknown.length === 0 && /^\d+$/.test(textOf(whole.words));
  const cards = [around.slots.within, around.slots.chosen, ...said.slots.map(({ phrase }) => phrase)];
  const isBare = name.title === null && !around.isOwn && around.seasons.length === 0;
  const isAlone = titled.length > 0 && isBare && !cards.some(meansCard);
  // With the year of something else it is the title of that.
  if (isAlone && name.year !== null && name.year !== index.show.year)
    return nothing('other_work', textOf(whole.words));
  const several = asked({ ...first, places, why, usual }, (isNumber || places.length > 1) && 'several_meant');
  return asked(several, isAlone && 'title_alone');
}

/** One number, or two, which are a season and an episode or something else: a person says which. */
function ofNumbers(file: ShowFile, [one, other, ...more]: readonly Word[], said: Said): Verdict {
  const { index, name, around } = file;
  if (one === undefined || more.length > 0) return nothing('says_nothing');
  if (other === undefined) {
    // Numbers behind a word such as image or export count pictures, not episodes.
    const isSerial = name.title === null && said.roles.includes('version');
    const doubtful = isSerial || unknownIn(said).length > 1;
    const verdict = ofNumber(file, { ...one, season: null, episodes: [Number(one.text)], doubtful });
    if (verdict.why !== 'no_slot') return verdict;
    // seasonposter/name-2.jpg: what episodes have no slot for is a season's.
    const seasons = index.seasonsNumbered([Number(one.text)]).map(meaning);
    return asked(picturesOf(seasons, [said], around.slots), 'several_meant');
  }
  const between = name.text.slice(one.end, other.start);
  if (!/^\s?(?:[-.~&+/]|of|von|de)?\s?$/.test(between)) return nothing('says_nothing');
  const both = index.episodesNumbered(Number(one.text), Number(other.text));
  const single = index.episodesNumbered(around.seasons[0] ?? null, Number(one.text));
  const isSingle = one.text.startsWith('0') || around.seasons.length > 0 || /[a-z/]/.test(between);
  const episodes = isSingle ? [...single, ...both] : [...both, ...single];
  if (episodes.length === 0) return nothing('not_there', `${one.text} ${other.text}`);
  return asked(picturesOf(episodes.map(meaning), [], around.slots), 'several_meant');
}

/**
 * Artwork of the show, or of the season in whose folder it lies: nothing is said but what it is.
 * @param isMeant something else says that it is of these
 */
function ofOwn({ index, around, name }: ShowFile, said: Said, isMeant = false): Verdict {
  const isNamed = isMeant || name.title !== null || posterNames.has(wordKey(said.words));
  if (unknownIn(said).length > 0 || (said.slots.length === 0 && !isNamed)) return nothing('says_nothing');
  const seasons = index.seasonsNumbered(around.seasons);
  if (around.seasons.length > 0 && seasons.length === 0)
    return nothing('not_there', around.seasons.join(' '));
  const own = seasons.length === 0 || isNamed ? [index.own] : [];
  const verdict = picturesOf([...seasons, ...own].map(meaning), [said], around.slots);
  const strange = strangeIn(name, said, index);
  return asked(asked(verdict, strange?.why ?? null, strange?.about), hasDoubt(said) && 'unclear_words');
}

/** Not a title, but part of some, or nearly some; or the show's title beside words that may make it another's. */
function ofGuess(file: ShowFile, said: Said, none: readonly Verdict[]): Verdict {
  const { found } = titledBy(said, file.index);
  const guessed = picturesOf(found, [said], file.around.slots);
  if (guessed.places.length > 0) return { ...guessed, why: 'part_of_title' };
  const refused = none.find(({ why }) => why === 'not_there' || why === 'no_slot');
  if (refused !== undefined) return refused;
  const strange = strangeIn(file.name, said, file.index);
  if (strange?.why !== 'short_name') return nothing('says_nothing');
  const own = ofOwn(file, { ...said, roles: said.roles.map((role) => role ?? 'noise') }, true);
  return own.places.length === 0 ? own : { ...own, why: 'short_name', about: strange.about };
}
