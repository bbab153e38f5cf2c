import { canonicalJson } from '../../canonical-json.ts';
import {
  isRecord,
  type JsonRecord,
  listAt,
  recordAt,
  textAt,
  wordAt,
} from '../../catalogue/records/members.ts';
import type { MutationBody, MutationRow } from '../../ledger/rows.ts';
import { isSetKind, kindWords, setKinds, setKindsOf } from '../../model/kinds.ts';
import { slotWords } from '../../model/slots.ts';
import { labelInSentence, shortLine } from '../../model/target.ts';
import { countOf } from '../../model/words.ts';
import { jsonOf, quoted } from '../../text.ts';
import { findOperation } from '../operations/index.ts';
import type { Intended } from '../operations/operation.ts';
import type { PublicReads, Service } from '../ports.ts';
import { readStoredReceipt } from '../receipt.ts';
import type { Touched } from './result.ts';

/** As much of a change as its words rest on: of one in the ledger its row and body. */
export interface Worded {
  readonly row: Pick<MutationRow, 'id' | 'operation' | 'outcome' | 'receipt'>;
  readonly body: Pick<MutationBody, 'intent' | 'target' | 'names'>;
}

/** A change before it is claimed. */
export function wordedChange({ id, operation, target, intent }: Intended, names: Names): Worded {
  const body = { intent: canonicalJson(intent), target, names };
  return { row: { id, operation, outcome: null, receipt: null }, body };
}

// What things are called.

/** What people call the things that a change is about, by `kind id`; other people's writing, cleaned and short. */
export type Names = MutationBody['names'];

/** The same for the same thing: ids of Assets are written in either case. */
export function keyOfName(kind: string, id: unknown): string {
  return `${kind} ${String(id).toLowerCase()}`;
}

/** The store is as untrusted as the service: what it holds is cleaned again. */
function nameIn(names: Names, kind: string, id: unknown): string {
  const key = keyOfName(kind, id);
  return Object.hasOwn(names, key) ? shortLine(names[key]) : '';
}

/**
 * What the reads of this process have shown the things to be called that a change is about. Reads nothing.
 * @param own the record whose revision it rests on
 */
export function namesOf(
  { work, places, guards }: Intended,
  own: JsonRecord | null,
  { nameOf }: Pick<PublicReads, 'nameOf'>,
): Names {
  const targets = [...(work === null ? [] : [work]), ...places.map(({ target }) => target)];
  const named = targets.map(({ kind, id }): [string, string] => [
    keyOfName(kind, id),
    nameOf(kind, id) ?? '',
  ]);
  const [guard] = guards;
  if (guard !== undefined && own !== null)
    named.push([keyOfName(guard.about.kind, guard.about.id), nameOfOwn(own, nameOf)]);
  return Object.fromEntries(named.filter(([, name]) => name !== ''));
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

/** A target with its number, and its name where that is known. */
export function namedTarget(names: Names, kind: string, id: number | string) {
  const title = nameIn(names, kind, id);
  return { kind, id: typedId(kind, id), ...(title === '' ? {} : { title }) };
}

/** An id as the interface document types it (Conventions), however it was written. */
export function typedId(kind: string, id: number | string): number | string {
  return kind !== 'asset' && typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id;
}

// What a change made or touched.

/** What a change made or touched, as a reading tool takes it. Null: another version's operation. */
export function touchedBy({ row, body: { target, names } }: Worded): Touched | null {
  const operation = findOperation(row.operation);
  if (operation === null || !isRecord(target)) return null;
  const { saved } = operation;
  const isUndone = row.outcome === 'failed' || row.outcome === 'rolled_back';
  const savedId = isUndone ? null : (readStoredReceipt(row.receipt)?.savedId ?? null);
  const own = isId(target.id) ? target.id : savedId;
  const kind = readableKind(saved, target);
  const title =
    (row.outcome === 'succeeded' && shortLine(target.newTitle)) ||
    (own === null ? '' : nameIn(names, saved === 'relationship' ? kind : saved, own)) ||
    shortLine(target.title) ||
    pictureIn(target, names);
  return { kind, id: own === null ? null : typedId(kind, own), ...(title === '' ? {} : { title }) };
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

/** Of an upload: what the picture is for, or the Set or group that it goes into. */
function pictureIn(target: JsonRecord, names: Names): string {
  const { slot, targetKind, targetId, setId, groupId } = target;
  const goals: [unknown, unknown][] = [
    [targetKind, targetId],
    ['set', setId],
    ['group', groupId],
  ];
  const [kind, id] = goals.find((goal) => isId(goal[1])) ?? [];
  if (typeof slot !== 'string' || typeof kind !== 'string' || !isId(id)) return '';
  return pictureOf(slot, labelOfTarget(names, kind, id));
}

// What became of it.

/** A change as the subject of a sentence, and what became of it once it is done: `The upload of …`, `was made`. */
export interface Sentence {
  readonly what: string;
  readonly done: string;
}

/** The words for a change: what was done behind the verb, as `was made: 3 added pictures, language “de”`. */
export function sentenceOf(said: Worded): Sentence {
  const { what, done } = verbOf(said);
  const intent = jsonOf(said.body.intent);
  const parts = isRecord(intent) ? partsOf(intent) : [];
  return { what, done: parts.length === 0 ? done : `${done}: ${parts.join(', ')}` };
}

function verbOf(said: Worded): Sentence {
  const { row, body } = said;
  const target: JsonRecord = isRecord(body.target) ? body.target : {};
  const thing = thingWords(touchedBy(said));
  switch (row.operation) {
    case 'upload_asset': {
      const word = target.operation === 'replace' ? 'replacement' : 'upload';
      return { what: `The ${word} of ${labelInSentence(pictureIn(target, body.names))}`, done: 'was made' };
    }
    case 'create_group':
    case 'create_grouping_set':
    case 'create_media_set': {
      const words = target.kind === 'media_set' ? 'Set' : kindWords(String(target.kind));
      return { what: `The new ${words} ${quoted(shortLine(target.title))}`, done: 'was created' };
    }
    case 'select_preview_frame':
      return { what: `The preview of ${thing}`, done: `was set to frame ${String(target.frame)}` };
    case 'assign_grouping_assets':
      return { what: `The move of pictures into ${thing}`, done: 'was made' };
    case 'change_relationship': {
      const { relationship: word } = target;
      const done = word === 'clear' ? 'was cleared' : `was set to ${quoted(shortLine(word))}`;
      return { what: `The relationship to ${thing}`, done };
    }
    default:
      return { what: `The edit of ${thing}`, done: 'was made' };
  }
}

/** What a change brings and which facts it sets, by what was meant. */
function partsOf(intent: JsonRecord): string[] {
  const operations = listAt(intent, 'items').map(({ operation = 'assign' }) => operation);
  const counts = Object.entries(itemWords).map(([name, noun]) => {
    const { [name]: list } = intent;
    const ofItems = operations.filter((operation) => operation === name).length;
    return [Array.isArray(list) ? list.length : ofItems, noun] as const;
  });
  const fields = { ...intent, ...recordAt(intent, 'metadata') };
  const set = Object.entries(fieldWords).flatMap(([name, words]) => {
    const { [name]: value = '' } = fields;
    if (typeof value === 'boolean') return value ? [words] : [`not ${words}`];
    return value === '' ? [] : value === null ? [`no ${words}`] : [`${words} ${quoted(shortLine(value))}`];
  });
  return [...counts.flatMap(([count, noun]) => (count === 0 ? [] : [countOf(count, noun)])), ...set];
}

/** By the lists that a call has, and by the operations of an edit's items. */
const itemWords = {
  ...{ declaredFiles: 'picture', add: 'added picture', replace: 'replaced picture' },
  ...{ assign: 'moved picture', asset_metadata: 'relabelled picture' },
  ...{ setIds: 'Set', addSetIds: 'added Set', removeSetIds: 'removed Set' },
} as const;

const fieldWords = {
  ...{ title: 'title', titleBase: 'title', description: 'description' },
  ...{ languageCode: 'language', editionId: 'edition', finalised: 'complete' },
} as const;

/** A thing as part of a sentence: `“Firefly” (set 5)`, `asset 0c…`. */
function thingWords(touched: Touched | null): string {
  if (touched === null) return 'something';
  const { kind, id, title } = touched;
  // The id of an account may be its name, which is any text.
  const isText = typeof id === 'string' && !/^[\w-]+$/.test(id);
  const numbered = id === null ? kind : `${kind} ${isText ? quoted(shortLine(id)) : id}`;
  if (title === undefined) return numbered;
  return kind === 'asset' ? labelInSentence(title) : `${quoted(title)} (${numbered})`;
}

/** Ends what is told of the embedded catalogue, where nothing is published. */
export function inService(says: string, { embedded }: Pick<Service, 'embedded'>): string {
  return embedded ? `${says} (embedded catalogue)` : says;
}
