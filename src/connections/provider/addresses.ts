/** Where the interface document puts each endpoint (Authentication 6, 8, 10, 13); metadata can't move them. */
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

/** @param baseUrl `{base_url}` and @param authUrl `{auth_url}`, both without a trailing slash */
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
