/** How words are mistyped and misheard: what two spellings of one word share, and how far apart they are. */

const shortest = 4;
const longest = 24;
const alphabetic = /^[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{M}]+$/u;
/** Marks the keys that are sounds: no word begins with it. */
const soundMark = '~';

/** Whether other spellings of it are looked for: numbers and signs are what they are. */
export function canBeMisspelt(word: string): boolean {
  return word.length >= shortest && word.length <= longest && alphabetic.test(word);
}

/** What a word of the index is found by besides itself: with one letter left out, and by its sound. */
export function spellingsOf(word: string): string[] {
  if (!canBeMisspelt(word)) return [];
  return [...new Set([...withoutOne(word), soundOf(word)])];
}

/** What a mistyped word may be found by: with up to two letters left out, as it is, and by its sound. */
export function guessesOf(word: string): string[] {
  if (!canBeMisspelt(word)) return [];
  const once = withoutOne(word);
  const twice = word.length >= 7 ? once.flatMap(withoutOne) : [];
  return [...new Set([word, ...once, ...twice, soundOf(word)])];
}

function withoutOne(word: string): string[] {
  return Array.from({ length: word.length }, (_, at) => word.slice(0, at) + word.slice(at + 1));
}

/** The consonants as they sound in English: fawlty and faulty are ~flt. */
export function soundOf(word: string): string {
  const sounds = word
    .replace(/^(?:kn|gn|pn)/, 'n')
    .replace(/^wr/, 'r')
    .replace(/^ps/, 's')
    .replace(/ph/g, 'f')
    .replace(/gh(?=[tn]|$)/g, '')
    .replace(/sch|tch|sh|ch/g, 'x')
    .replace(/c(?=[eiy])/g, 's')
    .replace(/ck|[cq]/g, 'k')
    .replace(/dg/g, 'j')
    .replace(/z/g, 's')
    .replace(/v/g, 'f')
    .replace(/(?<=.)[hwy]/g, '')
    .replace(/^[aeiouy]+/, 'a')
    .replace(/(?<=.)[aeiou]+/g, '')
    .replace(/(.)\1+/g, '$1');
  return soundMark + sounds;
}

/** Letters to insert, leave out, change or swap with their neighbour (optimal string alignment); more than `most` is `most + 1`. */
export function spellingDistanceOf(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1];
      let cost = Math.min((row[j - 1] ?? 0) + (same ? 0 : 1), (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      next.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    [before, row] = [row, next];
  }
  return Math.min(row[other.length] ?? 0, most + 1);
}

/** Letters that may be wrong in a word of so many. */
export function mostWrongLetters(length: number): number {
  if (length < shortest) return 0;
  return length < 7 ? 1 : length < 11 ? 2 : 3;
}

/** From 1 for the same word to 0 for another one. */
export function spellingLikenessOf(said: string, word: string): number {
  if (said === word) return 1;
  if (/^\d/.test(said) || /^\d/.test(word)) return 0;
  if (`${said}s` === word || `${word}s` === said) return 0.95;
  const length = Math.max(said.length, word.length);
  if (Math.min(said.length, word.length) < 3) return 0;
  const most = mostWrongLetters(length);
  if (most === 0) return isSwapped(said, word) ? 0.7 : 0;
  // Each wrong letter is one that the other has not, or two: most words are told apart by that alone.
  const stray = bitsIn(lettersOf(said) ^ lettersOf(word));
  if (stray > 2 * most + 2) return 0;
  const wrong = stray > 2 * most ? most + 1 : spellingDistanceOf(said, word, most);
  const typed = wrong > most ? 0 : Math.max(0, 1 - (1.15 * wrong) / length);
  if (typed >= 0.78 || !canBeMisspelt(said) || !canBeMisspelt(word)) return typed;
  return soundOf(said) === soundOf(word) ? Math.max(typed, 0.78) : typed;
}

/** A bit for each letter that a word has; two letters may share one. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function bitsIn(letters: number): number {
  let bits = 0;
  for (let rest = letters; rest !== 0; rest &= rest - 1) bits += 1;
  return bits;
}

function isSwapped(one: string, other: string): boolean {
  return one.length === other.length && [...one].sort().join('') === [...other].sort().join('');
}
