import { countOfSlot } from '../../model/slots.ts';
import { keyOfTarget, labelOf, shortLabelOf } from '../../model/target.ts';
import { quoted } from '../../text.ts';
import type { FileOutcome } from './download.ts';
import type { KeptDownload } from './kept-downloads.ts';
import { type LayoutName, layouts } from './layouts/index.ts';
import type { LeftOut } from './plan-files.ts';
import type { Ran } from './run-download.ts';
import type { Update, UpdatedDownload } from './update.ts';

// What is told of a download, in few words: a Set can have hundreds of files.

/** How many pictures ended in each state. */
export function downloadCounts({ downloaded, plan, gathered }: Ran): Record<string, number> {
  const counts: Record<string, number> = {};
  const states = [
    ...downloaded.outcomes.map(({ outcome }) => outcome.state),
    ...plan.leftOut.map(({ state }) => state),
  ];
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1;
  if (gathered.setsLeftOut.length > 0) counts.setsLeftOut = gathered.setsLeftOut.length;
  return counts;
}

/** The creators of all whose pictures lie in place, or would. */
export function creditsOf({ downloaded }: Ran): object[] {
  const credits = new Map<string, { createdBy: string | null; set: object; files: number }>();
  for (const { file, outcome } of downloaded.outcomes) {
    if (outcome.state === 'failed' || outcome.state === 'pending' || outcome.state === 'left_alone') continue;
    const { kind, id, title, createdBy } = file.picture.set;
    const key = keyOfTarget(file.picture.set);
    const credit = credits.get(key) ?? { createdBy, set: { kind, id, title }, files: 0 };
    credit.files += 1;
    credits.set(key, credit);
  }
  return [...credits.values()].slice(0, 50);
}

/** Characters of JSON that the names of files may take. */
const filesBudget = 8_000;

export interface FileReport {
  readonly problems: object[];
  readonly files: object[];
  readonly omitted: { section: string; total: number; returned: number; next: null }[];
}

/** What needs a person, file by file; of all others the names, by their state and folder. What doesn't fit is counted. */
export function reportOf(outcomes: readonly FileOutcome[]): FileReport {
  const problems: object[] = [];
  const files = new Map<string, { state: string; folder: string; names: string[] }>();
  let budget = filesBudget;
  let returned = 0;
  const take = (characters: number): boolean => {
    budget -= characters;
    if (budget >= 0) returned += 1;
    return budget >= 0;
  };
  const isProblem = ({ outcome: { state } }: FileOutcome) => state === 'failed' || state === 'left_alone';
  for (const one of outcomes.filter(isProblem)) {
    const row = problemOf(one);
    if (take(JSON.stringify(row).length)) problems.push(row);
  }
  for (const { path, outcome } of outcomes.filter((one) => !isProblem(one))) {
    const cut = path.lastIndexOf('/');
    const [folder, name, { state }] = [path.slice(0, Math.max(0, cut)), path.slice(cut + 1), outcome];
    const key = `${state} ${folder}`;
    const known = files.get(key);
    const row = known ?? { state, folder, names: [] };
    if (!take(name.length + 3 + (known === undefined ? folder.length + 40 : 0))) continue;
    row.names.push(name);
    files.set(key, row);
  }
  const total = outcomes.length;
  const omitted = returned === total ? [] : [{ section: 'files', total, returned, next: null }];
  return { problems, files: [...files.values()], omitted };
}

function problemOf({ path: file, outcome }: FileOutcome): object {
  if (outcome.state === 'failed') {
    const { code, category, message } = outcome.error;
    return { file, state: outcome.state, error: { code, category, message: message.slice(0, 300) } };
  }
  const isChanged = outcome.state === 'left_alone' && outcome.changed;
  const why = isChanged
    ? 'it was changed after it was downloaded'
    : 'a file that download_set did not write has this place';
  return { file, state: outcome.state, why };
}

/** Where each work lies: a folder that was there, one that is new, or several of which a person says which is meant. */
export function workRows({ plan }: Ran): object[] {
  return plan.works.slice(0, mostWorks).map(({ work, is, folder, candidates }) => ({
    work: labelOf(work) || keyOfTarget(work),
    is,
    ...(is === 'unclear' ? { candidates: candidates.slice(0, 8) } : { folder: folder.join('/') }),
  }));
}

const mostWorks = 30;

/** One row for all that are left out for one reason. */
export function leftOutRows(leftOut: readonly LeftOut[]): object[] {
  const rows = new Map<string, { state: string; why: string; slot: string; count: number; of: string[] }>();
  for (const { picture, state, why } of leftOut) {
    const key = `${why} ${picture.slot}`;
    const row = rows.get(key) ?? { state, why, slot: picture.slot, count: 0, of: [] };
    row.count += 1;
    if (row.of.length < 8) row.of.push(shortLabelOf(picture.target));
    rows.set(key, row);
  }
  return [...rows.values()].slice(0, 12);
}

/** The report's row for the metadata file of a download. */
export function metadataRow(metadata: NonNullable<Ran['metadata']>): object {
  if ('error' in metadata) {
    const { code, message } = metadata.error;
    return { file: metadata.path, state: 'failed', error: { code, message } };
  }
  const { state } = metadata.outcome;
  return { file: metadata.path, state };
}

const mostHidden = 8;

/** What a person should know of a download beside its files. */
export function downloadWarnings({ downloaded, plan }: Ran, layout: LayoutName, dryRun: boolean): string[] {
  const warnings: string[] = [];
  const lacking = plan.files.filter(({ lacksVideo }) => lacksVideo === true).length;
  if (lacking > 0) {
    warnings.push(
      `${countOfSlot(lacking, 'titlecard')} ${lacking === 1 ? 'is' : 'are'} called as videos usually are, since no such video lies below the folder: ${layout} shows a card where it is called exactly as its video.`,
    );
  }
  const hidden = plan.files.flatMap(({ hiddenBy }) => hiddenBy ?? []);
  if (hidden.length > 0) {
    const names = [...new Set(hidden)];
    const more = names.length > mostHidden ? ` and ${names.length - mostHidden} more` : '';
    warnings.push(
      `${layouts[layout].words} shows other files instead of ${hidden.length} of these, as long as they lie there: ${names.slice(0, mostHidden).map(quoted).join(', ')}${more}. They stay as they are.`,
    );
  }
  const unread = downloaded.outcomes.filter(
    ({ outcome }) => 'name' in outcome && isUnread(outcome.name, layout),
  );
  if (unread.length > 0) {
    warnings.push(
      `${unread.length} files are of a type that ${layout} may not read (${[...new Set(unread.map(({ path }) => path.slice(path.lastIndexOf('.') + 1)))].join(', ')}): they are kept as the service has them.`,
    );
  }
  const alone = downloaded.outcomes.filter(({ outcome }) => outcome.state === 'left_alone').length;
  if (alone > 0) {
    warnings.push(
      `${alone} places hold files that download_set did not write, or that were changed since. They stay as they are; a person moves away what is not wanted.`,
    );
  }
  const failed = downloaded.outcomes.filter(({ outcome }) => outcome.state === 'failed').length;
  if (failed > 0 && !dryRun) {
    warnings.push(`${failed} files failed. The same call tries them again and fetches nothing twice.`);
  }
  return warnings;
}

/** PNG and JPEG are read by all. */
function isUnread(name: string, layout: LayoutName): boolean {
  const [, end] = /\.(webp|gif)$/.exec(name) ?? [];
  return end !== undefined && !layouts[layout].types.some((type) => type === end);
}

/** Characters of JSON that the Sets of an update may take. */
const updateBudget = 9_000;

interface UpdatedRow extends ReturnType<typeof nameOf> {
  readonly is: string;
  readonly [more: string]: unknown;
}

export type DoneUpdate = Extract<Update, { readonly is: 'done' }>;

/** What an update tells: how many downloads came to what, each that has something to say, and how many were left undone. */
export function updateReport(update: DoneUpdate) {
  const counts: Record<string, number> = {};
  const count = (state: string, by = 1) => {
    if (by > 0) counts[state] = (counts[state] ?? 0) + by;
  };
  count('unchanged', update.downloads - update.looked.length - update.gone.length);
  const files: Record<string, number> = {};
  const rows: UpdatedRow[] = [];
  let undone = update.feedsCut ? update.downloads : 0;
  let budget = updateBudget;
  let left = 0;
  const tell = (row: UpdatedRow) => {
    budget -= JSON.stringify(row).length;
    if (budget >= 0) rows.push(row);
    else left += 1;
  };
  for (const { download, outcome } of update.looked) {
    if (outcome.is === 'same') count('unchanged');
    else if (outcome.is !== 'looked') {
      count(outcome.is);
      if (outcome.is !== 'gone') undone += 1;
      tell({ ...nameOf(download), is: outcome.is, ...whyOf(outcome) });
    } else {
      const { ran } = outcome;
      const of = downloadCounts(ran);
      for (const [state, number] of Object.entries(of)) files[state] = (files[state] ?? 0) + number;
      const isLeft =
        undoneStates.some((state) => (of[state] ?? 0) > 0) ||
        ran.gathered.setsLeftOut.some(({ state }) => state === 'failed' || state === 'pending');
      if (isLeft) undone += 1;
      const isNew = Object.keys(of).some((state) => newStates.has(state));
      count(isLeft ? 'undone' : isNew ? 'updated' : 'unchanged');
      const { problems } = reportOf(ran.downloaded.outcomes);
      const asked = workRows(ran).filter((row) => 'candidates' in row);
      const leftOut = leftOutRows(ran.plan.leftOut.filter(({ state }) => state !== 'no_place'));
      if (!isNew && problems.length + leftOut.length === 0 && !isLeft) continue;
      tell({
        ...nameOf(download),
        ...{ is: isLeft ? 'undone' : isNew ? 'updated' : 'unchanged', counts: of, credits: creditsOf(ran) },
        ...(problems.length === 0 ? {} : { problems: problems.slice(0, 5) }),
        ...(leftOut.length === 0 ? {} : { leftOut: leftOut.slice(0, 5) }),
        ...(asked.length === 0 ? {} : { works: asked.slice(0, 5) }),
      });
    }
  }
  count('gone', update.gone.length);
  for (const download of update.gone) tell({ ...nameOf(download), is: 'gone' });
  const total = rows.length + left;
  return {
    data: { downloads: update.downloads, counts, files, undone, sets: rows },
    omitted: left === 0 ? [] : [{ section: 'sets', total, returned: rows.length, next: null }],
  };
}

function whyOf(outcome: UpdatedDownload['outcome']): object {
  if (outcome.is === 'gone') return { why: 'the service has it no more; its files stay' };
  if (outcome.is !== 'failed') return {};
  const { code, message } = outcome.error;
  return { error: { code, message: message.slice(0, 300) } };
}

const undoneStates = ['pending', 'failed', 'unclear'];
const newStates: ReadonlySet<string> = new Set(['written', 'replaced', 'would_write', 'would_replace']);

function nameOf({ kind, id, title, layout, folders }: KeptDownload) {
  return { set: { kind, id, title }, layout, folder: folders.join('/') };
}
