import { hasRatioOfSlot, shapeOfSlot } from '../../files/slot-shapes.ts';
import type { AuditFinding } from './audit.ts';
import type { HeldPicture, HeldSet } from './held.ts';
import { countOf, auditFindingOf, joinPlaceLabels, nounOf } from './words.ts';

type LabelOf = (picture: HeldPicture) => string;

/** Pictures whose sizes are told one by one. */
const mostSized = 5;

/** Slot by slot, pictures that have not the shape that such pictures usually have. */
export function findWrongRatios({ pictures }: HeldSet, labelOf: LabelOf): AuditFinding[] {
  const slots = new Set(pictures.map(({ slot }) => slot));
  return [...slots].flatMap((slot): AuditFinding[] => {
    const shape = shapeOfSlot(slot);
    if (shape === null) return [];
    const wrong = pictures.filter(
      ({ slot: own, size }) =>
        own === slot && size !== null && !hasRatioOfSlot(size.width, size.height, shape),
    );
    if (wrong.length === 0) return [];
    const places = wrong.map(labelOf);
    const sizes = wrong.slice(0, mostSized).map((picture) => `${labelOf(picture)} (${sizeOf(picture)})`);
    const named = wrong.length > mostSized ? joinPlaceLabels(places) : sizes.join(', ');
    const words = `${countOf(wrong.length, nounOf(slot))} not ${shape.ratios.join(' or ')}: ${named}.`;
    return [auditFindingOf('wrong_ratio', { slot, count: wrong.length, places, words })];
  });
}

function sizeOf({ size }: HeldPicture): string {
  return size === null ? '' : `${size.width}×${size.height}`;
}

/** Pictures without text have no language, and go with any. */
export function findMixedLanguages({ pictures, language }: HeldSet, labelOf: LabelOf): AuditFinding[] {
  const told = pictures.filter((picture) => typeof picture.language === 'string');
  const counts = new Map<string, number>();
  for (const picture of told) {
    const own = picture.language ?? '';
    counts.set(own, (counts.get(own) ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  const [most = ''] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [];
  const main = language ?? most;
  const others = told.filter((picture) => picture.language !== main);
  if (others.length === 0) return [];
  const parts = [...counts]
    .filter(([own]) => own !== main)
    .map(([own]) => {
      const places = others.filter((picture) => picture.language === own).map(labelOf);
      return `${places.length} in ${own} (${joinPlaceLabels(places)})`;
    });
  const words = `Languages are mixed: the Set is in ${main}, but ${parts.join(', ')}.`;
  return [auditFindingOf('mixed_language', { count: others.length, places: others.map(labelOf), words })];
}
