import type { Json } from '../../canonical-json.ts';
import { protectedError } from '../../catalogue/authorization.ts';
import { type FileRequest, type JsonRequest, sendFile, sendJson } from '../../catalogue/request.ts';
import type { SendOutcome, SendRequest } from '../../catalogue/send.ts';
import { timerMs } from '../../clock.ts';
import type { Bearer } from '../../connection/row.ts';
import { deadlineIn } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import type { StreamBody } from '../../http/exchange.ts';
import { mapLimit } from '../../map-limit.ts';
import { requireSameAccount } from '../account.ts';
import type { Observations } from '../answer/describe-mutation.ts';
import { callCancelledError } from '../caller.ts';
import { nextIn } from '../answer/table.ts';
import { storeReceipt } from '../finding.ts';
import { releaseBlobsOfEnded } from '../kept-files.ts';
import { transfersAtOnce } from './submission-way.ts';
import { type JournalWriter, LeaseLost, openJournal } from './journal.ts';
import { type HeldLease, holdLease } from './held-lease.ts';
import type { Run, RunEnd } from './run.ts';
import type { Answer, Ending, Moment, RunEvent, RunRequest, Step, Way } from './way.ts';

/** A request as it goes over the wire, with its bytes. */
export interface OnWire {
  readonly request: JsonRequest | FileRequest;
  readonly body: Buffer | StreamBody;
  /** A caller who gives the call up takes it back as long as its last chunk has not left. */
  readonly mayTakeBack: boolean;
  /** Harmless when repeated. */
  close(): Promise<void>;
}

/** What one kind of change touches of the world. All that it rejects with are ArtworkErrors. */
export interface Effects<Progress, Seen, Shown> {
  /** The journal, read from what the ledger keeps. @throws ArtworkError where it can't be read */
  read(progress: Json): Progress;
  look(progress: Progress, anyone: boolean): Promise<Shown>;
  /** Just before something is sent. Null: nothing stands against it; else why it must not be sent. */
  compare(step: Extract<Step<Shown>, { step: 'send' }>, progress: Progress): Promise<ArtworkError | null>;
  /** @param signal aborts the body */
  write(request: RunRequest, progress: Progress, signal: AbortSignal): Promise<OnWire>;
  /** The end as it is recorded and told: with what else the service shows of it. */
  complete(ending: Ending<Shown>): Promise<{ ending: Ending<Shown>; observed: Observations }>;
  /** What was saved is read back, where its body is only assumed. */
  confirm(savedId: string | null): Promise<Observations>;
  /** Something new was seen, which people may be told. */
  tell(seen: Seen): void;
  close(): Promise<void>;
}

/** For an answer that the service takes its time with, ms. */
const answerMs = 60_000;
/** The slowest line that an upload is still given up on only by the service, bytes per ms. */
const slowest = 16;

/**
 * Performs the steps of a run, one after the other, until it has ended or is left. It alone knows time, tokens, the
 * lease and the network: it asks for the lease before each request and before the last chunk of each body, and writes
 * the journal before each step that can have an effect, and after it.
 */
export async function execute<Progress extends Json, Seen, Shown>(
  run: Run,
  way: Way<Progress, Seen, Shown>,
  effects: Effects<Progress, Seen, Shown>,
): Promise<RunEnd> {
  const { account, lease } = run;
  const { ports, ledger, scope } = account;
  const { clientMutationId } = run.prepared.mutation;
  const held = holdLease(run);
  let isLost = false;
  let observed: Observations = {};
  try {
    observed = await performSteps(run, way, effects, held);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    isLost = true;
  } finally {
    held.stop();
    await effects.close();
    if (!isLost) await releaseLease(run);
  }
  // As it stands now that this process does not work on it any more.
  const view = (await ledger.read(scope, clientMutationId)) ?? missing(lease.key);
  await releaseBlobsOfEnded(ports, view);
  return { view, observed };
}

function missing(key: string): EntryView {
  throw new ArtworkError('internal', `An entry of the ledger vanished while it was worked on: ${key}.`);
}

/**
 * Ends the lease, however the work ended. What could not be recorded is found out by a later look.
 */
async function releaseLease({ account: { ports, ledger }, lease }: Run): Promise<void> {
  try {
    await ledger.release(lease);
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    ports.log.warn(`The lease of a mutation could not be released: ${error.message}`);
  }
}

async function performSteps<Progress extends Json, Seen, Shown>(
  run: Run,
  way: Way<Progress, Seen, Shown>,
  effects: Effects<Progress, Seen, Shown>,
  held: HeldLease,
): Promise<Observations> {
  const { ports, ledger } = run.account;
  const { clock } = ports;
  const { signals, lease } = run;
  const journal = openJournal(run, effects.read(run.view.entry.progress));
  let seen = way.begin(journal.current, clock.monotonic());

  const hear = async (event: RunEvent<Shown>): Promise<void> => {
    const before = journal.current.progress;
    const heard = way.hear(journal.current, seen, event);
    seen = heard.seen;
    effects.tell(seen);
    if (heard.progress !== before) await journal.note(heard.progress);
    // A request must not leave before what was noted for one beside it is on the disk.
    else if (event.event === 'sending') await journal.settled();
  };
  const send = async (step: Extract<Step<Shown>, { step: 'send' }>): Promise<void> => {
    const error = await effects.compare(step, journal.current.progress);
    if (error !== null) return hear({ event: 'blocked', error });
    let isTrouble = false;
    await mapLimit(step.requests, transfersAtOnce, async (request) => {
      if (isTrouble || signals.cancelled.aborted) return;
      const answer = await sendOne(run, effects, journal, held, request, () =>
        hear({ event: 'sending', request }),
      );
      if (answer.is !== 'applied' && answer.is !== 'refused') isTrouble = true;
      await hear({ event: 'answered', request, answer, at: clock.monotonic() });
    });
  };

  for (;;) {
    held.require();
    const step = way.decide(journal.current, seen, momentOf(run));
    switch (step.step) {
      case 'send':
        await send(step);
        break;
      case 'look': {
        const asked = clock.monotonic();
        const shown = await asOneAccount(run, () =>
          effects.look(journal.current.progress, step.anyone),
        ).catch(asArtworkError);
        await hear({ event: 'looked', shown, asked, heard: clock.monotonic() });
        break;
      }
      case 'clear doubt':
        await journal.move(() => ledger.clearDoubt(lease));
        break;
      case 'accept': {
        const { receipt } = step;
        await journal.move(() => {
          const { progress } = journal.current;
          return ledger.accept(lease, { receipt: receipt === null ? null : storeReceipt(receipt), progress });
        });
        await hear({ event: 'accepted', at: clock.monotonic() });
        break;
      }
      case 'wait': {
        await clock.sleep(step.ms, AbortSignal.any([signals[step.until], held.lost]));
        await hear({ event: 'waited' });
        break;
      }
      case 'end':
      case 'leave':
        return finish(run, effects, journal, step, (error) => hear({ event: 'leaving', error }));
    }
  }
}

function momentOf({ account: { ports }, signals }: Run): Moment {
  const stop = signals.closing.aborted ? 'closing' : signals.cancelled.aborted ? 'cancelled' : 'no';
  return { at: ports.clock.monotonic(), now: ports.clock.now(), stop };
}

/** Anything else that a promise rejects with is a defect. */
function asArtworkError(error: unknown): ArtworkError {
  if (error instanceof ArtworkError) return error;
  throw error;
}

async function finish<Progress extends Json, Seen, Shown>(
  run: Run,
  effects: Effects<Progress, Seen, Shown>,
  journal: JournalWriter<Progress>,
  last: Ending<Shown>,
  leave: (error: ArtworkError | null) => Promise<void>,
): Promise<Observations> {
  const { ledger, ports } = run.account;
  const { lease, prepared } = run;
  const { ending, observed } = await effects.complete(last);
  switch (ending.step) {
    case 'end': {
      if (ending.as !== 'found') {
        const { as: outcome, error } = ending;
        await journal.end(() => ledger.settle(lease, { outcome, error }));
        return { ...observed, error };
      }
      const { outcome, kept, error } = ending.finding;
      const warnings = [...kept.warnings, ...prepared.warnings];
      const receipt = storeReceipt({ ...kept, warnings });
      await journal.end(() => ledger.settle(lease, { outcome, receipt, error }));
      return ending.confirm === undefined
        ? observed
        : { ...observed, ...(await effects.confirm(ending.confirm.savedId)) };
    }
    case 'leave': {
      const { error, unresolved, told = error } = ending;
      await leave(error);
      if (unresolved) await journal.end(() => ledger.markUnresolved(lease, error));
      if (error !== null && !unresolved)
        ports.log.info(`A submission was left to be resumed: ${error.code}.`);
      return told === null ? observed : { ...observed, error: told };
    }
  }
}

/** Sends one request, once. All that stops it before its headers is an answer too: nothing of it left. */
async function sendOne<Progress, Seen, Shown>(
  run: Run,
  effects: Effects<Progress, Seen, Shown>,
  journal: JournalWriter<Progress>,
  held: HeldLease,
  request: RunRequest,
  announce: () => Promise<void>,
): Promise<Answer> {
  const { ports, ledger, scope } = run.account;
  const { signals, lease } = run;
  let bearer: Bearer;
  let wire: OnWire;
  const stopping = new AbortController();
  const stop = () => stopping.abort('stopped');
  try {
    bearer = await ports.connections.bearer({ signal: signals.closing });
    requireSameAccount(bearer, scope);
    wire = await effects.write(request, journal.current.progress, stopping.signal);
  } catch (error) {
    return { is: 'unsent', error: asArtworkError(error) };
  }
  let hasLeft = false;
  const takeBack = () => {
    if (wire.mayTakeBack && !hasLeft) stop();
  };
  const heard = [
    [signals.closing, stop],
    [held.lost, stop],
    [signals.cancelled, takeBack],
  ] as const;
  for (const [signal, listener] of heard) {
    signal.addEventListener('abort', listener);
    if (signal.aborted) listener();
  }
  const gate: SendRequest['gate'] = async (part) => {
    if (wire.mayTakeBack && signals.cancelled.aborted) throw callCancelledError();
    const isFresh = await held.ask();
    if (part === 'last') hasLeft = true;
    return isFresh;
  };
  try {
    await announce();
    if (stopping.signal.aborted) return { is: 'unsent', error: callCancelledError() };
    // A crash from here on means that it may have been sent.
    if (request.is === 'whole' || request.is === 'admission') await journal.move(() => ledger.send(lease));
    const outcome = await ports.send(
      { ...onWire(wire, bearer), gate },
      deadlineIn(answerMs + wire.body.length / slowest, stopping.signal),
    );
    held.require();
    return await judge(run, outcome, bearer);
  } catch (error) {
    if (error instanceof ArtworkError && error.category === 'upload_refused') return { is: 'unsent', error };
    throw error;
  } finally {
    for (const [signal, listener] of heard) signal.removeEventListener('abort', listener);
    await wire.close();
  }
}

function onWire({ request, body }: OnWire, bearer: Bearer): SendRequest {
  const token = bearer.token.reveal();
  if (request.body.kind === 'file') return sendFile({ ...request, body: request.body }, body, token);
  if (!Buffer.isBuffer(body)) throw new TypeError('A JSON body is sent whole.');
  return sendJson({ ...request, body: request.body }, token, body);
}

/**
 * The one place where answers are judged. A 401 is answered with one renewal of the token; what the service has is
 * looked at before anything leaves again.
 */
async function judge(run: Run, outcome: SendOutcome, bearer: Bearer): Promise<Answer> {
  switch (outcome.outcome) {
    case 'applied':
      return { is: 'applied', body: outcome.body };
    case 'not_sent':
      return { is: 'unsent', error: outcome.error };
    case 'unknown':
      return { is: 'lost', error: outcome.error };
    case 'refused': {
      const { status } = outcome;
      const error = protectedError(outcome.error, run.prepared.mutation.needed, bearer);
      if (status !== 401 && status !== 429) return { is: 'refused', status, error };
      const renewal = status === 401 ? await renew(run, bearer) : null;
      return { is: 'turned away', status, error, renewal, waitMs: waitOf(error) };
    }
  }
}

/** Why there is no other access token for the same account; null: there is one. */
async function renew(
  { account: { ports, scope }, signals }: Run,
  bearer: Bearer,
): Promise<ArtworkError | null> {
  try {
    requireSameAccount(await ports.connections.onUnauthorized(bearer, { signal: signals.closing }), scope);
    return null;
  } catch (error) {
    return asArtworkError(error);
  }
}

/**
 * A look as the account of the run: what another one is shown, or not shown, proves nothing. Each sign-in has a connection
 * of its own, so that the same one before and after says that there was no other between.
 * @throws not_connected where another account is signed in, or any was meanwhile
 */
async function asOneAccount<Shown>(
  { account: { ports, scope }, signals }: Run,
  look: () => Promise<Shown>,
): Promise<Shown> {
  const before = await ports.connections.bearer({ signal: signals.closing });
  requireSameAccount(before, scope);
  const shown = await look();
  const after = await ports.connections.account();
  if (after.connection === before.connection) return shown;
  const message = 'Another sign-in was completed while the service was asked, so its answer proves nothing.';
  throw new ArtworkError('not_connected', message, { next: nextIn({ is: 'signed in as another' }) });
}

/** How long the service asks to be left alone, ms. */
function waitOf({ details }: ArtworkError): number {
  const seconds = details?.retryAfterSeconds;
  return typeof seconds === 'number' ? timerMs(seconds * 1000) : 0;
}
