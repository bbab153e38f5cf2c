// Whatever the service says is bounded before it is kept or shown: an answer may hold megabytes where the
// interface document shows a word.

type Json = Readonly<Record<string, unknown>>;

/** Longest of a revision and of an id, in characters: what is longer is none, since a part of it is another one. */
const longestToken = 200;
/** Longest of a word such as a status. */
const longestWord = 100;

const longestText = 300;
const longestName = 100;
const mostMembers = 100;
const deepest = 12;

/** The text, or its beginning and an ellipsis; never half a character. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = longest - 1;
  return `${text.slice(0, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end)}…`;
}

/** A word such as a status, to be shown. One that was cut is none that this program knows. */
export function boundWord(word: string): string {
  return cutText(word, longestWord);
}

/** An id or a revision that is compared and sent back; null for what can be neither. */
export function boundedId(text: string): string | null {
  return text === '' || text.length > longestToken ? null : text;
}

/**
 * A record in about so many characters of JSON: itself where it is short enough, else its short members first,
 * then what fits of the long ones.
 */
export function boundRecord(record: Json, budget: number): Json {
  return JSON.stringify(record).length <= budget ? record : shortened(record, { left: budget }, 0);
}

interface Room {
  left: number;
}

function bounded(value: unknown, room: Room, depth: number): unknown {
  if (typeof value === 'string') {
    const text = cutText(value, longestText);
    room.left -= text.length + 3;
    return text;
  }
  if (typeof value !== 'object' || value === null) {
    room.left -= 8;
    return value;
  }
  if (depth === deepest) return null;
  if (!Array.isArray(value)) return shortened({ ...value }, room, depth);
  room.left -= 2;
  const kept: unknown[] = [];
  for (const element of value) {
    if (room.left <= 0 || kept.length === mostMembers) break;
    kept.push(bounded(element, room, depth + 1));
  }
  return kept;
}

function shortened(record: Json, room: Room, depth: number): Json {
  const names = Object.keys(record).filter((name) => name.length <= longestName);
  const kept: Record<string, unknown> = {};
  const take = (name: string, value: unknown) => {
    if (room.left <= 0) return;
    room.left -= name.length + 4;
    kept[name] = bounded(value, room, depth + 1);
  };
  const isShort = (value: unknown) =>
    typeof value === 'string' ? value.length <= longestToken : typeof value !== 'object' || value === null;
  const short = names.filter((name) => isShort(record[name]));
  const long = names.filter((name) => !isShort(record[name]));
  for (const name of [...short, ...long].slice(0, mostMembers)) take(name, record[name]);
  return kept;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
