import type { Json } from '../../canonical-json.ts';
import type { ServiceError } from '../../catalogue/failures.ts';
import type { Saved } from '../../catalogue/records/owned.ts';
import { readReceipt } from '../../catalogue/records/owned.ts';
import { ArtworkError } from '../../errors.ts';
import type { TargetReference } from '../../model/target.ts';
import { callCancelledError } from '../caller.ts';
import { asJson, type Finding, type StoredReceipt } from '../finding.ts';
import { errorBesideSuccess, processingError } from '../operations/lookups.ts';
import { readNote, withNote } from './note.ts';
import {
  type Answer,
  type Ending,
  type Journal,
  type Moment,
  patienceMs,
  pauseMs,
  type Step,
  type Way,
} from './way.ts';

/** What the way of a single request has to know of the mutation. */
interface Single {
  readonly by: 'request' | 'upload';
  readonly clientMutationId: string;
  readonly saved: Saved;
  /** The records whose revisions the service compares: what comes twice is refused by them. The first is what is changed. */
  readonly guards: readonly { readonly about: TargetReference }[];
}

/** What this process has seen of a single request since it took the lease. */
interface SingleSeen {
  /** How often it was sent. */
  readonly sent: number;
  /** What the last one came to. */
  readonly answer: Answer | null;
  /** The last look since; a look that failed is an error. */
  readonly look: Finding | ArtworkError | null;
  readonly looks: number;
  /** The next look comes after a pause. */
  readonly isPauseDue: boolean;
  readonly blocked: ArtworkError | null;
  /** Since when the service works on it, ms. */
  readonly acceptedAt: number;
}

type SingleStep = Step<Finding>;
type SingleJournal = Journal<Json>;

/**
 * A look that shows nothing may only have been early: the service is asked again after so many ms. A creation is looked
 * for in a list, which may follow later than the record of an upload.
 */
const secondLookMs = { upload: 2_000, request: 8_000 };
/** It is sent once more after a 401 and a look that shows nothing of it, and then no more. */
const mostSent = 2;

/**
 * The way of one request. One with a JSON body has no identity on the wire, so a lost one is never repeated. Of an upload
 * the service keeps a record, and applies the same id once (interface document, Limits): one of which the service goes on
 * knowing nothing may be repeated.
 */
export function singleWay(mutation: Single): Way<Json, SingleSeen, Finding> {
  return {
    begin: (_, at) => ({ ...nothingSince, sent: 0, answer: null, acceptedAt: at }),
    hear: ({ progress, doubt }, seen, event) => {
      switch (event.event) {
        case 'sending': {
          const sent = { ...seen, ...nothingSince, sent: seen.sent + 1, answer: null };
          const { answered, lost } = readNote(progress);
          const isLost = lost === true || (doubt && answered === undefined);
          const note = { answered: undefined, lost: isLost ? (true as const) : undefined };
          return { seen: sent, progress: withNote(progress, note) };
        }
        case 'answered':
          return {
            seen: { ...seen, answer: event.answer },
            progress: progressAfter(mutation, progress, event.answer),
          };
        // The request itself may have moved the revision: it is looked at once more.
        case 'blocked':
          return { seen: { ...seen, blocked: event.error, look: null }, progress };
        case 'looked':
          return {
            seen: { ...seen, look: event.shown, looks: seen.looks + 1, isPauseDue: true },
            progress,
          };
        case 'accepted':
          return { seen: { ...seen, look: null, isPauseDue: true, acceptedAt: event.at }, progress };
        case 'waited':
          return { seen: { ...seen, isPauseDue: false }, progress };
        case 'leaving':
          return { seen, progress };
      }
    },
    decide(journal, seen, moment) {
      if (journal.state === 'processing') return follow(seen, moment);
      const { answer } = seen;
      switch (answer?.is) {
        case undefined:
          return journal.doubt ? reconcile(mutation, journal, seen, moment) : begin(seen, moment);
        case 'applied':
          return afterYes(mutation, answer.body, seen);
        case 'refused':
          return afterNo(mutation, journal, seen, answer);
        case 'turned away':
          return reconcile(mutation, journal, seen, moment);
        case 'lost':
          return unresolved(answer.error);
        case 'unsent':
          return { step: 'end', as: 'not_sent', error: answer.error };
      }
    },
  };
}

const nothingSince = { look: null, looks: 0, isPauseDue: false, blocked: null };

/**
 * "Reuse with an identical body returns the original receipt" (Limits): once the service has said yes under an id, it
 * stands for this upload. If a request was turned away or conflicted, that is noted: it can't arrive later any more.
 */
function progressAfter(mutation: Single, progress: Json, answer: Answer): Json {
  const { by } = mutation;
  switch (answer.is) {
    case 'applied':
      return by === 'upload' && readNote(progress).knownBefore === true
        ? withNote(progress, { knownBefore: false })
        : progress;
    case 'turned away':
      return isTellable(mutation, answer.status) ? withNote(progress, { answered: answer.status }) : progress;
    case 'refused':
      return by === 'request' && answer.status === 409 && isTellable(mutation, 409)
        ? withNote(progress, { answered: 409 })
        : progress;
    default:
      return progress;
  }
}

/**
 * Whether a look can tell that a request with such an answer was not applied: a record of its id, or the revision of what
 * it changes. A creation shows neither, and the list that it is looked for in may follow much later; its access token has
 * just been good for a read, so a 401 is no ordinary one. Only a 429 says by itself that it was not taken on.
 */
function isTellable({ by, guards }: Single, status: 401 | 409 | 429): boolean {
  return by === 'upload' || guards.length > 0 || status === 429;
}

function begin({ blocked, looks }: SingleSeen, { stop }: Moment): SingleStep {
  if (blocked !== null) return { step: 'end', as: 'not_sent', error: blocked };
  if (stop !== 'no') return { step: 'end', as: 'not_sent', error: callCancelledError() };
  return sendWhole(looks > 0);
}

function sendWhole(repeated: boolean): SingleStep {
  return { step: 'send', requests: [{ is: 'whole' }], repeated };
}

const lookAtOwn: SingleStep = { step: 'look', anyone: false };

function afterYes(
  { by, saved, clientMutationId, guards: [own] }: Single,
  body: unknown,
  { look }: SingleSeen,
): SingleStep {
  // An upload makes an Asset of its own, also in the place of another.
  const isChange = by === 'request' && (own?.about.kind === saved || saved === 'relationship');
  const changed = isChange ? (own?.about ?? null) : null;
  const receipt = readReceipt(body, saved, clientMutationId, changed);
  const { updatedAt, publicationStatus } = receipt;
  const kept: StoredReceipt = {
    receipt: asJson(receipt.record),
    updatedAt,
    publicationStatus,
    evidence: {
      by: 'receipt',
      certainty: 'certain',
      says: 'The service answered the request with a receipt.',
    },
    warnings: [],
  };
  switch (receipt.state) {
    case 'succeeded': {
      const finding = { found: 'ended', outcome: 'succeeded', kept } as const;
      return { step: 'end', as: 'found', finding, confirm: { savedId: receipt.savedId } };
    }
    case 'failed': {
      const error = processingError(receipt.error);
      return { step: 'end', as: 'found', finding: { found: 'ended', outcome: 'failed', kept, error } };
    }
    case 'processing':
      return { step: 'accept', receipt: kept };
    // The service said yes, but not what it saved: what it has is looked at before anything is called unknown.
    case 'unknown': {
      if (look === null) return lookAtOwn;
      const message =
        'The service accepted the request, but its receipt does not say what was saved, is about something else, or tells an error.';
      return besideError(shownBy(look), receipt.error) ?? unresolved(acceptedInDoubt(message, receipt.error));
    }
  }
}

/** Adds the error that the service told with its success to the outcome that a look has shown. */
function besideError(shown: SingleStep | null, error: ServiceError | null): SingleStep | null {
  if (shown?.step !== 'end' || shown.as !== 'found' || error === null) return shown;
  const { finding } = shown;
  const warnings = [...finding.kept.warnings, errorBesideSuccess(error)];
  return { ...shown, finding: { ...finding, kept: { ...finding.kept, warnings } } };
}

function acceptedInDoubt(message: string, error: ServiceError | null): ArtworkError {
  const said = error === null ? '' : ` ${errorBesideSuccess(error).message}`;
  return new ArtworkError('bad_response', message + said, { code: error?.code });
}

function afterNo(
  { by, clientMutationId }: Single,
  { doubt }: SingleJournal,
  { look }: SingleSeen,
  { status, error }: Extract<Answer, { is: 'refused' }>,
): SingleStep {
  const refused = (why: ArtworkError, explain: boolean): SingleStep => ({
    step: 'end',
    as: 'refused',
    error: why,
    explain,
  });
  if (status !== 409) return refused(error, false);
  if (look === null) return { step: 'look', anyone: !doubt };
  // An earlier request of this ledger may have arrived after all, or the network has brought this one twice: it
  // conflicts with what that one changed.
  if (doubt || by === 'request') {
    // Without a look that tells, nothing proves that it changed nothing.
    if (look instanceof ArtworkError) return unresolved(error);
    // Of a creation a look only ever hints that something new is this one: then it is for a person.
    const isHint = look.found === 'nothing' && look.certainty === 'likely';
    return shownBy(look) ?? (isHint ? unresolved(error, look) : refused(error, true));
  }
  const isTaken = !(look instanceof ArtworkError) && look.found !== 'nothing' && !isOwnRefusal(look, error);
  return isTaken ? refused(idTakenError(clientMutationId, error, look), false) : refused(error, true);
}

/**
 * A request of this id may have been applied, and nothing says so: what the service shows decides. What it shows to be
 * applied ends as that. What surely was not applied is sent again, under the same identity. Anything else is for a
 * person.
 */
function reconcile(
  mutation: Single,
  { progress, doubt }: SingleJournal,
  { answer, look, looks, isPauseDue, blocked, sent }: SingleSeen,
  { stop }: Moment,
): SingleStep {
  const { by, guards } = mutation;
  const turned = answer?.is === 'turned away' ? answer : null;
  // What was answered can't arrive later any more.
  const { answered, lost, knownBefore } = readNote(progress);
  const isTurned = turned !== null && isTellable(mutation, turned.status);
  const isAnswered = (isTurned || answered !== undefined) && lost !== true;
  if (turned?.renewal) return { ...unresolved(turned.error), told: turned.renewal };
  if (look === null) return lookAtOwn;
  // Another token is there by now: the 401 is no reason to sign in.
  const undecided = (found?: Finding) =>
    turned === null ? unresolved(null, found) : { ...unresolved(turned.error, found), told: null };
  if (look instanceof ArtworkError) return turned === null ? unresolved(look) : undecided();
  const shown = shownBy(look);
  if (shown !== null) return shown;
  // The service compares what comes under an id that it knew before: it can have applied nothing of this one.
  const isForeign = isAnswered && knownBefore === true;
  const isAbsent = look.found === 'nothing' && (!look.final || isForeign);
  const mayRepeat = isAbsent && (isAnswered || by === 'upload');
  if (!mayRepeat) return undecided(look);
  const isUnguarded = by === 'request' && guards.length === 0;
  if ((!isAnswered || isUnguarded) && looks < 2) {
    // A pause that is cut short proves nothing.
    if (stop !== 'no') return turned === null ? unresolved(callCancelledError(), look) : undecided(look);
    return isPauseDue ? { step: 'wait', ms: secondLookMs[by], until: 'cancelled' } : lookAtOwn;
  }
  if (isAnswered && doubt) return { step: 'clear doubt' };
  if (blocked !== null) {
    return isAnswered ? { step: 'end', as: 'not_sent', error: blocked } : unresolved(blocked);
  }
  if (turned !== null && (turned.status === 429 || sent >= mostSent)) {
    return { step: 'end', as: 'refused', error: turned.error };
  }
  if (stop !== 'no') {
    const error = callCancelledError();
    return isAnswered ? { step: 'end', as: 'not_sent', error } : unresolved(error);
  }
  return sendWhole(true);
}

/** What a look tells for certain enough; null: nothing. */
function shownBy(look: Finding | ArtworkError): SingleStep | null {
  if (look instanceof ArtworkError) return null;
  switch (look.found) {
    case 'ended':
      return { step: 'end', as: 'found', finding: look };
    case 'working':
      return { step: 'accept', receipt: look.kept };
    case 'nothing':
      return null;
  }
}

/** The service accepted it and works on it: waits for the end, long after the call has answered if need be. */
function follow({ look, looks, isPauseDue, acceptedAt }: SingleSeen, { at, stop }: Moment): SingleStep {
  if (look !== null && !(look instanceof ArtworkError) && look.found === 'ended') {
    return { step: 'end', as: 'found', finding: look };
  }
  if (stop === 'closing' || at - acceptedAt > patienceMs)
    return { step: 'leave', error: null, unresolved: false };
  return isPauseDue ? { step: 'wait', ms: pauseMs(looks), until: 'closing' } : lookAtOwn;
}

function unresolved(
  error: ArtworkError | null,
  shown?: Finding,
): Extract<Ending<Finding>, { step: 'leave' }> {
  return { step: 'leave', error, unresolved: true, shown };
}

type Known = Exclude<Finding, { found: 'nothing' }>;

/** The service keeps of a refused upload that it failed, and why: that is no earlier one. */
function isOwnRefusal(finding: Known, { code }: ArtworkError): boolean {
  return finding.found === 'ended' && finding.outcome === 'failed' && finding.error?.code === code;
}

/** The service knows the id of a request that nothing was sent for before: what it has there is another's. */
function idTakenError(
  clientMutationId: string,
  { status, code, category, issues, details }: ArtworkError,
  finding: Known,
): ArtworkError {
  const { savedId } = readReceipt({ data: finding.kept.receipt }, 'asset', clientMutationId);
  const outcome = finding.found === 'ended' ? finding.outcome : 'processing';
  const asset = savedId === null ? '' : `, Asset ${savedId}`;
  const message = `The id ${clientMutationId} belongs to an earlier upload that this machine's ledger did not send: the service shows it as ${outcome}${asset}. Nothing of this call was applied.`;
  return new ArtworkError('conflict', message, {
    status,
    code: code === category ? undefined : code,
    issues,
    details: { ...details, earlierUpload: { outcome, assetId: savedId } },
  });
}
