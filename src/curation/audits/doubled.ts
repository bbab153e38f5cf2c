import type { AuditFinding } from './audit.ts';
import type { HeldPicture } from './held.ts';
import { countOf, auditFindingOf, joinPlaceLabels, nounOf } from './words.ts';
import type { Judging } from './judging.ts';

/** Several pictures in one place, one picture in several places, two episodes of one number. */
export function doubledIn(
  { held, members, bytes }: Pick<Judging, 'held' | 'members' | 'bytes'>,
  labelOf: (picture: HeldPicture) => string,
): AuditFinding[] {
  const { pictures } = held;
  const crowded = several(pictures, ({ target, slot }) => `${target.kind} ${target.id} ${slot}`);
  const same = several(pictures, (picture) => bytesOf(picture, bytes)).filter(
    (group) => new Set(group.map(({ target, slot }) => `${target.kind} ${target.id} ${slot}`)).size > 1,
  );
  const numbered = members.filter(({ kind, number }) => kind === 'episode' && number !== null);
  const twins = several(numbered, ({ label }) => label);
  return [
    ...crowded.map((group) => {
      const [first] = group;
      const label = first === undefined ? '' : labelOf(first);
      const slot = first?.slot ?? null;
      const words = `${countOf(group.length, nounOf(slot ?? 'picture'))} in one place: ${label}.`;
      return auditFindingOf('doubled', { slot, count: group.length, places: [label], words });
    }),
    ...same.map((group) => {
      const places = group.map((picture) => labelOf(picture));
      const words = `One and the same picture stands in ${group.length} places: ${joinPlaceLabels(places)}.`;
      return auditFindingOf('doubled', { count: group.length, places, words });
    }),
    ...twins.map((group) => {
      const [first] = group;
      const label = first?.label ?? '';
      const ids = group.map(({ id }) => id).join(' and ');
      const words = `The catalogue has ${group.length} episodes ${label} (${ids}): one of them may be a mistake, and a picture may stand at the wrong one.`;
      return auditFindingOf('doubled', {
        season: first?.season ?? null,
        count: group.length,
        places: [label],
        words,
      });
    }),
  ];
}

/** What tells one picture from another: its bytes where they are known, else its id, else where it lies. */
function bytesOf({ assetId, path }: HeldPicture, bytes: ReadonlyMap<string, string>): string | null {
  const sha256 = assetId === null ? undefined : bytes.get(assetId);
  return sha256 ?? assetId ?? path;
}

function several<Element>(
  elements: readonly Element[],
  by: (element: Element) => string | null,
): Element[][] {
  const groups = new Map<string, Element[]>();
  for (const element of elements) {
    const key = by(element);
    if (key === null) continue;
    const others = groups.get(key);
    if (others === undefined) groups.set(key, [element]);
    else others.push(element);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}
