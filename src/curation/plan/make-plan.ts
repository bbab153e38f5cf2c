import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Catalogue } from '../../catalogue/client.ts';
import { ArtworkError, codeOf } from '../../errors.ts';
import type { Roots } from '../../files/roots.ts';
import { mapLimit } from '../../map-limit.ts';
import { holdingsOf, inState, placesOfTargets } from '../../model/holdings.ts';
import { kindOfFile } from '../../model/names/file-name.ts';
import type { Slot } from '../../model/slots.ts';
import { keyOfPlace, keyOfTarget, type Place, type TargetReference } from '../../model/target.ts';
import { aheadIn } from '../../model/work.ts';
import { mostItems } from '../../mutations/operations/edit-set.ts';
import { type NamedTarget, type ReadWork, readWork, unreadWords } from '../read-work.ts';
import { compareWith, readEditedSet, type SetReads } from './edited-set.ts';
import { entriesOf, type FileEntry, tellCopies } from './entries.ts';
import { factsIn, findFolder, type InspectedPicture, inspectPictures, walkFolder } from './folder.ts';
import { readNames } from './match.ts';
import { placeNamesOf, slotsFor } from './places.ts';
import type { LeftEntry, MissingEntry, Plan, PlanEntry } from './plan.ts';
import { reasonNotSent } from './reasons.ts';
import type { PlanStore } from './store.ts';

interface PlanWish {
  readonly folder: string;
  readonly entry: NamedTarget;
  /** The one slot that the folder is for; null: any. */
  readonly slot: string | null;
  /** Other names of the work that the person has confirmed. */
  readonly alsoCalled: readonly string[];
  /** The Set of one's own that is to be edited; null: a new one is to be made. */
  readonly setId: number | null;
  /** The arguments of the call, to make the plan anew. */
  readonly asked: Plan['asked'];
}

export interface PlanDependencies extends SetReads {
  readonly catalogue: Pick<Catalogue, 'readEntity'>;
  readonly roots: Roots;
  readonly store: PlanStore;
  /** The most bytes that the service has said it takes; null where it has not. */
  maxBytes(): Promise<number | null>;
  progress(done: number, total: number, message: string): void;
}

/** A plan; or how far the reading has come, where the call's time was not enough: the same call goes on. */
export type Made =
  | { readonly plan: Plan }
  | { readonly reading: { readonly done: number; readonly of: number } };

/** Our own limit for the files of one creation: the interface document shows none of the service's. */
const mostInCreation = 2_000;
/** Of a show with thousands of episodes a folder may be for a few. */
const mostMissing = 1_000;

/**
 * Reads a folder and what its files may be for, and keeps what became of each. Changes nothing but the store.
 * @throws ArtworkError
 */
export async function makePlan(means: PlanDependencies, wish: PlanWish): Promise<Made> {
  const { store, deadline } = means;
  const folder = await findFolder(wish.folder, means.roots);
  const read = await readWork(means.catalogue, wish.entry, deadline).catch((error: unknown) => {
    throw notFound(error, wish.entry);
  });
  const slot = slotOf(wish, read);
  const { target } = read.work;
  const set = wish.setId === null ? null : await readEditedSet(means, wish.setId, wish.entry, target);
  const { files: paths, named, passed } = await walkFolder(folder, deadline.signal);
  // What a Set was made or edited with holds for the next edit, so that a person is not asked again.
  const isNew = wish.alsoCalled.length > 0 || set === null;
  const alsoCalled = isNew ? wish.alsoCalled : await store.namesOf(wish.entry);
  const says = { slot, name: path.basename(folder.path), alsoCalled };
  const names = readNames(paths, read, says);
  const maxBytes = await means.maxBytes();
  const first = paths.filter((one, at) => (names[at]?.places.length ?? 0) > 0 || kindOfFile(one) === 'odd');
  const seen = await lookAt(means, folder.path, first, new Map());
  if (seen.size < first.length) return { reading: { done: seen.size, of: first.length } };
  const planned = entriesOf({ paths, names, read, wish: says, looks: seen, maxBytes });
  const likely = await likelyCopies(planned, seen, folder.path);
  const looks = await lookAt(means, folder.path, likely, seen);
  const of = seen.size + likely.length;
  if (looks.size < of) return { reading: { done: looks.size, of } };
  const told = tellCopies(planned, looks);
  const entries = set === null ? told : await compareWith(means, told, set);
  const left = named.map(({ path: at, why }): LeftEntry => {
    return { status: 'ignored', path: at, why: reasonNotSent(why) };
  });
  const missing = missingPlaces(entries, read, slot, set?.pictures ?? []);
  const unread = unreadWords(read);
  const plan = await store.keep({
    madeAt: new Date().toISOString(),
    asked: { ...wish.asked, ...(alsoCalled.length === 0 ? {} : { alsoCalled: [...alsoCalled] }) },
    folder: folder.path,
    entry: { ...wish.entry },
    work: { kind: target.kind, id: target.id, title: target.title },
    set: set === null ? null : { id: set.id, setKind: set.setKind, updatedAt: set.revision },
    entries: inShownOrder([...entries, ...left, ...missing.slice(0, mostMissing)]),
    moreMissing: Math.max(0, missing.length - mostMissing),
    passed: { ...passed },
    ...(unread === null ? {} : { unread }),
    most: set === null ? mostInCreation : mostItems,
  });
  return { plan };
}

/** What is left of the call's time has to be enough for the slowest file, and for storing the plan. ms */
const reserveMs = 10_000;

type Looks = ReadonlyMap<string, InspectedPicture>;

/** What was known and what is seen now, by the paths in the folder; fewer, where the call's time is not enough for all. */
async function lookAt(
  means: PlanDependencies,
  folder: string,
  wanted: readonly string[],
  known: Looks,
): Promise<Looks> {
  const total = known.size + wanted.length;
  const seen = await inspectPictures(
    wanted.map((inner) => path.join(folder, inner)),
    {
      roots: means.roots,
      signal: means.deadline.signal,
      hasTime: () => means.deadline.left() > reserveMs,
      progress(done) {
        const read = known.size + done;
        means.progress(read, total, `read ${read} of ${total} files`);
      },
    },
  );
  const looked = wanted.flatMap((inner) => {
    const one = seen.get(path.join(folder, inner));
    return one === undefined ? [] : [[inner, one] as const];
  });
  return new Map([...known, ...looked]);
}

/** Files to ask the system about at a time. */
const few = 8;

/** Of the files that match nothing, those that may be the same as one that was looked at: they have as many bytes. */
async function likelyCopies(entries: readonly FileEntry[], looks: Looks, folder: string): Promise<string[]> {
  const sizes = new Set([...looks.values()].map((looked) => factsIn(looked)?.contentLength));
  const found = await mapLimit(entries, few, async ({ status, path: inner }) => {
    if (status !== 'unmatched' || looks.has(inner)) return [];
    try {
      return sizes.has((await stat(path.join(folder, inner))).size) ? [inner] : [];
    } catch (error) {
      // Where it can't be told nothing is said of it.
      if (codeOf(error) === null) throw error;
      return [];
    }
  });
  return found.flat();
}

/** @throws ArtworkError `invalid_arguments` for a slot that nothing here has */
function slotOf({ slot, entry }: PlanWish, { targets }: ReadWork): Slot | null {
  if (slot === null) return null;
  const slots = [...new Set(targets.flatMap(slotsFor))];
  const known = slots.find((one) => one === slot);
  if (known !== undefined) return known;
  throw new ArtworkError(
    'invalid_arguments',
    `Nothing of the ${entry.kind} ${entry.id} has a slot ${slot}: there are ${slots.join(', ')}. Leave slot out where the folder holds several.`,
    { issues: [{ code: 'slot', message: 'is no slot here', path: ['slot'] }] },
  );
}

/** The code of the error of an id that is of no such work. */
export const noSuchWork = 'no_such_work';

/** Says of an id that is none of the catalogue what it has to be. */
function notFound(error: unknown, { kind, id }: NamedTarget): unknown {
  if (!(error instanceof ArtworkError) || error.failure !== 'not_found') return error;
  const message = `The catalogue has no ${kind} ${id}: entryTargetId is an id of this catalogue, and entryTargetKind says of what. get_entity shows what an id stands for.`;
  return new ArtworkError('not_found', message, { code: noSuchWork, status: error.status, cause: error });
}

/** A place that has a picture, of whatever kind the service says. */
interface Filled {
  readonly target: TargetReference | null;
  readonly slot: string;
}

/**
 * Places that the folder's slots would fill and no file does, in the catalogue's order: the slots that its files
 * are for, or the one that was asked for. What is still to come is not missing.
 * @param filled what the Set has already
 */
function missingPlaces(
  entries: readonly FileEntry[],
  { work, targets }: ReadWork,
  slot: Slot | null,
  filled: readonly Filled[],
): MissingEntry[] {
  const planned = entries.flatMap((entry) =>
    entry.status === 'matched' ? [entry.place] : entry.status === 'ambiguous' ? entry.places : [],
  );
  const held = filled.flatMap(({ target, slot: own }) => (target === null ? [] : [{ target, slot: own }]));
  const taken = new Set([...held, ...planned].map(keyOfPlace));
  const whatOf = ({ target, slot: own }: { target: { kind: string }; slot: string }) =>
    `${target.kind} ${own}`;
  const used = new Set(planned.map(whatOf));
  // Of a slot that was asked for, what the files and the Set have begun; all of it, where that is nothing.
  const begun = new Set([...used, ...held.map(whatOf)]);
  const isBegun = slot !== null && targets.some((target) => begun.has(whatOf({ target, slot })));
  const isUsed = (place: Place) => used.has(whatOf(place));
  const places = placesOfTargets(targets).filter((place) =>
    slot === null ? isUsed(place) : place.slot === slot,
  );
  const ahead = aheadIn(work, new Date().toISOString().slice(0, 10));
  const holdings = holdingsOf(places, {
    has: (place) => taken.has(keyOfPlace(place)),
    isAhead: (target) => ahead.has(keyOfTarget(target)),
    isMeant: (place) => isUsed(place) || !isBegun,
  });
  const names = placeNamesOf(targets);
  return inState(holdings, 'lacks').map((place) => ({ status: 'missing', place: names.shown(place) }));
}

/** What needs a person's eye comes first; the rest in the order of the catalogue or of the names. */
function inShownOrder(entries: readonly PlanEntry[]): PlanEntry[] {
  const rankIn = (entry: PlanEntry) => (entry.status === 'matched' ? entry.rank : 0);
  return [...entries].sort((one, other) => groupOf(one) - groupOf(other) || rankIn(one) - rankIn(other));
}

function groupOf(entry: PlanEntry): number {
  switch (entry.status) {
    case 'matched':
      return entry.problem !== null ? 0 : entry.warnings.length > 0 ? 2 : 4;
    case 'ambiguous':
      return entry.problem !== null ? 0 : 1;
    case 'unmatched':
      return 3;
    case 'missing':
      return 5;
    case 'ignored':
      return isMeant(entry) ? 3 : 6;
  }
}

/** What could not be taken, and a person may look for: a link of a season's folder, say. */
function isMeant({ why: { code } }: LeftEntry): boolean {
  return code === 'link' || code === 'unfit_name' || code === 'unreadable' || code === 'too_deep';
}
