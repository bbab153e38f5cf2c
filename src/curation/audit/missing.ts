import { groupedBy } from '../../grouped-by.ts';
import {
  countsOf,
  type Holding,
  type Holdings,
  holdingsOf,
  inState,
  isFilledBy,
  placesOfTargets,
} from '../../model/holdings.ts';
import { countOfSlot, type Slot, slotWords } from '../../model/slots.ts';
import { keyOfTarget, numberCode, seasonWords, shortLabelOf, type Target } from '../../model/target.ts';
import { countOf } from '../../model/words.ts';
import { withArticle } from '../../text.ts';
import { type AuditFinding, joinPlaceLabels, type SetAudit } from './audit.ts';
import type { HeldSet } from './held.ts';

/** Everything that pictures of a Set can be of, as the catalogue has it now, in its order. */
export interface Reference {
  readonly targets: readonly Target[];
  /** What is still to come, by `keyOfTarget`. */
  readonly ahead: ReadonlySet<string>;
}

/** What a Set lacks, by what the catalogue has and not by what the Set lists, in words. */
export function missingIn(
  held: HeldSet,
  { targets, ahead }: Reference,
): Pick<SetAudit, 'findings' | 'slots' | 'without'> {
  const holdings = holdingsOf(placesOfTargets(targets), {
    has: isFilledBy(held.pictures),
    isAhead: (target) => ahead.has(keyOfTarget(target)),
  });
  const meant = inState(holdings, 'has', 'lacks', 'ahead');
  const unmeant = inState(holdings, 'unmeant').map(({ target, slot }) => `${slot} of ${target.kind}`);
  const groups = groupedBy(meant, ({ target, slot }) => `${target.kind} ${slot}`);
  return {
    findings: [
      ...(held.pictures.length === 0 ? [empty] : []),
      ...[...groups.values()].flatMap((group) => findingsIn(held, group)),
    ],
    slots: countsOf(meant).map(({ lacks: _, ...count }) => count),
    without: [...new Set(unmeant)],
  };
}

const empty: AuditFinding = { code: 'missing', slot: null, words: 'The Set has no picture at all.' };

/** Of one slot of one kind of target. */
function findingsIn(held: HeldSet, group: Holdings): AuditFinding[] {
  const [first] = group;
  if (first === undefined) return [];
  const { slot, target } = first;
  const lacks = inState(group, 'lacks');
  if (target.kind !== 'episode') return [...missingPlaces(slot, lacks), ...aheadOf(slot, group)];
  return [...missingEpisodes(slot, group), ...aheadOf(slot, group), ...olderThan(held, slot, lacks)];
}

function missingPlaces(slot: Slot, lacks: Holdings): AuditFinding[] {
  if (lacks.length === 0) return [];
  const places = labelsOf(lacks);
  const words = `${countOfSlot(lacks.length, slot)} missing: ${joinPlaceLabels(places)}.`;
  return [{ code: 'missing', slot, words }];
}

function missingEpisodes(slot: Slot, group: Holdings): AuditFinding[] {
  const whole: { readonly season: number | null; readonly count: number }[] = [];
  const parts = bySeason(inState(group, 'has', 'lacks')).flatMap(([season, own]): AuditFinding[] => {
    const lacks = inState(own, 'lacks');
    if (lacks.length === 0) return [];
    if (lacks.length === own.length && own.length > 1) {
      whole.push({ season, count: own.length });
      return [];
    }
    const places = labelsOf(lacks);
    const words = `${seasonWords(season)}: ${lacks.length} of ${countOfSlot(own.length, slot)} missing: ${joinPlaceLabels(places)}.`;
    return [{ code: 'missing', slot, words }];
  });
  return [...parts, ...wholeSeasons(whole, slot)];
}

/** Seasons that lack all are one finding, the specials apart: they are often left out on purpose. */
function wholeSeasons(
  seasons: readonly { readonly season: number | null; readonly count: number }[],
  slot: Slot,
): AuditFinding[] {
  const groups = [seasons.filter(({ season }) => season !== 0), seasons.filter(({ season }) => season === 0)];
  return groups.flatMap((group): AuditFinding[] => {
    const [first] = group;
    if (first === undefined) return [];
    const count = group.reduce((sum, { count: own }) => sum + own, 0);
    const places = group.map(({ season }) =>
      season === null ? seasonWords(season) : numberCode('S', season),
    );
    const name = group.length === 1 ? seasonWords(first.season) : `Seasons ${joinPlaceLabels(places)}`;
    const words = `${name}: all ${countOfSlot(count, slot)} missing.`;
    return [{ code: 'missing', slot, words }];
  });
}

function aheadOf(slot: Slot, group: Holdings): AuditFinding[] {
  return bySeason(inState(group, 'ahead')).map(([season, own]): AuditFinding => {
    const [first] = own.flatMap(({ target }) => target.date ?? []).sort();
    const when = first === undefined ? 'no date yet' : `the first on ${first}`;
    const places = labelsOf(own);
    const name = season === null ? '' : `${seasonWords(season)}: `;
    const words = `${name}${own.length} still to come (${when}): ${joinPlaceLabels(places)}.`;
    return { code: 'not_yet_aired', slot, words };
  });
}

/** Episodes that came after the last change, and have nothing. */
function olderThan({ set, pictures }: HeldSet, slot: Slot, lacks: Holdings): AuditFinding[] {
  const times = [set.changedAt, ...pictures.map(({ changedAt }) => changedAt)];
  const last = times
    .filter((time) => time !== null && !Number.isNaN(Date.parse(time)))
    .sort()
    .at(-1);
  const day = last?.slice(0, 10);
  if (day === undefined) return [];
  const newer = lacks.filter(({ target: { date } }) => date !== null && date > day);
  if (newer.length === 0) return [];
  const places = labelsOf(newer);
  const verb = newer.length === 1 ? 'was' : 'were';
  const words = `Older than the newest episodes: it last changed on ${day}, and ${countOf(newer.length, 'episode')} without ${withArticle(slotWords(slot))} ${verb} aired since then: ${joinPlaceLabels(places)}.`;
  return [{ code: 'older_than_episodes', slot, words }];
}

function bySeason(holdings: Holdings): [season: number | null, holdings: Holdings][] {
  return [...groupedBy(holdings, seasonOfHolding)];
}

function seasonOfHolding({ target }: Holding): number | null {
  return target.kind === 'season' || target.kind === 'episode' ? target.season : null;
}

function labelsOf(holdings: Holdings): string[] {
  return holdings.map(({ target }) => shortLabelOf(target));
}
