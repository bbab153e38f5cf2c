import { cleanText } from '../../text.ts';
import { ArtworkError } from '../../errors.ts';
import { itemsOf } from './plan.ts';
import type { FoundPlan } from './store.ts';

/**
 * Of a plan in parts, what is said of a file goes with the part that sends it, and only as much as one part takes.
 * @param answered the files that a call says something of
 * @param items how many the call would send
 * @throws ArtworkError `invalid_arguments` that names the part
 */
export function requireOwnPart(
  { plan, part }: FoundPlan,
  answered: ReadonlySet<string>,
  items: number,
): void {
  const { parts, perPart } = plan;
  if (parts.length === 1) return;
  const sent = itemsOf(plan);
  const at = sent.findIndex(
    (entry, place) => Math.floor(place / perPart) !== part && answered.has(entry.path),
  );
  const other = sent[at];
  if (other !== undefined) {
    const own = Math.floor(at / perPart);
    throw wrongPart(
      `${cleanText(other.path)} is sent by part ${own + 1} of this plan: what is said of it, or of its place, goes beside the planId ${parts[own]}.`,
    );
  }
  if (items <= perPart) return;
  const last = parts.length - 1;
  const where =
    sent.length - last * perPart < perPart && last !== part
      ? `beside the planId of the last part, ${parts[last]}`
      : 'in an edit of their own, after the parts of this plan';
  throw wrongPart(`One edit takes ${perPart} items, and these are ${items}: give further files ${where}.`);
}

function wrongPart(message: string): ArtworkError {
  return new ArtworkError('invalid_arguments', message, {
    issues: [{ code: 'part', message: message.slice(0, 300), path: ['planId'] }],
  });
}
