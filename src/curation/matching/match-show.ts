import { type FoldersSay, readFolders, yearDiffers } from './folders.ts';
import { matchEpisodes } from './match-episodes.ts';
import { matchSeasons } from './match-seasons.ts';
import { matchUnnumbered } from './match-unnumbered.ts';
import { type NamedDay, daysIn } from './names/dates.ts';
import { isDeviceName } from './names/device-names.ts';
import { readName, withTitlePart } from './names/name.ts';
import { codesIn, episodesIn, type Numbers, seasonsIn } from './names/numbers.ts';
import { isTelling, shortNameIn } from './names/short-name.ts';
import { plain, rawTextOf, wordsOf } from './names/words.ts';
import { distinctPlaces, planPlaceOf } from './places.ts';
import type { EpisodeTarget } from './targets.ts';
import type { Counting, ShowFile } from './show-file.ts';
import type { ShowIndex } from './show-index.ts';
import { noMatch, type MatchVerdict } from './verdict.ts';

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
  if (yearDiffers(name, index.entry.year) || (said.foreign && name.title !== 'whole'))
    return noMatch('other_work');
  if (name.title === null && isDeviceName(stem) && index.titles.named(wordsOf(name.text)).length === 0)
    return noMatch('says_nothing');
  const file: ShowFile = { name, folders: said, index, counting };
  const verdict = withShortName(doubted(file), file, stem);
  if (said.called === null || said.own || name.title === 'whole' || !verdict.sure) return verdict;
  return { ...verdict, sure: false, why: 'short_name', called: said.called };
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
  if (span === null || yearDiffers(short, index.entry.year)) return verdict;
  const again = doubted({ ...file, name: short });
  // Not even a title that agrees makes another show's name this one's.
  return again.sure || again.why === 'short_name'
    ? { ...again, sure: false, why: 'short_name', called: rawTextOf(stem, span) }
    : again;
}

function doubted(file: ShowFile): MatchVerdict {
  const { name, folders, index } = file;
  const verdict = withWholeTitle(read(file), file);
  const doubtful = name.turned
    ? 'hidden_signs'
    : folders.doubt
      ? 'unclear_words'
      : name.year !== null && index.entry.year !== null && name.year !== index.entry.year
        ? 'year_differs'
        : null;
  return doubtful === null || !verdict.sure ? verdict : { ...verdict, sure: false, why: doubtful };
}

/** A name that as a whole is the title of an episode may mean that one, whatever else it looks like. */
function withWholeTitle(verdict: MatchVerdict, { name, index }: ShowFile): MatchVerdict {
  if (!verdict.sure) return verdict;
  const written = (text: string) => text.replace(/[\s_-]+/g, ' ').trim();
  const titled = index.titles
    .named(wordsOf(name.text))
    .filter(({ title }) => written(plain(title)) === written(name.text))
    .map((episode) => planPlaceOf(episode, 'titlecard'));
  const places = distinctPlaces([...verdict.places, ...titled]);
  // Of one title that is shared the season's folder has chosen.
  const chosen = titled.length === 0 || places.length === titled.length;
  return chosen ? verdict : { places, sure: false, why: 'number_and_title_differ' };
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
    const others = seasons.filter(({ start, end }) => end <= episode.start || start >= episode.end);
    if (season !== null) return matchEpisodes(file, [{ ...episode, season }], others);
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
      return named.map(({ number }) => ({
        season: number,
        episodes: [],
        doubtful: false,
        start: first.start,
        end: last.end,
      }));
    }
  }
  return [];
}

/** 1920x1080 is no episode, nor is 16x9 where there are not that many; what stands first is asked about anyway. */
function possible(codes: readonly Numbers[], index: ShowIndex): Numbers[] {
  const exist = codes.filter(({ season, episodes }) =>
    episodes.some((number) => index.episodesNumbered(season, number).length > 0),
  );
  if (exist.length > 0) return exist;
  return codes
    .filter(({ season }) => season !== null && (season < 100 || index.seasonsNumbered(season).length > 0))
    .slice(0, 1);
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
  const numbers: Numbers = {
    season: null,
    episodes: [],
    doubtful: day.days.length > 1,
    start: day.start,
    end: day.end,
  };
  return matchEpisodes(file, [numbers], [], aired);
}
