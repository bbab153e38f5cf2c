import type { CustomFetch, CustomFetchOptions } from 'openid-client';
import type { Provider } from './provider.ts';
import type { TransportResult } from './transport.ts';

/** A fetch for openid-client that sends its one request and keeps what came back, whatever is made of it. */
export interface Capture {
  readonly fetch: CustomFetch;
  /** null: nothing was to be sent. */
  result(): TransportResult | null;
  /** What was sent that nobody may see. */
  secrets(): readonly string[];
}

export interface CaptureOptions {
  /** Last changes to the form before it is sent. */
  readonly amend?: (form: URLSearchParams) => void;
  /** What openid-client is to see of a success; it waits for this. */
  readonly onSuccess?: (body: Buffer) => Promise<unknown>;
}

const secretFields = ['code', 'code_verifier', 'refresh_token', 'token'];

export function capture(
  { app, transport, requestMs }: Provider,
  { amend, onSuccess }: CaptureOptions = {},
): Capture {
  let result: TransportResult | null = null;
  let secrets: readonly string[] = [];
  return {
    result: () => result,
    secrets: () => secrets,
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
      if (status === 200 && onSuccess !== undefined) return Response.json(await onSuccess(body));
      // What a failure says is read elsewhere.
      return new Response(null, { status: status >= 200 && status < 600 ? status : 502 });
    },
  };
}

function formText({ body }: CustomFetchOptions): string {
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('openid-client sent something that is not a form.');
}
