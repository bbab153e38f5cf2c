import { z } from 'zod';
import type { ProviderAddresses } from './addresses.ts';
import type { Transport } from './transport.ts';

/** The little of the metadata (Authentication 13) that the interface document does not fix. */
export interface ProviderMetadata {
  readonly issuer: string;
  readonly idTokenAlgorithms: readonly string[];
  /** The callback always names its issuer (RFC 9207). */
  readonly namesIssuer: boolean;
  /** Where the standard userinfo is, as the metadata tells; null: not told. */
  readonly userInfo: string | null;
}

const schema = z.looseObject({
  issuer: z.string().min(1).max(2000),
  id_token_signing_alg_values_supported: z.array(z.string()).optional().catch(undefined),
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
  userinfo_endpoint: z.string().max(2000).optional().catch(undefined),
});

// An id_token comes straight from the token endpoint, which the connection to it vouches for.
const usualAlgorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519', 'PS256', 'RS384', 'RS512', 'ES384', 'ES512'];

/** Reads the metadata; where there is none that can be read, the document alone decides. Never rejects. */
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
    return null; // Some page; the other address may have it.
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
