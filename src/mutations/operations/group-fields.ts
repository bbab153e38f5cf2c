import { isRecord } from '../../catalogue/refusal.ts';
import type { Json } from '../../canonical-json.ts';
import type { Compared } from './read-back.ts';

export interface GroupFields {
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly languageCode?: string | null | undefined;
  readonly setIds?: readonly number[] | undefined;
}

/** What was meant of a group, beside what its record shows. Its members may be shown whole or by their ids. */
export function groupFields(
  { title, description, languageCode, setIds }: GroupFields,
  record: Readonly<Record<string, unknown>>,
): Compared[] {
  return [
    { field: 'title', meant: title, shown: record.title },
    { field: 'description', meant: description, shown: record.description },
    { field: 'languageCode', meant: languageCode, shown: record.languageCode },
    { field: 'setIds', meant: setIds, shown: record.setIds ?? idsOf(record.sets) },
  ].flatMap(({ meant, ...rest }) => (meant === undefined ? [] : [{ meant: meant as Json, ...rest }]));
}

function idsOf(sets: unknown): unknown {
  return Array.isArray(sets) ? sets.map((set) => (isRecord(set) ? set.id : set)) : undefined;
}
