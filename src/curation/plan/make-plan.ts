import path from 'node:path';
import type { Catalogue } from '../../catalogue/client.ts';
import { invalidArguments } from '../../errors.ts';
import type { Roots } from '../../files/roots.ts';
import { placesOfTargets } from '../../model/holdings.ts';
import { slotsOf } from '../../model/kinds.ts';
import { kindOfFile } from '../../model/names/file-name.ts';
import type { Slot } from '../../model/slots.ts';
import { keyOfPlace, keyOfTarget } from '../../model/target.ts';
import { aheadIn } from '../../model/work.ts';
import { mostItems } from '../../mutations/operations/edit-set.ts';
import { type NamedTarget, type ReadWork, readWork, unreadWords } from '../read-work.ts';
import { compareWith, type EditedSet, readEditedSet, type SetReads } from './edited-set.ts';
import { entriesOf, shownPlace } from './entries.ts';
import { findFolder, inspectPictures, mostPictures, walkFolder } from './folder.ts';
import { readNames } from './match.ts';
import type { FileEntry, LeftEntry, MissingEntry, Plan } from './plan.ts';
import { reasonOf } from './reasons.ts';
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

/** What is left of the call's time has to be enough for the slowest file, and for storing the plan. ms */
const reserveMs = 10_000;

/**
 * Reads a folder and what its files may be for, and keeps what became of each. Changes nothing but the store.
 * @throws ArtworkError `invalid_arguments`, `upload_refused`, `cancelled`; as `readWork` and `readEditedSet`
 */
export async function makePlan(means: PlanDependencies, wish: PlanWish): Promise<Made> {
  const { store, deadline, roots } = means;
  const { entry, alsoCalled } = wish;
  const folder = await findFolder(wish.folder, roots);
  const read = await readWork(means.catalogue, entry, deadline);
  const { target } = read.work;
  const slot = slotOf(wish, read);
  const set = wish.setId === null ? null : await readEditedSet(means, wish.setId, entry, target);
  const { files: paths, named, passed } = await walkFolder(folder, deadline.signal);

  const names = readNames(paths, read, { name: path.basename(folder.path), alsoCalled });

  const worth = paths.filter((one, at) => (names[at]?.places.length ?? 0) > 0 || kindOfFile(one) === 'odd');
  const looks = await inspectPictures(folder.path, worth, {
    ...{ roots, signal: deadline.signal, hasTime: () => deadline.left() > reserveMs },
    progress: (done) => means.progress(done, worth.length, `read ${done} of ${worth.length} files`),
  });
  if (looks.size < worth.length) return { reading: { done: looks.size, of: worth.length } };

  const planned = entriesOf({ paths, names, read, slot, alsoCalled, looks });
  const entries = set === null ? planned : await compareWith(means, planned, set);
  const left = named.map(({ path: at, why }): LeftEntry => {
    return { status: 'ignored', path: at, why: reasonOf(why) };
  });
  const unread = unreadWords(read);
  const plan = await store.keep({
    asked: wish.asked,
    folder: folder.path,
    entry: { ...entry },
    work: { kind: target.kind, id: target.id, title: target.title },
    set: set === null ? null : { id: set.id, setKind: set.setKind, updatedAt: set.revision },
    entries: [...entries, ...left, ...missingPlaces(entries, read, slot, set?.pictures ?? [])],
    passed: { ...passed },
    ...(unread === null ? {} : { unread }),
    most: set === null ? mostPictures : mostItems,
  });
  return { plan };
}

/** @throws ArtworkError `invalid_arguments` for a slot that nothing here has */
function slotOf({ slot, entry }: PlanWish, { targets }: ReadWork): Slot | null {
  if (slot === null) return null;
  const slots = [...new Set(targets.flatMap(({ kind }) => slotsOf(kind) ?? []))];
  const known = slots.find((one) => one === slot);
  if (known !== undefined) return known;
  const message = `${slot} is no slot of the ${entry.kind} ${entry.id}: it has ${slots.join(', ')}`;
  throw invalidArguments('plan_set got a wrong slot', [{ code: 'slot', message, path: ['slot'] }]);
}

/**
 * Places that no file fills, in the catalogue's order: those of the slots that the files are for, or of the one that was
 * asked for. What is still to come is not missing.
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
  const whatOf = ({
    target,
    slot: of,
  }: {
    readonly target: { readonly kind: string };
    readonly slot: string;
  }) => `${target.kind} ${of}`;
  const begun = new Set(planned.map(whatOf));
  const taken = new Set([...planned, ...pictures].map(keyOfPlace));
  const ahead = aheadIn(work, new Date().toISOString().slice(0, 10));
  return placesOfTargets(targets)
    .filter((place) => (slot === null ? begun.has(whatOf(place)) : place.slot === slot))
    .filter((place) => !taken.has(keyOfPlace(place)) && !ahead.has(keyOfTarget(place.target)))
    .map((place) => ({ status: 'missing', place: shownPlace(place) }));
}
