import path from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../catalogue/request.ts';
import { type ArtworkError, invalidArguments, type Next } from '../../errors.ts';
import { admissions, isGroupKind, isKind } from '../../model/kinds.ts';
import { isSlot, type Slot } from '../../model/slots.ts';
import type { TargetKind } from '../../model/target.ts';
import { cleanText } from '../../text.ts';

// A plan as it is stored. The store is untrusted: whatever is read from it is parsed by these, strictly.

const oneOf = <Word extends string>(isWord: (text: string) => boolean) =>
  z.custom<Word>((value) => typeof value === 'string' && isWord(value));
const kind = oneOf<TargetKind>((text) => isKind(text) || isGroupKind(text));

const nameOfWork = z
  .string()
  .regex(/[\p{L}\p{N}]/u)
  .max(200);
/** Other names of a work. */
export const namesOfWork = z.array(nameOfWork).min(1).max(10);

const said = z.strictObject({ code: z.string(), message: z.string() });

/** Something that is said of a file: a reason, a problem, a warning. */
export type Said = Readonly<z.output<typeof said>>;

const id = z.int().min(0);
const place = z.strictObject({
  target: z.strictObject({ kind, id }),
  slot: oneOf<Slot>(isSlot),
  /** Of a season or an episode. */
  season: z.int().min(0).nullable(),
  /** `S01E02`, `Season 1`; empty for what has no number. Never catalogue text. */
  code: z.string(),
  /** What the target is called; titles are other people's writing. */
  label: z.string(),
});

export type PlannedPlace = Readonly<z.output<typeof place>>;

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

/** Below the folder, and nowhere else. */
const innerPath = z
  .string()
  .refine((text) => !text.split('/').some((part) => ['', '.', '..'].includes(part)));
const ofFile = {
  path: innerPath,
  picture: picture.nullable(),
  /** Why it can't be sent; null: it can. */
  problem: said.nullable(),
  /** What speaks against it in its place, or the first of them. */
  warnings: z.array(said),
};

const matched = z.strictObject({ status: z.literal('matched'), ...ofFile, place, change });

/** A place that a file may be for; where a Set is edited, with what the edit would do there. */
const candidate = place.extend({ change: change.optional() });

export type Candidate = Readonly<z.output<typeof candidate>>;

const ambiguous = z.strictObject({
  status: z.literal('ambiguous'),
  ...ofFile,
  places: z.array(candidate),
  why: said,
  /** What to ask the person; the same words for files that one answer decides. */
  ask: z.string(),
});

const left = z.strictObject({ status: z.enum(['unmatched', 'ignored']), path: innerPath, why: said });
const missing = z.strictObject({ status: z.literal('missing'), place });
const entry = z.discriminatedUnion('status', [matched, ambiguous, left, missing]);

export type MatchedEntry = Readonly<z.output<typeof matched>>;
export type AmbiguousEntry = Readonly<z.output<typeof ambiguous>>;
export type LeftEntry = Readonly<z.output<typeof left>>;
export type MissingEntry = Readonly<z.output<typeof missing>>;
/** What becomes of a file. */
export type FileEntry = MatchedEntry | AmbiguousEntry | LeftEntry;
export type PlanEntry = FileEntry | MissingEntry;

export const plan = z.strictObject({
  id: z.uuid(),
  /** Whose it is. */
  service: z.string(),
  user: z.string(),
  /** The arguments that it was made with, to make it anew. */
  asked: z.record(z.string(), z.union([z.string(), z.int(), namesOfWork])),
  /** Absolute, without links. */
  folder: z.string().min(1),
  entry: z.strictObject({ kind, id }),
  /** What a media Set of it is for. */
  work: z.strictObject({ kind, id, title: z.string() }),
  /** What it edits; null: it is for a new Set. */
  set: z.strictObject({ id, setKind: z.enum(admissions), updatedAt: z.string() }).nullable(),
  /** Those that are matched in the order of the catalogue. */
  entries: z.array(entry),
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
  return { tool: 'plan_set', arguments: asked, why: 'This plans the folder anew. Give the answers again.' };
}

type SentEntry = MatchedEntry & { readonly picture: PlannedPicture };

/** The files that can be sent, in the order of the catalogue. */
export function sendableOf({ entries }: Pick<Plan, 'entries'>): SentEntry[] {
  return entries.filter((entry): entry is SentEntry => {
    if (entry.status !== 'matched' || entry.problem !== null || entry.picture === null) return false;
    return entry.change.operation !== 'unchanged';
  });
}

/** Those that the plan sends: as many as one change takes. */
export function itemsOf(plan: Pick<Plan, 'entries' | 'most'>): SentEntry[] {
  return sendableOf(plan).slice(0, plan.most);
}

/** The entries of a plan that stand for files. */
export function filesOf({ entries }: Pick<Plan, 'entries'>): FileEntry[] {
  return entries.filter((entry): entry is FileEntry => entry.status !== 'missing');
}

/** Where a file of a plan lies. */
export function pathOf({ folder }: Plan, entry: FileEntry): string {
  return path.join(folder, entry.path);
}

/** The name that a plan shows for a file. */
export function shownName({ path: inner }: FileEntry): string {
  return cleanText(inner).normalize();
}

/**
 * The absolute path of a file by the name that the plan shows for it.
 * @param at the argument that names it
 * @throws ArtworkError `invalid_arguments` where no file, or more than one, is shown so
 */
export function findFile(plan: Plan, shown: string, at: readonly string[]): string {
  const [entry, other] = filesOf(plan).filter((one) => shownName(one) === shown.normalize());
  if (entry === undefined || other !== undefined) throw noFileError(shown, at);
  return pathOf(plan, entry);
}

/** The error of a name that is not exactly one file's of a plan. */
export function noFileError(shown: string, at: readonly string[]): ArtworkError {
  const name = cleanText(shown).slice(0, 200);
  const message = 'is not exactly one file of this plan: give it as the plan shows it, or its absolute path';
  return invalidArguments(`The plan was asked for "${name}"`, [{ code: 'file', message, path: at }]);
}
