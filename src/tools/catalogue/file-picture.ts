import { isAbsolute } from 'node:path';
import { cleanText } from '../../text.ts';
import { findFile, isFileUri } from '../../curation/plan/find-file.ts';
import type { Plan, PlannedPlace } from '../../curation/plan/plan.ts';
import type { Picture } from './picture.ts';

/**
 * A file on this machine, as an item names it.
 * @param plan whose files may be named as it shows them
 * @throws ArtworkError `invalid_arguments` where the plan has none of that name, or several
 */
export function pictureOfFile(file: string, slot: string | undefined, plan: Plan | null): Picture {
  if (isFileUri(file)) return { ref: file, file, label: slot ?? labelOfUri(file) };
  if (plan === null || isAbsolute(file)) return { ref: file, file, label: slot ?? cleanText(file) };
  const place = placeOf(plan, file);
  return {
    ref: file,
    file: findFile(plan, file, ['items']),
    label: slot ?? cleanText(file),
    ...(place === null ? {} : { credit: `for ${drawnPlace(place)}`, rival: keyOfPlace(place) }),
  };
}

function labelOfUri(uri: string): string {
  try {
    return cleanText(decodeURIComponent(uri));
  } catch (error) {
    if (error instanceof URIError) return uri;
    throw error;
  }
}

/** The one place that a file of a plan is for, or null where it is for none or may be for several. */
function placeOf({ entries }: Plan, file: string): PlannedPlace | null {
  const wanted = file.normalize();
  const entry = entries.find((one) => 'path' in one && cleanText(one.path).normalize() === wanted);
  if (entry?.status === 'matched') return entry.place;
  return entry?.status === 'ambiguous' && entry.places.length === 1 ? (entry.places[0] ?? null) : null;
}

function keyOfPlace({ targetKind, targetId, slot }: PlannedPlace): string {
  return `${targetKind} ${targetId} ${slot}`;
}

/** Numbers of seasons and episodes alone: titles are the catalogue's. */
function drawnPlace(place: PlannedPlace): string {
  const [code] = /^(S\d+(E\d+)?|E\d+|Specials)(?= |$)/.exec(place.label) ?? [];
  return code === undefined ? keyOfPlace(place) : `${code} ${place.slot}`;
}
