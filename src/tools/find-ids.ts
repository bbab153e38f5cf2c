import type { Next } from '../errors.ts';
import { isNameForId } from '../mcp/arguments.ts';
import { entityKind, namedKind, setKind } from '../mcp/kinds.ts';

// People have names at hand, and models pass them on where an id belongs: what shows the ids of such things.

type Given = Readonly<Record<string, unknown>>;

/** Where a name was given for the id of an entity or Set: the call that shows ids of the kind; null where it was none. */
export function findIdOf({ kind, id }: Given): Next | null {
  if (!isNameForId(id)) return null;
  const set = setKind.safeParse(kind);
  const found = set.success ? set : namedKind.safeParse(kind);
  if (!found.success) return null;
  return {
    tool: 'find_titles',
    arguments: { query: id.slice(0, longestName), kind: found.data },
    why: 'It finds ids by names, in what this program has read so far.',
  };
}

/** The same for the first in a list of such things that gives a name; null where none does, or it is no list. */
export function findIdOfAny(list: unknown): Next | null {
  return listOf(list).reduce<Next | null>(
    (found, one) => found ?? (isGiven(one) ? findIdOf(one) : null),
    null,
  );
}

/** The most characters that find_titles takes. */
const longestName = 300;

/** The call that finds the ids for which a change or a plan gives names; the first that is a name leads on. */
export function findIdsIn(given: Given): Next | null {
  const { targetKind, targetId, entryTargetKind, entryTargetId, groupId, setId } = given;
  const found = [
    findIdOf({ kind: targetKind, id: targetId }),
    findIdOf({ kind: entryTargetKind, id: entryTargetId }),
    findOwn('boxset', groupId),
    ...[setId, ...listOf(given.setIds)].map((id) => findOwnSet(given, id)),
    ...listOf(given.networkIds).map((id) => findIdOf({ kind: entityKind.enum.network, id })),
    ...listOf(given.companyIds).map((id) => findIdOf({ kind: entityKind.enum.company, id })),
    ...[...listOf(given.items), ...listOf(given.declaredFiles)].map((item) =>
      isGiven(item) ? findIdOf({ kind: item.targetKind, id: item.targetId }) : null,
    ),
  ];
  return found.find((next) => next !== null) ?? null;
}

/** Null also for Brand and Category Sets, which upload destinations do not show (interface document, Protected reads). */
function findOwnSet({ setKind: ofSet, items, kind }: Given, id: unknown): Next | null {
  if (ofSet === 'brand_set' || ofSet === 'category_set') return null;
  const isTalent = ofSet === 'talent_set' || (ofSet === undefined && items !== undefined);
  return findOwn(isTalent ? 'talent_set' : 'media_set', id, kind === 'loadout');
}

/** The most characters that find_upload_destinations takes. */
const longestSearch = 200;

/** Where a name was given for a Set or group of one's own: the call that finds it by its title. */
export function findOwn(
  kind: 'talent_set' | 'media_set' | 'boxset',
  name: unknown,
  ofGame = false,
): Next | null {
  if (!isNameForId(name)) return null;
  const family = ofGame ? { family: 'game' } : {};
  return {
    tool: 'find_upload_destinations',
    arguments: { kind, ...family, q: name.slice(0, longestSearch) },
    why: 'It finds what the connected account owns by a word of its title.',
  };
}

function listOf(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : [];
}

function isGiven(given: unknown): given is Given {
  return typeof given === 'object' && given !== null;
}
