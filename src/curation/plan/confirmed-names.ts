import { z } from 'zod';
import type { OwnRecords } from '../../storage/records.ts';
import type { Work } from '../matching/targets.ts';
import { longestName, mostNames } from './name-questions.ts';

const names = z.array(z.string().min(1).max(longestName)).max(mostNames);

/** A name stays a work's own; what nothing asks for in a year is forgotten. */
const keptForMs = 365 * 24 * 60 * 60_000;

function keyFor({ kind, id }: Pick<Work, 'kind' | 'id'>): string {
  return `confirmed names of ${kind} ${id}`;
}

/** Keeps which other names of a work a person confirmed with the last change that was made of a plan, for later edits. */
export async function keepConfirmedNames(
  records: OwnRecords,
  work: Pick<Work, 'kind' | 'id'>,
  confirmed: readonly string[],
): Promise<void> {
  await records.set(keyFor(work), [...confirmed], keptForMs);
}

/** None where none were confirmed here, or what is stored is no list of names. */
export async function confirmedNames(
  records: OwnRecords,
  work: Pick<Work, 'kind' | 'id'>,
): Promise<readonly string[]> {
  const stored = names.safeParse(await records.get(keyFor(work)));
  return stored.success ? stored.data : [];
}
