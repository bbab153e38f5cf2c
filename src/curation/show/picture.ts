import type { ArtworkError } from '../../errors.ts';
import { isFileUri } from '../../files/file-argument.ts';
import { paths } from '../../machine.ts';
import { assetIdIn } from '../../model/asset.ts';
import type { Kind } from '../../model/kinds.ts';
import { codeOf, keyOfPlace } from '../../model/target.ts';
import { cleanText } from '../../text.ts';
import { findFile, type Plan, type PlannedPlace } from '../plan/plan.ts';

// What is drawn on a contact sheet is read by a model as the picture's own: names and numbers alone, no other text of
// the catalogue.

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
        readonly kind: Kind;
        readonly id: number;
        readonly slot: string;
        readonly total: number;
        readonly returned: number;
      }
    | undefined;
  /** The entity whose `metadataImages` hold the URL. */
  readonly seenIn?: { readonly kind: Kind; readonly id: number } | undefined;
}

/** A picture that there is, and that can't be shown. */
export interface Withheld {
  readonly label: string;
  readonly error: ArtworkError;
}

/** Places of a Set that lack their picture: one, or several that follow one another. */
export interface Lacking {
  readonly label: string;
  readonly slot: string;
  readonly missing: number;
}

/** What something that can be looked at turns out to have. */
export type Found = Picture | Withheld | Lacking;

/** A picture by its path alone. */
export function pictureOfPath(path: string, slot: string | undefined): Picture {
  const assetId = assetIdIn(path);
  return { ref: path, label: slot ?? (assetId === null ? 'asset' : labelOfAsset(assetId)) };
}

/** An Asset of which no more is known than its id. */
export function labelOfAsset(assetId: string): string {
  return `asset ${assetId.slice(0, 8)}`;
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

/** Numbers of seasons and episodes alone: titles are the catalogue's. */
function drawnPlace(place: PlannedPlace): string {
  const code = codeOf(place.target);
  return code === '' ? keyOfPlace(place) : `${code} ${place.slot}`;
}

/** A creator and a language, as far as they are names and no sentences: other people's writing that gets drawn. */
export function creditOf(createdBy: string | null, language: string | null | undefined): string | undefined {
  const name = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,23}$/u.test(createdBy ?? '') ? createdBy : null;
  const code = /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,2}$/i.test(language ?? '') ? language : null;
  const credit = [name, code].filter((part) => part != null).join(' · ');
  return credit === '' ? undefined : credit;
}

/** Files are labelled by their names, with as much of their folders as tells them apart. */
export function withFileLabels(found: readonly Found[]): Found[] {
  const isFile = (one: Found): one is Picture => 'file' in one;
  const labels = tellApart(found.filter(isFile).map(({ label }) => label)).values();
  return found.map((one) => (isFile(one) ? { ...one, label: labels.next().value ?? one.label } : one));
}

/** Of each path as much of its end as tells it from the others: its name, where no other has the same. */
function tellApart(given: readonly string[]): string[] {
  const all = given.map((path) => path.split('/'));
  const endOf = (parts: readonly string[], depth: number) => parts.slice(-depth).join('/');
  return all.map((parts, at) => {
    const others = all.filter((_, other) => given[other] !== given[at]);
    const isAlone = (depth: number) => !others.some((other) => endOf(other, depth) === endOf(parts, depth));
    let depth = 1;
    while (depth < parts.length && !isAlone(depth)) depth += 1;
    return endOf(parts, depth);
  });
}

/** Files for one place stand side by side, at the place of the first of them. */
export function rivalsTogether(found: readonly Found[]): Found[] {
  const rivalOf = (one: Found) => ('ref' in one ? one.rival : undefined);
  return found.flatMap((one, index) => {
    const rival = rivalOf(one);
    if (rival === undefined) return [one];
    const isFirst = found.findIndex((other) => rivalOf(other) === rival) === index;
    return isFirst ? found.filter((other) => rivalOf(other) === rival) : [];
  });
}
