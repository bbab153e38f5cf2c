import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { sha256 } from '../../catalogue/request.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import { isFileUri } from '../../files/roots.ts';
import { admissions, isGroupKind, isKind, isWorkKind } from '../../model/kinds.ts';
import { isSlot, type Slot } from '../../model/slots.ts';
import type { TargetKind, WorkTarget } from '../../model/target.ts';
import { cleanText } from '../../text.ts';

// A plan as it is stored. The store is untrusted: whatever is read from it is parsed by these, strictly.

const kind = z.custom<TargetKind>(
  (value) => typeof value === 'string' && (isKind(value) || isGroupKind(value)),
);
const workKind = z.custom<WorkTarget['kind']>(
  (value) => typeof value === 'string' && (isWorkKind(value) || isGroupKind(value)),
);

/** How many other names of a work a plan takes, and of how many characters. */
export const mostNames = 10;
export const longestName = 200;

const said = z.strictObject({ code: z.string(), message: z.string() });

/** Something that is said of a file: a reason, a problem, a warning. */
export type Said = Readonly<z.output<typeof said>>;

const ofTarget = { id: z.int().min(0), title: z.string(), date: z.string().nullable() };
const number = z.int().min(0).nullable();
const placedTarget = z.union([
  z.strictObject({ kind: z.literal('season'), ...ofTarget, season: number }),
  z.strictObject({ kind: z.literal('episode'), ...ofTarget, season: number, episode: number }),
  z.strictObject({ kind: workKind, ...ofTarget, year: number }),
]);

const place = z.strictObject({
  target: placedTarget,
  slot: z.custom<Slot>((value) => typeof value === 'string' && isSlot(value)),
  /** The target's label, made longer if another target of the plan has the same; titles are other people's writing. */
  label: z.string(),
});

export type PlannedPlace = Readonly<z.output<typeof place>>;

/** Below the folder, and nowhere else. */
const innerPath = z
  .string()
  .min(1)
  .refine((text) => !text.split('/').some((part) => part === '' || part === '.' || part === '..'));

const picture = z.strictObject({
  filename: z.string().min(1),
  contentType: z.string().min(1),
  /** Bytes. */
  contentLength: z.int().min(1),
  sha256,
  /** Pixels; null where it was too large to decode. */
  width: z.int().nullable(),
  height: z.int().nullable(),
});

/** A file as it is declared, and the digest that the plan is bound to. */
export type PlannedPicture = Readonly<z.output<typeof picture>>;

const change = z.discriminatedUnion('operation', [
  z.strictObject({ operation: z.literal('add') }),
  z.strictObject({
    operation: z.literal('replace'),
    expectedPreviousAssetId: z.guid(),
    expectedAssetUpdatedAt: z.string(),
  }),
  z.strictObject({ operation: z.literal('unchanged'), assetId: z.guid() }),
]);

/** What an edit does with a file: leave out what the Set has to the byte. */
export type PlannedChange = Readonly<z.output<typeof change>>;

const matched = z.strictObject({
  status: z.literal('matched'),
  path: innerPath,
  place,
  picture: picture.nullable(),
  /** Why it can't be sent; null: it can. */
  problem: said.nullable(),
  warnings: z.array(said),
  change,
  /** Its place in the order of the catalogue. */
  rank: z.int().min(0),
});

/** A place that a file may be for; where a Set is edited, with what the edit would do there. */
const candidate = place.extend({ change: change.optional() });

export type Candidate = Readonly<z.output<typeof candidate>>;

const ambiguous = z.strictObject({
  status: z.literal('ambiguous'),
  path: innerPath,
  places: z.array(candidate),
  /** How many more there are than `places` names. */
  morePlaces: z.int().min(0),
  why: said,
  /** What to ask the person. */
  ask: z.string(),
  /** Another name of the work, which that asks about for all files that have it. */
  called: z.string().optional(),
  picture: picture.nullable(),
  problem: said.nullable(),
  /** What speaks against it in any of its places. */
  warnings: z.array(said).optional(),
});

const left = z.strictObject({ status: z.enum(['unmatched', 'ignored']), path: innerPath, why: said });
const missing = z.strictObject({ status: z.literal('missing'), place });

const entry = z.discriminatedUnion('status', [matched, ambiguous, left, missing]);

export type MatchedEntry = Readonly<z.output<typeof matched>>;
export type AmbiguousEntry = Readonly<z.output<typeof ambiguous>>;
export type LeftEntry = Readonly<z.output<typeof left>>;
export type MissingEntry = Readonly<z.output<typeof missing>>;
export type PlanEntry = Readonly<z.output<typeof entry>>;

const target = z.strictObject({ kind, id: z.int().min(0), title: z.string() });

export const plan = z.strictObject({
  id: z.uuid(),
  /** Whose it is. */
  service: z.string(),
  user: z.string(),
  madeAt: z.iso.datetime(),
  /** The arguments that it was made with, to make it anew. */
  asked: z.record(
    z.string(),
    z.union([z.string(), z.int(), z.array(z.string().min(1).max(longestName)).min(1).max(mostNames)]),
  ),
  /** Absolute, without links. */
  folder: z.string().min(1),
  entry: z.strictObject({ kind, id: z.int().min(0) }),
  /** What a media Set of it is for. */
  work: target,
  /** What it edits; null: it is for a new Set. */
  set: z.strictObject({ id: z.int().min(0), setKind: z.enum(admissions), updatedAt: z.string() }).nullable(),
  /** In the order in which they are shown. */
  entries: z.array(entry),
  /** Places without a file that are counted and not among the entries. */
  moreMissing: z.int().min(0),
  /** Which seasons could not be read, in words: nothing is planned for their episodes. */
  unread: z.string().optional(),
  /** Files that are not meant to be uploaded, by why. */
  passed: z.record(z.string(), z.int()),
  /** How many items one change takes; what is over follows with the next plan. */
  most: z.int().min(1),
});

/** What became of every file of a folder, and of every place without one. */
export type Plan = Readonly<z.output<typeof plan>>;

/** The call that makes a plan anew, of the folder as it is then. */
export function planAgain(asked: Plan['asked']): Next & { readonly tool: string } {
  return { tool: 'plan_set', arguments: asked, why: 'It reads the folder as it is now, and plans anew.' };
}

/** What the plan sends, in the order of the catalogue: as many as one change takes. */
export function itemsOf({ entries, most }: Pick<Plan, 'entries' | 'most'>): SentEntry[] {
  return sendable(entries).slice(0, most);
}

/** How many more files could be sent than one change takes. */
export function countLater({ entries, most }: Pick<Plan, 'entries' | 'most'>): number {
  return Math.max(0, sendable(entries).length - most);
}

function sendable(entries: readonly PlanEntry[]): SentEntry[] {
  return entries.filter(isSent).sort((one, other) => one.rank - other.rank);
}

export interface SentEntry extends MatchedEntry {
  readonly picture: PlannedPicture;
}

function isSent(entry: PlanEntry): entry is SentEntry {
  return (
    entry.status === 'matched' &&
    entry.problem === null &&
    entry.picture !== null &&
    entry.change.operation !== 'unchanged'
  );
}

/** An entry of a plan that is about a file. */
export type OfFile = Extract<PlanEntry, { readonly path: string }>;

/** The entries of a plan that stand for files. */
export function filesOf({ entries }: Pick<Plan, 'entries'>): OfFile[] {
  return entries.filter((entry): entry is OfFile => 'path' in entry);
}

/**
 * The absolute path of a file by the name that the plan shows for it.
 * @param at the argument that names it
 * @throws ArtworkError `invalid_arguments` where no file, or more than one, is shown so
 */
export function findFile(plan: Plan, shown: string, at: readonly string[]): string {
  const [entry, other] = filesShownAs(plan, shown);
  if (entry !== undefined && other === undefined) return path.join(plan.folder, entry.path);
  throw noFileError(shown, entry === undefined ? 'none' : 'several', at);
}

function filesShownAs(plan: Plan, shown: string): OfFile[] {
  const wanted = shown.normalize();
  return filesOf(plan).filter((one) => cleanText(one.path).normalize() === wanted);
}

/** The error of a name that no file of a plan has, or more than one. */
export function noFileError(shown: string, found: 'none' | 'several', at: readonly string[]): ArtworkError {
  const message =
    found === 'none'
      ? 'is no file of this plan: give it as the plan shows it, or as an absolute path'
      : 'is how the plan shows several files: give an absolute path';
  return new ArtworkError('invalid_arguments', `The file "${cleanText(shown).slice(0, 200)}" ${message}.`, {
    issues: [{ code: 'file', message, path: at }],
  });
}

/** What names each file beside the plan's id: as it is shown, or its URI where that is not enough. */
export function namesOfFiles(plan: Plan): (entry: OfFile) => string {
  const shownSo = new Map<string, number>();
  const shown = ({ path: inner }: OfFile) => cleanText(inner).normalize();
  for (const entry of filesOf(plan)) shownSo.set(shown(entry), (shownSo.get(shown(entry)) ?? 0) + 1);
  return (entry) =>
    shownSo.get(shown(entry)) === 1 && !isFileUri(shown(entry))
      ? cleanText(entry.path)
      : pathToFileURL(path.join(plan.folder, entry.path)).href;
}
