import { ArtworkError } from '../errors.ts';
import type { Head } from '../wire/exchange.ts';
import { refusalOfAnswer, serviceError } from './refusal.ts';
import { parseJson } from './wire-body.ts';
import { isRecord } from './records/read-member.ts';

/** What became of a request that may be sent only once. */
export type SendOutcome =
  /** Nothing of it reached the service. */
  | { readonly outcome: 'not_sent'; readonly error: ArtworkError }
  /** The service said no; this request changed nothing. */
  | { readonly outcome: 'refused'; readonly status: number; readonly error: ArtworkError }
  /** The service said yes. `body` is its cleaned JSON, null where it sent an empty one. */
  | { readonly outcome: 'applied'; readonly status: number; readonly body: unknown }
  /**
   * It may or may not have been applied. `bodyComplete` false: the service never got the whole body, which
   * the interface document lets it apply only against its own rule (Content-Length). `status`: its answer
   * began with it, but proves nothing or was cut off.
   */
  | {
      readonly outcome: 'unknown';
      readonly status: number | null;
      readonly error: ArtworkError;
      readonly bodyComplete: boolean;
    };

/** Judges a whole answer; `bodyComplete`: all of the request had been handed over when it came. */
export function judgeAnswer(head: Head, body: Buffer, bodyComplete: boolean): SendOutcome {
  const { status } = head;
  if (status < 300) {
    const receipt = readReceipt(head, body);
    if (receipt.valid && bodyComplete) return { outcome: 'applied', status, body: receipt.body };
    const why = receipt.valid ? 'came before the request was complete' : receipt.why;
    const message = `The service answered ${status}, but its answer ${why}.`;
    return unknownOutcome(new ArtworkError('bad_response', message, { status }), status, bodyComplete);
  }
  const error = refusalOfAnswer(head, body, true);
  return isRefusal(status, body)
    ? { outcome: 'refused', status, error }
    : unknownOutcome(error, status, bodyComplete);
}

/** What one request came to where it may have been applied and no answer says so. */
export function unknownOutcome(
  error: ArtworkError,
  status: number | null,
  bodyComplete: boolean,
): SendOutcome {
  return { outcome: 'unknown', status, error, bodyComplete };
}

type Receipt =
  | { readonly valid: true; readonly body: Record<string, unknown> | null }
  | { readonly valid: false; readonly why: string };

function readReceipt(head: Head, body: Buffer): Receipt {
  if (body.length === 0 && isFramed(head)) return { valid: true, body: null };
  const parsed = parseJson(body, 'leave out');
  if (!parsed.json) return { valid: false, why: parsed.why };
  const { value } = parsed;
  if (!isRecord(value)) return { valid: false, why: 'is not a receipt' };
  const hasError = value.error !== undefined && value.error !== null;
  const hasData = value.data !== undefined && value.data !== null;
  return hasError && !hasData ? { valid: false, why: 'holds an error' } : { valid: true, body: value };
}

/** An answer without a length ends when its connection does, and so may have been longer. */
function isFramed({ status, headers }: Head): boolean {
  return (
    status === 204 || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  );
}

function isRefusal(status: number, body: Buffer): boolean {
  switch (status) {
    // These two ask for the very same request at another address (RFC 9110, 15.4.8 and 15.4.9): a
    // service that had applied it and asked for it once more would have it applied twice. The other redirects may be answered
    // with a GET, which is how a form that was applied sends its caller on.
    case 307:
    case 308:
      return true;
    // A proxy gave up waiting: the service itself may not have.
    case 408:
    case 425:
    case 499:
      return false;
    default: {
      if (status < 400 || status >= 500) return false;
      // Without the service's own error it may be anybody's answer.
      const parsed = parseJson(body, 'leave out');
      return parsed.json && serviceError(parsed.value) !== null;
    }
  }
}
