import type { SlotMeaning } from '../places.ts';
import { doubtPhrases, doubts, noise, noisePhrases, releaseTags, versions } from './noise-words.ts';
import { slotMeaning } from './slot-words.ts';
import { copyAt, isCopy } from './copies.ts';
import type { Word } from './words.ts';

/** What a word is there for; null where that can't be told, and then it may be the name of anything. */
export type Role = 'slot' | 'noise' | 'version' | 'doubt' | 'copy' | 'own' | 'pictogram' | null;

export interface SlotPhrase {
  readonly meaning: SlotMeaning;
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
    if (typeof role === 'object' && role !== null) slots.push({ meaning: role.meaning, at, length });
    const word = words[at];
    release ||= word !== undefined && releaseTags.has(word.text);
    for (let index = 0; index < length; index += 1) {
      roles.push(typeof role === 'object' && role !== null ? 'slot' : role);
    }
    at += length;
  }
  return { words, roles, slots };
}

type Found = Role | { readonly meaning: SlotMeaning };

function phraseAt(words: readonly Word[], at: number): [Found, number] | null {
  const copy = copyAt(words, at);
  if (copy !== null) return ['noise', copy];
  for (let length = Math.min(longestPhrase, words.length - at); length > 0; length -= 1) {
    const phrase = words
      .slice(at, at + length)
      .map(({ text }) => text)
      .join(' ');
    const meaning = slotMeaning(phrase);
    if (meaning !== undefined) return [{ meaning }, length];
    if (noisePhrases.has(phrase)) return ['noise', length];
    if (doubtPhrases.has(phrase)) return ['doubt', length];
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
  if (noise.has(word.text) || releaseTags.has(word.text) || measures.test(word.text)) return 'noise';
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
const sides: ReadonlySet<string> = new Set([
  '16',
  '24',
  '32',
  '48',
  '64',
  '128',
  '256',
  '512',
  '1024',
  '2048',
]);

/** The words whose purpose is unknown. */
export function unknownWordsOf({ words, roles }: Explained): Word[] {
  return words.filter((_, index) => roles[index] === null);
}
