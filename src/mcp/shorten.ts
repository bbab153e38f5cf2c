import { isRecord } from '../catalogue/records/members.ts';

/** One thing that was left out so that the answer fits: of texts characters are counted, of lists elements. */
export interface Shortened {
  /** Where, with `[]` for the elements of a list: `data.seasons[].title`. */
  readonly section: string;
  readonly total: number;
  readonly returned: number;
  readonly unit: 'characters' | 'elements' | 'members';
}

export interface Fitted {
  readonly value: Json;
  /** Empty where nothing was left out. */
  readonly cut: readonly Shortened[];
  /** Characters that are left of a long text. */
  readonly textLimit: number;
}

type Json = Readonly<Record<string, unknown>>;

/** How much is left of what is long. */
interface Limits {
  /** Characters of a text, elements of any other list, members of an object: outside of `requests`. */
  readonly text: number;
  readonly list: number;
  /** Elements of the lists that an answer pages through. */
  readonly page: number;
  readonly members: number;
  /** The same within the raw requests of a dry run. */
  readonly requestText: number;
  readonly requestList: number;
}

/**
 * Shortens what is left out at the least cost until the JSON has at most `room` characters: long texts first, then
 * lists, then the raw requests of a dry run, and only then members of objects. What names a thing, a revision or
 * an outcome stays as long as it has a length that such a thing can have, and calls stay whole.
 */
export function shortenAnswer(answer: Json, room: number): Fitted {
  const whole = { value: answer, cut: [], textLimit: room };
  if (fits(whole, room)) return whole;
  const names = memberNames();
  let limits: Limits = {
    text: room,
    list: room,
    page: room,
    members: room,
    requestText: room,
    requestList: room,
  };
  for (const [name, least] of stages) {
    const cutTo = (most: number) => cutAll(answer, { ...limits, [name]: most }, names);
    if (fits(cutTo(least), room)) return cutTo(mostThatFits(least, room, (most) => fits(cutTo(most), room)));
    limits = { ...limits, [name]: least };
  }
  return bareOf(answer, room);
}

/** In the order of what is least missed, each with what is left of it at least. */
const stages: readonly (readonly [keyof Limits, number])[] = [
  ['text', 200],
  ['list', 0],
  ['page', 0],
  ['requestText', 200],
  ['requestList', 0],
  ['members', 0],
];

/** How many of the places where something was cut are named. */
const mostNamed = 20;
/** Characters that a section's name takes at most. */
const longestSection = 120;

function fits({ value, cut }: Pick<Fitted, 'value' | 'cut'>, room: number): boolean {
  // What was cut is told beside it.
  const told = cut.length === 0 ? 0 : JSON.stringify(cut).length + cut.length * 12 + 20;
  return JSON.stringify(value).length + told <= room;
}

/** The largest number between `least` and `most` that fits, where `least` does. */
function mostThatFits(least: number, most: number, holds: (size: number) => boolean): number {
  let [low, high] = [least, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function cutAll(answer: Json, limits: Limits, names: MemberNames): Fitted {
  const counted = new Map<string, Shortened>();
  const note = (section: string, unit: Shortened['unit'], total: number, returned: number) => {
    const name = section.length <= longestSection ? section : `${section.slice(0, longestSection)}…`;
    const key = `${unit} ${name}`;
    const place = counted.has(key) || counted.size < mostNamed ? name : 'others';
    const before = counted.get(`${unit} ${place}`) ?? { section: place, total: 0, returned: 0, unit };
    counted.set(`${unit} ${place}`, {
      ...before,
      total: before.total + total,
      returned: before.returned + returned,
    });
  };
  const value = new Cutter(limits, note, names).object(answer, '', false);
  return { value, cut: [...counted.values()], textLimit: limits.text };
}

type Note = (section: string, unit: Shortened['unit'], total: number, returned: number) => void;

class Cutter {
  readonly #limits: Limits;
  readonly #note: Note;
  readonly #names: MemberNames;
  /** Values that are still looked at. */
  #left = mostValues;

  constructor(limits: Limits, note: Note, names: MemberNames) {
    this.#limits = limits;
    this.#note = note;
    this.#names = names;
  }

  object(value: Json, at: string, inRequest: boolean): Json {
    const { first, total } = this.#names(value);
    const kept = this.#namesOf(first);
    if (kept.length < total) this.#note(at || 'answer', 'members', total, kept.length);
    const entries = kept.map((name): [string, unknown] => {
      const inner = at === '' ? name : `${at}.${name}`;
      return [name, this.#any(value[name], name, inner, inRequest || inner === 'requests')];
    });
    return Object.fromEntries(entries);
  }

  /** Names in their own order, those first that are always kept; a name can be as long as a text. */
  #namesOf(names: readonly string[]): string[] {
    const { text, members } = this.#limits;
    const usable = names.filter((name) => name.length <= Math.max(text, longestName));
    const always = usable.filter((name) => isKept(name)).slice(0, mostKept);
    const most = Math.min(Math.max(members, always.length), this.#left);
    if (usable.length <= most) return usable;
    const others = usable.filter((name) => !isKept(name)).slice(0, Math.max(0, most - always.length));
    const chosen = new Set([...always, ...others]);
    return usable.filter((name) => chosen.has(name));
  }

  #any(value: unknown, name: string, at: string, inRequest: boolean): unknown {
    this.#left = Math.max(0, this.#left - 1);
    if (typeof value === 'string') return this.#text(value, name, at, inRequest);
    if (Array.isArray(value)) return this.#list(value, name, at, inRequest);
    if (!isRecord(value)) return value;
    return isCall(value, at) ? value : this.object(value, at, inRequest);
  }

  #text(value: string, name: string, at: string, inRequest: boolean): string {
    const most = inRequest ? this.#limits.requestText : this.#limits.text;
    if (!isCutText(value, name, at, most)) return value;
    const short = beginningOf(value, most);
    this.#note(at, 'characters', value.length, short.length);
    return `${short}… (${value.length} characters)`;
  }

  #list(value: readonly unknown[], name: string, at: string, inRequest: boolean): unknown[] {
    const { list, page, requestList } = this.#limits;
    const most = Math.min(inRequest ? requestList : isPagedList(at) ? page : list, this.#left);
    const kept = value.length <= most ? value : value.slice(0, most);
    if (kept.length < value.length) this.#note(at, 'elements', value.length, kept.length);
    return kept.map((item) => this.#any(item, name, `${at}[]`, inRequest));
  }
}

function isCutText(value: string, name: string, at: string, most: number): boolean {
  return value.length > most && !isCursor(at) && !(isKept(name) && value.length <= longestIdentity);
}

/** Never half a character. */
export function beginningOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

/** A text of an answer that was cut. */
export interface LongText {
  /** Where it stands: `data.sets[3].title`. */
  readonly of: string;
  readonly text: string;
  /** Characters that the answer showed. */
  readonly shown: number;
}

/** The texts of a section of an answer that are cut where so many characters are left of each, in their order. */
export function longTextsIn(answer: Json, section: string, textLimit: number): LongText[] {
  const found: LongText[] = [];
  const look = (value: unknown, name: string, at: string, of: string): void => {
    if (found.length === mostValues || !section.startsWith(at)) return;
    if (typeof value === 'string') {
      if (at === section && isCutText(value, name, at, textLimit))
        found.push({ of, text: value, shown: beginningOf(value, textLimit).length });
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) look(item, name, `${at}[]`, `${of}[${index}]`);
    } else if (isRecord(value)) {
      for (const [inner, one] of Object.entries(value))
        look(one, inner, at === '' ? inner : `${at}.${inner}`, of === '' ? inner : `${of}.${inner}`);
    }
  };
  look(answer, '', '', '');
  return found;
}

/** No answer that fits holds more values; a service may send millions. */
const mostValues = 10_000;

type MemberNames = (value: Json) => { readonly first: readonly string[]; readonly total: number };

/** Names of members, listed once for each object. */
function memberNames(): MemberNames {
  const known = new WeakMap<Json, ReturnType<MemberNames>>();
  return (value) => {
    const found = known.get(value) ?? listNames(value);
    known.set(value, found);
    return found;
  };
}

function listNames(value: Json): ReturnType<MemberNames> {
  const names = Object.keys(value);
  return { first: names.slice(0, mostValues), total: names.length };
}

/** Only what a caller can't go on without: of the topmost members those that fit, the others named. */
function bareOf(answer: Json, room: number): Fitted {
  const names = Object.keys(answer);
  const kept: [string, unknown][] = [];
  let left = room - 500;
  for (const name of [...names].sort((one, other) => Number(isKept(other)) - Number(isKept(one)))) {
    const value = answer[name];
    const size = name.length + (JSON.stringify(value)?.length ?? 4) + 8;
    if (name.length > longestName || size > left) continue;
    left -= size;
    kept.push([name, value]);
  }
  const cut: Shortened = {
    section: 'answer',
    total: names.length,
    returned: kept.length,
    unit: 'members',
  };
  return {
    value: Object.fromEntries(kept),
    cut: kept.length === names.length ? [] : [cut],
    textLimit: room,
  };
}

/** Names, revisions, outcomes and what leads on. */
const keptNames =
  /^(id|ids|.*[a-z]Ids?|kind|type|operation|outcome|state|status|code|category|message|service|updatedAt|.*UpdatedAt|publicationStatus|snapshot|section|total|returned|error|next|nextCursor|omitted|data)$/;

function isKept(name: string): boolean {
  return name.length <= longestName && keptNames.test(name);
}

const longestName = 100;
/** As long as a revision may be that a call can be given. */
const longestIdentity = 500;
/** Members of one object that are kept for their names: a service may name thousands so. */
const mostKept = 40;

/** The lists that a limit and a cursor page through. */
export function isPagedList(at: string): boolean {
  return /^(data|items)(\.|$)/.test(at) && !at.includes('[');
}

function isCursor(at: string): boolean {
  return at === 'nextCursor' || at === 'url' || at.startsWith('ids[');
}

/** A call that can be made as it stands. Only where we write calls ourselves: other people's data may look so. */
function isCall(value: Json, at: string): boolean {
  const ours = /^(next|view|omitted|unfinished)\b/.test(at);
  return ours && (at === 'next' || (typeof value.tool === 'string' && isRecord(value.arguments)));
}
