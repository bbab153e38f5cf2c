import type { Face } from './fonts.ts';

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const words = new Intl.Segmenter('und', { granularity: 'word' });

/** A line of text in pieces of one face each. */
export type Line = readonly { readonly face: Face; readonly text: string }[];

/**
 * Prepares a title for drawing: no control, format or unassigned characters except joiners, at most three
 * combining marks in a row, single spaces, and at most `most` characters as a reader counts them.
 */
export function cleanTitle(text: string, most: number): string {
  const tidy = text
    .normalize('NFC')
    .replace(/(?![\u200c\u200d])\p{C}/gu, ' ')
    .replace(/(\p{Mn}{3})\p{Mn}+/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = Array.from(graphemes.segment(tidy), (part) => part.segment);
  if (characters.length <= most) return tidy;
  const cut = characters.slice(0, most - 1).join('');
  // Cuts at the end of a word, where one is near.
  return `${cut.replace(/(?<=.{12})\s\S{0,14}$/u, '').trimEnd()}…`;
}

/**
 * The part of a text that the faces can show. Missing symbols are left out; null when a letter is missing,
 * since that would change the title, and when nothing is left.
 */
export function showable(text: string, faces: readonly Face[]): string | null {
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    if (isSpace(segment) || faceOf(segment, faces) !== undefined) kept += segment;
    else if (/[\p{L}\p{N}]/u.test(segment)) return null;
  }
  return kept.replace(/\s+/gu, ' ').trim() || null;
}

/** Gives every character the first face that has it. The faces must be able to show the text. */
export function assignFaces(text: string, faces: readonly Face[]): Line {
  const pieces: { face: Face; text: string }[] = [];
  for (const { segment } of graphemes.segment(text)) {
    const last = pieces.at(-1);
    const face = isSpace(segment) ? (last?.face ?? faces[0]) : faceOf(segment, faces);
    if (face === undefined) continue;
    if (last?.face === face) last.text += segment;
    else pieces.push({ face, text: segment });
  }
  return pieces;
}

function isSpace(character: string): boolean {
  return /^\s+$/u.test(character);
}

function faceOf(character: string, faces: readonly Face[]): Face | undefined {
  const points = Array.from(character, (part) => part.codePointAt(0) ?? 0).filter(isVisible);
  if (points.length === 0) return undefined;
  return faces.find((face) => points.every((point) => face.coverage.has(point)));
}

/** Joiners and variation selectors shape their neighbours and need no glyph. */
function isVisible(point: number): boolean {
  return point !== 0x200c && point !== 0x200d && !(point >= 0xfe00 && point <= 0xfe0f);
}

/** Breaks a text into at most `count` lines, with the longest as short as possible. */
export function breakLines(text: string, count: number): readonly string[] {
  const parts = breakable(text);
  let low = Math.max(...parts.map(extent));
  let high = Math.max(low, extent(text));
  while (high - low > 0.2) {
    const middle = (low + high) / 2;
    if (filled(parts, middle).length <= count) high = middle;
    else low = middle;
  }
  return filled(parts, high);
}

function filled(parts: readonly string[], widest: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of parts) {
    if (line !== '' && extent((line + part).trimEnd()) > widest) {
      lines.push(line.trim());
      line = '';
    }
    line += part;
  }
  if (line.trim() !== '') lines.push(line.trim());
  return lines;
}

const unspaced = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;
const longest = 34;

/** Starts a line rather than ending one. */
const separator = /^[·•|]\s+$/u;

/**
 * The pieces between which a line may break: words with their spaces, and words of scripts without spaces.
 */
function breakable(text: string): readonly string[] {
  const parts: string[] = [];
  for (const { segment } of words.segment(text)) {
    const last = parts.at(-1);
    const mayBreak =
      last === undefined || /\s$/u.test(last) || (unspaced.test(segment) && unspaced.test(last));
    if (mayBreak && !separator.test(last ?? '')) parts.push(segment);
    else parts[parts.length - 1] = last + segment;
  }
  return parts.flatMap((part) => (extent(part) > longest ? chopped(part) : [part]));
}

/** Cuts a word that is too long for any line. */
function chopped(word: string): readonly string[] {
  const pieces: string[] = [];
  const most = extent(word) / Math.ceil(extent(word) / (longest / 2));
  let piece = '';
  for (const { segment } of graphemes.segment(word)) {
    if (extent(piece) >= most) {
      pieces.push(piece);
      piece = '';
    }
    piece += segment;
  }
  return piece === '' ? pieces : [...pieces, piece];
}

/** The approximate width of a text in letters; ideographs and syllables count double. */
function extent(text: string): number {
  let sum = 0;
  for (const { segment } of graphemes.segment(text)) {
    if (/^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(segment)) sum += 1.7;
    else if (/^[\s.,:;'’!|ilIjtf]/u.test(segment)) sum += 0.5;
    else if (/^[MWmw@]/u.test(segment)) sum += 1.35;
    else sum += 1;
  }
  return sum;
}

/** The first characters of the first two words. */
export function initials(title: string): string {
  const found: string[] = [];
  for (const word of cleanTitle(title, 120).split(' ')) {
    const [first] = graphemes.segment(word.replace(/^[^\p{L}\p{N}]+/u, ''));
    if (first !== undefined && found.length < 2) found.push(first.segment);
  }
  return found.length === 0 ? title : found.join('');
}
