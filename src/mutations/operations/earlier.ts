import type { Json } from '../../canonical-json.ts';
import { isRecord, type JsonRecord } from '../../catalogue/records/members.ts';
import { shortLine } from '../../model/target.ts';
import type { ReadRecords } from '../before/shown-records.ts';
import { asJson } from '../finding.ts';
import type { Earlier } from '../mutation.ts';
import { memberIdsIn } from './read-back.ts';

/** Names that records of public reads have for what requests call otherwise (interface document, Resources). */
const otherNames: Readonly<Record<string, string>> = {
  titleBase: 'title',
  languageCode: 'language',
  editionId: 'edition',
};

/** These members of a record; those that it does not show are left out. */
export function shownOf(record: JsonRecord | undefined, names: readonly string[]): Earlier {
  const found = names.flatMap((name): [string, Json][] => {
    const other = record?.[otherNames[name] ?? name];
    const shown = record?.[name] === undefined ? other : record[name];
    const isPlain = shown === null || typeof shown !== 'object';
    return shown === undefined || !isPlain ? [] : [[name, asJson(shown)]];
  });
  return Object.fromEntries(found);
}

/** An Asset as it is: its id, and what its record shows of its metadata and of where its bytes can be fetched. */
export function assetAsItIs(records: ReadRecords, assetId: string): Earlier {
  const members = ['languageCode', 'editionId', 'selectedSourceFrame', 'path', 'updatedAt'];
  return { assetId, ...shownOf(records.get(`Asset ${assetId}`), members) };
}

/** Sets that one answer names; of the others the ids are told. */
const mostNamed = 40;

/** The Sets of a group as its record shows them: the ids of all, and the titles of those that are to leave it. */
export function membersAsTheyAre(record: JsonRecord | undefined, afterwards: readonly number[]): Earlier {
  const setIds = memberIdsIn(record ?? {});
  if (setIds === null) return {};
  const titles = titlesOfMembers(record);
  const leaving = setIds.filter((id) => !afterwards.some((one) => String(one) === String(id)));
  const removed = leaving.slice(0, mostNamed).map((id) => {
    const title = titles.get(String(id));
    return { id, ...(title === undefined ? {} : { title }) };
  });
  return { setIds: [...setIds], ...(removed.length === 0 ? {} : { removed }) };
}

/** The titles of a group's Sets in its record, by their ids. */
export function titlesOfMembers(record: JsonRecord | undefined): ReadonlyMap<string, string> {
  const sets = Array.isArray(record?.sets) ? record.sets.filter(isRecord) : [];
  return new Map(
    sets.flatMap(({ id, title }): [string, string][] => {
      const line = shortLine(title);
      return line === '' ? [] : [[String(id), line]];
    }),
  );
}
