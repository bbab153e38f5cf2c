import { joinRunsOfLabels } from '../gaps.ts';
import type { ChangeLine, PlaceChange } from './change.ts';

/**
 * What changed, for a person: `replaced: poster (3 times: first 2026-11-16, last 2026-11-20, 1 between), titlecard of
 * S01E03–E05`. What changed alike stands together.
 * @param known a change that need not be said, since nothing else was asked for
 */
export function wordsOfChange(
  { places, setChange }: Pick<ChangeLine, 'places' | 'setChange'>,
  known: string | null = null,
): string {
  const parts = [...alike(places, ({ change }) => change)].map(
    ([change, all]) => (change === known ? '' : `${change}: `) + slotsOf(all).join('; '),
  );
  if (setChange === 'added') parts.unshift('new Set');
  else if (parts.length === 0) parts.push(`the Set itself ${setChange ?? 'updated'}`);
  return parts.join('; ');
}

function alike(
  places: readonly PlaceChange[],
  by: (place: PlaceChange) => string,
): Map<string, PlaceChange[]> {
  const groups = new Map<string, PlaceChange[]>();
  for (const place of places) {
    const others = groups.get(by(place));
    if (others === undefined) groups.set(by(place), [place]);
    else others.push(place);
  }
  return groups;
}

/** Slots of the same places and with the same chain are named together. */
function slotsOf(places: readonly PlaceChange[]): string[] {
  const told = new Map<string, string[]>();
  for (const [slot, all] of alike(places, ({ slot }) => slot)) {
    const rest = `${placesOf(all)}${chainOf(all)}`;
    told.set(rest, [...(told.get(rest) ?? []), slot]);
  }
  return [...told].map(([rest, slots]) => slots.join(', ') + rest);
}

function placesOf(places: readonly PlaceChange[]): string {
  const labels = joinRunsOfLabels(places.map(({ label }) => label).filter((label) => label !== ''));
  if (labels.length === 0) return '';
  const whole = places.some(({ label }) => label === '') ? ['the work'] : [];
  return ` of ${[...whole, ...labels].join(', ')}`;
}

/** First and last of what was replaced more than once, and how many between. */
function chainOf(places: readonly PlaceChange[]): string {
  const most = Math.max(...places.map(({ replacements }) => replacements));
  const [only] = places;
  if (most < 2 || only === undefined) return '';
  if (places.length > 1) return ` (up to ${most} times)`;
  const span = `first ${dayOf(only.firstAt)}, last ${dayOf(only.lastAt)}`;
  return ` (${most} times: ${span}${only.between === 0 ? '' : `, ${only.between} between`})`;
}

function dayOf(time: string | null): string {
  return time === null ? 'at no known time' : time.slice(0, 10);
}
