/** Slots of the interface document in a person's words. */
const slotNames: Readonly<Record<string, string>> = {
  squareArt: 'square art',
  titlecard: 'title card',
  wideCover: 'wide cover',
  squareCover: 'square cover',
};

export function slotWords(slot: string): string {
  return slotNames[slot] ?? slot;
}

export function slotsWords(slot: string): string {
  const words = slotWords(slot);
  if (words === 'square art') return words;
  return words === 'hero' ? 'heroes' : `${words}s`;
}

export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `show_set` is a Show Set, `movie` a Movie. */
export function kindWords(kind: string): string {
  return kind.split('_').map(capitalised).join(' ');
}

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** English for `en`; the code itself where it names no language. */
export function languageWords(code: string): string {
  try {
    return languages.of(code) ?? code;
  } catch (error) {
    // Other people's writing: what is no language tag is shown as it is.
    if (error instanceof RangeError) return code;
    throw error;
  }
}

const days = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const minutes = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** 1 November 2026, in UTC; null for what is no time. */
export function dayWords(timestamp: string): string | null {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? null : days.format(time);
}

/** 1 Nov 2026, 21:43 UTC. */
export function timeWords(timestamp: string): string | null {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? null : `${minutes.format(time)} UTC`;
}

/** `posters, backdrops and logos`. */
export function listWords(words: readonly string[], and = 'and'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${and} ${last}`;
}
