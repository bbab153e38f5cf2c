/** Slots of the interface document in a person's words. */
const slotNames: ReadonlyMap<string, string> = new Map([
  ['squareArt', 'square art'],
  ['titlecard', 'title card'],
  ['wideCover', 'wide cover'],
  ['squareCover', 'square cover'],
]);

/** A slot as people say it on a page, in the singular. */
export function slotWords(slot: string): string {
  return slotNames.get(slot) ?? slot;
}

/** So many of something: `1 file`, `3 files`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

/** A season's heading, such as "Specials" for the season 0. */
export function seasonWords(season: number | null): string {
  return season === null ? 'Without a season' : season === 0 ? 'Specials' : `Season ${season}`;
}

/** The number of a season or an episode as names have it: `S01`, `E02`. */
export function numberCode(letter: 'S' | 'E', number: number): string {
  return letter + String(number).padStart(2, '0');
}
