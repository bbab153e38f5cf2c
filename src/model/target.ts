import type { EntityKind } from '../catalogue/records/kinds.ts';
import { cleanText, quoted } from '../text.ts';
import type { GroupKind } from './kinds.ts';
import type { Slot } from './slots.ts';

interface Common {
  /** Interface document, Conventions: an integer. */
  readonly id: number;
  /** Other people's writing, cleaned, on one line; empty where no record shows one. */
  readonly title: string;
  /** `YYYY-MM-DD`: first aired or released; null where the catalogue shows none. */
  readonly date: string | null;
}

/** A film, a show, a brand … what stands for itself; a group, which has a poster of its own, too. */
export interface WorkTarget extends Common {
  readonly kind: Exclude<EntityKind, 'season' | 'episode'> | GroupKind;
  readonly year: number | null;
}

export interface SeasonTarget extends Common {
  readonly kind: 'season';
  /** 0 holds the specials; null where the catalogue shows none. */
  readonly season: number | null;
}

export interface EpisodeTarget extends Common {
  readonly kind: 'episode';
  readonly season: number | null;
  /** Null where the catalogue shows none: then only its title can name it. */
  readonly episode: number | null;
}

/** Something that can have a picture. */
export type Target = WorkTarget | SeasonTarget | EpisodeTarget;
export type TargetKind = Target['kind'];

/** As much as tells one target from another. */
export interface TargetReference {
  readonly kind: string;
  readonly id: number | string;
}

/** A slot of a target: where one picture goes. */
export interface Place {
  readonly target: Target;
  readonly slot: Slot;
}

/** The same for the same target, to be compared: `episode 12`. */
export function keyOfTarget({ kind, id }: TargetReference): string {
  return `${kind} ${id}`;
}

/** Whether both are the same target. */
export function isSameTarget(one: TargetReference, other: TargetReference): boolean {
  return keyOfTarget(one) === keyOfTarget(other);
}

/** The same for the same place, to be compared: `episode 12 titlecard`. */
export function keyOfPlace(place: { readonly target: TargetReference; readonly slot: string }): string {
  return `${keyOfTarget(place.target)} ${place.slot}`;
}

/** The number of a season or an episode as names have it: `S01`, `E02`; empty without one. */
export function numberCode(letter: 'S' | 'E', number: number | null): string {
  return number === null ? '' : letter + String(number).padStart(2, '0');
}

/** `S01E02`, `S01`; empty for what is not numbered. Never catalogue text. */
export function codeOf(target: Target): string {
  switch (target.kind) {
    case 'season':
      return numberCode('S', target.season);
    case 'episode':
      return target.episode === null ? '' : numberCode('S', target.season) + numberCode('E', target.episode);
    default:
      return '';
  }
}

/** A season's heading: `Season 2`, `Specials`. */
export function seasonWords(season: number | null): string {
  if (season === null) return 'Without a season';
  return season === 0 ? 'Specials' : `Season ${season}`;
}

/** Characters of other people's text that are looked at for one line, and that a label takes of it. */
const longestLine = 2_000;
const longestLabel = 80;

/** Other people's writing on one line, cleaned. */
export function lineOf(text: unknown): string {
  return typeof text === 'string' ? cleanText(text.slice(0, longestLine)).replace(/\s+/gu, ' ').trim() : '';
}

/** The same, short enough for a label. */
export function shortLine(text: unknown): string {
  const letters = [...lineOf(text)];
  if (letters.length <= longestLabel) return letters.join('');
  return `${letters.slice(0, longestLabel - 1).join('')}…`;
}

/**
 * The one label of a target: `S01E02 · Objects in Space`, `S01 · Book One`, `Serenity (2005)`. Empty where its record
 * shows neither a number nor a title. Titles are other people's writing.
 */
export function labelOf(target: Target): string {
  const title = shortLine(target.title);
  if ('season' in target) return [codeOf(target), title].filter((part) => part !== '').join(' · ');
  return title === '' || target.year === null ? title : `${title} (${target.year})`;
}

/** As short as it can be and still tell targets of one work apart: `S01E02`, `S01`, else the label; never empty. */
export function shortLabelOf(target: Target): string {
  return codeOf(target) || labelOf(target) || keyOfTarget(target);
}

/** A code or an id as we write them. Any other label holds a title, which is other people's writing. */
const ownLabel = /^(S\d+(E\d+)?(–[SE]\d+)?|[a-z]+ \d+)$/;

/** A label as a part of a sentence of ours: a title in marks, a code or an id as it is. */
export function labelInSentence(label: string): string {
  return ownLabel.test(label) ? label : quoted(label);
}

/**
 * Joins codes that follow one another: S01, S02, S03 become S01–S03, and S01E04, S01E05 become S01E04–E05. Other names
 * stay as they are.
 */
export function joinRuns(names: readonly string[]): string[] {
  const runs: { first: string; last: string }[] = [];
  for (const name of names) {
    const run = runs.at(-1);
    if (run !== undefined && follows(run.last, name)) run.last = name;
    else runs.push({ first: name, last: name });
  }
  return runs.map(({ first, last }) =>
    first === last ? first : `${first}–${last.replace(/^S\d+(?=E)/, '')}`,
  );
}

function follows(name: string, next: string): boolean {
  const [, stem = '', number = ''] = /^(S\d+E|S)(\d+)$/.exec(name) ?? [];
  return stem !== '' && next === stem + String(Number(number) + 1).padStart(2, '0');
}
