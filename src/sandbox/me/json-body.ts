import type { IncomingMessage } from 'node:http';
import { invalid, ProtectedError } from './protected-error.ts';

/** Enough for 300 items with long names. */
const mostBytes = 1024 * 1024;

/**
 * The JSON value that the request carries.
 * @throws ProtectedError 415 for another media type, 413 for more than a megabyte, 400 for what is no JSON.
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const [mediaType = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  if (mediaType.trim().toLowerCase() !== 'application/json') {
    throw new ProtectedError(415, 'request.mediaType', 'Send the body as application/json.');
  }
  const chunks: Buffer[] = [];
  let length = 0;
  // Left undestroyed on a refusal, so that the answer can still be sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Buffer)) throw new TypeError('A request without an encoding gives bytes.');
    length += chunk.byteLength;
    if (length > mostBytes) {
      throw new ProtectedError(413, 'request.tooLarge', 'The body is too large.', {
        details: { maxBytes: mostBytes },
      });
    }
    chunks.push(chunk);
  }
  try {
    const body: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
    return body;
  } catch (error) {
    // A TypeError is the decoder's word for what is no UTF-8.
    if (error instanceof SyntaxError || error instanceof TypeError) throw invalid('The body is no JSON.');
    throw error;
  }
}
