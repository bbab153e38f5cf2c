import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { ArtworkError } from '../errors.ts';
import type { Head } from '../wire/exchange.ts';
import { cleanJson, NestedTooDeeply } from '../text.ts';

/** Largest JSON answer that is read, bytes, before and after its content encoding. */
export const answerBytes = 8 * 1024 * 1024;

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * Undoes an answer's content encoding. None is asked for, but a gateway may compress all the same; what
 * comes out is limited like what comes over the wire.
 * @throws ArtworkError `bad_response`
 */
export async function decodeBody(head: Head, body: Buffer, maxBytes: number): Promise<Buffer> {
  const encoding = (head.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '' || body.length === 0) return body;
  if (!isDecodable(encoding)) {
    throw new ArtworkError('bad_response', 'The answer has a content encoding that was not asked for.', {
      status: head.status,
    });
  }
  try {
    return await decoders[encoding](body, { maxOutputLength: maxBytes });
  } catch (cause) {
    const tooLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
    if (tooLarge) throw answerTooLarge(maxBytes, head.status);
    throw new ArtworkError('bad_response', `The answer's ${encoding} encoding is broken.`, {
      status: head.status,
      cause,
    });
  }
}

function isDecodable(encoding: string): encoding is keyof typeof decoders {
  return Object.hasOwn(decoders, encoding);
}

/** The error of an answer whose body is longer than its limit. */
export function answerTooLarge(maxBytes: number, status: number): ArtworkError {
  const size = `${Math.round(maxBytes / 1024 / 1024)} MiB`;
  return new ArtworkError('bad_response', `The answer is larger than ${size}; it was not read to its end.`, {
    status,
  });
}

/** What a body holds: cleaned JSON, or why it is none. */
export type ParsedBody =
  | { readonly json: true; readonly value: unknown }
  | { readonly json: false; readonly why: string };

/** Reads a body as JSON whatever its content type says, and cleans its text. `deep`: as for `cleanJson`. */
export function parseJson(body: Buffer, deep: 'refuse' | 'leave out' = 'refuse'): ParsedBody {
  const text = body.toString('utf8').replace(/^\ufeff/, '');
  if (text.trim() === '') return { json: false, why: 'is empty' };
  try {
    return { json: true, value: cleanJson(JSON.parse(text), deep) };
  } catch (error) {
    if (error instanceof SyntaxError) return { json: false, why: 'is not JSON' };
    if (error instanceof NestedTooDeeply) return { json: false, why: 'is nested too deeply' };
    throw error;
  }
}
