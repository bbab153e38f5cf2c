import { type ArtworkPhrase, artworkPhrase } from '../slots.ts';
import { stemOf } from './file-name.ts';
import {
  copyAt,
  doubtPhrases,
  doubts,
  isCopy,
  noise,
  noisePhrases,
  releaseTags,
  versions,
} from './known-words.ts';
import { isEdition, languageNamed } from './marks.ts';
import { plain, type Word, wordsOf } from './words.ts';

/** What a word is there for; null where that can't be told, and then it may be the name of anything. */
export type Role = 'slot' | 'noise' | 'version' | 'doubt' | 'copy' | 'own' | 'pictogram' | null;

export interface SlotPhrase {
  readonly phrase: ArtworkPhrase;
  /** Its first word. */
  readonly at: number;
  /** How many words it has. */
  readonly length: number;
}

export interface Explained {
  readonly words: readonly Word[];
  /** One for each word. */
  readonly roles: readonly Role[];
  /** What the words with the role `slot` mean. */
  readonly slots: readonly SlotPhrase[];
}

const longestPhrase = 3;

/** Tells what the words of a name are there for, as far as the words themselves tell. */
export function explainWords(words: readonly Word[], text: string): Explained {
  const roles: Role[] = [];
  const slots: SlotPhrase[] = [];
  let release = false;
  for (let at = 0; at < words.length; ) {
    const [role, length] = phraseAt(words, at) ?? [single(words, at, roles, text, release), 1];
    if (typeof role === 'object' && role !== null) slots.push({ phrase: role.phrase, at, length });
    const word = words[at];
    release ||= word !== undefined && releaseTags.has(word.text);
    for (let index = 0; index < length; index += 1) {
      roles.push(typeof role === 'object' && role !== null ? 'slot' : role);
    }
    at += length;
  }
  return { words, roles, slots };
}

type Found = Role | { readonly phrase: ArtworkPhrase };

function phraseAt(words: readonly Word[], at: number): [Found, number] | null {
  const copy = copyAt(words, at);
  if (copy !== null) return ['noise', copy];
  for (let length = Math.min(longestPhrase, words.length - at); length > 0; length -= 1) {
    const text = textOf(words, at, length);
    const phrase = artworkPhrase(text);
    if (phrase !== null) return [{ phrase }, length];
    if (noisePhrases.has(text) || (length > 1 && isEdition(text))) return ['noise', length];
    if (doubtPhrases.has(text)) return ['doubt', length];
  }
  return null;
}

const measures = /^(?:\d{3,5}x\d{3,5}|\d{3,4}[pi]|v\d{1,2}|\d{1,3}(?:k|bit|fps|dpi|px)|[23]x)$/;
const pictograms = /^\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{M}]*$/u;

function single(
  words: readonly Word[],
  at: number,
  roles: readonly Role[],
  text: string,
  release: boolean,
): Role {
  const word = words[at];
  if (word === undefined) return null;
  if (doubts.has(word.text)) return 'doubt';
  if (pictograms.test(word.text)) return 'pictogram';
  if (versions.has(word.text) || isCopy(word.text)) return 'version';
  if (noise.has(word.text) || languageNamed(word.text) !== null) return 'noise';
  if (releaseTags.has(word.text) || measures.test(word.text)) return 'noise';
  // Who made a recording, ids of other catalogues, groups: nothing that a picture is of.
  if (release || word.within === '[' || word.within === '{') return 'noise';
  const [before, role] = [words[at - 1], roles[at - 1]];
  if (/^\d{1,2}$/.test(word.text) && word.within === '(' && words[at + 1] === undefined) return 'copy';
  if (before === undefined || role === null || role === undefined) return null;
  if (role === 'slot' && sides.has(word.text)) return 'noise';
  if (/^\d{1,2}$/.test(word.text) && role === 'slot' && /^-$/.test(text.slice(before.end, word.start)))
    return 'copy';
  // "set 12345", "cards by NAME": what follows is about the set and its maker.
  if (/^\d+$/.test(word.text) && (/^(?:set|v|version)$/.test(before.text) || isCopy(before.text)))
    return 'noise';
  if (word.text === 'by') return 'noise';
  return words.slice(0, at).some((earlier, index) => earlier.text === 'by' && roles[index] !== null)
    ? 'noise'
    : null;
}

/** Pixels of a side, as icons and logos are named by. */
const sides: ReadonlySet<string> = new Set('16 24 32 48 64 128 256 512 1024 2048'.split(' '));

/** The words whose purpose is unknown. */
export function unknownWordsOf({ words, roles }: Explained): Word[] {
  return words.filter((_, index) => roles[index] === null);
}

/** Words from `from` to before `to`. */
export interface WordRange {
  readonly from: number;
  readonly to: number;
}

/** The words for artwork in a name, without those that are its title: "Poster" can be an episode's. */
export function phrasesOutside(said: Explained, title: WordRange | null): readonly SlotPhrase[] {
  return said.slots.filter(({ at }) => isOutside(at, title));
}

/** Whether a word says that the picture may not be meant to be used; a title may hold such words. */
export function hasDoubt(said: Explained, title: WordRange | null = null): boolean {
  return said.roles.some((role, at) => role === 'doubt' && isOutside(at, title));
}

function isOutside(at: number, title: WordRange | null): boolean {
  return title === null || at < title.from || at >= title.to;
}

/**
 * The words of a name that were read as artwork, or else those of the nearest folder that has some.
 * @param path relative to the folder that was chosen
 * @param chosen that folder's own name
 */
export function artworkWords(path: string, chosen: string | null): readonly ArtworkPhrase[] {
  const parts = path.split('/');
  const names = [chosen ?? '', ...parts.slice(0, -1), stemOf(parts.at(-1) ?? '')];
  return names.map(phrasesOf).findLast((phrases) => phrases.length > 0) ?? [];
}

function phrasesOf(name: string): ArtworkPhrase[] {
  const text = plain(name);
  return explainWords(wordsOf(text), text).slots.map(({ phrase }) => phrase);
}

function textOf(words: readonly Word[], at: number, length: number): string {
  let text = words[at]?.text ?? '';
  for (let more = at + 1; more < at + length; more += 1) text += ` ${words[more]?.text ?? ''}`;
  return text;
}
