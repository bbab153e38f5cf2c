import { tokenRevocation } from 'openid-client';
import type { Secret } from '../secret.ts';
import type { Revocation, TokenKind } from '../token-service.ts';
import { capture } from './capture.ts';
import { oauthError } from './oauth-error.ts';
import { configure, type Provider } from './provider.ts';

/** Revokes a token (Authentication 10). To do it twice changes nothing, so no proof is needed. */
export async function revokeToken(provider: Provider, token: Secret, kind: TokenKind): Promise<Revocation> {
  const { fetch, result, secrets } = capture(provider, { onSuccess: async () => ({}) });
  const form = { client_id: provider.app.clientId, token_type_hint: kind };
  try {
    await tokenRevocation(configure(provider, null, fetch), token.reveal(), form);
  } catch {
    // openid-client's errors quote the token; what came over the wire says all that is needed.
  }
  const answer = result();
  if (answer === null || answer.end === 'failed') {
    return { outcome: 'failed', why: 'network', code: answer?.code ?? null };
  }
  const { status } = answer;
  if (status >= 200 && status < 300) return { outcome: 'revoked' };
  if (answer.end === 'cut') return { outcome: 'failed', why: 'network', code: answer.code };
  if (status === 429 || status >= 500)
    return { outcome: 'failed', why: 'unavailable', code: `HTTP_${status}` };
  const error = oauthError(answer.body, secrets());
  const code = error ?? `HTTP_${status}`;
  return isGone(status, error) ? { outcome: 'gone', code } : { outcome: 'failed', why: 'refused', code };
}

/** A token that is not there is an invalid one, which needs no revoking; some services call it an error all the same. */
function isGone(status: number, error: string | null): boolean {
  if (![400, 404, 410].includes(status)) return false;
  // These are about who asks, or about the kind of token, not about this token.
  return (
    error === null || !['invalid_client', 'unauthorized_client', 'unsupported_token_type'].includes(error)
  );
}
