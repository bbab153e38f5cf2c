import { lackingIn } from '../lacking.ts';
import type { TargetKind } from '../matching/targets.ts';
import { slotsOf } from '../../catalogue/slots.ts';
import type { AuditFinding, SlotCoverage } from './audit.ts';
import type { HeldSet } from './held.ts';
import type { Member } from './reference.ts';
import { countOf, auditFindingOf, joinPlaceLabels, nounOf, seasonWords } from './words.ts';

export interface Missing {
  readonly findings: readonly AuditFinding[];
  readonly slots: readonly SlotCoverage[];
  readonly without: readonly string[];
}

/** What a Set lacks, in words. */
export function missingIn(held: HeldSet, members: readonly Member[]): Missing {
  const filled = new Set(held.pictures.map(({ target, slot }) => `${target.kind} ${target.id} ${slot}`));
  const findings: AuditFinding[] = held.pictures.length === 0 ? [empty] : [];
  const slots: SlotCoverage[] = [];
  const without: string[] = [];
  for (const kind of new Set(members.map((member) => member.kind))) {
    const all = members.filter((member) => member.kind === kind);
    for (const slot of slotsOf[kind]) {
      const places = all.map((member) => {
        return { ...member, of: kind, slot, has: filled.has(`${kind} ${member.id} ${slot}`) };
      });
      const { missing: aired, ahead, unmeant } = lackingIn(places);
      if (unmeant.length > 0) {
        without.push(`${slot} of ${kind}`);
        continue;
      }
      const counted = places.filter(({ has, isAhead }) => has || !isAhead);
      slots.push({ of: kind, slot, has: counted.length - aired.length, total: counted.length });
      findings.push(...missingOf(kind, slot, aired, counted), ...aheadOf(slot, ahead));
      if (kind === 'episode') findings.push(...olderThan(held, slot, aired));
    }
  }
  return { findings, slots, without };
}

const empty = auditFindingOf('missing', { count: 0, places: [], words: 'The Set has no picture at all.' });

function missingOf(
  kind: TargetKind,
  slot: string,
  lacks: readonly Member[],
  counted: readonly Member[],
): AuditFinding[] {
  if (lacks.length === 0) return [];
  if (kind !== 'episode') {
    const places = lacks.map(({ label }) => label);
    const words = `${countOf(lacks.length, nounOf(slot))} missing: ${joinPlaceLabels(places)}.`;
    return [auditFindingOf('missing', { slot, count: lacks.length, places, words })];
  }
  const whole: { readonly season: number | null; readonly count: number }[] = [];
  const parts = bySeason(lacks).flatMap(([season, own]): AuditFinding[] => {
    const total = counted.filter((member) => member.season === season).length;
    if (own.length === total && total > 1) {
      whole.push({ season, count: total });
      return [];
    }
    const places = own.map(({ label }) => label);
    const words = `${seasonWords(season)}: ${own.length} of ${countOf(total, nounOf(slot))} missing: ${joinPlaceLabels(places)}.`;
    return [auditFindingOf('missing', { season, slot, count: own.length, places, words })];
  });
  return [...parts, ...wholeSeasons(whole, slot)];
}

/** Seasons that lack all are one finding, the specials apart: they are often left out on purpose. */
function wholeSeasons(
  seasons: readonly { readonly season: number | null; readonly count: number }[],
  slot: string,
): AuditFinding[] {
  const groups = [seasons.filter(({ season }) => season !== 0), seasons.filter(({ season }) => season === 0)];
  return groups.flatMap((group): AuditFinding[] => {
    const [first] = group;
    if (first === undefined) return [];
    const count = group.reduce((sum, { count: own }) => sum + own, 0);
    const places = group.map(({ season }) => `S${String(season ?? '').padStart(2, '0')}`);
    const only = group.length === 1 ? first.season : null;
    const name = group.length === 1 ? seasonWords(first.season) : `Seasons ${joinPlaceLabels(places)}`;
    const words = `${name}: all ${countOf(count, nounOf(slot))} missing.`;
    return [auditFindingOf('missing', { season: only, slot, count, places, words })];
  });
}

function aheadOf(slot: string, ahead: readonly Member[]): AuditFinding[] {
  if (ahead.length === 0) return [];
  return bySeason(ahead).map(([season, own]) => {
    const [first] = own.flatMap(({ date }) => date ?? []).sort();
    const when = first === undefined ? 'no date yet' : `the first on ${first}`;
    const places = own.map(({ label }) => label);
    const name = season === null ? '' : `${seasonWords(season)}: `;
    const words = `${name}${own.length} still to come (${when}): ${joinPlaceLabels(places)}.`;
    return auditFindingOf('not_yet_aired', { season, slot, count: own.length, places, words });
  });
}

/** Episodes that came after the last change, and have nothing. */
function olderThan({ set, pictures }: HeldSet, slot: string, lacks: readonly Member[]): AuditFinding[] {
  const times = [set.changedAt, ...pictures.map(({ changedAt }) => changedAt)];
  const last = times
    .filter((time) => time !== null && !Number.isNaN(Date.parse(time)))
    .sort()
    .at(-1);
  const day = last?.slice(0, 10);
  if (day === undefined) return [];
  const newer = lacks.filter(({ date }) => date !== null && date > day);
  if (newer.length === 0) return [];
  const places = newer.map(({ label }) => label);
  const verb = newer.length === 1 ? 'was' : 'were';
  const words = `Older than the newest episodes: it last changed on ${day}, and ${countOf(newer.length, 'episode')} without a ${nounOf(slot)} ${verb} aired since then: ${joinPlaceLabels(places)}.`;
  return [auditFindingOf('older_than_episodes', { slot, count: newer.length, places, words })];
}

function bySeason(members: readonly Member[]): [season: number | null, members: Member[]][] {
  const seasons = new Map<number | null, Member[]>();
  for (const member of members) {
    const own = seasons.get(member.season);
    if (own === undefined) seasons.set(member.season, [member]);
    else own.push(member);
  }
  return [...seasons];
}
