import type { z } from 'zod';
import { type Issue, invalid } from './protected-error.ts';

/**
 * What a request said, checked; nothing of a request is used unchecked.
 * @throws ProtectedError 400 that names each field that is missing, unknown or wrong.
 */
export function checked<T>(schema: z.ZodType<T>, given: unknown): T {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap(issuesOf);
  const first = issues[0];
  throw invalid(
    first ? `${first.path.join('.') || 'The request'}: ${first.message}` : 'Not as asked.',
    issues,
  );
}

function issuesOf(issue: z.core.$ZodIssue): Issue[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      code: 'field.unknown',
      message: 'This field is not known here.',
      path: [...path, key],
    }));
  }
  return [{ code: 'field.invalid', message: issue.message, path }];
}

/** @throws ProtectedError 400 for a parameter that is given twice. */
export function queryFields(query: URLSearchParams): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of query) {
    if (fields.has(name)) {
      throw invalid(`The query has ${name} twice.`, [
        { code: 'field.repeated', message: 'Give this parameter once.', path: [name] },
      ]);
    }
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}
