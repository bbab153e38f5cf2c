import { isRecord } from '../catalogue/records/members.ts';

type Json = Readonly<Record<string, unknown>>;

/** What was left out at one place so that an answer fits. */
export interface Cut {
  /** Where, with `[]` for the elements of a list: `data.seasons[].title`. */
  readonly section: string;
  readonly total: number;
  readonly returned: number;
  /** What is counted: of a text, of a list, of an object. */
  readonly unit: 'characters' | 'elements' | 'members';
}

/** Characters. A longer text ends in "…" with its length, where it wasn't asked for alone. */
export const longestText = 2_000;

/** Long texts go first; then texts and lists, ever more, until the answer fits. */
const attempts: readonly { readonly text: number; readonly most: number }[] = [
  { text: longestText, most: Number.POSITIVE_INFINITY },
  ...[150, 100, 70, 50, 35, 25, 17, 12, 8, 5, 3, 2, 1, 0].map((most) => ({ text: 200, most })),
];

interface Fitted {
  readonly value: Record<string, unknown>;
  /** The same as JSON. */
  readonly text: string;
}

/**
 * Shortens an answer until its JSON has at most `room` characters. What names a thing, a revision or an outcome stays, as
 * long as such a thing can be; calls stay whole.
 * @param finish tells in the answer what was left out
 */
export function fitted(
  answer: Json,
  room: number,
  finish: (short: Json, cuts: readonly Cut[]) => Record<string, unknown>,
): Fitted {
  const spelled = (value: Record<string, unknown>): Fitted => ({ value, text: JSON.stringify(value) });
  const whole = spelled({ ...answer });
  if (whole.text.length <= room) return whole;
  for (const { text, most } of attempts) {
    const { value, cuts } = cutTo(answer, text, most);
    const short = spelled(finish(value, cuts));
    if (short.text.length <= room) return short;
  }
  return spelled(finish(...bareOf(answer, room)));
}

/** So many of the places where something was cut are named; the others are counted together. */
const mostNamed = 20;
const longestName = 100;
/** Members of one object that are kept for their names. A service may name thousands so. */
const mostKept = 40;
/** A revision that a call takes is no longer. */
const longestIdentity = 500;

function cutTo(answer: Json, text: number, most: number): { value: Json; cuts: readonly Cut[] } {
  const cuts = new Map<string, Cut>();
  const note = (at: string, unit: Cut['unit'], total: number, returned: number) => {
    const section = cuts.size < mostNamed ? at.slice(0, longestName) || 'answer' : 'others';
    const before = cuts.get(`${unit} ${section}`) ?? { total: 0, returned: 0 };
    const sum = { total: before.total + total, returned: before.returned + returned };
    cuts.set(`${unit} ${section}`, { section, ...sum, unit });
  };
  const shortOf = (value: unknown, name: string, at: string): unknown => {
    if (typeof value === 'string') {
      const isIdentity = isKept(name) && value.length <= longestIdentity;
      if (value.length <= text || isIdentity || isCursor(at)) return value;
      note(at, 'characters', value.length, text);
      return beginningOf(value, text);
    }
    if (Array.isArray(value)) {
      // What a tool left out itself stays counted.
      const left = at === 'omitted' ? Math.max(most, mostNamed) : most;
      if (value.length > left) note(at, 'elements', value.length, left);
      return value.slice(0, left).map((one: unknown) => shortOf(one, name, `${at}[]`));
    }
    if (!isRecord(value) || isCall(value, at)) return value;
    const names = Object.keys(value);
    const kept = chosen(names, at === '' ? Math.max(most, mostKept) : most);
    if (kept.length < names.length) note(at, 'members', names.length, kept.length);
    return Object.fromEntries(
      kept.map((inner) => [inner, shortOf(value[inner], inner, at === '' ? inner : `${at}.${inner}`)]),
    );
  };
  return { value: Object(shortOf(answer, '', '')), cuts: [...cuts.values()] };
}

/** So many of an object's names in their order, among them those that are always kept. A name can be as long as a text. */
function chosen(names: readonly string[], most: number): readonly string[] {
  const usable = names.filter((name) => name.length <= longestName);
  const always = usable.filter(isKept).slice(0, mostKept);
  const others = usable.filter((name) => !isKept(name)).slice(0, Math.max(0, most - always.length));
  const kept = new Set([...always, ...others]);
  return usable.filter((name) => kept.has(name));
}

/** Of an answer that nothing else makes fit: what a caller can't go on without, each member no longer than a quarter. */
function bareOf(answer: Json, room: number): [Json, readonly Cut[]] {
  const names = ['outcome', 'clientMutationId', 'error', 'next'];
  const kept = names.filter((name) => (JSON.stringify(answer[name])?.length ?? room) < room / 4);
  const counts = { total: Object.keys(answer).length, returned: kept.length };
  return [
    Object.fromEntries(kept.map((name) => [name, answer[name]])),
    [{ section: 'answer', ...counts, unit: 'members' }],
  ];
}

/** The first characters of a text, never half of one, with its length. */
export function beginningOf(text: string, most: number): string {
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}… (${text.length} characters)`;
}

/** Names, revisions, outcomes, and what leads on. */
const keptNames =
  /^(id|ids|.*[a-z]Ids?|kind|type|operation|outcome|state|status|code|category|message|service|updatedAt|.*UpdatedAt|publicationStatus|snapshot|section|total|returned|error|next|nextCursor|omitted|data)$/;

function isKept(name: string): boolean {
  return name.length <= longestName && keptNames.test(name);
}

/** The lists that a limit and a cursor page through. */
export function isPagedList(at: string): boolean {
  return /^(data|items)(\.|$)/.test(at) && !at.includes('[');
}

function isCursor(at: string): boolean {
  return at === 'nextCursor' || at === 'url' || at.startsWith('ids[');
}

/** A call that can be made as it stands. Only where we write calls: other people's data may look so. */
function isCall(value: Json, at: string): boolean {
  const ours = /^(next|view|omitted|unfinished|undo)\b/.test(at);
  return ours && (at === 'next' || (typeof value.tool === 'string' && isRecord(value.arguments)));
}
