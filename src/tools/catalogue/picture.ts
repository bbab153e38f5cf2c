import { z } from 'zod';
import type { EntityKind } from '../../catalogue/records/kinds.ts';
import { joinRunsOfLabels, type SlotPlace } from '../../curation/gaps.ts';
import { findFile, type Plan, type PlannedPlace } from '../../curation/plan/plan.ts';
import { isFileUri } from '../../files/file-argument.ts';
import { paths } from '../../machine.ts';
import { cleanText } from '../../text.ts';

/** Something that can be fetched and shown. */
export interface Picture {
  /** A root-relative path or an absolute URL, as the catalogue gave it; a file, as the caller named it. */
  readonly ref: string;
  /** Of a file on this machine: its path or URI. */
  readonly file?: string;
  /** Made of our own words and the caller's, never of the catalogue's, since it is drawn on the sheet. */
  readonly label: string;
  /** Whose it is and its language; of a planned file, what it is for. Names alone, since it is drawn too. */
  readonly credit?: string | undefined;
  /** Files for one place have the same. */
  readonly rival?: string | undefined;
  /** Of one's own. */
  readonly assetId?: string | undefined;
  /** Where it stands for an entity that has more of its slot: which list they are in, and how many of it this is. */
  readonly others?:
    | {
        readonly kind: EntityKind;
        readonly id: number;
        readonly slot: string;
        readonly total: number;
        readonly returned: number;
      }
    | undefined;
  /** The entity whose `metadataImages` hold the URL. */
  readonly seenIn?: { readonly kind: EntityKind; readonly id: number } | undefined;
}

/**
 * A file on this machine, as an item names it.
 * @param plan whose files may be named as it shows them
 * @throws ArtworkError `invalid_arguments` where the plan has none of that name, or several
 */
export function pictureOfFile(file: string, slot: string | undefined, plan: Plan | null): Picture {
  if (isFileUri(file)) return { ref: file, file, label: slot ?? labelOfUri(file) };
  if (plan === null || paths.syntax.isAbsolute(file))
    return { ref: file, file, label: slot ?? cleanText(file) };
  const place = placeOf(plan, file);
  return {
    ref: file,
    file: findFile(plan, file, ['items']),
    label: slot ?? cleanText(file),
    ...(place === null ? {} : { credit: `for ${drawnPlace(place)}`, rival: keyOfPlace(place) }),
  };
}

function labelOfUri(uri: string): string {
  try {
    return cleanText(decodeURIComponent(uri));
  } catch (error) {
    if (error instanceof URIError) return uri;
    throw error;
  }
}

/** The one place that a file of a plan is for, or null where it is for none or may be for several. */
function placeOf({ entries }: Plan, file: string): PlannedPlace | null {
  const wanted = file.normalize();
  const entry = entries.find((one) => 'path' in one && cleanText(one.path).normalize() === wanted);
  if (entry?.status === 'matched') return entry.place;
  return entry?.status === 'ambiguous' && entry.places.length === 1 ? (entry.places[0] ?? null) : null;
}

function keyOfPlace({ targetKind, targetId, slot }: PlannedPlace): string {
  return `${targetKind} ${targetId} ${slot}`;
}

/** Numbers of seasons and episodes alone: titles are the catalogue's. */
function drawnPlace(place: PlannedPlace): string {
  const [code] = /^(S\d+(E\d+)?|E\d+|Specials)(?= |$)/.exec(place.label) ?? [];
  return code === undefined ? keyOfPlace(place) : `${code} ${place.slot}`;
}

// What is drawn on a contact sheet is read by a model as the picture's own: names and numbers alone, no other text of
// the catalogue.

interface JoinedPlace extends Pick<SlotPlace, 'slot' | 'holder' | 'path'> {
  readonly count: number;
}

/** Episodes that lack their picture one after the other are one place: S01E04–E07. */
export function joinGapLabels(places: readonly SlotPlace[]): JoinedPlace[] {
  const joined: (JoinedPlace & { readonly holders: readonly string[] })[] = [];
  for (const { slot, holder, path, of } of places) {
    const last = joined.at(-1);
    const holders = [...(last?.holders ?? []), holder];
    const follows = of === 'episode' && path === null && last?.path === null && last.slot === slot;
    if (follows && joinRunsOfLabels(holders).length === 1) {
      joined.splice(-1, 1, {
        slot,
        path,
        holders,
        holder: joinRunsOfLabels(holders).join(),
        count: last.count + 1,
      });
    } else joined.push({ slot, path, holders: [holder], holder, count: 1 });
  }
  return joined;
}

/** A creator and a language, as far as they are names and no sentences: other people's writing that gets drawn. */
export function creditOf(createdBy: unknown, language: unknown): string | undefined {
  const parts = [drawnName.safeParse(createdBy), drawnLanguage.safeParse(language)];
  const credit = parts.flatMap(({ data }) => data ?? []).join(' · ');
  return credit === '' ? undefined : credit;
}

const drawnName = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,23}$/u);
const drawnLanguage = z.string().regex(/^[a-z]{2,3}(-[a-z0-9]{2,8}){0,2}$/i);

/** Of each path as much of its end as tells it from the others: its name, where no other has the same. */
export function tellApart(paths: readonly string[]): string[] {
  const all = paths.map((path) => path.split('/'));
  const endOf = (parts: readonly string[], depth: number) => parts.slice(-depth).join('/');
  return all.map((parts, at) => {
    const others = all.filter((_, other) => paths[other] !== paths[at]);
    const isAlone = (depth: number) => !others.some((other) => endOf(other, depth) === endOf(parts, depth));
    let depth = 1;
    while (depth < parts.length && !isAlone(depth)) depth += 1;
    return endOf(parts, depth);
  });
}

/** Letters of a label that one line under a picture of a sheet has room for. */
const roomOfLabel = 28;

/** Names of files as they are drawn: where one is too long, the words that all of them begin with are left out. */
export function drawnNames(names: readonly string[]): string[] {
  const [first = '', ...others] = names;
  if (others.length === 0 || names.every((name) => name.length <= roomOfLabel)) return [...names];
  let shared = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, shared))) shared -= 1;
  const [words = ''] = /^.*[\s._/-]/u.exec(first.slice(0, shared)) ?? [];
  return words === '' ? [...names] : names.map((name) => `…${name.slice(words.length)}`);
}
