import { shapeOfSlot } from '../../files/slot-shapes.ts';
import type { AuditFinding, FindingCode, SlotCoverage } from './audit.ts';
import { doubledIn } from './doubled.ts';
import type { HeldPicture, HeldSet } from './held.ts';
import { findMixedLanguages, findWrongRatios } from './picture-traits.ts';
import { missingIn } from './missing.ts';
import { countOf, auditFindingOf, joinPlaceLabels } from './words.ts';
import type { Judging } from './judging.ts';

export interface Judged {
  readonly slots: readonly SlotCoverage[];
  readonly without: readonly string[];
  readonly findings: readonly AuditFinding[];
  readonly unchecked: readonly string[];
}

/** The order in which findings are told. */
const order: readonly FindingCode[] = [
  'missing',
  'older_than_episodes',
  'ghost',
  'doubled',
  'wrong_ratio',
  'mixed_language',
  'not_yet_aired',
];

/** What is wrong with a Set, as far as what was read shows it. */
export function findingsOfSet(judging: Judging): Judged {
  const { held, members, gone } = judging;
  const labels = new Map(members.map((member) => [keyOf(member), member]));
  const labelOf = ({ target }: HeldPicture) =>
    labels.get(keyOf(target))?.label ?? `${target.kind} ${target.id}`;
  const { findings, slots, without } = missingIn(held, members);
  const ghosts = held.pictures.filter(({ target }) => gone.has(keyOf(target)));
  const all = [
    ...findings,
    ...ghostsIn(ghosts, gone),
    ...doubledIn(judging, labelOf),
    ...findWrongRatios(held, labelOf),
    ...findMixedLanguages(held, labelOf),
  ];
  all.sort((one, other) => order.indexOf(one.code) - order.indexOf(other.code));
  return { slots, without, findings: all, unchecked: uncheckedIn(held) };
}

function ghostsIn(ghosts: readonly HeldPicture[], gone: Judging['gone']): AuditFinding[] {
  if (ghosts.length === 0) return [];
  const names = ghosts.map(({ target }) => `${target.kind} ${target.id}`);
  const elsewhere = ghosts.filter(({ target }) => gone.get(keyOf(target)) === 'elsewhere').length;
  const words = `${countOf(ghosts.length, 'picture')} of what the catalogue does not have any more: ${joinPlaceLabels(names)}.`;
  const moved = elsewhere === 0 ? '' : ` ${elsewhere} of them it has, and not under this work.`;
  return [auditFindingOf('ghost', { count: ghosts.length, places: names, words: words + moved })];
}

function uncheckedIn({ pictures }: HeldSet): string[] {
  const shaped = pictures.filter(({ slot }) => (shapeOfSlot(slot)?.ratios.length ?? 0) > 0);
  const unsized = shaped.filter(({ size }) => size === null).length;
  const untold = pictures.filter(({ language }) => language === undefined).length;
  return [
    ...(unsized === 0
      ? []
      : [`The ratio of ${countOf(unsized, 'picture')}: nothing that was read shows their size.`]),
    ...(untold === 0
      ? []
      : [`The language of ${countOf(untold, 'picture')}: nothing that was read shows it.`]),
  ];
}

function keyOf({ kind, id }: { readonly kind: string; readonly id: number }): string {
  return `${kind} ${id}`;
}
