import { deviceName } from '../../machine.ts';
import type { ArtworkSet } from '../../model/set.ts';
import type { WorkTarget } from '../../model/target.ts';
import { cleanText } from '../../text.ts';

/** `Breaking Bad (2008)`: how media folders are called, and Kometa's asset name. */
export function workName({ kind, id, title, year }: WorkTarget): string {
  const name = nameOf(title) ?? `${kind} ${id}`;
  return year !== null && year > 0 && year < 10_000 ? `${name} (${year})` : name;
}

/** `Season 01`: a season's folder beside its videos. */
export function folderOfSeason(number: number): string {
  return `Season ${twoDigits(number)}`;
}

/** The folder of a Set whose files are kept as they are. */
export function folderOfSet({ kind, id, title }: Pick<ArtworkSet, 'kind' | 'id' | 'title'>): string {
  const name = nameOf(title);
  return name === null ? `${kind} ${id}` : `${name} [${kind} ${id}]`;
}

export function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/**
 * Bytes of UTF-8 that a title may take in a name. It can stand twice in a path, beside what a layout adds: paths stay
 * short enough for Windows, and names for encrypted file systems, which take 143 bytes.
 */
const longestTitle = 96;
/** The same where a program looks for the whole name. */
const longestFolder = 200;

// Joiners stay: Persian and emoji are spelt with them.
const hidden = /[\p{Cc}\p{Cs}\p{Co}\ufdd0-\ufdef\ufffe\uffff]|(?![\u200c\u200d])\p{Cf}/gu;

/**
 * A title as a part of a file's name that every file system takes and keeps: NFC, without hidden characters, without
 * what separates paths, no device's name, no dots or spaces at its ends. Null where nothing of it is left, as of `..`.
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
  return finished(text, longest);
}

/** A title as a program makes a folder's name of it: each sign that not every file system takes becomes `sign`. */
export function nameForReader(title: string, sign: string): string | null {
  const text = cleanText(title).replace(hidden, '').normalize('NFC');
  return finished(text.replace(/["*<>?/\\|:]/g, sign), longestFolder);
}

/** Whether a name can stand as it is: what a person names is refused rather than changed. */
export function isSafeName(name: string): boolean {
  return name === nameOf(name, 240);
}

/** Whole characters as a person sees them, of at most so many bytes. */
function finished(text: string, longest: number): string | null {
  const withoutEnds = (whole: string) => whole.replace(/^[\s.]+|[\s.]+$/g, '');
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(withoutEnds(text))) {
    if (Buffer.byteLength(kept + segment) > longest) break;
    kept += segment;
  }
  const name = withoutEnds(kept);
  return name === '' ? null : name.replace(deviceName, '$1_');
}
