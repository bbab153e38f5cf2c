import { z } from 'zod';

const schema = z.looseObject({ error: z.string() });

/**
 * The `error` of an OAuth failure (Authentication 10); null where the body holds none. Its description is not
 * read: it may quote what was sent, and so could a code that is not one.
 */
export function oauthError(body: Buffer, sent: readonly string[]): string | null {
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    return null; // A page, or the half of an answer.
  }
  const parsed = schema.safeParse(json);
  return parsed.success ? errorCode(parsed.data.error, sent) : null;
}

/** The code if it looks like one, else `unrecognized`. @param sent what it must not be a part of */
export function errorCode(code: string, sent: readonly string[]): string {
  const quotes = sent.some((value) => value !== '' && (value.includes(code) || code.includes(value)));
  return !quotes && /^[a-z][a-z0-9_.-]{0,49}$/i.test(code) ? code : 'unrecognized';
}
