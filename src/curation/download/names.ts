import { deviceName } from '../../machine.ts';
import type { WorkTarget } from '../../model/target.ts';
import { cleanText } from '../../text.ts';

/**
 * Bytes that a title may take in a name. Encrypted file systems take 143 a name, and beside a title stand a year, a
 * number and an ending.
 */
const longestTitle = 96;
/** The same where a program looks for the whole title, and of a name that a person gives. */
const longestWhole = 200;
const longestGiven = 240;

// Joiners stay: Persian and emoji are spelt with them.
const hidden = /[\p{Cc}\p{Cs}\p{Co}\ufdd0-\ufdef\ufffe\uffff]|(?![\u200c\u200d])\p{Cf}/gu;
const graphemes = new Intl.Segmenter();

/**
 * A title as a name that every file system takes and shows as it is; the same for what it has answered. Signs that can't
 * stand in names are written as people write them: `Star Trek: Picard` is `Star Trek - Picard`.
 * @returns null where nothing of it can stand in a name, as of `..`
 */
export function nameOf(title: string, longest = longestTitle): string | null {
  const text = cleanText(title)
    .replace(/\s+/g, ' ')
    .replace(hidden, '')
    .normalize('NFC')
    .replace(/\s*:\s+/g, ' - ')
    .replace(/[:/\\|]/g, '-')
    .replace(/["\u201c\u201d]/g, "'")
    .replace(/[*<>?]/g, '')
    .replace(/ +/g, ' ');
  return cut(text, longest);
}

/** A title as a program makes a name of it: each sign that not every file system takes becomes `sign`. */
export function nameForReader(title: string, sign: string): string | null {
  const text = cleanText(title).replace(hidden, '').normalize('NFC');
  return cut(text.replace(/["*<>?/\\|:]/g, sign), longestWhole);
}

/** Whether a name that a person gave can stand as it is; else it is refused rather than changed. */
export function isSafeName(name: string): boolean {
  return name === nameOf(name, longestGiven);
}

/** `Breaking Bad (2008)`: as all programs want the folder of a work called. */
export function workName({ kind, id, title, year }: WorkTarget): string {
  const name = nameOf(title) ?? `${kind} ${id}`;
  return year !== null && year > 0 && year < 10_000 ? `${name} (${year})` : name;
}

/** `Season 01`: as a season's folder is called, and its pictures that no program reads. */
export function seasonName(season: number): string {
  return `Season ${twoDigits(season)}`;
}

/** A number as programs write it. */
export function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** As many whole characters as fit, without dots and blanks at the ends, and never the name of a device. */
function cut(text: string, longest: number): string | null {
  const withoutEnds = (whole: string) => whole.replace(/^[\s.]+|[\s.]+$/g, '');
  let kept = '';
  for (const { segment } of graphemes.segment(withoutEnds(text))) {
    if (Buffer.byteLength(kept + segment) > longest) break;
    kept += segment;
  }
  return withoutEnds(kept).replace(deviceName, '$1_') || null;
}
