import type { IncomingMessage } from 'node:http';
import { wordName, words } from './page.ts';

const largestForm = 1024;

/**
 * The person's word in a form that this server's own page sent; null where it is none, or comes from another
 * site's page, whose browser names its origin.
 */
export async function readWord(request: IncomingMessage, origin: string): Promise<keyof typeof words | null> {
  const { method, headers } = request;
  const from = headers.origin ?? origin;
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  if (method !== 'POST' || from !== origin || site !== 'same-origin') return null;
  if (headers['content-type']?.split(';')[0]?.trim() !== 'application/x-www-form-urlencoded') return null;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > largestForm) return null;
    chunks.push(bytes);
  }
  const given = new URLSearchParams(Buffer.concat(chunks).toString('utf8')).getAll(wordName);
  if (given.length !== 1) return null;
  if (given[0] === words.replace) return 'replace';
  return given[0] === words.keep ? 'keep' : null;
}
