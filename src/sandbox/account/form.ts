import type { IncomingMessage } from 'node:http';

/** Why a form is not taken, as a sentence for the person and the status to send. */
export class FormError extends Error {
  override readonly name = 'FormError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const most = 32 * 1024;

/**
 * Reads a form that was sent to us.
 * @throws FormError when it is none, or larger than any form of ours.
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') {
    throw new FormError(415, 'This address takes the forms of these pages only.');
  }
  const chunks: Buffer[] = [];
  // Not destroyed when too much comes: the answer has to go back on the same connection.
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('A request body is read as bytes.');
    length += chunk.length;
    if (length > most) break;
    chunks.push(chunk);
  }
  if (length > most) {
    // The rest has to be read too, or the connection would be stuck for whoever uses it next.
    request.resume();
    throw new FormError(413, 'What was sent is larger than any form here.');
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
