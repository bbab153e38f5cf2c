import { createHash } from 'node:crypto';

/**
 * What is stored in the place of a token, a code or a client secret: they are random and long, so a plain
 * SHA-256 can't be turned back, and a stolen database opens nothing.
 */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
