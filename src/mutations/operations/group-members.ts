import { isRecord } from '../../catalogue/refusal.ts';

/** A group's record with the ids of its members as `setIds`, whether it shows them whole or by their ids. */
export function withMembers(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { sets } = record;
  const ids = Array.isArray(sets) ? sets.map((set) => (isRecord(set) ? set.id : set)) : undefined;
  return { ...record, setIds: record.setIds ?? ids };
}
