import type { SetKind } from '../../catalogue/records/index.ts';
import { allSlots, slotMeant, slotsOf } from '../../catalogue/slots.ts';
import { invalidArguments } from '../../errors.ts';

/** What programs and people call the slots of works that are no games. */
const otherWords: Readonly<Partial<Record<string, string>>> = {
  fanart: 'backdrop',
  background: 'backdrop',
  art: 'backdrop',
  clearlogo: 'logo',
  album: 'squareArt',
  square: 'squareArt',
  landscape: 'thumb',
  card: 'titlecard',
  episode: 'titlecard',
  seasonposter: 'poster',
};

const gameKinds: ReadonlySet<SetKind> = new Set(['game_set', 'loadout']);

/**
 * The slots that words mean: by their own names, those of their lists (`posters`), or what layouts call them (`fanart`,
 * `clearlogo`). Null: all.
 * @throws ArtworkError `invalid_arguments`
 */
export function wantedSlots(words: readonly string[] | undefined, kind: SetKind): ReadonlySet<string> | null {
  if (words === undefined) return null;
  const meant = words.map((word) => wantedSlot(word, kind));
  const issues = words.flatMap((word, index) =>
    meant[index] === null
      ? [{ code: 'slot', message: `"${word.slice(0, 60)}" is no slot`, path: ['slots', String(index)] }]
      : [],
  );
  if (issues.length === 0) return new Set(meant.filter((slot) => slot !== null));
  const slots = gameKinds.has(kind) ? slotsOf.game : allSlots.filter((slot) => !onlyOfGames.has(slot));
  throw invalidArguments(`slots are any of ${slots.join(', ')}`, issues);
}

const onlyOfGames: ReadonlySet<string> = new Set(slotsOf.game.filter((slot) => !slotsOf.show.includes(slot)));

/** The slot that a word means for a Set of this kind; null for none. */
export function wantedSlot(word: string, kind: SetKind): string | null {
  if (gameKinds.has(kind)) return slotMeant(word);
  const plain = word.toLowerCase().replace(/[\s_-]/g, '');
  const other = otherWords[plain] ?? otherWords[plain.replace(/s$/, '')];
  return other ?? slotMeant(word);
}
