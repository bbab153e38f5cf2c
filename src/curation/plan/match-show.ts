import { isDeviceName } from '../../model/names/file-name.ts';
import { explain, hasDoubt, readName, type Said, unknownIn } from '../../model/names/name.ts';
import { codesIn, daysIn, episodesIn, type Numbers, seasonsIn } from '../../model/names/numbers.ts';
import { titleIn } from '../../model/names/titles.ts';
import { blanked, isSmallWord, outsideOf, plain, textIn, textOf, wordsOf } from '../../model/names/words.ts';
import type { Place } from '../../model/target.ts';
import type { Season } from '../../model/work.ts';
import { matchEpisodes } from './match-episodes.ts';
import { matchUnnumbered } from './match-unnumbered.ts';
import { cardsOf, distinctPlaces } from './places.ts';
import { type FoldersSay, type ShowFile, shortNameIn, titleAndMore, yearApart } from './show-file.ts';
import type { Counting, ShowIndex } from './show-index.ts';
import { firstOf, nothing, picturesOf, type Verdict } from './verdict.ts';

/** Matches one file of a show's folder by its name, and what the folders say that it lies in. */
export function matchInShow(
  stem: string,
  folders: FoldersSay,
  index: ShowIndex,
  counting: Counting,
): Verdict {
  const name = readName(stem, index.forms);
  const year = yearApart(name, index.show.year) ?? folders.year;
  if (year !== null) return nothing('other_year', String(year));
  if (folders.foreign !== null && name.title !== 'whole') return nothing('other_work', folders.foreign);
  const isTitle = index.titles.named(wordsOf(name.text)).length > 0;
  if (name.title === null && isDeviceName(stem) && !isTitle) return nothing('says_nothing');
  const file: ShowFile = { name, folders, index, counting };
  const verdict = withShortName(doubted(file), file);
  const { called, isMore, own } = folders;
  const isOwn = called === null || (!isMore && (own || name.title === 'whole'));
  return isOwn || verdict.why !== null ? verdict : { ...verdict, why: 'short_name', called };
}

/** What the name of the work itself leaves open is named, so that it can be asked once for all files. */
function withShortName(verdict: Verdict, file: ShowFile): Verdict {
  const { name, index } = file;
  const isPart = verdict.why === 'short_name';
  const isOpen = isPart || (verdict.places.length === 0 && name.title !== 'whole');
  const span = isOpen && verdict.called === undefined ? shortNameIn(name, index.forms) : null;
  if (span === null) return verdict;
  const called = textIn(name.text, span);
  if (isPart) return { ...verdict, called };
  const short = { ...name, rest: blanked(name.rest, span), title: 'part', span } as const;
  if (yearApart(short, index.show.year) !== null) return verdict;
  const again = doubted({ ...file, name: short });
  // Not even a title that agrees makes another show's name this one's.
  return again.why === null || again.why === 'short_name' ? { ...again, why: 'short_name', called } : again;
}

function doubted(file: ShowFile): Verdict {
  const { name, folders, index } = file;
  const verdict = withWholeTitle(read(file), file);
  const isOtherYear = name.year !== null && index.show.year !== null && name.year !== index.show.year;
  const why = firstOf(
    verdict.why,
    name.turned && 'hidden_signs',
    folders.doubt && 'unclear_words',
    isOtherYear && 'year_differs',
  );
  return { ...verdict, why };
}

/** A name that as a whole is the title of an episode may mean that one, whatever else it looks like. */
function withWholeTitle(verdict: Verdict, { name, index }: ShowFile): Verdict {
  if (verdict.why !== null) return verdict;
  const written = (text: string) => text.replace(/[\s_-]+/g, ' ').trim();
  const same = index.titles.named(wordsOf(name.text));
  const titled = cardsOf(same.filter(({ title }) => written(plain(title)) === written(name.text)));
  const places = distinctPlaces([...verdict.places, ...titled]);
  // Of one title that is shared the season's folder has chosen.
  const isChosen = titled.length === 0 || places.length === titled.length;
  return isChosen ? verdict : { places, why: 'number_and_title_differ' };
}

function read(file: ShowFile): Verdict {
  const { name, folders, index } = file;
  const codes = possible(codesIn(name.rest), index);
  if (codes.length > 0) return matchEpisodes(file, codes);
  const [day] = daysIn(name.rest);
  if (day !== undefined) {
    // A day on which nothing was shown is the day of something else.
    const aired = day.days.flatMap((each) => [...index.episodesOf(each)]);
    if (aired.length === 0) return nothing('no_such_episode', day.days.join(' '));
    const code = { ...day, season: null, episodes: [], doubtful: day.days.length > 1 };
    return matchEpisodes(file, [code], [], aired);
  }
  const seasons = seasonsNamed(file);
  const [episode] = episodesIn(name.rest);
  if (episode !== undefined) {
    const [own, ...more] = new Set(seasons.map(({ season }) => season));
    const season = episode.season ?? (more.length === 0 ? own : null) ?? null;
    if (season === null) return matchUnnumbered(file, episode);
    return matchEpisodes(file, [{ ...episode, season }], outsideOf(seasons, [episode]));
  }
  if (seasons.length > 0) return matchSeasons(file, seasons);
  if (folders.code !== null) return matchEpisodes(file, [{ ...folders.code, start: 0, end: 0 }]);
  return matchUnnumbered(file, null);
}

/** 1920x1080 is no episode, nor is 16x9 where there are not that many; what stands first is asked about anyway. */
function possible(codes: readonly Numbers[], index: ShowIndex): Numbers[] {
  const isThere = ({ season, episodes }: Numbers) =>
    episodes.some((number) => index.episodesNumbered(season, number).length > 0);
  // Temporada 1 Cap.102: the number of the season stands in that of the episode, too.
  const joint = codes
    .filter(({ season, episodes }) => episodes.every((number) => Math.floor(number / 100) === season))
    .map((code) => ({ ...code, episodes: code.episodes.map((number) => number % 100), doubtful: true }));
  const found = [codes, joint].map((some) => some.filter(isThere)).find(({ length }) => length > 0);
  const isSeason = ({ season }: Numbers) =>
    season !== null && (season < 100 || index.seasonsNumbered(season).length > 0);
  return found ?? codes.filter(isSeason).slice(0, 1);
}

const lastSeason =
  /(?<![\p{L}\p{N}])(?:the[\s._-]+)?(?:final|last)[\s._-]+(?:season|series)(?![\p{L}\p{N}])/u;

/** By their number, or as the last one. */
function seasonsNamed({ name, index }: ShowFile): Numbers[] {
  const numbered = seasonsIn(name.rest);
  const words = wordsOf(name.rest);
  const isTitle = index.titles.named(words).length > 0;
  // "Christmas Special" is one of the specials.
  if (isTitle && words.length > 1 && numbered.every(({ season }) => season === 0)) return [];
  if (numbered.length > 0 || isTitle) return numbered;
  const last = lastSeason.exec(name.rest);
  const { season = null } = index.regular.at(-1) ?? {};
  if (last !== null && season !== null) {
    const [start, end] = [last.index, last.index + last[0].length];
    return [{ season, episodes: [], doubtful: true, start, end }];
  }
  return [];
}

/** A name that says a season and no episode: the season's own picture, unless a number or a title follows. */
function matchSeasons(file: ShowFile, spans: readonly Numbers[]): Verdict {
  const { name, index } = file;
  const words = outsideOf(wordsOf(name.rest), spans);
  const said = explain(words, name.text);
  const [first = 0, ...others] = new Set(spans.map(({ season }) => season ?? 0));
  const code = others.length === 0 ? episodeBehind(first, said, spans, name.rest) : null;
  if (code !== null) return matchEpisodes(file, [code], spans);
  const { named } = titleIn(said, index.titles);
  const seasons = [first, ...others].flatMap((each) => index.seasonsNumbered(each));
  const cards = cardsOf(named.map(({ item }) => item));
  const start = Math.min(...spans.map((span) => span.start));
  const before = words.filter(({ end }) => end <= start);
  const unknown = unknownIn(explain(before, name.text));
  // "The" of "The Second Season".
  const strange = unknown.every(({ text }) => isSmallWord(text)) ? [] : unknown;
  if (strange.length > 0 && cards.length === 0 && name.title !== 'whole')
    return nothing('other_work', textOf(strange));
  if (seasons.length === 0 && cards.length === 0) return nothing('no_such_season', String(first));
  if (seasons.length === 0) return { places: distinctPlaces(cards), why: 'number_and_title_differ' };
  const verdict = picturesOfSeasons(file, seasons, said, spans, cards);
  const beside = strange.length > 0 ? titleAndMore(name, strange, spans) : null;
  return beside === null || verdict.why !== 'unclear_words'
    ? verdict
    : { ...verdict, why: 'short_name', called: textIn(name.text, beside) };
}

/** A number right behind a season's is an episode's; behind unknown words it may be anything. */
function episodeBehind(season: number, said: Said, spans: readonly Numbers[], text: string): Numbers | null {
  const unknown = unknownIn(said);
  const [only, ...others] = unknown.filter((word) => /^\d{1,3}$/.test(word.text));
  if (only === undefined || others.length > 0) return null;
  const last = Math.max(...spans.map(({ end }) => end));
  if (unknown.some(({ start, end }) => start >= last && end <= only.start)) return null;
  // "Season 1 - 5" may be five seasons.
  const between = text.slice(last, only.start);
  const isRange = between === '-' || (/^\s?[-.]\s?$/.test(between) && only.text.length === 1);
  const { start, end } = only;
  return { season, episodes: [Number(only.text)], doubtful: isRange || unknown.length > 1, start, end };
}

/** @param cards those of episodes whose title stands in the name as well */
function picturesOfSeasons(
  { name, folders, index }: ShowFile,
  seasons: readonly Season[],
  said: Said,
  spans: readonly Numbers[],
  cards: readonly Place[],
): Verdict {
  const first = spans[0]?.season;
  const outer = folders.seasons.filter((season) => season !== first);
  const phrases = said.slots.map(({ phrase }) => phrase);
  const all = [...seasons, ...outer.flatMap((season) => index.seasonsNumbered(season))];
  const meant = [...new Set(all)].map((target) => ({ target, phrases }));
  const { isSure, ...pictures } = picturesOf(meant, folders.slots);
  if (pictures.places.length === 0) return nothing('no_slot');
  const isUnclear = unknownIn(said).length > 0 || hasDoubt(said) || spans.some(({ doubtful }) => doubtful);
  const why = firstOf(
    outer.length > 0 && 'names_differ',
    name.title === 'part' && 'short_name',
    isUnclear && 'unclear_words',
    meant.length + cards.length > 1 && 'several_at_once',
    !isSure && 'slot_unclear',
  );
  return { ...pictures, places: distinctPlaces([...pictures.places, ...cards]), why };
}
