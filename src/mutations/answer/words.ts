import type { Json } from '../../canonical-json.ts';
import { isRecord, type JsonRecord, textAt, wordAt } from '../../catalogue/records/members.ts';
import type { MutationRecord, Standing } from '../../ledger/rows.ts';
import { isSetKind, setKinds, setKindsOf } from '../../model/kinds.ts';
import { slotWords } from '../../model/slots.ts';
import { labelInSentence, shortLine, type TargetReference } from '../../model/target.ts';
import { countOf } from '../../model/words.ts';
import { quoted } from '../../text.ts';
import { findOperation } from '../operations/index.ts';
import type { Intended } from '../operations/operation.ts';
import type { PublicReads, Service } from '../ports.ts';
import { readStoredReceipt } from '../receipt.ts';
import type { Touched } from './result.ts';

/** What people call the things that a change is about, by `kind id`; other people's writing, cleaned and short. */
export type Names = Readonly<Record<string, string>>;

/** The same for the same thing: ids of Assets are written in either case. */
export function keyOfName(kind: string, id: unknown): string {
  return `${kind} ${String(id).toLowerCase()}`;
}

/** The store is as untrusted as the service: what it holds is cleaned again. */
function nameIn(names: Names, kind: string, id: unknown): string {
  const key = keyOfName(kind, id);
  return Object.hasOwn(names, key) ? shortLine(names[key]) : '';
}

/** Characters: the row of a change holds more than names. */
const mostNamed = 200_000;

/** What the reads of this process have shown the things to be called that a change is about. Reads nothing. */
export function namesOf(
  change: Intended,
  own: JsonRecord | null,
  { nameOf }: Pick<PublicReads, 'nameOf'>,
): Names {
  const names: Record<string, string> = {};
  let left = mostNamed;
  const keep = ({ kind, id }: TargetReference, name: string | null) => {
    const key = keyOfName(kind, id);
    if (name === null || name === '' || Object.hasOwn(names, key)) return;
    left -= key.length + name.length;
    if (left >= 0) names[key] = name;
  };
  for (const target of [
    ...(change.work === null ? [] : [change.work]),
    ...change.places.map((one) => one.target),
  ])
    keep(target, nameOf(target.kind, target.id));
  const [guard] = change.guards;
  if (guard !== undefined && own !== null) keep(guard.about, nameOfOwn(own, nameOf));
  return names;
}

/** The title of a Set or a group; of an Asset what it is for. Empty: the record does not tell. */
function nameOfOwn(record: JsonRecord, nameOf: PublicReads['nameOf']): string {
  const title = shortLine(textAt(record, 'title', 'titleBase', 'name'));
  const slot = wordAt(record, 'slot');
  const target = isRecord(record.target) ? record.target : record;
  const kind = wordAt(target, 'kind', 'targetKind');
  const id = target.id ?? target.targetId;
  if (title !== '' || slot === null || kind === null || !isId(id)) return title;
  return pictureOf(slot, nameOf(kind, id) ?? `${kind} ${id}`);
}

/** The label of a picture: `S01E14 title card`, `Serenity (2005) poster`. */
function pictureOf(slot: string, target: string): string {
  const [code = target] = /^S\d+(?:E\d+)?(?= · )/.exec(target) ?? [];
  return `${code} ${shortLine(slotWords(slot))}`;
}

function isId(id: unknown): id is number | string {
  return typeof id === 'number' || typeof id === 'string';
}

/** How a target is called where it is one of many: `S01E14 · Objects in Space`, else `episode 102114`. */
export function labelOfTarget(names: Names, kind: string, id: number | string): string {
  return nameIn(names, kind, id) || `${kind} ${id}`;
}

/** As much of a change as its words rest on. */
interface About {
  readonly id: string;
  readonly operation: string;
  readonly target: Json;
  readonly names: Names;
  readonly outcome: Standing | null;
  readonly savedId: string | null;
}

function about({ row, body }: MutationRecord): About {
  const { id, operation, outcome } = row;
  const { target, names } = body;
  return { id, operation, target, names, outcome, savedId: readStoredReceipt(row.receipt)?.savedId ?? null };
}

function aboutChange({ id, operation, target }: Intended, names: Names): About {
  return { id, operation, target, names, outcome: null, savedId: null };
}

/** A target with its number, and its name where that is known. */
export function namedTarget(names: Names, kind: string, id: number | string) {
  const title = nameIn(names, kind, id);
  return { kind, id: typedId(kind, id), ...(title === '' ? {} : { title }) };
}

/** What a change made or touched, by its row alone: as a reading tool takes it. Null: another version's operation. */
export function touchedBy(record: MutationRecord): Touched | null {
  return touchedIn(about(record));
}

/** The same before it is claimed. */
export function touchedByChange(change: Intended, names: Names): Touched | null {
  return touchedIn(aboutChange(change, names));
}

function touchedIn({ operation: name, target, names, outcome, savedId }: About): Touched | null {
  const operation = findOperation(name);
  if (operation === null || !isRecord(target)) return null;
  const isUndone = outcome === 'failed' || outcome === 'rolled_back';
  const own = isId(target.id) ? target.id : isUndone ? null : savedId;
  const kind = readableKind(operation.saved, target);
  const title =
    (outcome === 'succeeded' && shortLine(target.newTitle)) ||
    (own === null ? '' : nameIn(names, operation.saved === 'relationship' ? kind : operation.saved, own)) ||
    shortLine(target.title) ||
    pictureIn(target, names);
  return { kind, id: own === null ? null : typedId(kind, own), ...(title === '' ? {} : { title }) };
}

/** An id as the interface document types it (Conventions), however it was written. */
function typedId(kind: string, id: number | string): number | string {
  return kind !== 'asset' && typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id;
}

/** `show_set` where what it is for tells it, else what `get_owned` calls it. */
function readableKind(saved: 'asset' | 'set' | 'group' | 'relationship', target: JsonRecord): string {
  const kind = typeof target.kind === 'string' ? target.kind : '';
  if (saved === 'relationship' || saved === 'asset') return saved === 'asset' ? 'asset' : kind;
  if (isSetKind(kind)) return kind;
  const work = target.entryTargetKind;
  const sets = typeof work === 'string' ? setKindsOf(work).filter((one) => setKinds[one].of === work) : [];
  return sets[0] ?? saved;
}

/** Of an upload: what the picture is for. */
function pictureIn({ slot, targetKind, targetId, setId, groupId }: JsonRecord, names: Names): string {
  if (typeof slot !== 'string') return '';
  const [kind, id] =
    targetId !== undefined
      ? [targetKind, targetId]
      : setId !== undefined
        ? ['set', setId]
        : ['group', groupId];
  return typeof kind === 'string' && isId(id) ? pictureOf(slot, labelOfTarget(names, kind, id)) : '';
}

/** A change as the subject of a sentence, and what became of it once it is done: `The poster of “Serenity”`, `was uploaded`. */
export interface Sentence {
  readonly what: string;
  readonly done: string;
}

/** The words for a change, by its row alone. */
export function sentenceOf(record: MutationRecord): Sentence {
  return sentenceIn(about(record));
}

/** The same before it is claimed. */
export function sentenceOfChange(change: Intended, names: Names): Sentence {
  return sentenceIn(aboutChange(change, names));
}

function sentenceIn(said: About): Sentence {
  const { id, operation, names } = said;
  const target: JsonRecord = isRecord(said.target) ? said.target : {};
  const thing = thingWords(touchedIn(said));
  switch (operation) {
    case 'upload_asset': {
      const isSwap = target.operation === 'replace';
      return {
        what: `The ${uploadWords(target, names)}`,
        done: isSwap ? 'took the place of another' : 'was uploaded',
      };
    }
    case 'edit_asset_metadata':
      return { what: `The language or edition of ${thing}`, done: 'was changed' };
    case 'select_preview_frame':
      return { what: `The preview frame of ${thing}`, done: 'was chosen' };
    case 'create_group':
    case 'create_grouping_set':
      return { what: `The new ${newWords(target)}`, done: 'was created' };
    case 'create_media_set':
      return { what: `The new ${newWords(target)}`, done: `was created with ${pictures(target.files)}` };
    case 'edit_group':
    case 'edit_set':
      return { what: `The edit of ${thing}`, done: 'was made' };
    case 'assign_grouping_assets':
      return { what: `The move of ${pictures(target.items)} into ${thing}`, done: 'was made' };
    case 'change_relationship': {
      const state = target.relationship;
      const done = state === 'clear' ? 'was cleared' : `is now "${typeof state === 'string' ? state : ''}"`;
      return { what: `The relationship to ${thing}`, done };
    }
    default:
      return { what: `The change ${id}`, done: 'was made' };
  }
}

/** A thing as part of a sentence: `“Firefly” (set 5)`, `asset 0c…`. */
export function thingWords(touched: Pick<Touched, 'kind' | 'id' | 'title'> | null): string {
  if (touched === null) return 'something';
  const { kind, id, title } = touched;
  // The id of an account may be its name, which is any text.
  const isText = typeof id === 'string' && !/^[\w-]+$/.test(id);
  const numbered = id === null ? kind : `${kind} ${isText ? quoted(shortLine(id)) : id}`;
  if (title === undefined) return numbered;
  return kind === 'asset' ? labelInSentence(title) : `${quoted(title)} (${numbered})`;
}

function newWords({ kind, title }: JsonRecord): string {
  const words: Readonly<Record<string, string>> = {
    boxset: 'Boxset',
    loadout: 'Loadout',
    talent_set: 'Talent Set',
    brand_set: 'Brand Set',
    category_set: 'Category Set',
  };
  return `${words[String(kind)] ?? 'Set'} ${quoted(shortLine(title))}`;
}

function uploadWords({ slot, targetKind, targetId, setId, groupId }: JsonRecord, names: Names): string {
  const words = typeof slot === 'string' ? slotWords(slot) : 'picture';
  const into = isId(setId)
    ? { kind: 'set', id: setId }
    : isId(groupId)
      ? { kind: 'group', id: groupId }
      : null;
  const own = typeof targetKind === 'string' && isId(targetId) ? { kind: targetKind, id: targetId } : into;
  if (own === null) return words;
  const of = `${words} of ${labelInSentence(labelOfTarget(names, own.kind, own.id))}`;
  return into === null || into === own
    ? of
    : `${of} in ${labelInSentence(labelOfTarget(names, into.kind, into.id))}`;
}

function pictures(count: unknown): string {
  return countOf(typeof count === 'number' ? count : 0, 'picture');
}

/** Ends what is told of the embedded catalogue, where nothing is published. */
export function inService(says: string, { embedded }: Pick<Service, 'embedded'>): string {
  return embedded ? `${says} (embedded catalogue)` : says;
}

/** The things that a change makes or touches, by which open and late changes of a thing are found. */
export function touchesOf(change: Intended): string[] {
  const { setId, groupId, entryTargetKind, entryTargetId } = change.target;
  const all: (readonly [string, unknown])[] = [
    ...change.guards.map(({ of, about }) => [of === 'relationship' ? about.kind : of, about.id] as const),
    ...change.places.map(({ target }) => [target.kind, target.id] as const),
    ...(typeof entryTargetKind === 'string' ? [[entryTargetKind, entryTargetId] as const] : []),
    ...(setId === undefined ? [] : [['set', setId] as const]),
    ...(groupId === undefined ? [] : [['group', groupId] as const]),
  ];
  return [...new Set(all.map(([kind, id]) => keyOfName(kind, id)))];
}
