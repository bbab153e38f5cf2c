import { quoted } from '../../text.ts';
import type { JsonRecord } from '../../catalogue/records/members.ts';
import { textAt } from '../../catalogue/records/members.ts';
import { shortLine } from '../../model/target.ts';
import { wordsWithId } from '../names.ts';
import { titlesOfMembers } from '../operations/earlier.ts';
import { memberIdsIn } from '../operations/read-back.ts';
import type { Objection } from './objection.ts';
import type { ReadRecords } from './shown-records.ts';

/** An edit of a group that says which Sets are in it afterwards. */
interface MembershipEdit {
  readonly groupId: number | string;
  readonly setIds: readonly number[];
}

/**
 * Which Sets leave a group, and which come into it: what is left out of the complete membership goes without another
 * word.
 */
export function membershipChange(
  { groupId, setIds }: MembershipEdit,
  records: ReadRecords,
): readonly Objection[] {
  const group = records.get(`group ${groupId}`);
  const now = memberIdsIn(group ?? {});
  if (now === null) return [unknownChange(groupId, group)];
  const titles = titlesOfMembers(group);
  const gone = now.filter((id) => !setIds.includes(id));
  const come = setIds.filter((id) => !now.includes(id));
  const coming =
    come.length === 0 ? '' : ` ${sets(come, titles)} ${come.length === 1 ? 'comes' : 'come'} in.`;
  const what = nameOfGroup(groupId, group);
  if (gone.length === 0)
    return coming === '' ? [] : [{ ...told('adds_members'), message: `Into ${what}:${coming}` }];
  const going = `${sets(gone, titles)} ${gone.length === 1 ? 'leaves' : 'leave'} ${what}: setIds is all Sets afterwards.${coming}`;
  return [{ ...told('removes_members'), message: `${going} The Sets themselves stay.` }];
}

/** The record does not show the members of the group, so it is not known which Sets leave. */
function unknownChange(groupId: MembershipEdit['groupId'], group: JsonRecord | undefined): Objection {
  const message = `${nameOfGroup(groupId, group)} does not show which Sets are in it: those that setIds leaves out leave it.`;
  return { ...told('removes_members'), message };
}

function told(code: string) {
  return { category: 'conflict', code, path: ['setIds'], told: true } as const;
}

function nameOfGroup(groupId: number | string, group: JsonRecord | undefined): string {
  return wordsWithId({ kind: 'group', id: groupId }, shortLine(textAt(group ?? {}, 'title')));
}

/** Characters of titles in one sentence: of further Sets the ids alone are told. */
const mostOfTitles = 2_500;

function sets(ids: readonly number[], titles: ReadonlyMap<string, string>): string {
  let left = mostOfTitles;
  const words = ids.map((id) => {
    const title = titles.get(String(id)) ?? '';
    left -= title.length;
    return title === '' || left < 0 ? String(id) : `${id} (${quoted(title)})`;
  });
  return `${ids.length === 1 ? 'The Set' : `${ids.length} Sets,`} ${words.join(', ')}`;
}
