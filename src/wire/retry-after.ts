import type { IncomingHttpHeaders } from 'node:http';

/** Milliseconds to wait by an answer's `Retry-After`, in seconds or as a date; null when it says nothing usable. */
export function retryAfterMs(headers: IncomingHttpHeaders, now: number = Date.now()): number | null {
  const value = headers['retry-after']?.trim();
  if (value === undefined || value === '') return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Date.parse alone takes far too much for a date.
  if (!/^[A-Z][a-z]{2,8}, /.test(value)) return null;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
