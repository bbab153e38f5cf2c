import type { EpisodeTarget, SeasonTarget, PlanTarget, Work } from '../matching/targets.ts';

/** How people name a target in short, and tell it from others: S01E02, S01, a title with its year. Titles are other people's writing. */
export function labelOf(target: PlanTarget): string {
  if (isEpisode(target)) {
    const { season, number, title } = target;
    const code = `${season === null ? '' : `S${pad(season)}`}${number === null ? '' : `E${pad(number)}`}`;
    return shortened([code, title].filter((part) => part !== '').join(' '), target);
  }
  if (isSeason(target)) {
    const code = target.number === null ? '' : target.number === 0 ? 'Specials' : `S${pad(target.number)}`;
    return shortened(code === '' ? target.title : code, target);
  }
  if (target.kind === 'collection') return shortened(target.title, target, ' (collection)');
  const year = isWork(target) && target.year !== null ? ` (${target.year})` : '';
  return shortened(target.title, target, year);
}

const longest = 80;

function shortened(label: string, { kind, id }: PlanTarget, end = ''): string {
  if (label === '') return `${kind} ${id}`;
  const letters = [...label];
  const short = letters.length <= longest ? label : `${letters.slice(0, longest - 1).join('')}…`;
  return short + end;
}

function isWork(target: PlanTarget): target is Work {
  return 'year' in target;
}

function isEpisode(target: PlanTarget): target is EpisodeTarget {
  return target.kind === 'episode' && 'number' in target;
}

function isSeason(target: PlanTarget): target is SeasonTarget {
  return target.kind === 'season' && 'episodes' in target;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
