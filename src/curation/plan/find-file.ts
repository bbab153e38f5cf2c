import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { cleanText } from '../../text.ts';
import { ArtworkError } from '../../errors.ts';
import type { Plan, PlanEntry } from './plan.ts';

/** An entry of a plan that is about a file. */
export type OfFile = Extract<PlanEntry, { readonly path: string }>;

/** The entries of a plan that stand for files. */
export function filesOf({ entries }: Pick<Plan, 'entries'>): OfFile[] {
  return entries.filter((entry): entry is OfFile => 'path' in entry);
}

/** Whether a name is a `file:` URI. */
export function isFileUri(name: string): boolean {
  return /^file:/i.test(name);
}

/**
 * The absolute path of a file by the name that the plan shows for it.
 * @param at the argument that names it
 * @throws ArtworkError `invalid_arguments` where no file, or more than one, is shown so
 */
export function findFile(plan: Plan, shown: string, at: readonly string[]): string {
  const wanted = shown.normalize();
  const [entry, other] = filesOf(plan).filter((one) => cleanText(one.path).normalize() === wanted);
  if (entry !== undefined && other === undefined) return path.join(plan.folder, entry.path);
  throw noFileError(shown, entry === undefined ? 'none' : 'several', at);
}

/** Whether one file of the plan, and only one, is shown so. */
export function hasFile(plan: Plan, shown: string): boolean {
  const wanted = shown.normalize();
  return filesOf(plan).filter((one) => cleanText(one.path).normalize() === wanted).length === 1;
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
