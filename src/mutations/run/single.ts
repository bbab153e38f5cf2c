import type { Json } from '../../canonical-json.ts';
import { type FileRequest, type JsonRequest, jsonBytes, sendable } from '../../catalogue/request.ts';
import { deadlineIn } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { Finding, LookContext, Single } from '../change.ts';
import type { UploadSource } from '../ports.ts';
import { keptErrorOf, storeReceipt } from '../receipt.ts';
import { type Answered, decide } from './decide.ts';
import { lookAt, verdictOfFinding } from './look.ts';
import { explained, leave, noteAnswer, persist, type Run, refusalOf } from './run.ts';
import { type Answer, createWire, longestPauseMs, type Wire } from './wire.ts';

/** All reads between two steps of a run. ms */
const readsMs = 15_000;

/** How long a run waits for what the service works on, long after the call has answered if need be. ms */
const followMs = 600_000;

/** What one run has seen so far, beside the row. */
interface Sight {
  readonly answer: Answer | null;
  /** What the service's yes says. */
  readonly receipt: Finding | null;
  /** The last look since the answer. */
  readonly look: Finding | ArtworkError | null;
  readonly looks: number;
}

const nothingSeen: Sight = { answer: null, receipt: null, look: null, looks: 0 };

/** Sends a single change, or goes on with it, until it has ended or nothing more can be learnt of it now. */
export async function runSingle(run: Run<Single>, source: UploadSource | null): Promise<void> {
  const { change, ports } = run;
  if (run.row.state === 'accepted') return follow(run);
  const wire = createWire(run);
  const notes: Notes = { noticed: run.body.noticed };
  let sight = nothingSeen;
  for (let sent = 0; ; ) {
    const step = decide({
      identity: change.identity,
      doubt: run.row.doubt,
      answer: answeredOf(sight),
      look: sight.look instanceof ArtworkError ? 'unreadable' : (sight.look?.found ?? null),
      looks: sight.looks,
      sent,
    });
    switch (step.do) {
      case 'send': {
        sent += 1;
        const answer = await sendWhole(run, wire, source, notes);
        sight = { ...nothingSeen, answer, receipt: receiptIn(change, answer) };
        run.error = 'error' in answer ? answer.error : null;
        await noteAnswer(run, answeredOf(sight), change.identity !== 'none');
        if (answer.is === 'turned away' && answer.waitMs > longestPauseMs) return leave(run);
        break;
      }
      case 'look': {
        await ports.clock.sleep(step.afterMs, run.closing);
        if (run.closing.aborted) return leave(run);
        const deadline = deadlineIn(readsMs, run.closing, ports.clock);
        const look = await lookAt(ports, change, run.row, notes.noticed, deadline);
        sight = { ...sight, look, looks: sight.looks + 1 };
        if (look instanceof ArtworkError) run.error ??= look;
        break;
      }
      case 'believe':
        return believe(run, step.what === 'answer' ? sight.receipt : sight.look, notes.noticed);
      case 'end':
        return endUnchanged(run, step.as, step.clear, sight);
      case 'leave':
        return leaveOpen(run, sight);
    }
  }
}

interface Notes {
  /** What was looked at before the first sending. */
  noticed: Json;
}

/**
 * One request. Before it, in this order: a token, what has to be noticed (of an upload, whether the service knows the id),
 * and last of all the comparison of what it rests on; then the ledger knows that it is being sent.
 */
async function sendWhole(
  run: Run<Single>,
  wire: Wire,
  source: UploadSource | null,
  notes: Notes,
): Promise<Answer> {
  const { change, ports, ledger, lease } = run;
  const isFirst = run.row.doubt === 'none';
  let request: JsonRequest | FileRequest;
  try {
    await wire.ready();
    const deadline = deadlineIn(readsMs, run.signal, ports.clock);
    const { owned } = ports;
    if (isFirst) notes.noticed = await change.notice({ owned, deadline });
    request = change.request(notes.noticed);
    if (request.body.kind === 'file' && source === null) throw unreadableSource();
    const reads: LookContext = { owned, noticed: notes.noticed, deadline };
    await change.requireCurrent(isFirst ? 'before sending' : 'before a repetition', reads);
    run.row = await ledger.send(lease, { noticed: notes.noticed });
  } catch (error) {
    if (error instanceof ArtworkError) return { is: 'unsent', error };
    throw error;
  }
  return wire.sendOne((token) => {
    if (isJson(request)) return sendable(request, token, jsonBytes(request));
    if (source === null) throw unreadableSource();
    return sendable(request, token, source.body(run.leaseSignal));
  });
}

function isJson(request: JsonRequest | FileRequest): request is JsonRequest {
  return request.body.kind === 'json';
}

function unreadableSource(): ArtworkError {
  return new ArtworkError('upload_refused', 'The file that was declared can not be read any more.');
}

function receiptIn(change: Single, answer: Answer): Finding | null {
  return answer.is === 'applied' ? change.receiptOf(answer.body) : null;
}

function answeredOf({ answer, receipt }: Sight): Answered {
  if (answer === null) return null;
  switch (answer.is) {
    case 'applied':
      return receipt?.found === 'ended' || receipt?.found === 'working' ? receipt.found : 'unreadable';
    case 'refused':
      return refusalOf(answer.error);
    default:
      return answer.is;
  }
}

/** The service has it, or says how it ended. */
async function believe(run: Run<Single>, shown: Finding | ArtworkError | null, noticed: Json): Promise<void> {
  const { ledger, lease } = run;
  if (shown === null || shown instanceof ArtworkError) throw new TypeError('There is nothing to believe.');
  switch (shown.found) {
    case 'ended': {
      const whole = await withRevision(run, shown, noticed);
      const row = await persist(run, () => ledger.conclude(lease, lease.id, verdictOfFinding(whole)));
      if (row !== null) run.row = row;
      run.error = whole.error ?? null;
      return;
    }
    case 'working':
      run.row = await persist(run, () => ledger.accept(lease, storeReceipt(shown.receipt), null));
      run.error = null;
      return follow(run);
    default:
      throw new TypeError(`"${shown.found}" is nothing to believe.`);
  }
}

/** The next change of the same thing needs its revision: where the answer does not tell it, one look may. */
async function withRevision(
  { ports, change, row, closing }: Run<Single>,
  ended: Extract<Finding, { found: 'ended' }>,
  noticed: Json,
): Promise<typeof ended> {
  const { receipt } = ended;
  if (change.identity !== 'revision' || receipt.updatedAt !== null) return ended;
  const deadline = deadlineIn(revisionMs, closing, ports.clock);
  const shown = await lookAt(ports, change, row, noticed, deadline);
  if (shown instanceof ArtworkError || shown.found !== 'ended') return ended;
  return { ...ended, receipt: { ...receipt, updatedAt: shown.receipt.updatedAt } };
}

const revisionMs = 5_000;

async function endUnchanged(
  run: Run<Single>,
  as: 'refused' | 'not_sent',
  clear: boolean,
  { answer }: Sight,
): Promise<void> {
  const { ledger, lease } = run;
  const told = answer !== null && 'error' in answer ? answer.error : null;
  const error = as === 'refused' && told !== null ? await explained(run, told) : told;
  run.error = error;
  if (clear) run.row = await persist(run, () => ledger.clear(lease));
  run.row = await persist(run, () =>
    ledger.changedNothing(lease, as, error === null ? null : keptErrorOf(error)),
  );
}

/** After a conflict, the same upload once more tells whether it is its own. */
async function leaveOpen(run: Run<Single>, sight: Sight): Promise<void> {
  const { ledger, lease, change } = run;
  if (answeredOf(sight) === 'conflict' && change.identity === 'upload') {
    run.row = await persist(run, () => ledger.turnedAway(lease, true));
  }
  return leave(run);
}

/** The service works on it: looks again and again until it has ended. */
async function follow(run: Run<Single>): Promise<void> {
  const { ports, change, closing, ledger, lease } = run;
  const until = ports.clock.monotonic() + followMs;
  for (let pauseMs = 1_000; ports.clock.monotonic() < until; pauseMs = Math.min(pauseMs * 2, 15_000)) {
    await ports.clock.sleep(pauseMs, AbortSignal.any([closing, run.leaseSignal]));
    if (closing.aborted || run.leaseSignal.aborted) break;
    const deadline = deadlineIn(readsMs, closing, ports.clock);
    const shown = await lookAt(ports, change, run.row, run.body.noticed, deadline);
    if (shown instanceof ArtworkError || shown.found !== 'ended') continue;
    const row = await persist(run, () => ledger.conclude(lease, lease.id, verdictOfFinding(shown)));
    if (row !== null) run.row = row;
    run.error = shown.error ?? null;
    return;
  }
  await leave(run);
}
