import { createHash } from 'node:crypto';
import { ArtworkError } from '../errors.ts';
import type { Head } from '../wire/exchange.ts';

/** As a structured field has it (RFC 9530), and as the header before it had (RFC 3230). */
const fields = [
  ['content-digest', /(?:^|[,\s])sha-256=:([A-Za-z0-9+/]{43}=):/i],
  ['repr-digest', /(?:^|[,\s])sha-256=:([A-Za-z0-9+/]{43}=):/i],
  ['digest', /(?:^|[,\s])sha-256=([A-Za-z0-9+/]{43}=)/i],
] as const;

/**
 * Holds bytes against the digest that the answer's head declares, where it declares one and no content encoding stands
 * between them. The interface document shows no digest of pictures, but gateways may add one.
 * @throws ArtworkError `bad_response`
 */
export function requireDeclaredDigest({ headers, status }: Head, body: Buffer): void {
  if (!/^(?:identity)?$/i.test((headers['content-encoding'] ?? '').trim())) return;
  const digest = createHash('sha256').update(body).digest('base64');
  for (const [name, form] of fields) {
    const [, declared] = form.exec(String(headers[name] ?? '')) ?? [];
    if (declared === undefined || declared === digest) continue;
    throw new ArtworkError('bad_response', 'What arrived is not what the answer’s digest says was sent.', {
      code: 'digest_mismatch',
      status,
    });
  }
}
