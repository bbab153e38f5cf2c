import path from 'node:path';
import type { Catalogue } from '../../catalogue/client.ts';
import { invalidArguments } from '../../errors.ts';
import type { Roots } from '../../files/roots.ts';
import { holdingsOf, inState, placesOfTargets } from '../../model/holdings.ts';
import { kindOfFile } from '../../model/names/file-name.ts';
import type { Slot } from '../../model/slots.ts';
import { keyOfPlace, keyOfTarget } from '../../model/target.ts';
import { aheadIn } from '../../model/work.ts';
import { mostItems } from '../../mutations/operations/edit-set.ts';
import { type NamedTarget, type ReadWork, readWork, unreadWords } from '../read-work.ts';
import { compareWith, type EditedSet, readEditedSet, type SetReads } from './edited-set.ts';
import { entriesOf, type FileEntry } from './entries.ts';
import { findFolder, inspectPictures, mostPictures, walkFolder } from './folder.ts';
import { readNames } from './match.ts';
import { placeNamesOf, slotsFor } from './places.ts';
import type { LeftEntry, MissingEntry, Plan } from './plan.ts';
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
  progress(done: number, total: number, message: string): void;
}

/** A plan; or how far the reading has come, where the call's time was not enough: the same call goes on. */
export type Made =
  | { readonly plan: Plan }
  | { readonly reading: { readonly done: number; readonly of: number } };

/** Of a show with thousands of episodes a folder may be for a few. */
const mostMissing = 1_000;
/** What is left of the call's time has to be enough for the slowest file, and for storing the plan. ms */
const reserveMs = 10_000;

/**
 * Reads a folder and what its files may be for, and keeps what became of each. Changes nothing but the store.
 * @throws ArtworkError `invalid_arguments`, `upload_refused`, `cancelled`; as `readWork` and `readEditedSet`
 */
export async function makePlan(means: PlanDependencies, wish: PlanWish): Promise<Made> {
  const { store, deadline, roots } = means;
  const { entry } = wish;
  const folder = await findFolder(wish.folder, roots);
  const read = await readWork(means.catalogue, entry, deadline);
  const { target } = read.work;
  const slot = slotOf(wish, read);
  const set = wish.setId === null ? null : await readEditedSet(means, wish.setId, entry, target);
  const { files: paths, named, passed } = await walkFolder(folder, deadline.signal);

  // What a Set was made or edited with holds for the next edit, so that a person is not asked again.
  const isNew = wish.alsoCalled.length > 0 || set === null;
  const alsoCalled = isNew ? wish.alsoCalled : await store.namesOf(entry);
  const says = { slot, name: path.basename(folder.path), alsoCalled };
  const names = readNames(paths, read, says);

  const worth = paths.filter((one, at) => (names[at]?.places.length ?? 0) > 0 || kindOfFile(one) === 'odd');
  const looks = await inspectPictures(folder.path, worth, {
    ...{ roots, signal: deadline.signal, hasTime: () => deadline.left() > reserveMs },
    progress: (done) => means.progress(done, worth.length, `read ${done} of ${worth.length} files`),
  });
  if (looks.size < worth.length) return { reading: { done: looks.size, of: worth.length } };

  const planned = entriesOf({ paths, names, read, wish: says, looks });
  const entries = set === null ? planned : await compareWith(means, planned, set);
  const left = named.map(({ path: at, why }): LeftEntry => {
    return { status: 'ignored', path: at, why: reasonNotSent(why) };
  });
  const missing = missingPlaces(entries, read, slot, set?.pictures ?? []);
  const unread = unreadWords(read);
  const plan = await store.keep({
    asked: { ...wish.asked, ...(alsoCalled.length === 0 ? {} : { alsoCalled: [...alsoCalled] }) },
    folder: folder.path,
    entry: { ...entry },
    work: { kind: target.kind, id: target.id, title: target.title },
    set: set === null ? null : { id: set.id, setKind: set.setKind, updatedAt: set.revision },
    entries: [...entries, ...left, ...missing.slice(0, mostMissing)],
    moreMissing: Math.max(0, missing.length - mostMissing),
    passed: { ...passed },
    ...(unread === null ? {} : { unread }),
    most: set === null ? mostPictures : mostItems,
  });
  return { plan };
}

/** @throws ArtworkError `invalid_arguments` for a slot that nothing here has */
function slotOf({ slot, entry }: PlanWish, { targets }: ReadWork): Slot | null {
  if (slot === null) return null;
  const slots = [...new Set(targets.flatMap(slotsFor))];
  const known = slots.find((one) => one === slot);
  if (known !== undefined) return known;
  const message = `${slot} is no slot of the ${entry.kind} ${entry.id}: it has ${slots.join(', ')}`;
  throw invalidArguments('plan_set got a wrong slot', [{ code: 'slot', message, path: ['slot'] }]);
}

/**
 * Places that the folder's slots would fill and no file does, in the catalogue's order: the slots that its files are for,
 * or the one that was asked for. What is still to come is not missing.
 * @param pictures what the Set has already
 */
function missingPlaces(
  entries: readonly FileEntry[],
  { work, targets }: ReadWork,
  slot: Slot | null,
  pictures: EditedSet['pictures'],
): MissingEntry[] {
  const planned = entries.flatMap((entry) => {
    if (entry.status === 'matched') return [entry.place];
    return entry.status === 'ambiguous' ? entry.places : [];
  });
  const taken = new Set([...planned, ...pictures].map(keyOfPlace));
  const what = (place: { readonly target: { readonly kind: string }; readonly slot: string }) =>
    `${place.target.kind} ${place.slot}`;
  // Of a slot that was asked for, what the files and the Set have begun; all of it, where that is nothing.
  const wanted = placesOfTargets(targets).filter((place) => slot === null || place.slot === slot);
  const begun = new Set((slot === null ? planned : [...planned, ...pictures]).map(what));
  const isBegun = wanted.some((place) => begun.has(what(place)));
  const ahead = aheadIn(work, new Date().toISOString().slice(0, 10));
  const holdings = holdingsOf(
    wanted.filter((place) => (isBegun || slot === null ? begun.has(what(place)) : true)),
    {
      has: (place) => taken.has(keyOfPlace(place)),
      isAhead: (target) => ahead.has(keyOfTarget(target)),
      isMeant: () => true,
    },
  );
  const names = placeNamesOf(targets);
  return inState(holdings, 'lacks').map((place) => ({ status: 'missing', place: names.shown(place) }));
}
