import { quoted } from '../../text.ts';
import { canonicalJson } from '../../canonical-json.ts';
import type { JsonRecord } from '../../catalogue/records/members.ts';
import { textAt } from '../../catalogue/records/members.ts';
import { shortLine } from '../../model/target.ts';
import { asJson } from '../finding.ts';
import { wordsWithId } from '../names.ts';
import { titlesOfMembers } from '../operations/earlier.ts';
import { memberIdsIn } from '../operations/read-back.ts';
import { deriveUuid } from '../submission.ts';
import { longestCall, type Objection } from './objection.ts';
import type { ReadRecords } from './shown-records.ts';

/** An edit of a group that says which Sets are in it afterwards. */
interface MembershipEdit {
  readonly clientMutationId: string;
  readonly groupId: number | string;
  readonly setIds: readonly number[];
  /** The arguments of the edit, without its id. */
  readonly call: Readonly<Record<string, unknown>>;
}

/**
 * Which Sets leave a group, and which come into it: what is left out of the complete membership goes without another
 * word. That nothing stays in it only a person decides.
 */
export function membershipChange(edit: MembershipEdit, records: ReadRecords): readonly Objection[] {
  const { groupId, setIds } = edit;
  const group = records.get(`group ${groupId}`);
  const now = memberIdsIn(group ?? {});
  if (now === null) return unknownChange(edit, group);
  const titles = new Map([...titlesRead(setIds, records), ...titlesOfMembers(group)]);
  const gone = now.filter((id) => !setIds.includes(id));
  const come = setIds.filter((id) => !now.includes(id));
  const coming =
    come.length === 0 ? '' : ` ${sets(come, titles)} ${come.length === 1 ? 'comes' : 'come'} in.`;
  const what = nameOfGroup(groupId, group);
  if (gone.length === 0)
    return coming === '' ? [] : [{ ...told('adds_members'), message: `Into ${what}:${coming}` }];
  const going = `${sets(gone, titles)} ${gone.length === 1 ? 'leaves' : 'leave'} ${what}: setIds is all Sets afterwards.${coming}`;
  return setIds.length === 0
    ? emptied(edit, now, going)
    : [{ ...told('removes_members'), message: `${going} The Sets themselves stay.` }];
}

/** The record does not show the members of the group, so it is not known which Sets leave. */
function unknownChange(edit: MembershipEdit, group: JsonRecord | undefined): readonly Objection[] {
  const message = `${nameOfGroup(edit.groupId, group)} does not show which Sets are in it: those that setIds leaves out leave it.`;
  return edit.setIds.length === 0 ? emptied(edit, null, message) : [{ ...told('removes_members'), message }];
}

function told(code: string) {
  return { category: 'conflict', code, path: ['setIds'], told: true } as const;
}

/**
 * A person's word comes with an id that follows from the edit and from what goes: the dry run that lists it tells the id,
 * so that no call empties a group before its caller has been told to ask, nor one that has other Sets by then.
 * @param now the Sets that are in it; null: it does not show them
 */
function emptied(
  { clientMutationId, groupId, call }: MembershipEdit,
  now: readonly number[] | null,
  going: string,
): readonly Objection[] {
  const word = deriveUuid(
    clientMutationIdOfWords,
    canonicalJson(asJson({ groupId, gone: now?.toSorted((one, other) => one - other) ?? null, ...call })),
  );
  if (clientMutationId === word) return [{ ...told('removes_members'), message: going }];
  const again = { ...call, clientMutationId, dryRun: true };
  const why =
    'It shows every Set that would leave the group, and the id for the call that a person has agreed to.';
  return [
    {
      category: 'conflict',
      code: 'removes_all_members',
      message: `The group would be empty: ${going} Only a person decides that.`,
      // Titles are other people's writing: what they say of an id comes after ours.
      asked: `Only a person decides that a group is to be empty: once they have, the call without dryRun has the clientMutationId ${word}, and no other. ${going}`,
      path: ['setIds'],
      next:
        JSON.stringify(again).length > longestCall
          ? { why: 'A person decides whether the group is to be empty.' }
          : { tool: 'edit_group', arguments: again, why },
    },
  ];
}

/** Of no mutation: a namespace for the ids of calls that a person has agreed to. */
const clientMutationIdOfWords = '7d0d7c0e-6f0a-4c7b-9a55-3a6f3a1b5f10';

function nameOfGroup(groupId: number | string, group: JsonRecord | undefined): string {
  return wordsWithId({ kind: 'group', id: groupId }, shortLine(textAt(group ?? {}, 'title')));
}

function titlesRead(setIds: readonly number[], records: ReadRecords): [string, string][] {
  return setIds.flatMap((id): [string, string][] => {
    const title = shortLine(textAt(records.get(`Set ${id}`) ?? {}, 'title', 'titleBase'));
    return title === '' ? [] : [[String(id), title]];
  });
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
