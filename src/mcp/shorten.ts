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

/** The most that is left of each text (characters), list and object. */
interface Limits {
  readonly text: number;
  readonly list: number;
  readonly members: number;
}

/** Texts go first, then lists, ever more, until the answer fits. Ids and revisions have at most 500 characters. */
const limits: readonly Limits[] = [
  { text: longestText, list: Number.POSITIVE_INFINITY, members: Number.POSITIVE_INFINITY },
  ...[150, 100, 70, 50, 35, 25, 17, 12, 8, 5, 3, 2, 1, 0].map((list) => ({ text: 500, list, members: 40 })),
];

interface Fitted {
  readonly value: Record<string, unknown>;
  /** The same as JSON. */
  readonly text: string;
}

/**
 * Shortens an answer until its JSON has at most `room` characters. Calls stay whole.
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
  for (const limit of limits) {
    const short = spelled(finish(...cutTo(answer, limit)));
    if (short.text.length <= room) return short;
  }
  // What a caller can't go on without, none of it longer than a quarter.
  const needed = ['outcome', 'clientMutationId', 'id', 'updatedAt', 'error', 'next'];
  const kept = needed.filter((name) => (JSON.stringify(answer[name])?.length ?? room) < room / 4);
  const counts = { total: Object.keys(answer).length, returned: kept.length };
  const bare = Object.fromEntries(kept.map((name) => [name, answer[name]]));
  return spelled(finish(bare, [{ section: 'answer', ...counts, unit: 'members' }]));
}

/** So many of the places where something was cut are named; the others are counted together. */
const mostNamed = 20;
/** A service may put other words into the place of a name. */
const longestName = 100;

function cutTo(answer: Json, { text, list, members }: Limits): [Json, readonly Cut[]] {
  const cuts = new Map<string, Cut>();
  const note = (at: string, unit: Cut['unit'], total: number, returned: number) => {
    const section = cuts.size < mostNamed ? at.slice(0, longestName) : 'others';
    const before = cuts.get(`${unit} ${section}`) ?? { total: 0, returned: 0 };
    const sum = { total: before.total + total, returned: before.returned + returned };
    cuts.set(`${unit} ${section}`, { section, ...sum, unit });
  };
  const shortObject = (value: Json, at: string): Json => {
    const names = Object.keys(value);
    const kept = names.filter((name) => name.length <= longestName).slice(0, at === '' ? undefined : members);
    if (kept.length < names.length) note(at || 'answer', 'members', names.length, kept.length);
    return Object.fromEntries(
      kept.map((name) => [name, short(value[name], at === '' ? name : `${at}.${name}`)]),
    );
  };
  const short = (value: unknown, at: string): unknown => {
    if (typeof value === 'string') {
      if (value.length <= text || at === 'nextCursor' || at === 'url') return value;
      note(at, 'characters', value.length, text);
      return beginningOf(value, text);
    }
    if (Array.isArray(value)) {
      // What a tool left out itself stays counted.
      const most = at === 'omitted' ? Math.max(list, mostNamed) : list;
      if (value.length > most) note(at, 'elements', value.length, most);
      return value.slice(0, most).map((one: unknown) => short(one, `${at}[]`));
    }
    return isRecord(value) && !isCall(value, at) ? shortObject(value, at) : value;
  };
  return [shortObject(answer, ''), [...cuts.values()]];
}

/** The first characters of a text, never half of one, with its length. */
export function beginningOf(text: string, most: number): string {
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}… (${text.length} characters)`;
}

/** A call that can be made as it stands. Only where we write calls: other people's data may look so. */
function isCall(value: Json, at: string): boolean {
  const isOurs = /^(next|view|omitted|undo)\b/.test(at);
  return isOurs && (at === 'next' || (typeof value.tool === 'string' && isRecord(value.arguments)));
}
