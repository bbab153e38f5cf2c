import type { IncomingHttpHeaders } from 'node:http';

/** Milliseconds to wait by an answer's `Retry-After`; null when it names no number of seconds. */
export function retryAfterMs(headers: IncomingHttpHeaders): number | null {
  const value = headers['retry-after']?.trim() ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) * 1000 : null;
}
