import type { Explained, SlotPhrase } from './names/explain.ts';
import { type MeantSlots, type SlotMeaning, slotsMeant, slotsUnnamed } from './places.ts';
import type { TargetKind } from './targets.ts';

/** Words from `from` to before `to`. */
export interface WordRange {
  readonly from: number;
  readonly to: number;
}

/** The words for artwork in a name, without those that are its title: "Poster" can be an episode's. */
export function phrasesOutside(said: Explained, title: WordRange | null): readonly SlotPhrase[] {
  return said.slots.filter(({ at }) => title === null || at < title.from || at >= title.to);
}

/**
 * The slots that a name and, where it says none, its folder mean for something of this kind. None where they
 * mean artwork that it has no slot for.
 */
export function slotsNamed(
  kind: TargetKind,
  phrases: readonly SlotPhrase[],
  folder: SlotMeaning | null,
): MeantSlots {
  const meanings = phrases.map(({ meaning }) => meaning);
  if (meanings.length === 0 && folder === null) return slotsUnnamed(kind);
  const meant = (folder !== null && meanings.length === 0 ? [folder] : meanings).map((meaning) =>
    slotsMeant(kind, meaning),
  );
  if (meant.some(({ slots }) => slots.length === 0)) return { slots: [], sure: false };
  const slots = [...new Set(meant.flatMap((each) => each.slots))];
  return { slots, sure: slots.length === 1 && meant.every(({ sure }) => sure) };
}

/** Whether a word says that the picture may not be meant to be used; a title may hold such words. */
export function hasDoubt(said: Explained, title: WordRange | null = null): boolean {
  return said.roles.some(
    (role, at) => role === 'doubt' && (title === null || at < title.from || at >= title.to),
  );
}
