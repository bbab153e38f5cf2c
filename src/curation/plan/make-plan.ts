import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Catalogue } from '../../catalogue/client.ts';
import { ArtworkError, codeOf } from '../../errors.ts';
import type { Roots } from '../../files/roots.ts';
import { groupedBy } from '../../grouped-by.ts';
import { mapLimit } from '../../map-limit.ts';
import type { Slot } from '../../model/slots.ts';
import { mostItems } from '../../mutations/operations/edit-set.ts';
import { cleanText } from '../../text.ts';
import { type NamedTarget, type ReadWork, readWork, unreadWords } from '../read-work.ts';

import { compareWith, readEditedSet, type SetReads } from './edited-set.ts';
import { entriesOf, type FileEntry, missingPlaces, worthLooking } from './entries.ts';
import { factsIn, findFolder, type InspectedPicture, inspectPictures, walkFolder } from './folder.ts';
import { slotsFor } from './places.ts';
import type { LeftEntry, Plan, PlanEntry } from './plan.ts';
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

/** Of a show with thousands of episodes a folder may be for a few. */
const mostMissing = 1_000;

/** What is left of the call's time has to be enough for the slowest file, and for storing the plan. ms */
const reserveMs = 10_000;

/**
 * Reads a folder and what its files may be for, and keeps what became of each. Changes nothing but the store.
 * @throws ArtworkError
 */
export async function makePlan(means: PlanDependencies, wish: PlanWish): Promise<Made> {
  const { signal } = means.deadline;
  const folder = await findFolder(wish.folder, means.roots);
  const read = await readWork(means.catalogue, wish.entry, means.deadline).catch((error: unknown) => {
    throw notFound(error, wish.entry);
  });
  const slot = slotOf(wish, read);
  const { target } = read.work;
  const unread = unreadWords(read);
  const set = wish.setId === null ? null : await readEditedSet(means, wish.setId, wish.entry, target);
  const found = await walkFolder(folder, signal);
  const alsoCalled = await namesFor(means.store, wish);
  const reading = {
    paths: found.files,
    read,
    wish: { slot, name: path.basename(folder.path), alsoCalled },
  };
  const wanted = worthLooking(reading);
  const absolute = (inner: string) => path.join(folder.path, inner);
  const looks = await lookAt(means, wanted, absolute, 0);
  if (looks.size < wanted.length) return { reading: { done: looks.size, of: wanted.length } };
  const named = entriesOf({ ...reading, looks, maxBytes: await means.maxBytes() });
  const likely = await likelyCopies(named, looks, absolute);
  const copies = await lookAt(means, likely, absolute, looks.size);
  const [done, of] = [looks.size + copies.size, wanted.length + likely.length];
  if (done < of) return { reading: { done, of } };
  const alone = tellCopies(warnOfSameBytes(named), new Map([...looks, ...copies]));
  const files = set === null ? alone : await compareWith(means, alone, set);
  const passedOver = found.named.map(({ path: at, why }) => {
    return { status: 'ignored', path: at, why: reasonNotSent(why) } as const;
  });
  const today = new Date().toISOString().slice(0, 10);
  const missing = missingPlaces(files, read, slot, set?.pictures ?? [], today);
  const plan = await means.store.keep(
    {
      madeAt: new Date().toISOString(),
      asked: { ...wish.asked, ...(alsoCalled.length === 0 ? {} : { alsoCalled: [...alsoCalled] }) },
      folder: folder.path,
      entry: { ...wish.entry },
      work: { kind: target.kind, id: target.id, title: target.title },
      set: set === null ? null : { id: set.id, setKind: set.setKind, updatedAt: set.revision },
      entries: inShownOrder([...files, ...passedOver, ...missing.slice(0, mostMissing)]),
      ...(unread === null ? {} : { unread }),
      moreMissing: Math.max(0, missing.length - mostMissing),
      passed: { ...found.passed },
    },
    set === null ? mostInCreation : mostItems,
  );
  return { plan };
}

/**
 * The names that count as the work's title. What a Set was made or edited with holds for the next edit, so that a person
 * is not asked again; a plan that nothing was made of confirms nothing. A call that gives names gives all of them.
 */
async function namesFor(
  store: PlanStore,
  { alsoCalled, setId, entry }: PlanWish,
): Promise<readonly string[]> {
  if (alsoCalled.length === 0) return setId === null ? [] : store.namesOf(entry);
  return alsoCalled;
}

/**
 * By the paths in the folder; fewer, where the call's time is not enough for all.
 * @param before how many others were looked at
 */
async function lookAt(
  means: PlanDependencies,
  wanted: readonly string[],
  absolute: (inner: string) => string,
  before: number,
): Promise<ReadonlyMap<string, InspectedPicture>> {
  const total = before + wanted.length;
  const seen = await inspectPictures(wanted.map(absolute), {
    roots: means.roots,
    signal: means.deadline.signal,
    hasTime: () => means.deadline.left() > reserveMs,
    progress: (done) => means.progress(before + done, total, `read ${before + done} of ${total} files`),
  });
  return new Map(
    wanted.flatMap((inner) => {
      const looked = seen.get(absolute(inner));
      return looked === undefined ? [] : [[inner, looked] as const];
    }),
  );
}

/** Our own limit for the files of one creation: the interface document shows none of the service's. */
const mostInCreation = 2_000;

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
  if (!(error instanceof ArtworkError) || error.category !== 'not_found') return error;
  const message = `The catalogue has no ${kind} ${id}: entryTargetId is an id of this catalogue, and entryTargetKind says of what. get_entity shows what an id stands for.`;
  return new ArtworkError('not_found', message, { code: noSuchWork, status: error.status, cause: error });
}

type Looks = ReadonlyMap<string, InspectedPicture>;

const few = 8;

/**
 * Of the files that match nothing, those that may be the same as one that was looked at: they have as many bytes.
 * @param absolute where a file of the folder lies
 */
async function likelyCopies(
  entries: readonly FileEntry[],
  looks: Looks,
  absolute: (inner: string) => string,
): Promise<string[]> {
  const sizes = new Set([...looks.values()].map((looked) => factsIn(looked)?.contentLength));
  const found = await mapLimit(entries, few, async ({ status, path }) => {
    if (status !== 'unmatched') return [];
    const size = await sizeOf(absolute(path));
    return size !== null && sizes.has(size) ? [path] : [];
  });
  return found.flat();
}

/** Says of a file that matches nothing which one it is the same as: it need not be asked about. */
function tellCopies(entries: readonly FileEntry[], looks: Looks): FileEntry[] {
  const digestOf = (path: string) => factsIn(looks.get(path))?.sha256 ?? null;
  const known = new Map<string, string>();
  for (const { status, path } of entries) {
    const digest = status === 'matched' || status === 'ambiguous' ? digestOf(path) : null;
    if (digest !== null && !known.has(digest)) known.set(digest, path);
  }
  return entries.map((entry) => {
    const original = entry.status === 'unmatched' ? known.get(digestOf(entry.path) ?? '') : undefined;
    if (entry.status !== 'unmatched' || original === undefined) return entry;
    const message = `${entry.why.message} It is the same to the byte as ${cleanText(original)}.`;
    return { ...entry, why: { ...entry.why, message } };
  });
}

/** Null where it can't be told: then nothing is said of it. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (codeOf(error) !== null) return null;
    throw error;
  }
}

/** How many others a warning names. */
const mostNamed = 3;

/** Tells each file that another, which is for another place, is the same to the byte: a slip more often than not. */
function warnOfSameBytes(entries: readonly FileEntry[]): FileEntry[] {
  const matched = entries.filter((entry) => entry.status === 'matched');
  const alike = groupedBy(matched, ({ picture }) => picture?.sha256 ?? null);
  return entries.map((entry) => {
    if (entry.status !== 'matched' || entry.picture === null) return entry;
    const others = (alike.get(entry.picture.sha256) ?? []).filter(({ path }) => path !== entry.path);
    if (others.length === 0) return entry;
    const named = others
      .slice(0, mostNamed)
      .map(({ path }) => cleanText(path))
      .join('; ');
    const more = others.length > mostNamed ? ` and ${others.length - mostNamed} more` : '';
    const warning = { code: 'same_bytes', message: `It is the same to the byte as ${named}${more}.` };
    return { ...entry, warnings: [...entry.warnings, warning] };
  });
}

/** What needs a person's eye comes first; the rest in the order of the catalogue or of the names. */
function inShownOrder(entries: readonly PlanEntry[]): PlanEntry[] {
  return [...entries].sort((one, other) => groupOf(one) - groupOf(other) || within(one, other));
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

/** 0 keeps the order in which they came. */
function within(one: PlanEntry, other: PlanEntry): number {
  return one.status === 'matched' && other.status === 'matched' ? one.rank - other.rank : 0;
}
