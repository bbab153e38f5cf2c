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
}

type Json = Readonly<Record<string, unknown>>;

/** Characters of a text, and elements of a list or members of an object, that are left at most. */
interface Limits {
  readonly text: number;
  readonly most: number;
}

/** A longer text ends in "…" with its length, where not it alone was asked for. */
export const longestText = 2_000;

/** Long texts first; then everything, ever more, until it fits. */
const attempts: readonly Limits[] = [
  { text: longestText, most: Number.POSITIVE_INFINITY },
  ...[150, 100, 70, 50, 35, 25, 17, 12, 8, 5, 3, 2, 1, 0].map((most) => ({ text: 200, most })),
];

/**
 * Shortens an answer until its JSON has at most `room` characters. What names a thing, a revision or an outcome stays
 * as long as it has a length that such a thing can have, and calls stay whole.
 */
export function shortenAnswer(answer: Json, room: number): Fitted {
  const whole = { value: answer, cut: [] };
  if (fits(whole, room)) return whole;
  for (const limits of attempts) {
    const fitted = cutTo(answer, limits);
    if (fits(fitted, room)) return fitted;
  }
  return bareOf(answer, room);
}

function fits({ value, cut }: Fitted, room: number): boolean {
  // What was cut is told beside it.
  const told = cut.length === 0 ? 0 : JSON.stringify(cut).length + cut.length * 12 + 20;
  return JSON.stringify(value).length + told <= room;
}

/** How many of the places where something was cut are named. */
const mostNamed = 20;
/** Characters that a section's name takes at most. */
const longestSection = 120;

function cutTo(answer: Json, { text, most }: Limits): Fitted {
  const counted = new Map<string, Shortened>();
  const note = (section: string, unit: Shortened['unit'], total: number, returned: number) => {
    const name = section.length <= longestSection ? section : `${section.slice(0, longestSection)}…`;
    const place = counted.has(`${unit} ${name}`) || counted.size < mostNamed ? name : 'others';
    const before = counted.get(`${unit} ${place}`) ?? { section: place, total: 0, returned: 0, unit };
    const sum = { total: before.total + total, returned: before.returned + returned };
    counted.set(`${unit} ${place}`, { ...before, ...sum });
  };
  const object = (value: Json, at: string): Json => {
    const names = Object.keys(value);
    const kept = keptOf(names, at === '' ? Math.max(most, mostKept) : most);
    if (kept.length < names.length) note(at || 'answer', 'members', names.length, kept.length);
    return Object.fromEntries(
      kept.map((name) => [name, any(value[name], name, at === '' ? name : `${at}.${name}`)]),
    );
  };
  const any = (value: unknown, name: string, at: string): unknown => {
    if (typeof value === 'string') {
      const isIdentity = isKept(name) && value.length <= longestIdentity;
      if (value.length <= text || isCursor(at) || isIdentity) return value;
      note(at, 'characters', value.length, text);
      return beginningOf(value, text);
    }
    if (Array.isArray(value)) {
      // What a tool has left out itself stays counted.
      const left = at === 'omitted' ? Math.max(most, mostNamed) : most;
      if (value.length > left) note(at, 'elements', value.length, left);
      return value.slice(0, left).map((item: unknown) => any(item, name, `${at}[]`));
    }
    return !isRecord(value) || isCall(value, at) ? value : object(value, at);
  };
  const value = object(answer, '');
  return { value, cut: [...counted.values()] };
}

/** The first characters of a text, never half of one, with its length. */
export function beginningOf(text: string, most: number): string {
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}… (${text.length} characters)`;
}

/** Names in their own order, those first that are always kept; a name can be as long as a text. */
function keptOf(names: readonly string[], most: number): readonly string[] {
  const usable = names.filter((name) => name.length <= longestName);
  if (usable.length <= most) return usable;
  const always = usable.filter(isKept).slice(0, mostKept);
  const others = usable.filter((name) => !isKept(name)).slice(0, Math.max(0, most - always.length));
  const chosen = new Set([...always, ...others]);
  return usable.filter((name) => chosen.has(name));
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
  const counts = { total: names.length, returned: kept.length };
  return { value: Object.fromEntries(kept), cut: [{ section: 'answer', ...counts, unit: 'members' }] };
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
