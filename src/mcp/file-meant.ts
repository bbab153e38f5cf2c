import { z } from 'zod';
import { isRecord } from '../catalogue/records/members.ts';
import { ArtworkError } from '../errors.ts';
import { MutationError } from '../mutations/result.ts';

const details = z.looseObject({ given: z.string(), meant: z.string() });

/** What is thrown: where it refuses a path and tells which one was meant, with the call that names that one. */
export function withFileMeant(error: unknown, tool: string, args: object): unknown {
  // Where another call comes first, as where the id was used before, that one stays.
  if (!(error instanceof ArtworkError) || error.next?.tool !== undefined) return error;
  const named = details.safeParse(error.details);
  if (!named.success) return error;
  const { given, meant } = named.data;
  const next = {
    tool,
    arguments: Object.fromEntries(
      Object.entries(args).map(([name, value]: [string, unknown]) => [name, replaced(value, given, meant)]),
    ),
    why: 'It is the same call with the path that is there: tell the person which one it is.',
  };
  return error instanceof MutationError
    ? new MutationError(error.category, error.message, { ...error, next })
    : new ArtworkError(error.category, error.message, { ...error, next });
}

/** A value in which one text stands for another, at any depth of lists and objects. */
function replaced(value: unknown, one: string, other: string): unknown {
  if (value === one) return other;
  if (Array.isArray(value)) return value.map((inner: unknown) => replaced(inner, one, other));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replaced(inner, one, other)]),
  );
}
