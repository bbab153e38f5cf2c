import type { Next } from '../../errors.ts';
import { countOfSlot } from '../../model/slots.ts';
import { keyOfTarget, labelOf, shortLabelOf } from '../../model/target.ts';
import { quoted } from '../../text.ts';
import { type FileOutcome, isPending, type Ran } from './download.ts';
import { type LayoutName, layouts } from './layouts.ts';
import type { KeptDownload } from './manifest.ts';
import type { LeftOut } from './place.ts';
import type { Update, UpdatedDownload } from './update.ts';

// What is told of a download, in few words: a Set can have hundreds of files.

/** Characters of JSON that the names of files may take, and the Sets of an update. */
const filesBudget = 8_000;
const updateBudget = 9_000;
/** Names, works and reasons that are told. */
const mostNamed = 8;
const mostWorks = 30;
const mostReasons = 12;

/** How many pictures ended in each state. */
function countsOf({ outcomes, places, setsLeftOut }: Ran): Record<string, number> {
  const counts: Record<string, number> = {};
  const states = [
    ...outcomes.map(({ outcome }) => outcome.state),
    ...places.leftOut.map(({ state }) => state),
  ];
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1;
  if (setsLeftOut.length > 0) counts.setsLeftOut = setsLeftOut.length;
  return counts;
}

function inPlace({ outcome: { state } }: FileOutcome): boolean {
  return state !== 'failed' && state !== 'pending' && state !== 'left_alone';
}

/** The creators of all whose pictures lie in place, or would. */
function creditsOf({ outcomes }: Ran): object[] {
  const credits = new Map<string, { createdBy: string | null; set: object; files: number }>();
  for (const { file } of outcomes.filter(inPlace)) {
    const { kind, id, title, createdBy } = file.picture.set;
    const key = keyOfTarget({ kind, id });
    const credit = credits.get(key) ?? { createdBy, set: { kind, id, title }, files: 0 };
    credit.files += 1;
    credits.set(key, credit);
  }
  return [...credits.values()].slice(0, 50);
}

/** What a call of `download_set` answers. */
export function downloadReport(ran: Ran, layout: LayoutName, dryRun: boolean) {
  const { places, setsLeftOut, metadata } = ran;
  const { problems, files, omitted } = filesOf(ran.outcomes);
  const replaced = ran.outcomes.flatMap(({ path, outcome }) => {
    if (outcome.state === 'would_take_over') return [{ file: path }];
    return outcome.state === 'replaced' && outcome.keptAt !== undefined
      ? [{ file: path, keptAt: outcome.keptAt }]
      : [];
  });
  const data = {
    counts: countsOf(ran),
    // A dry run fetches nothing, and so can't tell how much there is.
    ...(dryRun ? {} : { bytes: ran.bytes }),
    ...(places.works.length > 0 ? { works: workRows(ran) } : {}),
    credits: creditsOf(ran),
    ...(problems.length > 0 ? { problems } : {}),
    files,
    ...(replaced.length > 0 ? { replacedOfOthers: replaced.slice(0, 100) } : {}),
    ...(places.leftOut.length > 0 ? { leftOut: leftOutRows(places.leftOut) } : {}),
    ...(setsLeftOut.length > 0 ? { setsLeftOut: setsLeftOut.slice(0, 30) } : {}),
    ...(metadata === null ? {} : { metadata: { file: metadata.path, ...stateOf(metadata.outcome) } }),
  };
  const cut = replaced.length - 100;
  const more =
    cut > 0 ? [{ section: 'replacedOfOthers', total: replaced.length, returned: 100, next: null }] : [];
  return { data, omitted: [...omitted, ...more], warnings: warningsOf(ran, layout, dryRun) };
}

/** What needs a person, file by file; of all others the names, by their state and folder. What doesn't fit is counted. */
function filesOf(outcomes: readonly FileOutcome[]) {
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
  for (const { path: file, outcome } of outcomes.filter(isProblem)) {
    const row = { file, ...stateOf(outcome) };
    if (take(JSON.stringify(row).length)) problems.push(row);
  }
  for (const one of outcomes.filter((each) => !isProblem(each))) {
    const cut = one.path.lastIndexOf('/');
    const [folder, name] = [one.path.slice(0, Math.max(0, cut)), one.path.slice(cut + 1)];
    const { state } = one.outcome;
    const row = files.get(`${state} ${folder}`) ?? { state, folder, names: [] };
    if (!take(name.length + 3 + (row.names.length === 0 ? folder.length + 40 : 0))) continue;
    row.names.push(name);
    files.set(`${state} ${folder}`, row);
  }
  const total = outcomes.length;
  const omitted = returned === total ? [] : [{ section: 'files', total, returned, next: null }];
  return { problems, files: [...files.values()], omitted };
}

const aloneBecause = {
  changed: 'it was changed after it was downloaded',
  foreign: 'a file that download_set did not write has this place',
  unnamed: 'a file that download_set did not write has this place, and no dry run has named it as it is now',
} as const;

function stateOf(outcome: FileOutcome['outcome']): object {
  if (outcome.state === 'left_alone') return { state: outcome.state, why: aloneBecause[outcome.why] };
  if (outcome.state !== 'failed') return { state: outcome.state };
  const { code, category, message } = outcome.error;
  return { state: outcome.state, error: { code, category, message: message.slice(0, 300) } };
}

/** Where each work lies: a folder that was there, one that is new, or several of which a person says which is meant. */
function workRows({ places }: Ran): object[] {
  return places.works.slice(0, mostWorks).map(({ work, is, folder, candidates }) => ({
    work: labelOf(work) || keyOfTarget(work),
    is,
    ...(is === 'unclear' ? { candidates: candidates.slice(0, mostNamed) } : { folder: folder.join('/') }),
  }));
}

/** One row for all that are left out for one reason. */
function leftOutRows(leftOut: readonly LeftOut[]): object[] {
  const rows = new Map<string, { state: string; why: string; slot: string; count: number; of: string[] }>();
  for (const { picture, state, why } of leftOut) {
    const key = `${why} ${picture.slot}`;
    const row = rows.get(key) ?? { state, why, slot: picture.slot, count: 0, of: [] };
    row.count += 1;
    if (row.of.length < mostNamed) row.of.push(shortLabelOf(picture.target));
    rows.set(key, row);
  }
  return [...rows.values()].slice(0, mostReasons);
}

function some(names: readonly string[]): string {
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return names.slice(0, mostNamed).map(quoted).join(', ') + more;
}

/** What a person should know of a download beside its files. */
function warningsOf({ outcomes, places }: Ran, layout: LayoutName, dryRun: boolean): string[] {
  const warnings: string[] = [];
  const { words } = layouts[layout];
  const lacking = places.files.filter(({ lacksVideo }) => lacksVideo === true).length;
  if (lacking > 0) {
    warnings.push(
      `${countOfSlot(lacking, 'titlecard')} ${lacking === 1 ? 'is' : 'are'} called as videos usually are, since no such video lies below the folder: ${words} shows a card where it is called exactly as its video.`,
    );
  }
  const hidden = [...new Set(places.files.flatMap(({ hiddenBy }) => hiddenBy ?? []))];
  if (hidden.length > 0) {
    warnings.push(
      `${words} shows other files instead of some of these, as long as they lie there: ${some(hidden)}. They stay as they are.`,
    );
  }
  const converted = outcomes.filter(({ convertedFrom }) => convertedFrom !== undefined);
  if (converted.length > 0) {
    const types = [...new Set(converted.map(({ convertedFrom }) => convertedFrom))].join(', ');
    warnings.push(
      `${words} can't read ${types}: ${dryRun ? 'these will be' : 'these were'} converted to JPEG, or to PNG where they are transparent, and are not animated then: ${some(converted.map(({ path }) => path))}.`,
    );
  }
  const alone = outcomes.filter(({ outcome }) => outcome.state === 'left_alone').length;
  if (alone > 0) {
    warnings.push(
      `${alone} places hold files that download_set did not write, or that were changed since. They stay as they are; with takeOver they are replaced, and the old ones are kept.`,
    );
  }
  const failed = outcomes.filter(({ outcome }) => outcome.state === 'failed').length;
  if (failed > 0 && !dryRun) {
    warnings.push(`${failed} files failed. The same call tries them again and fetches nothing twice.`);
  }
  return warnings;
}

interface Again {
  readonly dryRun?: boolean | undefined;
  readonly takeOver?: boolean | undefined;
}

/**
 * What leads on from a call. The same call goes on only where this one got further, so that following it always ends.
 * @param again the call as it was made
 */
export function nextOfDownload(ran: Ran, again: Again & Readonly<Record<string, unknown>>): Next | null {
  const has = (...states: readonly FileOutcome['outcome']['state'][]) =>
    ran.outcomes.some(({ outcome }) => states.includes(outcome.state));
  const call = (args: object, why: string): Next => ({ tool: 'download_set', arguments: { ...args }, why });
  const { dryRun, ...args } = again;
  const isUnclear = ran.places.works.some(({ is }) => is === 'unclear');
  const end = isUnclear
    ? {
        why: 'Ask the person which of the folders in `works` is meant: the same call with that one as `folder` takes it; with another folder beside them it makes a new one.',
      }
    : null;
  if (dryRun === true) {
    if (has('would_take_over'))
      return call(
        args,
        'It writes what this shows, once the person has agreed that files of others are replaced.',
      );
    return has('would_write', 'would_replace') ? call(args, 'It writes what this shows.') : end;
  }
  if (ran.diskFull) {
    return {
      why: 'The disk has no room for the rest. Only a person can free space; then the same call goes on where this one ended.',
    };
  }
  if (!isPending(ran)) {
    const isUnnamed = ran.outcomes.some(
      ({ outcome }) => outcome.state === 'left_alone' && outcome.why === 'unnamed',
    );
    return isUnnamed ? call({ ...args, dryRun: true }, 'It names the files that are to be replaced.') : end;
  }
  if (has('written', 'replaced'))
    return call(again, 'It goes on with the rest; what is there already is not fetched again.');
  return ran.stoppedAfter === null
    ? {
        why: 'Nothing arrived in the time of this call. A person looks whether the service can be reached; the same call goes on then.',
      }
    : {
        why: `${ran.stoppedAfter} files failed in a row, so the rest was not begun. A person looks at \`problems\`, whether the service has these pictures and whether the folder can be written to; the same call begins with the others then.`,
      };
}

interface UpdatedRow extends ReturnType<typeof nameOf> {
  readonly is: string;
  readonly [more: string]: unknown;
}

/** What an update tells: how many downloads came to what, each that has something to say, and how many were left undone. */
export function updateReport({ downloads, looked, gone, feedsCut }: Update) {
  const counts: Record<string, number> = {};
  const count = (state: string, by = 1) => {
    if (by > 0) counts[state] = (counts[state] ?? 0) + by;
  };
  count('unchanged', downloads - looked.length - gone.length);
  const files: Record<string, number> = {};
  const rows: UpdatedRow[] = [];
  for (const { download, outcome } of looked) {
    const { is, row } = rowOf(outcome);
    count(is);
    if (outcome.is === 'looked') {
      for (const [state, number] of Object.entries(countsOf(outcome.ran)))
        files[state] = (files[state] ?? 0) + number;
    }
    if (row !== null) rows.push({ ...nameOf(download), is, ...row });
  }
  count('gone', gone.length);
  for (const download of gone) rows.push({ ...nameOf(download), is: 'gone' });
  let budget = updateBudget;
  const told = rows.filter((row) => {
    budget -= JSON.stringify(row).length;
    return budget >= 0;
  });
  const undone = ['undone', 'failed', 'pending'].reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  return {
    data: { downloads, counts, files, undone: feedsCut ? downloads : undone, sets: told },
    omitted:
      told.length === rows.length
        ? []
        : [{ section: 'sets', total: rows.length, returned: told.length, next: null }],
  };
}

/** What one download came to, and what there is to say of it; null: nothing. */
function rowOf(outcome: UpdatedDownload['outcome']): { readonly is: string; readonly row: object | null } {
  switch (outcome.is) {
    case 'same':
      return { is: 'unchanged', row: null };
    case 'gone':
      return { is: 'gone', row: { why: 'the service has it no more; its files stay' } };
    case 'pending':
      return { is: 'pending', row: {} };
    case 'failed': {
      const { code, message } = outcome.error;
      return { is: 'failed', row: { error: { code, message: message.slice(0, 300) } } };
    }
    case 'looked': {
      const { ran } = outcome;
      const counts = countsOf(ran);
      const has = (...states: readonly string[]) => states.some((state) => counts[state] !== undefined);
      const isLeft =
        has('pending', 'failed', 'unclear') ||
        ran.setsLeftOut.some(({ state }) => state === 'failed' || state === 'pending');
      const isNew = has('written', 'replaced', 'would_write', 'would_replace');
      const { problems } = filesOf(ran.outcomes);
      const asked = workRows(ran).filter((row) => 'candidates' in row);
      const leftOut = leftOutRows(ran.places.leftOut.filter(({ state }) => state !== 'no_place'));
      const is = isLeft ? 'undone' : isNew ? 'updated' : 'unchanged';
      if (!isNew && !isLeft && problems.length + leftOut.length === 0) return { is, row: null };
      const row = {
        ...{ counts, credits: creditsOf(ran) },
        ...(problems.length === 0 ? {} : { problems: problems.slice(0, 5) }),
        ...(leftOut.length === 0 ? {} : { leftOut: leftOut.slice(0, 5) }),
        ...(asked.length === 0 ? {} : { works: asked.slice(0, 5) }),
      };
      return { is, row };
    }
  }
}

function nameOf({ kind, id, title, layout, folders }: KeptDownload) {
  return { set: { kind, id, title }, layout, folder: folders.join('/') };
}
