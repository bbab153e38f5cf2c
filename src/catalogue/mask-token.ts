const mask = '[secret]';

// What is shorter is no token, and could be a word of the answer itself.
const shortestToken = 12;

/**
 * An answer without the access token that its request carried: a service, or a gateway before it, may quote
 * what it was sent, and answers end up in errors and results.
 */
export function maskToken(body: Buffer, token: string | null): Buffer {
  if (token === null || token.length < shortestToken) return body;
  const spellings = new Set([token, token.replaceAll('/', '\\/'), encodeURIComponent(token)]);
  const found = [...spellings].filter((spelling) => body.includes(spelling));
  if (found.length === 0) return body;
  let text = body.toString('utf8');
  for (const spelling of found) text = text.replaceAll(spelling, mask);
  return Buffer.from(text);
}
