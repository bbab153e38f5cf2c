import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { invalidRequest, type Issue, ProtectedError } from './protected-error.ts';

/** Enough for 300 items with long names. */
const maxBytes = 1024 * 1024;

/**
 * The JSON value in the request body.
 * @throws ProtectedError 415 for another media type, 413 for more than a megabyte, 400 for a body that is no
 *   JSON.
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const [mediaType = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  if (mediaType.trim().toLowerCase() !== 'application/json') {
    throw new ProtectedError(415, 'request.mediaType', 'Send the body as application/json.');
  }
  const chunks: Buffer[] = [];
  let length = 0;
  // Not destroyed on a refusal, so that the answer can still be sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Buffer)) throw new TypeError('A request without an encoding gives bytes.');
    length += chunk.byteLength;
    if (length > maxBytes) {
      throw new ProtectedError(413, 'request.tooLarge', 'The body is too large.', {
        details: { maxBytes: maxBytes },
      });
    }
    chunks.push(chunk);
  }
  try {
    const body: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
    return body;
  } catch (error) {
    // The decoder throws a TypeError for invalid UTF-8.
    if (error instanceof SyntaxError || error instanceof TypeError)
      throw invalidRequest('The body is no JSON.');
    throw error;
  }
}

/**
 * Checks what a request says; no part of a request is used unchecked.
 * @throws ProtectedError 400 that names each field that is missing, unknown or wrong.
 */
export function validate<T>(schema: z.ZodType<T>, given: unknown): T {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap(issuesOf);
  const first = issues[0];
  throw invalidRequest(
    first ? `${first.path.join('.') || 'The request'}: ${first.message}` : 'The request is invalid.',
    issues,
  );
}

function issuesOf(issue: z.core.$ZodIssue): Issue[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      code: 'field.unknown',
      message: 'This field is unknown.',
      path: [...path, key],
    }));
  }
  return [{ code: 'field.invalid', message: issue.message, path }];
}

/** @throws ProtectedError 400 for a repeated parameter. */
export function queryFields(query: URLSearchParams): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of query) {
    if (fields.has(name)) {
      throw invalidRequest(`The query has ${name} twice.`, [
        { code: 'field.repeated', message: 'Give this parameter once.', path: [name] },
      ]);
    }
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}
