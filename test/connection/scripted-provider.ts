import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What the token endpoint does with one request instead of granting it. */
export type Fault =
  /** Turned away without looking at the token. */
  | {
      readonly kind: 'refuse';
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Record<string, string>;
    }
  /** The token is consumed, and the connection cut: before the status, or in the middle of the body. */
  | { readonly kind: 'cut'; readonly when: 'before' | 'body' }
  /** The token is consumed, and this is answered in place of the new ones. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  /** Granted, with these changes to the answer; undefined takes a field away. */
  | {
      readonly kind: 'amend';
      readonly fields: Record<string, unknown>;
      readonly claims?: Record<string, unknown>;
      readonly headers?: Record<string, string>;
    }
  /** Granted, but only when this resolves. */
  | { readonly kind: 'slow'; readonly until: Promise<unknown> };

export interface SeenRequest {
  readonly path: string;
  readonly form: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

/** What a test can change while it runs. */
interface Script {
  /** The userinfo endpoint that the metadata name; null: none. Here it answers as mira. */
  userinfo: string | null;
  /** Of a confidential app; null: it is a public one. */
  secret: string | null;
  revocation: Fault | null;
}

interface Family {
  readonly subject: string;
  readonly scope: string;
  ended: boolean;
}

interface Approval {
  readonly url: URL;
  readonly subject: string;
}

export interface ProviderOptions {
  readonly basePath?: string;
  /** How long an access token is told to live, and lives. Default: 600. */
  readonly seconds?: number;
}

/**
 * A token endpoint that does as told, and counts: a refresh token that is presented after a presentation that
 * may have consumed it is `presentedTwice`. Its refresh tokens rotate.
 */
export async function startScriptedProvider(options: ProviderOptions = {}) {
  const { basePath = '', seconds = 600 } = options;
  const requests: SeenRequest[] = [];
  const faults: Fault[] = [];
  const approvals = new Map<string, Approval>();
  const access = new Map<string, { family: Family; until: number }>();
  const refresh = new Map<string, { family: Family; consumed: boolean }>();
  const seen = { presented: 0, presentedTwice: 0, revoked: 0 };
  const script: Script = {
    userinfo: null,
    secret: null,
    revocation: null,
  };
  let origin = '';

  const token = (kind: string) => `token-${kind}-${randomBytes(12).toString('hex')}`;

  const grant = (family: Family, nonce: string | null, fault: Fault | null): string => {
    const accessToken = token('access');
    const refreshToken = token('refresh');
    access.set(accessToken, { family, until: Date.now() + seconds * 1000 });
    refresh.set(refreshToken, { family, consumed: false });
    const amend = fault?.kind === 'amend' ? fault : null;
    const openid = family.scope.split(' ').includes('openid');
    const claims = {
      iss: `${origin}/api/auth`,
      sub: family.subject,
      aud: 'app',
      iat: Math.floor(Date.now() / 1000),
      exp: Math.floor(Date.now() / 1000) + 3600,
      name: `Name of ${family.subject}`,
      ...(nonce === null ? {} : { nonce }),
      ...amend?.claims,
    };
    return JSON.stringify({
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: seconds,
      scope: family.scope,
      ...(family.scope.includes('offline_access') ? { refresh_token: refreshToken } : {}),
      ...(openid ? { id_token: unsigned(claims) } : {}),
      ...amend?.fields,
    });
  };

  const exchange = (form: URLSearchParams): { family: Family; nonce: string | null } | string => {
    const code = form.get('code') ?? '';
    const approval = approvals.get(code);
    approvals.delete(code);
    if (approval === undefined) return 'invalid_grant';
    const asked = approval.url.searchParams;
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const same = (name: string) => form.get(name) === asked.get(name);
    const fits = same('redirect_uri') && same('client_id') && same('resource');
    if (!fits || challenge !== asked.get('code_challenge')) return 'invalid_grant';
    const family = { subject: approval.subject, scope: asked.get('scope') ?? '', ended: false };
    return { family, nonce: asked.get('nonce') };
  };

  /** Notes the presentation. Answers what it is good for. */
  const present = (form: URLSearchParams, fault: Fault | null): Family | string => {
    const found = refresh.get(form.get('refresh_token') ?? '');
    seen.presented += 1;
    if (found?.consumed === true) seen.presentedTwice += 1;
    if (fault?.kind === 'refuse') return '';
    if (found === undefined || found.family.ended) return 'invalid_grant';
    if (found.consumed) {
      found.family.ended = true;
      return 'invalid_grant';
    }
    found.consumed = true;
    return found.family;
  };

  const answerToken = async (
    form: URLSearchParams,
    authorization: string | undefined,
    response: ServerResponse,
  ) => {
    if (secretOf(authorization) !== script.secret || form.get('client_id') !== 'app')
      return json(response, 401, { error: 'invalid_client' });
    const fault = faults.shift() ?? null;
    const isRefresh = form.get('grant_type') === 'refresh_token';
    const family = isRefresh ? present(form, fault) : null;
    if (fault?.kind === 'refuse') return json(response, fault.status, fault.body, fault.headers);
    const found = isRefresh ? family : exchange(form);
    if (found === null || typeof found === 'string')
      return json(response, 400, { error: found ?? 'invalid_request' });
    const body = 'family' in found ? grant(found.family, found.nonce, fault) : grant(found, null, fault);
    if (fault?.kind === 'slow') await fault.until;
    if (fault?.kind === 'cut') {
      if (fault.when === 'before') return response.destroy();
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(body.length) });
      return response.write(body.slice(0, 40), () => response.destroy());
    }
    if (fault?.kind === 'answer') {
      return response.writeHead(fault.status, { 'content-type': 'application/json' }).end(fault.body);
    }
    const headers = fault?.kind === 'amend' ? fault.headers : {};
    return response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
  };

  const revoke = (form: URLSearchParams, response: ServerResponse) => {
    const fault = script.revocation;
    if (fault?.kind === 'cut') return response.destroy();
    if (fault?.kind === 'refuse') return json(response, fault.status, fault.body);
    const given = form.get('token') ?? '';
    const family = (refresh.get(given) ?? access.get(given))?.family;
    if (family !== undefined && !family.ended) {
      family.ended = true;
      seen.revoked += 1;
    }
    return response.writeHead(200).end();
  };

  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
      const form = new URLSearchParams(text);
      const path = (request.url ?? '').split('?')[0] ?? '';
      requests.push({ path, form, headers: request.headers });
      if (path === `${basePath}/api/auth/oauth2/token`) {
        return answerToken(form, request.headers.authorization, response);
      }
      if (path === `${basePath}/api/auth/oauth2/revoke`) return revoke(form, response);
      if (path === '/api/auth/.well-known/openid-configuration') {
        // Wrong on purpose: the document's paths count.
        const elsewhere = `${origin}/elsewhere`;
        return json(response, 200, {
          issuer: `${origin}/api/auth`,
          token_endpoint: elsewhere,
          revocation_endpoint: elsewhere,
          authorization_endpoint: elsewhere,
          ...(script.userinfo === null ? {} : { userinfo_endpoint: script.userinfo }),
        });
      }
      if (path === '/userinfo') return json(response, 200, { sub: 'mira', name: 'Mira' });
      if (path === `${basePath}/me/anything`) {
        const found = access.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
        const good = found !== undefined && !found.family.ended && found.until > Date.now();
        return json(response, good ? 200 : 401, good ? { subject: found.family.subject } : { error: {} });
      }
      return json(response, 404, {});
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The scripted provider has no port.');
  const { port } = address;
  origin = `http://127.0.0.1:${port}`;

  return {
    authUrl: origin,
    baseUrl: origin + basePath,
    requests,
    /** Taken one by one by the requests to the token endpoint. */
    faults,
    seen,
    script,
    /** What the service's page does when a person approves: answers the callback URL. */
    approve(authorizationUrl: string, subject = 'mira'): URL {
      const url = new URL(authorizationUrl);
      const code = `token-code-${randomBytes(12).toString('hex')}`;
      approvals.set(code, { url, subject });
      const callback = new URL(url.searchParams.get('redirect_uri') ?? '');
      callback.searchParams.append('code', code);
      callback.searchParams.append('state', url.searchParams.get('state') ?? '');
      callback.searchParams.append('iss', `${origin}/api/auth`);
      return callback;
    },
    /** What the service's page does when a person declines. */
    decline(authorizationUrl: string, error = 'access_denied'): URL {
      const url = new URL(authorizationUrl);
      const callback = new URL(url.searchParams.get('redirect_uri') ?? '');
      callback.searchParams.append('error', error);
      callback.searchParams.append('state', url.searchParams.get('state') ?? '');
      return callback;
    },
    /** How many grants the service still honours. */
    living(): number {
      const families = new Set([...refresh.values()].map(({ family }) => family));
      return [...families].filter(({ ended }) => !ended).length;
    },
    async pause() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    async resume() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type ScriptedProvider = Awaited<ReturnType<typeof startScriptedProvider>>;

/** Clients need not check the signature of what comes straight from the token endpoint. */
function unsigned(claims: unknown): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', kid: 'one' })}.${part(claims)}.c2lnbmF0dXJl`;
}

/** HTTP Basic, both halves form-encoded (RFC 6749, 2.3.1). */
function secretOf(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  const [, secret = ''] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
  return new URLSearchParams(`secret=${secret}`).get('secret');
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  return response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));
}
