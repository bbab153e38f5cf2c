import { z } from 'zod';
import type { Transport } from './transport.ts';

/** The endpoints of the interface document (Authentication 6, 8, 10, 13); metadata can't move them. */
export interface ProviderAddresses {
  readonly authorize: string;
  readonly token: string;
  readonly revoke: string;
  /** In the order in which they are asked. */
  readonly metadata: readonly string[];
  /** The issuer where no metadata names one. */
  readonly issuer: string;
  /** The only resource there is: `{base_url}/me`. */
  readonly resource: string;
}

/**
 * The addresses of the service's OAuth endpoints, as the interface document has them.
 * @param baseUrl `{base_url}`, without a trailing slash
 * @param authUrl `{auth_url}`, without a trailing slash
 */
export function providerAddresses(baseUrl: string, authUrl: string): ProviderAddresses {
  const auth = `${authUrl}/api/auth`;
  const base = `${baseUrl}/api/auth`;
  return {
    authorize: `${auth}/oauth2/authorize`,
    token: `${base}/oauth2/token`,
    revoke: `${base}/oauth2/revoke`,
    metadata: [`${auth}/.well-known/openid-configuration`, `${auth}/.well-known/oauth-authorization-server`],
    issuer: auth,
    resource: `${baseUrl}/me`,
  };
}

/** What the interface document leaves to the metadata (Authentication 13). */
export interface ProviderMetadata {
  readonly issuer: string;
  readonly idTokenAlgorithms: readonly string[];
  /** Whether every callback names its issuer (RFC 9207). */
  readonly namesIssuer: boolean;
  /** The userinfo endpoint; null: not named. */
  readonly userInfo: string | null;
}

const schema = z.looseObject({
  issuer: z.string().min(1).max(2000),
  id_token_signing_alg_values_supported: z.array(z.string()).optional().catch(undefined),
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
  userinfo_endpoint: z.string().max(2000).optional().catch(undefined),
});

// The signature is not checked: an id_token comes straight from the token endpoint (OpenID Connect Core, 3.1.3.7).
const usualAlgorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519', 'PS256', 'RS384', 'RS512', 'ES384', 'ES512'];

/** Reads the metadata; without any that can be read the interface document decides. Never rejects. */
export async function loadMetadata(
  transport: Transport,
  addresses: ProviderAddresses,
): Promise<ProviderMetadata> {
  for (const address of addresses.metadata) {
    const result = await transport({
      method: 'GET',
      url: new URL(address),
      headers: { accept: 'application/json' },
      body: null,
      signal: AbortSignal.timeout(5000),
    });
    const found = result.end === 'answered' && result.status === 200 ? read(result.body) : null;
    if (found !== null) return found;
  }
  return { issuer: addresses.issuer, idTokenAlgorithms: usualAlgorithms, namesIssuer: false, userInfo: null };
}

function read(body: Buffer): ProviderMetadata | null {
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    return null; // Not JSON; the other address may have it.
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) return null;
  const algorithms =
    parsed.data.id_token_signing_alg_values_supported?.filter((name) => name !== 'none') ?? [];
  return {
    issuer: parsed.data.issuer,
    idTokenAlgorithms: algorithms.length > 0 ? algorithms : usualAlgorithms,
    namesIssuer: parsed.data.authorization_response_iss_parameter_supported === true,
    userInfo: parsed.data.userinfo_endpoint ?? null,
  };
}
