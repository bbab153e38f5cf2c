import { z } from 'zod';
import { isRecord } from '../catalogue/records/members.ts';
import { ArtworkError } from '../errors.ts';

const details = z.looseObject({ given: z.string(), meant: z.string() });

/** The error to throw: if it refuses a path and tells which one was meant, it leads to the call with that path. */
export function withFileMeant(error: unknown, tool: string, args: object): unknown {
  // If the error leads to a call already, as for an id that was used before, that call stays.
  if (!(error instanceof ArtworkError) || error.next?.tool !== undefined) return error;
  const named = details.safeParse(error.details);
  if (!named.success) return error;
  const { given, meant } = named.data;
  return error.leadingTo({
    tool,
    arguments: Object.fromEntries(
      Object.entries(args).map(([name, value]: [string, unknown]) => [name, replaced(value, given, meant)]),
    ),
    why: 'It is the same call with the path that is there: tell the person which one it is.',
  });
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
