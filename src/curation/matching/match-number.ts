import { matchEpisodes } from './match-episodes.ts';
import { type Explained, unknownWordsOf } from './names/explain.ts';
import type { Numbers } from './names/numbers.ts';
import { titleIn } from './names/title-in.ts';
import type { Word } from './names/words.ts';
import { planPlaceOf } from './places.ts';
import type { ShowFile } from './show-file.ts';
import { episodesBySeasonFirst } from './show-index.ts';
import type { EpisodeTarget } from './targets.ts';
import { noMatch, type MatchVerdict } from './verdict.ts';

/**
 * A number without a season, called an episode's or not: of the season whose folder it lies in, of any season,
 * counted through all of them, or with the season's number first.
 */
export function matchNumber(
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
      ? open(file.index.episodesNumbered(Number(only.text), Number(second.text)))
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
  return strange && !told && !verdict.sure ? noMatch('says_nothing') : verdict;
}

/** The show's title is a number itself. */
function asOwnTitle(file: ShowFile, unknown: readonly Word[], whole: Explained): MatchVerdict {
  const [own, ...more] = whole.words;
  if (own === undefined || more.length > 0 || unknown.length > 0) return noMatch('says_nothing');
  return /^\d{1,3}$/.test(own.text)
    ? open(meantBy(Number(own.text), file).episodes)
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
  return joint.length === 0 ? noMatch('no_such_episode') : open(joint);
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

function open(episodes: readonly EpisodeTarget[]): MatchVerdict {
  if (episodes.length === 0) return noMatch('says_nothing');
  return {
    places: episodes.map((episode) => planPlaceOf(episode, 'titlecard')),
    sure: false,
    why: 'number_alone',
  };
}
