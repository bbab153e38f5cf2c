import type { SlotPhrase } from '../../model/names/explain.ts';
import { type ArtworkPhrase, type MeantSlots, type Slot, slotsMeantBy } from '../../model/slots.ts';
import type { TargetKind } from '../../model/target.ts';
import { slotsFor } from './places.ts';

/** The artwork that the folders around a file are named after. */
export interface FolderSlots {
  /** The nearest one within the chosen folder that says some. */
  readonly within: ArtworkPhrase | null;
  /** The folder that was chosen. A person calls it anything, "Art" too, so that it counts only where it fits surely. */
  readonly chosen: ArtworkPhrase | null;
}

export interface NamedSlots extends MeantSlots {
  /** Nothing was said of it: these are what people mean who say nothing. */
  readonly usual?: boolean;
  /** The name tells the picture's shape itself, so that its shape tells no more. */
  readonly byShape?: boolean;
}

/** Programs that read artwork have one of their own for it, which no slot is. */
const shapePhrase = 'landscape';

/** The slots of a kind that a phrase for artwork means. */
export function slotsMeant(kind: TargetKind, phrase: ArtworkPhrase): MeantSlots {
  return slotsMeantBy(phrase, slotsFor({ kind }));
}

/**
 * What is meant by a name that says what a picture is of and not what it is: a poster, an episode's title card.
 * Of a game there are too many pictures for that.
 */
export function slotsUnnamed(kind: TargetKind): NamedSlots & { readonly slots: readonly [Slot] } {
  const [first = 'poster'] = slotsFor({ kind });
  return { slots: [first], sure: kind !== 'game', usual: true };
}

/**
 * The slots that a name and, where it says none, its folders mean for something of this kind. None where they
 * mean artwork that it has no slot for.
 */
export function slotsNamed(
  kind: TargetKind,
  phrases: readonly SlotPhrase[],
  { within, chosen }: FolderSlots,
): NamedSlots {
  const own = phrases.map(({ phrase }) => phrase);
  const said = own.length === 0 && within !== null ? [within] : own;
  if (said.length === 0) {
    const ofChosen = chosen === null ? null : slotsMeant(kind, chosen);
    return ofChosen?.sure === true ? ofChosen : slotsUnnamed(kind);
  }
  const meant = said.map((phrase) => slotsMeant(kind, phrase));
  if (meant.some(({ slots }) => slots.length === 0)) return { slots: [], sure: false };
  const slots = [...new Set(meant.flatMap((each) => each.slots))];
  const byShape = own.some((phrase) => phrase === shapePhrase);
  return { slots, sure: slots.length === 1 && meant.every(({ sure }) => sure), byShape };
}

/** Whether a phrase means the picture of an episode, and of nothing else. */
export function meansCard(phrase: ArtworkPhrase | null): boolean {
  return phrase !== null && slotsMeant('episode', phrase).sure && !slotsMeant('show', phrase).sure;
}
