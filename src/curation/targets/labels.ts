import type { EpisodeTarget, SeasonTarget, Target } from '../plan/targets.ts';

/** How people name a target in short: S01E02, Season 1, a title. Titles are other people's writing. */
export function labelOf(target: Target): string {
  if (isEpisode(target)) {
    const { season, number, title } = target;
    const code = `${season === null ? '' : `S${pad(season)}`}${number === null ? '' : `E${pad(number)}`}`;
    return shortened([code, title].filter((part) => part !== '').join(' '), target);
  }
  if (isSeason(target)) {
    const code = target.number === null ? '' : target.number === 0 ? 'Specials' : `S${pad(target.number)}`;
    return shortened(code === '' ? target.title : code, target);
  }
  return shortened(target.title, target);
}

const longest = 80;

function shortened(label: string, { kind, id }: Target): string {
  if (label === '') return `${kind} ${id}`;
  const letters = [...label];
  return letters.length <= longest ? label : `${letters.slice(0, longest - 1).join('')}…`;
}

function isEpisode(target: Target): target is EpisodeTarget {
  return target.kind === 'episode' && 'number' in target;
}

function isSeason(target: Target): target is SeasonTarget {
  return target.kind === 'season' && 'episodes' in target;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
