import { type CustomFetch, type CustomFetchOptions, ResponseBodyError } from 'openid-client';
import type { Provider } from './provider.ts';
import { oauthErrorCode } from './refusals.ts';
import type { TransportResult } from './transport.ts';

/** One request of openid-client, which also judges the answer. What came over the wire is kept beside it. */
export interface TokenRequest {
  readonly fetch: CustomFetch;
  /** null: nothing was to be sent. */
  result(): TransportResult | null;
  /**
   * The `error` of an OAuth failure (Authentication 10), from what openid-client threw; null where the answer held
   * none. Nothing else of that error is used: it quotes the tokens, and so could its description.
   */
  errorOf(thrown: unknown): string | null;
}

interface TokenRequestOptions {
  /** Last changes to the form before it is sent. */
  readonly amend?: (form: URLSearchParams) => void;
  /** The members of a success that openid-client is to judge; it waits for them. Default: all, as they came. */
  readonly receive?: (body: Buffer) => Promise<object | null>;
}

const secretFields = ['code', 'code_verifier', 'refresh_token', 'token'];

/** One request that openid-client makes of the token or revocation endpoint, with what was answered. */
export function tokenRequest(
  { app, transport, requestMs }: Provider,
  { amend, receive }: TokenRequestOptions = {},
): TokenRequest {
  let result: TransportResult | null = null;
  let secrets: readonly string[] = [];
  return {
    result: () => result,
    errorOf: (thrown) => (thrown instanceof ResponseBodyError ? oauthErrorCode(thrown.error, secrets) : null),
    async fetch(url, options) {
      const form = new URLSearchParams(formText(options));
      amend?.(form);
      secrets = [...secretFields.flatMap((name) => form.getAll(name)), app.clientSecret?.reveal() ?? ''];
      result = await transport({
        method: 'POST',
        url: new URL(url),
        headers: options.headers,
        body: Buffer.from(form.toString()),
        signal: options.signal ?? AbortSignal.timeout(requestMs),
      });
      if (result.end !== 'answered') throw new TypeError('No whole answer came.');
      const { status, body } = result;
      if (!isTokenSuccess(status)) return response(status < 600 ? status : 502, body);
      const members = receive === undefined ? null : await receive(body);
      return response(200, members === null ? body : JSON.stringify(members));
    },
  };
}

/** Whether the token endpoint answered with success. */
export function isTokenSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * The answer for openid-client, which takes no success but 200, and reads no body of another content type nor beside
 * a challenge (`www-authenticate`): so that all that services send is judged by what it says, it gets the body alone.
 */
function response(status: number, body: Buffer | string): Response {
  const hasBody = status === 200 || status >= 400;
  return new Response(hasBody ? body : null, { status, headers: { 'content-type': 'application/json' } });
}

function formText({ body }: CustomFetchOptions): string {
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('openid-client sent something that is not a form.');
}
