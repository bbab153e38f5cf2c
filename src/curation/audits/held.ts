import { z } from 'zod';
import { isEntityKind, shortName, slotsOf } from '../../catalogue/records/kinds.ts';
import { isRecord, type JsonRecord as Json } from '../../catalogue/records/members.ts';
import { groupedBy } from '../../grouped-by.ts';
import { lackingIn } from '../lacking.ts';
import { pathOfListedAsset } from '../own-artwork.ts';
import type { TargetKind } from '../targets/targets.ts';
import { countOf, seasonWords } from '../words.ts';
import {
  type AuditedSet,
  type AuditFinding,
  auditFindingOf,
  joinPlaceLabels,
  nounOf,
  type SetAudit,
  type SlotCoverage,
} from './audit.ts';
import { assetIdIn, type Member, type SetFacts, titleWithYear, type WorkOfSet } from './set-facts.ts';

/** One picture of a Set, with what is known of it. */
export interface HeldPicture {
  readonly target: { readonly kind: TargetKind; readonly id: number };
  readonly slot: string;
  /** In lower case; null where nothing shows it. */
  readonly assetId: string | null;
  /** Root-relative; null where nothing shows it. */
  readonly path: string | null;
  /** Null: it has none, as pictures without text. Undefined: nothing shows it. */
  readonly language: string | null | undefined;
  /** Pixels; null where nothing shows them. */
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly changedAt: string | null;
  /** The record of what it is of, which may show all this, was not read. */
  readonly isUnread?: boolean;
}

/** What a Set holds, from whichever read shows most. */
export interface HeldSet {
  readonly set: AuditedSet;
  readonly work: WorkOfSet | null;
  readonly language: string | null;
  readonly pictures: readonly HeldPicture[];
}

// The interface document shows neither what an owned Set lists nor the elements of `assets`. The words of its other
// records are tried; what is found nowhere is not known, and then not judged.
const number = z.int().min(1).max(100_000);
const facts = z.looseObject({
  languageCode: z.string().max(35).nullish().catch(undefined),
  width: number.nullish().catch(null),
  height: number.nullish().catch(null),
  updatedAt: z.string().max(100).nullish().catch(null),
  dateUpdated: z.string().max(100).nullish().catch(null),
});

export type PictureFacts = Omit<HeldPicture, 'target' | 'slot'>;

/** What the element of a list tells of an Asset. */
export function factsOfAsset(asset: unknown): PictureFacts {
  const path = pathOfListedAsset(asset);
  const record: Json = isRecord(asset) ? asset : {};
  const { languageCode, width, height, updatedAt, dateUpdated } = facts.parse(record);
  const id = typeof record.id === 'string' && record.id.length <= 100 ? record.id.toLowerCase() : null;
  return {
    path,
    assetId: id ?? (path === null ? null : assetIdIn(path)),
    language: 'languageCode' in record ? languageCode : undefined,
    size: width != null && height != null ? { width, height } : null,
    changedAt: updatedAt ?? dateUpdated ?? null,
  };
}

/** A Set as public reads show it; what its pictures are like is told by the lists of what they are of. */
export function heldPublicly(
  set: SetFacts,
  listed: ReadonlyMap<string, PictureFacts>,
  isRead: (target: HeldPicture['target']) => boolean,
): HeldSet {
  const { kind, id, title, by, changedAt, work, language } = set;
  return {
    set: { kind, id, title, by, own: false, changedAt },
    work,
    language,
    pictures: set.pictures.map(({ target, slot, path }) => {
      const known = listed.get(path);
      return {
        ...{ target, slot, path },
        assetId: known?.assetId ?? assetIdIn(path),
        language: known?.language,
        size: known?.size ?? null,
        changedAt: known?.changedAt ?? null,
        isUnread: known === undefined && !isRead(target),
      };
    }),
  };
}

const reference = z.looseObject({ kind: z.string(), id: z.int() });
const owned = z.looseObject({
  kind: z.string().max(60).nullish().catch(null),
  setKind: z.string().max(60).nullish().catch(null),
  target: reference.nullish().catch(null),
  languageCode: z.string().max(35).nullish().catch(null),
  updatedAt: z.string().max(100).nullish().catch(null),
  assets: z.array(z.unknown()),
});

/**
 * A Set of the connected account's, with what is not published yet.
 * @param record of `readSet`
 * @returns null where it does not show what it holds
 */
export function heldByOwner(id: number, record: Json): HeldSet | null {
  const parsed = owned.safeParse(record);
  if (!parsed.success) return null;
  const { kind, setKind, target, languageCode, updatedAt, assets } = parsed.data;
  const pictures = assets.flatMap((asset) => heldAsset(asset));
  if (pictures.length < assets.length) return null;
  const of = target == null || !isEntityKind(target.kind) ? null : target.kind;
  return {
    set: {
      kind: kind ?? setKind ?? 'set',
      id,
      title: shortName(record.title),
      by: shortName(record.createdBy) || null,
      own: true,
      changedAt: updatedAt ?? null,
    },
    work: target == null || of === null ? null : { kind: of, id: target.id, title: titleWithYear(target) },
    language: languageCode ?? null,
    pictures,
  };
}

/** What can't be read might be in any place, so that nothing could be called missing: then none is returned. */
function heldAsset(asset: unknown): HeldPicture[] {
  if (!isRecord(asset)) return [];
  const { target, slot } = asset;
  const kind = isRecord(target) ? target.kind : asset.targetKind;
  const id = isRecord(target) ? target.id : asset.targetId;
  if (typeof kind !== 'string' || !isEntityKind(kind) || typeof slot !== 'string') return [];
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return [];
  return [{ target: { kind, id }, slot: slot.slice(0, 60), ...factsOfAsset(asset) }];
}

/** What a Set lacks, in words. */
export function missingIn(
  held: HeldSet,
  members: readonly Member[],
): Pick<SetAudit, 'findings' | 'slots' | 'without'> {
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
  return [...groupedBy(members, ({ season }) => season)];
}
