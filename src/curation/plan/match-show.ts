import { type Explained, explainWords, hasDoubt, unknownWordsOf } from '../../model/names/explain.ts';
import { isDeviceName } from '../../model/names/file-name.ts';
import { isTelling, readName, shortNameIn, withTitlePart } from '../../model/names/name.ts';
import {
  codesIn,
  daysIn,
  episodesIn,
  type NamedDay,
  type Numbers,
  seasonsIn,
} from '../../model/names/numbers.ts';
import { saysLittle, titleIn } from '../../model/names/titles.ts';
import { outsideOf, plain, rawTextOf, type Word, wordsOf } from '../../model/names/words.ts';
import type { EpisodeTarget, Place } from '../../model/target.ts';
import type { Season } from '../../model/work.ts';
import { matchEpisodes } from './match-episodes.ts';
import { matchUnnumbered } from './match-unnumbered.ts';
import { cardsOf, distinctPlaces } from './places.ts';
import { type Counting, type FoldersSay, readFolders, type ShowFile, yearDiffers } from './show-file.ts';
import { type FolderSlots, slotsNamed } from './slots-named.ts';
import { type MatchVerdict, noMatch, type Why } from './verdict.ts';
import type { ShowIndex } from './work-index.ts';

/** Matches one file of a show's folder by its name. */
export function matchInShow(
  outermost: string | null,
  folders: readonly string[],
  stem: string,
  index: ShowIndex,
  counting: Counting,
): MatchVerdict {
  const name = readName(stem, index.forms);
  const said = readFolders(outermost, folders, index);
  if (yearDiffers(name, index.show.year) || (said.foreign && name.title !== 'whole'))
    return noMatch('other_work');
  if (name.title === null && isDeviceName(stem) && index.titles.named(wordsOf(name.text)).length === 0)
    return noMatch('says_nothing');
  const file: ShowFile = { name, folders: said, index, counting };
  const verdict = withShortName(doubted(file), file, stem);
  if (said.called === null || said.own || name.title === 'whole' || verdict.why !== null) return verdict;
  return { ...verdict, why: 'short_name', called: said.called };
}

/** What the name of the work itself leaves open is named, so that it can be asked once for all files. */
function withShortName(verdict: MatchVerdict, file: ShowFile, stem: string): MatchVerdict {
  const { name, index } = file;
  if (verdict.why === 'short_name') {
    const span = name.title === 'part' ? name.span : shortNameIn(name, index.forms);
    return span === null || !isTelling(name, span) ? verdict : { ...verdict, called: rawTextOf(stem, span) };
  }
  if (verdict.places.length > 0) return verdict;
  const span = shortNameIn(name, index.forms);
  const short = span === null ? name : withTitlePart(name, span);
  if (span === null || yearDiffers(short, index.show.year)) return verdict;
  const again = doubted({ ...file, name: short });
  // Not even a title that agrees makes another show's name this one's.
  return again.why === null || again.why === 'short_name'
    ? { ...again, why: 'short_name', called: rawTextOf(stem, span) }
    : again;
}

function doubted(file: ShowFile): MatchVerdict {
  const { name, folders, index } = file;
  const verdict = withWholeTitle(read(file), file);
  const doubtful = name.turned
    ? 'hidden_signs'
    : folders.doubt
      ? 'unclear_words'
      : name.year !== null && index.show.year !== null && name.year !== index.show.year
        ? 'year_differs'
        : null;
  return doubtful === null || verdict.why !== null ? verdict : { ...verdict, why: doubtful };
}

/** A name that as a whole is the title of an episode may mean that one, whatever else it looks like. */
function withWholeTitle(verdict: MatchVerdict, { name, index }: ShowFile): MatchVerdict {
  if (verdict.why !== null) return verdict;
  const written = (text: string) => text.replace(/[\s_-]+/g, ' ').trim();
  const same = index.titles.named(wordsOf(name.text));
  const titled = cardsOf(same.filter(({ title }) => written(plain(title)) === written(name.text)));
  const places = distinctPlaces([...verdict.places, ...titled]);
  // Of one title that is shared the season's folder has chosen.
  const chosen = titled.length === 0 || places.length === titled.length;
  return chosen ? verdict : { places, why: 'number_and_title_differ' };
}

function read(file: ShowFile): MatchVerdict {
  const { name, folders, index } = file;
  const codes = possible(codesIn(name.rest), index);
  if (codes.length > 0) return matchEpisodes(file, codes);
  const day = daysIn(name.rest)[0];
  if (day !== undefined) return matchDay(file, day);
  const seasons = seasonsNamed(file);
  const episodes = episodesIn(name.rest);
  const [episode] = episodes;
  if (episode !== undefined) {
    const season = episode.season ?? seasonOf(seasons, folders);
    if (season !== null) return matchEpisodes(file, [{ ...episode, season }], outsideOf(seasons, [episode]));
    return matchUnnumbered(file, episode);
  }
  if (seasons.length > 0) return matchSeasons(file, seasons);
  if (folders.code !== null) return matchEpisodes(file, [{ ...folders.code, start: 0, end: 0 }]);
  return matchUnnumbered(file, null);
}

/** By their number, or by a title of their own that the name holds. */
function seasonsNamed({ name, index }: ShowFile): Numbers[] {
  const numbered = seasonsIn(name.rest);
  const words = wordsOf(name.rest);
  if (numbered.length > 0 || index.titles.named(words).length > 0) return numbered;
  for (let length = words.length; length > 0; length -= 1) {
    for (let at = 0; at + length <= words.length; at += 1) {
      const some = words.slice(at, at + length);
      const [first, last] = [some[0], some.at(-1)];
      if (first === undefined || last === undefined || some.every(({ text }) => /^\d+$/.test(text))) continue;
      const named = index.seasonTitles.named(some);
      if (named.length === 0) continue;
      const read = { episodes: [], doubtful: false, start: first.start, end: last.end };
      return named.map(({ season }) => ({ ...read, season }));
    }
  }
  return [];
}

/** 1920x1080 is no episode, nor is 16x9 where there are not that many; what stands first is asked about anyway. */
function possible(codes: readonly Numbers[], index: ShowIndex): Numbers[] {
  const isThere = ({ season, episodes }: Numbers) =>
    episodes.some((number) => index.episodesNumbered(season, number).length > 0);
  const exist = codes.filter(isThere);
  if (exist.length > 0) return exist;
  const joint = codes.flatMap(withoutSeason).filter(isThere);
  if (joint.length > 0) return joint;
  return codes
    .filter(({ season }) => season !== null && (season < 100 || index.seasonsNumbered(season).length > 0))
    .slice(0, 1);
}

/** Temporada 1 Cap.102: the number of the season stands in that of the episode, too. */
function withoutSeason({ season, episodes, ...rest }: Numbers): Numbers[] {
  const joint = season !== null && episodes.every((number) => Math.floor(number / 100) === season);
  return joint ? [{ ...rest, season, episodes: episodes.map((number) => number % 100), doubtful: true }] : [];
}

function seasonOf(seasons: readonly Numbers[], { seasons: outer }: FoldersSay): number | null {
  const [named, ...more] = new Set(seasons.map(({ season }) => season));
  if (named !== undefined) return more.length === 0 ? named : null;
  const [folder, ...others] = outer;
  return folder !== undefined && others.length === 0 ? folder : null;
}

/** A day on which nothing was shown is the day of something else. */
function matchDay(file: ShowFile, day: NamedDay): MatchVerdict {
  const aired: EpisodeTarget[] = day.days.flatMap((each) => [...file.index.episodesOf(each)]);
  if (aired.length === 0) return noMatch('no_such_episode');
  const { days, start, end } = day;
  return matchEpisodes(
    file,
    [{ season: null, episodes: [], doubtful: days.length > 1, start, end }],
    [],
    aired,
  );
}

/** A name that says a season and no episode: the season's own picture, unless a number or a title follows. */
function matchSeasons(file: ShowFile, spans: readonly Numbers[]): MatchVerdict {
  const { name, index, folders } = file;
  const words = outsideOf(wordsOf(name.rest), spans);
  const said = explainWords(words, name.rest);
  const [first = 0, ...others] = new Set(spans.map(({ season }) => season ?? 0));
  const code = others.length === 0 ? episodeOf(first, said, spans, name.rest) : null;
  if (code !== null) return matchEpisodes(file, [code], spans);
  const { named } = titleIn(said, index.titles);
  const seasons = [first, ...others].flatMap((each) => index.seasonsNumbered(each));
  const [titled, ...more] = named.filter(({ item }) => seasons.some(({ season }) => season === item.season));
  if (titled !== undefined && more.length === 0 && folders.seasons.every((season) => season === first)) {
    const why = name.title === 'part' ? 'short_name' : saysLittle(said, titled) ? 'unclear_words' : null;
    return { places: cardsOf([titled.item]), why };
  }
  const cards = cardsOf(named.map(({ item }) => item));
  if (strangeBefore(words, spans, name.rest) && cards.length === 0) return noMatch('other_work');
  if (seasons.length === 0) {
    return cards.length === 0
      ? noMatch('no_such_season')
      : { places: distinctPlaces(cards), why: 'number_and_title_differ' };
  }
  return picturesOf(file, seasons, { said, spans, cards, first });
}

/** A number after a season's is an episode's; with unknown words beside it it may be anything. */
function episodeOf(season: number, said: Explained, spans: readonly Numbers[], text: string): Numbers | null {
  const unknown = unknownWordsOf(said);
  const [only, ...others] = unknown.filter((word) => /^\d{1,3}$/.test(word.text));
  if (only === undefined || others.length > 0) return null;
  // "Season 1 - 5" may be five seasons.
  const between = text.slice(Math.max(...spans.map(({ end }) => end)), only.start);
  const range = between === '-' || (/^\s?[-.]\s?$/.test(between) && only.text.length === 1);
  const { start, end } = only;
  return { season, episodes: [Number(only.text)], doubtful: range || unknown.length > 1, start, end };
}

function strangeBefore(words: readonly Word[], spans: readonly Numbers[], text: string): boolean {
  const start = Math.min(...spans.map((span) => span.start));
  const before = words.filter(({ end }) => end <= start);
  return unknownWordsOf(explainWords(before, text)).length > 0;
}

interface SaidOfSeasons {
  readonly said: Explained;
  readonly spans: readonly Numbers[];
  /** Of episodes whose title stands in the name as well. */
  readonly cards: readonly Place[];
  readonly first: number;
}

function picturesOf(
  { name, folders, index }: ShowFile,
  seasons: readonly Season[],
  { said, spans, cards, first }: SaidOfSeasons,
): MatchVerdict {
  const outer = folders.seasons.filter((season) => season !== first);
  const meant = slotsNamed('season', said.slots, folders.slots);
  if (meant.slots.length === 0) return ofShow(index, said, folders.slots);
  const all = [...seasons, ...outer.flatMap((season) => index.seasonsNumbered(season))];
  const own = all.flatMap((season) => meant.slots.map((slot) => ({ target: season, slot })));
  const places = distinctPlaces([...own, ...cards, ...singleSpecial(spans, seasons)]);
  const open: Why | null =
    outer.length > 0
      ? 'names_differ'
      : name.title === 'part'
        ? 'short_name'
        : unknownWordsOf(said).length > 0 || hasDoubt(said) || spans.some(({ doubtful }) => doubtful)
          ? 'unclear_words'
          : places.length > meant.slots.length
            ? 'several_at_once'
            : meant.sure
              ? null
              : 'slot_unclear';
  return { places, why: open, usual: meant.usual === true, byShape: meant.byShape === true };
}

/** Artwork that only a show has is hardly a season's, unless it is the only one: then it may be the show's. */
function ofShow({ own, regular }: ShowFile['index'], said: Explained, folders: FolderSlots): MatchVerdict {
  const { slots } = slotsNamed(own.kind, said.slots, folders);
  if (regular.length > 1 || slots.length === 0) return noMatch('no_slot');
  return { places: slots.map((slot) => ({ target: own, slot })), why: 'slot_elsewhere' };
}

/** "Special" is the season of them, or the only one there is. */
function singleSpecial(spans: readonly Numbers[], seasons: readonly Season[]): Place[] {
  const [only, ...others] = seasons.flatMap(({ episodes }) => episodes);
  if (only === undefined || others.length > 0 || spans.every(({ doubtful }) => !doubtful)) return [];
  return cardsOf([only]);
}
