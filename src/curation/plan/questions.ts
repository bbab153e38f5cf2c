import { type PlanCounts, planWarnings } from './counts.ts';
import type { Plan } from './plan.ts';
import { countUnnamed } from './unnamed.ts';

/** What a plan leaves open, for a person. */
export function questionsOfPlan(plan: Plan, { ambiguous, problems, unmatched }: PlanCounts): string[] {
  const warned = planWarnings(plan);
  const kinds = [...warned.kinds].map(([code, count]) => `${code} ${count}`).join(', ');
  const left = problems + unmatched;
  const names = askNames(plan);
  const unnamed = countUnnamed(plan);
  return [
    ...(unnamed === 0
      ? []
      : [
          `that ${filesInWords(unnamed)} are of this work (see work), which neither their names nor the folder's say`,
        ]),
    ...(names === null ? [] : [names]),
    ...(ambiguous === 0
      ? []
      : [
          `what the ambiguous files (${ambiguous}) are for, which is then given beside planId as ${answersOf(plan)}`,
        ]),
    ...(warned.files === 0
      ? []
      : [
          `whether the files with a warning (${warned.files}: ${kinds}) go in as they are, which the service may refuse, or stay out (leaveOut)`,
        ]),
    ...(left === 0 ? [] : [`whether to go on without those that have a problem or match nothing (${left})`]),
  ];
}

/** One answer for many files. Their names stand in the entries, which no call of ours is made of. */
function askNames({ entries }: Plan): string | null {
  const called = entries.filter((entry) => entry.status === 'ambiguous' && entry.called !== undefined);
  return called.length === 0
    ? null
    : `whether it is the work's name that ${filesInWords(called.length)} or their folders have (see ask): then plan again with alsoCalled`;
}

/** What the Set will not have, if nothing more is done. */
export function lacksOfPlan({ missing, notSent }: PlanCounts): string {
  const what = [
    ...(missing === 0 ? [] : [missing === 1 ? '1 place has no file' : `${missing} places have no file`]),
    ...(notSent === 0 ? [] : [`${filesInWords(notSent)} can't be sent or must be asked about`]),
  ];
  return what.length === 0 ? '' : ` The Set will not be whole: ${what.join(', ')}.`;
}

/** Why nothing can be sent, and what a person can do. */
export function whyNothingIsSent(plan: Plan, counts: PlanCounts): string {
  const { files: all, ignored, unchanged = 0, ambiguous } = counts;
  const notMeant = 'this is not the folder, or not the work, that was meant';
  if (all === ignored) {
    const passed = ignored === 0 ? 'it is empty' : `what it holds (${ignored}) was passed over`;
    return `The folder holds no pictures: ${passed}. A person looks whether it is the folder that was meant.`;
  }
  const has =
    unchanged === 0
      ? ''
      : `The Set has ${unchanged === all ? 'all of it' : filesInWords(unchanged)} already. `;
  const names = askNames(plan);
  if (names !== null) return `${has}Nothing can be sent as it is. The person says ${names}; or ${notMeant}.`;
  if (ambiguous > 0) {
    const tool = plan.set === null ? 'create_media_set' : 'edit_set';
    return `${has}Nothing can be sent before the person has said what the ambiguous files (${ambiguous}) are for: then ${tool} takes planId, and beside it ${answersOf(plan)}. Or ${notMeant}.`;
  }
  if (unchanged > 0) {
    return `${has}Nothing else can be sent as it is: a person looks whether anything is missing.`;
  }
  return `None of ${filesInWords(all)} can be sent: a person has to look at the problems or at the names; or ${notMeant}. Then plan again.`;
}

/** How a person's answers are given. */
function answersOf({ set }: Plan): string {
  return set === null
    ? 'declaredFiles [{file, targetKind, targetId, slot}], file as the plan shows it, the rest from its candidates'
    : 'items [{file, ...candidate without its label}], file as the plan shows it (nothing for a candidate that is unchanged: the Set has it)';
}

/** So many files, in words. */
export function filesInWords(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}
