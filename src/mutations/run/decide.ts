import type { Doubt } from '../../ledger/rows.ts';
import type { Finding, Single } from '../change.ts';

/** What a request came to, as far as it decides what is done next. */
export type Answered =
  /** Nothing was sent yet in this run. */
  | null
  /** The service said yes, and what became of it; or that it works on it. */
  | 'ended'
  | 'working'
  /** The service said yes, and nothing of what it saved. */
  | 'unreadable'
  /** 401 or 429, which say nothing of the effect. */
  | 'turned away'
  /** 403, or another no that may be given before the identity is read, so that it says nothing of an earlier request. */
  | 'forbidden'
  /** 409. */
  | 'conflict'
  /** Any other definite no. */
  | 'refused'
  /** It may have been applied, and no answer says so. */
  | 'lost'
  /** Surely nothing of it left. */
  | 'unsent';

/** What is known of a single change at one moment. */
export interface Known {
  readonly identity: Single['identity'];
  readonly doubt: Doubt;
  readonly answer: Answered;
  /** The last look since the answer; null: none was made. */
  readonly look: Finding['found'] | 'unreadable' | null;
  /** Looks since the answer. */
  readonly looks: number;
  /** Requests of this run. */
  readonly sent: number;
}

export type Step =
  | { readonly do: 'send' }
  | { readonly do: 'look'; readonly afterMs: number }
  /** It has ended, or the service has it, as the answer or the look says. */
  | { readonly do: 'believe'; readonly what: 'answer' | 'look' }
  /** Surely nothing was changed. `clear`: an earlier request was turned away, and was not applied either. */
  | { readonly do: 'end'; readonly as: 'refused' | 'not_sent'; readonly clear: boolean }
  /** Nobody knows yet. */
  | { readonly do: 'leave' };

/** How often one run sends the same request. */
export const mostSent = 3;

/** Pauses before the looks of one run, ms: what the service has just done may be shown a little later. */
const pausesMs = [0, 2_000, 5_000] as const;
export const mostLooks = pausesMs.length;

/**
 * What is done next about a single change. Absence proves nothing: from a look that does not show the change, no way leads
 * to "it was not applied", but for an upload whose repetition was refused: the document promises that a repetition of what
 * was applied brings the first receipt.
 */
export function decide(known: Known): Step {
  const { identity, doubt, answer, look, looks, sent } = known;
  const again: Step = sent < mostSent ? { do: 'send' } : lookOrLeave(known);
  if (look === 'ended' || look === 'working') return { do: 'believe', what: 'look' };

  switch (answer) {
    case 'ended':
    case 'working':
      return { do: 'believe', what: 'answer' };

    case null:
    case 'turned away':
      if (doubt === 'none') return again;
      // What has an identity on the wire is looked for once; then the repetition brings the first receipt, if there is one.
      if (identity === 'upload' && doubt === 'turned away' && looks > 0) return again;
      // The revision that stands is compared once more with the repetition, on the wire or right before it.
      if (identity === 'revision' && doubt === 'turned away' && look === 'as before') return again;
      // An upload of which the service keeps on having no record, in a run that was begun for that.
      if (identity === 'upload' && answer === null && look === 'nothing' && looks >= 2) return again;
      return lookOrLeave(known);

    case 'lost':
    case 'unreadable':
      return lookOrLeave(known);

    case 'unsent':
      return doubt === 'none' ? nothingChanged('not_sent') : lookOrLeave(known);

    case 'forbidden':
      return doubt === 'none' ? nothingChanged('refused') : lookOrLeave(known);

    case 'refused':
      if (doubt === 'none') return nothingChanged('refused');
      // Had an upload been applied when it was turned away, the repetition would have brought its receipt.
      return identity === 'upload' && doubt === 'turned away' && look === 'nothing'
        ? nothingChanged('refused', true)
        : lookOrLeave(known);

    // It may conflict with itself: brought twice by the network, or while the service is still at work on an earlier one.
    case 'conflict':
      // A read that still shows the expected revision contradicts the conflict: it lags.
      if (doubt === 'none' && identity === 'revision' && look === 'moved') return nothingChanged('refused');
      return lookOrLeave(known);
  }
}

function nothingChanged(as: 'refused' | 'not_sent', clear = false): Step {
  return { do: 'end', as, clear };
}

function lookOrLeave({ looks }: Known): Step {
  const afterMs = pausesMs[looks];
  return afterMs === undefined ? { do: 'leave' } : { do: 'look', afterMs };
}

/** What is known of an admission, which has an identity on the wire: its repetition brings the first receipt. */
export interface KnownAdmission {
  readonly doubt: Doubt;
  readonly answer: Answered;
  /** Requests of this run, and how many of them the service answered 409. */
  readonly sent: number;
  readonly conflicts: number;
  /** A read after the conflict shows another revision than the expected one. */
  readonly isStale: boolean;
}

export type AdmissionStep =
  | { readonly do: 'send'; readonly afterMs: number }
  | { readonly do: 'accept' }
  | { readonly do: 'end'; readonly as: 'refused' | 'not_sent'; readonly clear: boolean }
  | { readonly do: 'leave' };

/** Pauses before the requests of one admission, ms. */
const admissionPausesMs = [0, 1_000, 2_000, 5_000] as const;
export const mostAdmissions = admissionPausesMs.length;

/** What is done next about an admission. */
export function decideAdmission({ doubt, answer, sent, conflicts, isStale }: KnownAdmission): AdmissionStep {
  const afterMs = admissionPausesMs[sent];
  const again: AdmissionStep = afterMs === undefined ? { do: 'leave' } : { do: 'send', afterMs };
  const ended = (as: 'refused' | 'not_sent'): AdmissionStep => ({ do: 'end', as, clear: doubt !== 'none' });
  switch (answer) {
    case 'ended':
    case 'working':
      return { do: 'accept' };
    case null:
    case 'lost':
    case 'unreadable':
    case 'turned away':
      return again;
    case 'unsent':
      return doubt === 'none' ? ended('not_sent') : again;
    case 'forbidden':
      return doubt === 'none' ? ended('refused') : { do: 'leave' };
    case 'refused':
      return doubt === 'lost' ? { do: 'leave' } : ended('refused');
    case 'conflict':
      // Brought twice by the network, the second conflicts with the first: the same once more brings the receipt.
      if (conflicts < 2 && !isStale) return again;
      return doubt === 'lost' ? { do: 'leave' } : ended('refused');
  }
}
