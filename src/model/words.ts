/** Words that begin with a capital. */
export function capitalisedWords(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** So many of something: `1 file`, `3 files`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}
