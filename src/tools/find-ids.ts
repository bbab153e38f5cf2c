import type { Next } from '../errors.ts';
import { integer, isNameForId } from '../mcp/arguments.ts';
import { entityKind } from '../mcp/kinds.ts';
import { type Addressed, namedByText } from '../model/address.ts';
import { isKind, type Kind, kindMeantBy, kindNamed, setKindNamed } from '../model/kinds.ts';

// People have names at hand, and models pass them on where an id belongs: what shows the ids of such things.

type Given = Readonly<Record<string, unknown>>;

/**
 * Where a name was given for the id of an entity or Set, or in the place of kind and id: the call that shows ids of the
 * kind. Where an address of another kind of thing was given: the call that reads that. Null for anything else.
 */
export function findIdOf({ kind, id, ...others }: Given): Next | null {
  const addressed = typeof id === 'string' ? namedByText(id) : null;
  if (addressed !== null) return readOfOther(kind, addressed);
  const name = [id, ...(id === undefined ? nameMembers.map((member) => others[member]) : [])].find(
    isNameForId,
  );
  const ofKind = kind === undefined ? {} : { kind: kindToFind(kind) };
  if (name === undefined || ofKind.kind === null) return null;
  return {
    tool: 'find_titles',
    arguments: { query: name.slice(0, longestName), ...ofKind },
    why: 'It finds ids by names, in what this program has read so far.',
  };
}

/** Where models put a name, if they do not put it in id. */
const nameMembers = ['title', 'name', 'query', 'q'] as const;

/** The word for a kind by which find_titles finds it; null for what is none. */
function kindToFind(kind: unknown): string | null {
  const word = typeof kind === 'string' ? kind : '';
  return word === 'set' ? word : (setKindNamed(word) ?? kindNamed(word) ?? kindMeantBy(word));
}

/** The call that reads what an address names, if it is of another kind than the call says; else null. */
function readOfOther(kind: unknown, { kind: other, id }: Addressed): Next | null {
  if (other === null || other === kindToFind(kind)) return null;
  const why = `It reads the ${other} that was named: see whether that is what was meant.`;
  return { tool: isKind(other) ? 'get_entity' : 'get_set', arguments: { kind: other, id }, why };
}

/** If an entity was named in the place of a Set: the call that lists its Sets. Else null. */
export function findSetsOf({ kind, id }: Given): Next | null {
  const word = typeof kind === 'string' ? kind : '';
  const entity = setKindNamed(word) === null ? (kindNamed(word) ?? kindMeantBy(word)) : null;
  const number = integer.safeParse(id);
  if (entity === null || !number.success) return null;
  const of = { kind: entity, id: number.data };
  switch (entity) {
    case 'show':
      return listSetsOfShow(number.data);
    case 'season':
    case 'episode': {
      const why = `A Set has an id of its own: this names the show, whose Sets have pictures of the ${entity}.`;
      return { tool: 'get_entity', arguments: of, why };
    }
    default: {
      const asked = { targetKind: entity, targetId: number.data, kind: 'set' };
      return { tool: 'find_titles', arguments: asked, why: setsWhy(entity) };
    }
  }
}

/** Shows alone list their Sets (interface document, Resources). */
export function listSetsOfShow(id: number): Next {
  return { tool: 'get_entity', arguments: { kind: 'show', id, include: ['sets'] }, why: setsWhy('show') };
}

function setsWhy(kind: Kind): string {
  return `A Set has an id of its own: this lists the Sets of the ${kind}.`;
}

/** If a Set was named in the place of an entity: the call that reads it. Else null. */
export function readSetIn({ kind, id }: Given): Next | null {
  const set = typeof kind === 'string' ? setKindNamed(kind) : null;
  const number = integer.safeParse(id);
  if (set === null || !number.success) return null;
  return { tool: 'get_set', arguments: { kind: set, id: number.data }, why: `It reads the ${set}.` };
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
