import type { IncomingHttpHeaders } from 'node:http';
import { timerMs } from '../sleep.ts';

/**
 * Milliseconds to wait by an answer's `Retry-After`, in seconds or as a date; null when it says nothing usable.
 * Never more than a timer can run: whatever is computed from it, a date or a wait, can be made.
 */
export function retryAfterMs(headers: IncomingHttpHeaders, now: number = Date.now()): number | null {
  const header: unknown = headers['retry-after'];
  // A header that was sent twice is a list.
  if (typeof header !== 'string') return null;
  const value = header.trim();
  if (/^\d+(\.\d+)?$/.test(value)) return timerMs(Number(value) * 1000);
  // Date.parse alone takes far too much for a date.
  if (!/^[A-Z][a-z]{2,8}, /.test(value)) return null;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : timerMs(date - now);
}
