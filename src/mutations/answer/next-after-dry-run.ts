import type { Next } from '../../errors.ts';
import type { Warning } from '../finding.ts';

/** What a person decides of each warning before anything is sent; the others only tell. */
const questions: ReadonlyMap<string, string> = new Map([
  ['same_set', 'is a second Set of the same files wanted?'],
  ['earlier_set', 'one more Set of this work, or edit_set of the one that is there?'],
  ['unfinished_set', 'one more Set, or resume_mutation of the one that is not finished?'],
  ['same_bytes', 'is the same picture meant more than once?'],
  ['uploaded_before', 'is a second Asset of the same bytes wanted?'],
  ['may_be_refused', 'try it, although the service may refuse it?'],
  ['too_large', 'try it, although the service may refuse so large a file?'],
  [
    'unusual_ratio',
    'is this picture right for its slot? The service judges the shape itself, and may refuse it',
  ],
  ['name_says_other', 'is the target right, or the file?'],
  ['small', 'is so small a picture good enough?'],
  ['no_transparency', 'is it meant without transparency?'],
  ['animated', 'is an animated picture meant?'],
  ['rotated', 'is it meant turned, as some programs will show it?'],
  ['cut_short', 'is the file whole enough?'],
  ['not_decoded', 'is it the right picture? It was not looked at here'],
  ['left_out', 'are these files to be left out?'],
  ['displaced', 'are these files to be left out?'],
  ['removes_members', 'are these Sets to leave the group?'],
  [
    'removes_all_members',
    'is the group to be empty? The call that empties it needs the id that the warning names',
  ],
]);

/** Nothing can be deleted, so no call follows a dry run by itself: first what its warnings ask, then a person's word. */
export function nextAfterDryRun(warnings: readonly Warning[]): Next {
  const asked = new Set(warnings.map(({ code }) => code));
  const open = [...questions].flatMap(([code, question]) =>
    asked.has(code) ? [`${code} (${question})`] : [],
  );
  const id = asked.has('removes_all_members') ? 'that id' : 'the same id';
  const agreed = `Where they agree, the same call without dryRun makes it, under ${id}.`;
  if (open.length === 0) return { why: `Show the person what would be made. ${agreed}` };
  return {
    why: `First the person decides what the warnings ask: ${open.join('; ')}. Show them what would be made. ${agreed}`,
    doNot: 'make it before the person has decided that',
  };
}
