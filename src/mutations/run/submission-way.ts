import { isSameId } from '../../catalogue/records/members.ts';
import { itemIdOfReceipt, readSubmission, type Submission } from '../../catalogue/submission.ts';
import { quoted } from '../../text.ts';
import { ArtworkError } from '../../errors.ts';
import { callCancelledError } from '../caller.ts';
import type { Finding } from '../finding.ts';
import type { Names } from '../names.ts';
import {
  foreignSubmissionError,
  isForeignSubmission,
  judgeSubmission,
  requireSameSubmission,
} from '../operations/lookups.ts';
import { type Checkpoint, type Declared, type FileItem, fileItems } from '../submission.ts';
import {
  begun,
  changed,
  givenUpOf,
  lackingOf,
  mayTellMore,
  namedIn,
  openOf,
  seenIn,
  type Transfers,
  transfersOf,
  unclearOf,
  untouchedStatuses,
} from './transfers.ts';
import {
  type Answer,
  type Journal,
  type Moment,
  patienceMs,
  pauseMs,
  type RunEvent,
  type RunRequest,
  type Step,
  type Way,
} from './way.ts';

/** What the way of a submission has to know of the mutation. */
interface SubmissionMutation {
  readonly clientMutationId: string;
  readonly declared: Declared;
  readonly names: Names | undefined;
}

/** What this process has seen of a submission since it took the lease. */
export interface SubmissionSeen {
  /** How often the admission was sent, what it came to last, and whether an earlier one is in doubt. */
  readonly admission: {
    readonly sent: number;
    readonly answer: Answer | null;
    /** `answered`: with a 401 or 429, so that it can't arrive later; `lost`: it may still arrive. */
    readonly doubt: 'no' | 'answered' | 'lost';
  };
  readonly transfers: Transfers;
  /** The last look since the last pause. */
  readonly look: Submission | ArtworkError | null;
  /** Looks since the last news. */
  readonly looks: number;
  /** Looks in a row for which the service did not know the submission. */
  readonly missed: number;
  /** What the last look has shown, to be compared. */
  readonly shown: string;
  /** When there was something new last, ms. */
  readonly newsAt: number;
  /** What did not go well since the last pause. */
  readonly trouble: ArtworkError | null;
  /** How long the service asks to be left alone, ms. */
  readonly waitMs: number;
  /** Why nothing can go on in this process. */
  readonly fatal: ArtworkError | null;
  readonly isCompleted: boolean;
  /** How often the service has refused to complete it. */
  readonly refusals: number;
}

type SubmissionStep = Step<Submission>;
type SubmissionJournal = Journal<Checkpoint>;

/** How often one run sends the admission. */
const mostAdmissions = 4;
/** A service that asks for more patience is asked again by the caller. ms */
const longestAdmissionWaitMs = 30_000;
/** The service answers, and refuses to complete: that it comes to think otherwise is less likely. ms */
const refusedMs = 2 * 60_000;
/** After so many completions that were refused while the service lacks a file that it has refused, a person has to look. */
const mostRefusals = 3;
/** After so many looks in a row the service surely does not know the submission. */
const mostMissed = 4;

/**
 * The way of a submission: it is admitted, the service is asked what it has, what it lacks is sent, and it is completed
 * once every transfer is acknowledged or finally refused (interface document, Media Set creation and Grouped Set edit).
 */
export function submissionWay(mutation: SubmissionMutation): Way<Checkpoint, SubmissionSeen, Submission> {
  const files = fileItems(mutation.declared);
  return {
    begin: ({ progress }, at) => ({
      admission: { sent: 0, answer: null, doubt: 'no' },
      transfers: transfersOf(files, progress),
      look: null,
      looks: 0,
      missed: 0,
      shown: '',
      newsAt: at,
      trouble: null,
      waitMs: 0,
      fatal: null,
      isCompleted: false,
      refusals: 0,
    }),
    hear: (journal, seen, event) => hear(mutation, files, journal, seen, event),
    decide(journal, seen, moment) {
      if (journal.state !== 'processing') return admit(mutation, journal, seen, moment);
      if (seen.fatal !== null) return stopped(seen.fatal);
      if (seen.isCompleted ? moment.stop === 'closing' : moment.stop !== 'no')
        return stopped(callCancelledError());
      return finish(mutation, files, journal, seen, moment);
    },
  };
}

interface HeardSubmission {
  readonly seen: SubmissionSeen;
  readonly progress: Checkpoint;
}

function hear(
  mutation: SubmissionMutation,
  files: readonly FileItem[],
  journal: SubmissionJournal,
  seen: SubmissionSeen,
  event: RunEvent<Submission>,
): HeardSubmission {
  const { progress } = journal;
  switch (event.event) {
    case 'sending':
      return sending(files, progress, seen, event.request);
    case 'answered':
      return answered(mutation, files, progress, seen, event);
    case 'blocked':
      return { seen: { ...seen, fatal: event.error }, progress };
    case 'accepted': {
      const changes = progress.idle > 0 ? { ...progress, idle: 0 } : progress;
      return { seen: { ...seen, newsAt: event.at }, progress: changes };
    }
    case 'looked':
      return looked(files, journal, seen, event);
    case 'waited':
      return {
        seen: { ...seen, look: null, trouble: null, waitMs: 0, looks: seen.looks + 1 },
        progress,
      };
    case 'leaving':
      return { seen, progress: noteOfLeaving(progress, seen, event.error) };
  }
}

/**
 * A process that resumes the submission later must know which files were never sent. Writing that before each of them
 * would write the whole entry as often; a mark that is moved on by several at a time is enough.
 */
function sending(
  files: readonly FileItem[],
  progress: Checkpoint,
  seen: SubmissionSeen,
  request: RunRequest,
): HeardSubmission {
  switch (request.is) {
    case 'admission': {
      const admission = { ...seen.admission, sent: seen.admission.sent + 1, answer: null };
      return { seen: { ...seen, admission }, progress };
    }
    case 'transfer': {
      const { item } = request;
      const transfers = begun(seen.transfers, item);
      const several = Math.max(transfersAtOnce, Math.ceil(files.length / 10));
      const mark = Math.min(files.length, item + several);
      const changes = item < progress.mark ? progress : { ...progress, mark, open: openOf(transfers, mark) };
      return { seen: { ...seen, transfers }, progress: changes };
    }
    case 'completion': {
      const open = openOf(seen.transfers, progress.mark);
      return { seen, progress: open.length === progress.open.length ? progress : { ...progress, open } };
    }
    case 'whole':
      return { seen, progress };
  }
}

/** The interface document names no limit; a slow line is full with few. */
export const transfersAtOnce = 3;

type Answered = Extract<RunEvent<Submission>, { event: 'answered' }>;

function answered(
  mutation: SubmissionMutation,
  files: readonly FileItem[],
  progress: Checkpoint,
  seen: SubmissionSeen,
  { request, answer, at }: Answered,
): HeardSubmission {
  switch (request.is) {
    case 'admission': {
      const { submissionId } =
        answer.is === 'applied'
          ? readSubmission(answer.body, mutation.declared.kind)
          : { submissionId: null };
      const changes = submissionId === null ? progress : { ...progress, submissionId };
      const admission = { ...seen.admission, answer, doubt: doubtAfter(seen.admission.doubt, answer) };
      // With another token it is asked again at once.
      const isPauseDue = submissionId === null && !(answer.is === 'turned away' && answer.status === 401);
      const trouble = isPauseDue ? errorOf(answer) : null;
      const waitMs = answer.is === 'turned away' ? answer.waitMs : 0;
      return { seen: { ...seen, admission, look: null, trouble, waitMs }, progress: changes };
    }
    case 'transfer':
      return transferred(progress, seen, request.item, ofItem(answer, files[request.item]), at);
    case 'completion':
      return completed(mutation, files, progress, seen, answer, at);
    case 'whole':
      return { seen, progress };
  }
}

function doubtAfter(before: SubmissionSeen['admission']['doubt'], answer: Answer) {
  switch (answer.is) {
    // It is not said under which id it was admitted.
    case 'applied':
    case 'lost':
      return 'lost';
    case 'turned away':
      return before === 'lost' ? 'lost' : 'answered';
    case 'refused':
    case 'unsent':
      return before;
  }
}

/** Another file's receipt, from a cache between, says nothing of this one: whether it has arrived is looked at. */
function ofItem(answer: Answer, file: FileItem | undefined): Answer {
  if (answer.is !== 'applied') return answer;
  const itemId = itemIdOfReceipt(answer.body);
  if (itemId === null || (file !== undefined && isSameId(itemId, file.itemId))) return answer;
  const error = new ArtworkError('bad_response', 'The service answered with the receipt of another file.');
  return { is: 'lost', error };
}

function transferred(
  progress: Checkpoint,
  seen: SubmissionSeen,
  item: number,
  answer: Answer,
  at: number,
): HeardSubmission {
  const become = (change: Parameters<typeof changed>[2]) => ({
    ...seen,
    transfers: changed(seen.transfers, item, change),
  });
  switch (answer.is) {
    case 'applied': {
      const news = { ...become({ state: 'arrived', error: null }), newsAt: at, looks: 0 };
      return { seen: news, progress: progress.idle > 0 ? { ...progress, idle: 0 } : progress };
    }
    case 'refused': {
      const { error, status } = answer;
      // Neither what the connection may do, nor where the service is, nor the whole submission is a file's own matter.
      if (status < 400 || status === 403 || status === 404)
        return { seen: { ...seen, fatal: error }, progress };
      const refused = [...progress.refused, { item, code: error.code, message: error.message.slice(0, 300) }];
      return { seen: become({ state: 'refused', error }), progress: { ...progress, refused } };
    }
    case 'turned away': {
      const { error, renewal, waitMs } = answer;
      const next = { ...become({ state: 'turned away', error }), trouble: error };
      return {
        seen: { ...next, waitMs: Math.max(seen.waitMs, waitMs), fatal: renewal ?? seen.fatal },
        progress,
      };
    }
    case 'lost':
    case 'unsent': {
      const { error } = answer;
      const state = answer.is === 'lost' ? 'lost' : 'absent';
      const fatal = isFinal(error) ? error : seen.fatal;
      return { seen: { ...become({ state, error }), trouble: error, fatal }, progress };
    }
  }
}

/** Whether a request could not leave for a reason that the next one meets as well. */
function isFinal({ category }: ArtworkError): boolean {
  switch (category) {
    // The copy changed or broke under our hands: its last chunk was withheld.
    case 'upload_refused':
    case 'not_connected':
    case 'reconnect_required':
    case 'scope_missing':
    case 'cancelled':
      return true;
    default:
      return false;
  }
}

function completed(
  { declared }: SubmissionMutation,
  files: readonly FileItem[],
  progress: Checkpoint,
  seen: SubmissionSeen,
  answer: Answer,
  at: number,
): HeardSubmission {
  switch (answer.is) {
    case 'applied': {
      const submission = readSubmission(answer.body, declared.kind);
      const news = { look: submission, isCompleted: true, newsAt: at, looks: 0 };
      return {
        seen: { ...seen, ...news },
        progress: progress.idle > 0 ? { ...progress, idle: 0 } : progress,
      };
    }
    case 'refused': {
      const { error, status } = answer;
      const fatal = status === 403 || status === 404 ? error : null;
      const transfers = namedIn(seen.transfers, files, idsIn(error), { asked: at, heard: at });
      return {
        seen: { ...seen, transfers, trouble: error, fatal, refusals: seen.refusals + 1 },
        progress,
      };
    }
    case 'turned away': {
      const { error, renewal, waitMs } = answer;
      return { seen: { ...seen, trouble: error, waitMs, fatal: renewal }, progress };
    }
    case 'lost':
    case 'unsent': {
      const { error } = answer;
      return { seen: { ...seen, trouble: error, fatal: isFinal(error) ? error : null }, progress };
    }
  }
}

/** "`path` being an array of strings naming the affected field or item" (Errors). */
function idsIn({ issues }: ArtworkError): ReadonlySet<string> {
  return new Set((issues ?? []).flatMap(({ path }) => path.map((step) => step.toLowerCase())));
}

type Looked = Extract<RunEvent<Submission>, { event: 'looked' }>;

function looked(
  files: readonly FileItem[],
  { state, progress }: SubmissionJournal,
  seen: SubmissionSeen,
  { shown: look, asked, heard }: Looked,
): HeardSubmission {
  if (look instanceof ArtworkError) {
    const missed = look.category === 'not_found' ? seen.missed + 1 : 0;
    const isOver = missed >= mostMissed || !isPassing(look);
    // Before it is accepted a look only serves to tell whose it is.
    const fatal = isOver && state === 'processing' ? look : seen.fatal;
    return { seen: { ...seen, look, missed, fatal }, progress };
  }
  const shown = JSON.stringify([look.outcome, look.items.map(({ status }) => status)]);
  const news = shown === seen.shown ? {} : { shown, newsAt: heard, looks: 0 };
  const untouched = progress.untouched ?? untouchedStatuses(files, look);
  const transfers = seenIn(seen.transfers, files, untouched, look, { asked, heard });
  // "unresolved" is the service's own word for what it could not confirm (States, rule 6).
  const unconfirmed = look.state === 'unresolved';
  const isNoted = progress.untouched !== null && progress.unconfirmed === unconfirmed;
  return {
    seen: { ...seen, ...news, look, missed: 0, transfers },
    progress: isNoted ? progress : { ...progress, untouched, unconfirmed },
  };
}

function isPassing({ category }: ArtworkError): boolean {
  switch (category) {
    case 'network':
    case 'service_unavailable':
    case 'rate_limited':
    case 'bad_response':
    case 'not_found':
      return true;
    default:
      return false;
  }
}

/** Why it was left, and what is open, so that a process that resumes it need not ask about what has arrived. */
function noteOfLeaving(
  progress: Checkpoint,
  { transfers }: SubmissionSeen,
  error: ArtworkError | null,
): Checkpoint {
  // A person's or the program's end says nothing of whether it could go on.
  const isCounted = error !== null && error.category !== 'cancelled';
  if (progress.submissionId === null) {
    return isCounted ? { ...progress, idle: progress.idle + 1 } : progress;
  }
  const open = openOf(transfers, progress.mark);
  if (!isCounted) return { ...progress, open };
  const stopped = { code: error.code, message: error.message.slice(0, 1_000) };
  return { ...progress, open, stopped, idle: progress.idle + 1 };
}

const look: SubmissionStep = { step: 'look', anyone: false };

function stopped(error: ArtworkError): SubmissionStep {
  return { step: 'leave', error, unresolved: false };
}

/** Asks the service to admit it. The identical admission, sent again, is answered with the first receipt. */
function admit(
  { clientMutationId, declared }: SubmissionMutation,
  { doubt: before, progress }: SubmissionJournal,
  { admission, look: shown, fatal, trouble, waitMs }: SubmissionSeen,
  { stop }: Moment,
): SubmissionStep {
  const { answer, sent } = admission;
  const isDoubtful = before || admission.doubt !== 'no';
  const ended = (error: ArtworkError): SubmissionStep =>
    isDoubtful ? { step: 'leave', error, unresolved: true } : { step: 'end', as: 'not_sent', error };
  if (progress.submissionId !== null) {
    const isNew = !before && sent === 1;
    // A receipt that is given again may say how the submission stood at first: it is looked at.
    if (isNew && shown === null) return look;
    if (isNew && !(shown instanceof ArtworkError) && shown !== null) {
      if (isForeignSubmission(shown, declared, progress)) {
        const error = foreignSubmissionError(shown, clientMutationId, declared);
        return { step: 'end', as: 'refused', error };
      }
    }
    return { step: 'accept', receipt: null };
  }
  if (answer?.is === 'refused') {
    const { status, error } = answer;
    if (before || admission.doubt === 'lost' || (isDoubtful && !weighed.has(status))) return ended(error);
    return { step: 'end', as: 'refused', error, explain: status === 409 };
  }
  if (answer?.is === 'turned away' && answer.renewal !== null) {
    return { step: 'leave', error: answer.error, unresolved: true, told: answer.renewal };
  }
  if (fatal !== null) return ended(fatal);
  const error = answer === null ? null : errorOf(answer);
  const isLast = sent >= mostAdmissions || waitMs > longestAdmissionWaitMs;
  const isStuck = answer?.is !== 'turned away' && error !== null && isFinal(error);
  if (error !== null && (!isDoubtful || isLast || isStuck)) return ended(error);
  if (stop !== 'no') return ended(callCancelledError());
  if (trouble !== null) return { step: 'wait', ms: Math.max(pauseMs(sent), waitMs), until: 'cancelled' };
  return { step: 'send', requests: [{ is: 'admission' }], repeated: isDoubtful };
}

/**
 * Refusals of somebody who has read the admission: had an earlier one been admitted, the identical one would have been
 * answered with its receipt. Any other may come from somebody on the way, who knows of neither.
 */
const weighed: ReadonlySet<number> = new Set([400, 409, 422]);

/** Why an admission has brought no submission. */
function errorOf(answer: Answer): ArtworkError {
  return answer.is === 'applied'
    ? new ArtworkError('bad_response', 'The service accepted it and did not say under which id.')
    : answer.error;
}

/** Always the same again: look at what the service has, send what it lacks, complete it, and wait. */
function finish(
  mutation: SubmissionMutation,
  files: readonly FileItem[],
  { progress }: SubmissionJournal,
  seen: SubmissionSeen,
  moment: Moment,
): SubmissionStep {
  const { look: shown, trouble, transfers, isCompleted } = seen;
  if (shown === null) return look;
  if (shown instanceof ArtworkError) return pause(files, progress, seen, shown, moment);
  const finding = judge(shown, mutation, progress.submissionId);
  if (finding instanceof ArtworkError) return stopped(finding);
  if (isForeignSubmission(shown, mutation.declared, progress)) {
    const error = foreignSubmissionError(shown, mutation.clientMutationId, mutation.declared);
    return { step: 'leave', error, unresolved: true };
  }
  if (finding.found === 'ended') return { step: 'end', as: 'found', finding, shown };
  if (trouble !== null || isCompleted) return pause(files, progress, seen, trouble, moment);
  const [first, ...rest] = lackingOf(transfers).map((item) => ({ is: 'transfer', item }) as const);
  if (first !== undefined) return { step: 'send', requests: [first, ...rest], repeated: false };
  const failure = givenUpOf(transfers);
  if (failure !== null) return stopped(failure);
  if (mayTellMore(transfers)) return pause(files, progress, seen, null, moment);
  return { step: 'send', requests: [{ is: 'completion' }], repeated: false };
}

function judge(
  submission: Submission,
  { clientMutationId, declared, names }: SubmissionMutation,
  submissionId: string | null,
): Finding | ArtworkError {
  try {
    requireSameSubmission(submission, submissionId);
    return judgeSubmission(submission, clientMutationId, declared, names);
  } catch (error) {
    if (error instanceof ArtworkError) return error;
    throw error;
  }
}

function pause(
  files: readonly FileItem[],
  { refused }: Checkpoint,
  seen: SubmissionSeen,
  error: ArtworkError | null,
  { at, now }: Moment,
): SubmissionStep {
  const { waitMs, looks, newsAt, isCompleted, refusals, transfers } = seen;
  const isRefused = error?.category === 'conflict' || error?.category === 'invalid_arguments';
  const isOver = at - newsAt >= (isRefused ? refusedMs : patienceMs);
  const held = isRefused ? refused.find(({ item }) => mayHoldUp(files, transfers, item, error)) : undefined;
  const isHopeless = held !== undefined && refusals >= mostRefusals;
  if (isOver || isHopeless) return stopped(whyStuck(files, held, unclearOf(transfers), error));
  if (waitMs > patienceMs) return stopped(askedToWait(now + waitMs, error));
  const ms = Math.max(pauseMs(looks), waitMs);
  return { step: 'wait', ms, until: isCompleted ? 'closing' : 'cancelled' };
}

/** Whether the completion may be refused for a file that the service did not take. */
function mayHoldUp(files: readonly FileItem[], transfers: Transfers, item: number, error: ArtworkError) {
  const named = idsIn(error);
  // The service may have let this item go, and still work on another file.
  const isPending = transfers[item]?.state === 'refused';
  return isPending && (named.size === 0 || named.has(files[item]?.itemId ?? ''));
}

/** No process waits that long: the submission is left to be resumed. @param until milliseconds since 1970 */
function askedToWait(until: number, error: ArtworkError | null): ArtworkError {
  const at = new Date(until).toISOString();
  return new ArtworkError('rate_limited', `The service asks to be left alone until ${at}.`, {
    code: error?.code,
    details: { retryAt: at },
  });
}

function whyStuck(
  files: readonly FileItem[],
  refused: Checkpoint['refused'][number] | undefined,
  unclear: readonly number[],
  error: ArtworkError | null,
): ArtworkError {
  const said = error === null ? 'It shows no outcome' : error.message;
  if (refused !== undefined) {
    const name = files[refused.item]?.file.filename ?? '';
    const message = `The service did not take the file ${name} (${quoted(refused.code)}: ${refused.message}) and does not complete the submission without it. ${said}`;
    return new ArtworkError('conflict', message, { code: refused.code });
  }
  if (unclear.length > 0) {
    const names = unclear.slice(0, 5).map((item) => files[item]?.file.filename ?? '');
    const message = `Whether ${unclear.length} files have arrived can't be told, because the service shows them as it did before anything was sent (${names.join(', ')}), and nothing may be sent twice. ${said}`;
    return new ArtworkError('conflict', message);
  }
  return (
    error ?? new ArtworkError('service_unavailable', 'The service has shown nothing new for ten minutes.')
  );
}
