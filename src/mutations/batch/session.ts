import { protectedError } from '../../catalogue/authorization.ts';
import { submissionId as parseId, type SubmissionId } from '../../catalogue/request.ts';
import type { SendOutcome } from '../../catalogue/send.ts';
import { type Submission, submissions } from '../../catalogue/submission.ts';
import type { Bearer } from '../../connections/grant.ts';
import { ArtworkError } from '../../errors.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import { type Delivery, recordStep } from '../delivery/delivery.ts';
import type { MutationPorts } from '../ports.ts';
import { callCancelledError, requireSameAccount } from '../session.ts';
import type { Checkpoint, Declared, FileItem } from '../submission.ts';

/** One process's work on one submission. */
export interface SubmissionSession {
  readonly ports: MutationPorts;
  readonly delivery: Delivery;
  readonly declared: Declared;
  readonly files: readonly FileItem[];
  readonly checkpoints: CheckpointWriter;
  readonly tokens: Tokens;
  /** The call was given up, or the program ends: nothing more is begun. */
  readonly stop: AbortSignal;
}

/** The service's id of a submission that was admitted. */
export function submissionIdOf({ checkpoints }: SubmissionSession): SubmissionId {
  return parseId.parse(checkpoints.current.submissionId);
}

/** Stops a submission before its next step. @throws ArtworkError `cancelled` once nothing more is to be begun */
export function requireNotStopped({ stop }: SubmissionSession): void {
  if (stop.aborted) throw callCancelledError();
}

/** What a refusal means to the caller of the request. */
export function refusalOfSubmissionRequest(
  { declared }: SubmissionSession,
  { error }: Extract<SendOutcome, { outcome: 'refused' }>,
  { scopes }: Bearer,
): ArtworkError {
  return protectedError(error, submissions[declared.kind].needed, scopes);
}

/** Access tokens for work that outlives one of them, always of the account that it was begun for. */
interface Tokens {
  /** @throws ArtworkError `not_connected`, `reconnect_required`, or why there is none now */
  current(): Promise<Bearer>;
  /** The service said 401 to this one. @throws as `current` */
  renew(rejected: Bearer): Promise<Bearer>;
}

/** The access tokens for the requests of a submission, of its own account alone. */
export function tokensFor({ ports: { connections }, scope, signals }: Delivery): Tokens {
  const ofSameAccount = (bearer: Bearer): Bearer => {
    requireSameAccount(bearer, scope);
    return bearer;
  };
  const signal = signals.closing;
  return {
    current: async () => ofSameAccount(await connections.bearer({ signal })),
    renew: async (rejected) => ofSameAccount(await connections.onUnauthorized(rejected, { signal })),
  };
}

/** Another process holds the submission now, or a person gave it up: nothing may be sent for it any more. */
export class LeaseLost extends Error {
  readonly view: EntryView;

  constructor(view: EntryView) {
    super('the lease of the submission was lost');
    this.view = view;
  }
}

/** What is noted of a submission while it is worked on. */
interface CheckpointWriter {
  readonly current: Checkpoint;
  /** In the ledger when it resolves. @throws LeaseLost; why it could not be written */
  write(changes: Partial<Checkpoint>): Promise<void>;
  /** The service has accepted it: from now on it is `processing`. @throws as `write` */
  accept(changes: Partial<Checkpoint>): Promise<void>;
}

/**
 * Writes the checkpoints of a submission to the ledger. Several items note at the same time: one after the other,
 * each all that is known by then.
 */
export function openCheckpointWriter(delivery: Delivery, first: Checkpoint): CheckpointWriter {
  let checkpoint = first;
  let last: Promise<void> = Promise.resolve();

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const written = async (accepted: boolean): Promise<void> => {
    const progress = checkpoint;
    const { isHolder, view } = await recordStep(delivery, () =>
      accepted
        ? delivery.ledger.accept(delivery.lease, { receipt: null, progress })
        : delivery.ledger.checkpoint(delivery.lease, progress),
    );
    if (!isHolder) throw new LeaseLost(view);
  };
  const change = (changes: Partial<Checkpoint>, accepted: boolean): Promise<void> => {
    checkpoint = { ...checkpoint, ...changes };
    return inTurn(() => written(accepted));
  };
  return {
    get current() {
      return checkpoint;
    },
    write: (changes) => change(changes, false),
    accept: (changes) => change(changes, true),
  };
}

/** For one look, its repetitions included, ms. */
const lookMs = 45_000;

/**
 * What the service shows of a submission; an error where it can't be asked now and may be later.
 * @throws ArtworkError where asking again helps nothing
 */
export async function readSubmissionNow(session: SubmissionSession): Promise<Submission | ArtworkError> {
  const { ports, delivery, declared } = session;
  try {
    const call = { signal: delivery.signals.closing, deadlineMs: lookMs };
    const submission = await ports.owned.findSubmission(declared.kind, submissionIdOf(session), call);
    return submission ?? new ArtworkError('not_found', 'The service does not know the submission now.');
  } catch (error) {
    if (!(error instanceof ArtworkError) || !isPassing(error)) throw error;
    return error;
  }
}

function isPassing({ category }: ArtworkError): boolean {
  switch (category) {
    case 'network':
    case 'service_unavailable':
    case 'rate_limited':
    case 'bad_response':
      return true;
    default:
      return false;
  }
}
