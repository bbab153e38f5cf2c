import { slotsOf } from '../../catalogue/records/kinds.ts';
import { numberCode } from '../words.ts';
import type { EpisodeTarget, PlanPlace, PlanTarget, SeasonTarget, Work } from './targets.ts';

export type PlanTargetNames = ReturnType<typeof planTargetNamesOf>;

/** More than any kind has. */
const mostSlots = 100;

/** Names the targets and places of a plan, and orders them as the catalogue does. */
export function planTargetNamesOf(all: readonly PlanTarget[]) {
  const labels = distinctLabels(all);
  const order = new Map(all.map(({ kind, id }, at) => [`${kind} ${id}`, at]));
  return {
    /** With the target's number or title, for people. */
    place: ({ targetKind, targetId, slot }: PlanPlace) => {
      const key = `${targetKind} ${targetId}`;
      return { targetKind, targetId, slot, label: labels.get(key) ?? key };
    },
    /** Orders places as the catalogue orders its targets, and the slots of each. */
    rank: ({ targetKind, targetId, slot }: PlanPlace): number => {
      const at = order.get(`${targetKind} ${targetId}`) ?? order.size;
      return at * mostSlots + slotsOf[targetKind].indexOf(slot) + 1;
    },
  };
}

/** A label that is several targets' says of each its kind and id too: a question has to name one. */
function distinctLabels(all: readonly PlanTarget[]): ReadonlyMap<string, string> {
  const labels = new Map(all.map((target) => [`${target.kind} ${target.id}`, labelOfTarget(target)]));
  const often = new Map<string, number>();
  for (const label of labels.values()) often.set(label, (often.get(label) ?? 0) + 1);
  return new Map(
    [...labels].map(([key, label]) => [key, often.get(label) === 1 ? label : `${label} (${key})`]),
  );
}

/** How people name a target in short, and tell it from others: S01E02, S01, a title with its year. Titles are other people's writing. */
export function labelOfTarget(target: PlanTarget): string {
  if (isEpisode(target)) {
    const { season, number, title } = target;
    const ofSeason = season === null ? '' : numberCode('S', season);
    const code = ofSeason + (number === null ? '' : numberCode('E', number));
    return shortened([code, title].filter((part) => part !== '').join(' '), target);
  }
  if (isSeason(target)) {
    const code =
      target.number === null ? '' : target.number === 0 ? 'Specials' : numberCode('S', target.number);
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

/** How many other names of a work a plan takes, and of how many characters. */
export const mostNames = 10;
export const longestName = 200;
