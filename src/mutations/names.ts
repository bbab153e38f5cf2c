import type { Json } from '../canonical-json.ts';
import { isRecord, type JsonRecord, textAt, wordAt } from '../catalogue/records/members.ts';
import { type Deadline, noLaterThan } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';
import { isKind } from '../model/kinds.ts';
import { slotWords } from '../model/slots.ts';
import { shortLine, type TargetReference } from '../model/target.ts';
import { quoted } from '../text.ts';
import { asJson } from './finding.ts';
import type { PublicReads, Service } from './ports.ts';

/** What people call the things that a mutation is about, by `kind id`; cleaned and short. */
export type Names = Readonly<Record<string, string>>;

/** The store is as untrusted as the service: what it holds is cleaned again. */
export function nameIn(names: Names, kind: string, id: unknown): string | undefined {
  const key = keyOf(kind, id);
  const name = Object.hasOwn(names, key) ? shortLine(names[key]) : '';
  return name === '' ? undefined : name;
}

/** An id as the interface document types it (Conventions), however it was written. */
export function typedId(kind: string, id: number | string): number | string {
  return kind !== 'asset' && typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id;
}

/** A name with its number, or the number alone: `Serenity (2005) (movie 5)`. */
export function nameWithId({ kind, id }: TargetReference, name: string | null | undefined): string {
  return name ? `${name} (${kind} ${id})` : `${kind} ${id}`;
}

/** The same as a part of a sentence: `“Serenity (2005)” (movie 5)`. */
export function wordsWithId(target: TargetReference, name: string | null): string {
  return nameWithId(target, name === null || name === '' ? null : quoted(name));
}

/** Characters: an entry of the ledger has to hold more than names. */
const mostNamed = 200_000;

/** What public reads of this process have shown the targets of a mutation to be called. Reads nothing. */
export function namesOf(intent: Json, { nameOf }: Pick<PublicReads, 'nameOf'>): Names {
  const names: Record<string, string> = {};
  let left = mostNamed;
  for (const { kind, id } of targetsIn(intent)) {
    const name = nameOf(kind, id);
    if (name === null || Object.hasOwn(names, keyOf(kind, id))) continue;
    left -= name.length + keyOf(kind, id).length;
    if (left < 0) break;
    names[keyOf(kind, id)] = name;
  }
  return names;
}

/** The targets that the arguments of a mutation name, at the top or in one of its lists. */
export function targetsIn(intent: Json): TargetReference[] {
  return partsOf(intent).flatMap((part) => [
    ...referenceOf(part.entryTargetKind, part.entryTargetId),
    ...referenceOf(part.targetKind, part.targetId),
  ]);
}

/** The arguments of a mutation, and those of each of its items. */
export function partsOf(intent: Json): JsonRecord[] {
  if (!isRecord(intent)) return [];
  const lists = [intent.declaredFiles, intent.items].flatMap((list) => (Array.isArray(list) ? list : []));
  return [intent, ...lists].filter(isRecord);
}

/** Reads at most, where one call names more. */
const mostRead = 4;

/**
 * What the targets of a mutation are called, with a few public reads for those that no read has shown yet. What
 * can't be read stays without a name.
 */
export async function readNames(intent: Json, catalogue: PublicReads, deadline: Deadline): Promise<Names> {
  const unknown = targetsIn(intent).filter(({ kind, id }) => catalogue.nameOf(kind, id) === null);
  const distinct = [...new Map(unknown.map((one) => [keyOf(one.kind, one.id), one])).values()];
  for (const { kind, id } of distinct.slice(0, mostRead)) {
    if (!isKind(kind)) continue;
    try {
      await catalogue.readEntity(kind, id, deadline);
    } catch (error) {
      if (!(error instanceof ArtworkError) || error.category === 'cancelled') throw error;
    }
  }
  return namesOf(intent, catalogue);
}

/** A change does not wait any longer for what things are called, ms. */
const forNamesMs = 5_000;

/**
 * What things of the account's own are called, by their records; with a few public reads where the target of an Asset has
 * no name yet.
 */
export async function readOwnNames(
  seen: readonly (TargetReference & { readonly record: JsonRecord | null })[],
  catalogue: PublicReads,
  deadline: Deadline,
): Promise<Names> {
  const assets = seen.flatMap(({ kind, record }) => (kind === 'asset' && record !== null ? [record] : []));
  const soon = noLaterThan(deadline, forNamesMs);
  for (const { target } of assets.slice(0, mostRead)) {
    const { kind, id } = isRecord(target) ? target : {};
    await readNames({ targetKind: asJson(kind), targetId: asJson(id) }, catalogue, soon);
  }
  const named = seen.flatMap(({ kind, id, record }): [string, string][] => {
    const name = record === null ? null : nameOfOwned(record, catalogue);
    return name === null ? [] : [[keyOf(kind, id), name]];
  });
  return Object.fromEntries(named);
}

/** What a record of the account's own is called: the title of a Set or a group; of an Asset what it is for. */
export function nameOfOwned(record: JsonRecord, { nameOf }: Pick<PublicReads, 'nameOf'>): string | null {
  const title = shortLine(textAt(record, 'title', 'titleBase', 'name'));
  if (title !== '') return title;
  const slot = wordAt(record, 'slot');
  const target = isRecord(record.target) ? record.target : {};
  const [of] = [...referenceOf(target.kind, target.id), ...referenceOf(record.targetKind, record.targetId)];
  if (slot === null || of === undefined) return null;
  return nameOfArtwork(slot, nameOf(of.kind, of.id) ?? keyOf(of.kind, of.id));
}

/**
 * The label of a picture: `S01E14 title card`, `Serenity (2005) poster`.
 * @param target the label of its target, of which a number alone is enough
 */
export function nameOfArtwork(slot: string, target: string): string {
  const [code = target] = /^S\d+(?:E\d+)?(?= · )/.exec(target) ?? [];
  return `${code} ${shortLine(slotWords(slot))}`;
}

/** What a mutation acts on, each number with its name beside it where that is known. */
export function namedTarget(target: Json, names: Names): Json {
  if (!isRecord(target)) return target;
  const entries = Object.entries(target).flatMap(([member, value]): [string, Json | undefined][] => {
    const [kind, title] = namedBy(member, target);
    if (kind === null) return [[member, value]];
    const id = typeof value === 'string' ? typedId(kind, value) : value;
    const name = Object.hasOwn(target, title) ? undefined : nameIn(names, kind, value);
    return name === undefined
      ? [[member, id]]
      : [
          [member, id],
          [title, name],
        ];
  });
  return Object.fromEntries(entries);
}

/** Which kind of thing a member holds the id of, and what its name is called; null for every other member. */
function namedBy(
  member: string,
  target: { readonly [member: string]: Json | undefined },
): [string | null, string] {
  const kindAt = (name: string) => (typeof target[name] === 'string' ? target[name] : null);
  switch (member) {
    case 'id':
      return [ownKind(kindAt('kind')), 'title'];
    case 'targetId':
      return [kindAt('targetKind'), 'targetTitle'];
    case 'entryTargetId':
      return [kindAt('entryTargetKind'), 'entryTargetTitle'];
    case 'setId':
      return ['set', 'setTitle'];
    case 'groupId':
      return ['group', 'groupTitle'];
    default:
      return [null, ''];
  }
}

/** Sets are one kind, whatever they are for. */
function ownKind(kind: string | null): string | null {
  return kind?.endsWith('_set') === true ? 'set' : kind;
}

/** A kind and an id, where they are. */
export function referenceOf(kind: unknown, id: unknown): TargetReference[] {
  const isId = typeof id === 'number' || typeof id === 'string';
  return typeof kind === 'string' && isId ? [{ kind, id }] : [];
}

/** The same for the same referenceOf, to be compared: Asset ids may be written in either case. */
export function keyOf(kind: string, id: unknown): string {
  return `${kind} ${String(id).toLowerCase()}`;
}

/** Names the catalogue, for answers. */
export function nameOfService({ baseUrl, embedded }: Service): string {
  return embedded ? `the embedded catalogue at ${baseUrl}; nothing is published` : baseUrl;
}
