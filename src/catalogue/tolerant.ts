import { z } from 'zod';

/** A value in the shape of its schema, and what had to be left out of it for that. */
export interface Tolerated<Value> {
  readonly value: Value;
  /** One sentence per field or list element that was not what the interface document says. */
  readonly surprises: readonly string[];
}

/**
 * Reads an answer whatever its fields hold: a field of an unexpected type becomes null, a list element of
 * one is left out, and both are told. Null when the answer as a whole is of the wrong type. The input is
 * changed in place.
 */
export function tolerate<Value>(schema: z.ZodType<Value>, input: unknown): Tolerated<Value> | null {
  const first = schema.safeParse(input);
  if (first.success) return { value: first.data, surprises: [] };
  const paths = first.error.issues.map((issue) => issue.path);
  if (paths.some((path) => path.length === 0)) return null;
  const surprises = first.error.issues.map(
    (issue) => `${z.core.toDotPath(issue.path)} is not what the interface document says (${issue.code})`,
  );
  // From the back, so that an element that goes does not move those that are still to go.
  for (const path of paths.toReversed()) drop(input, path);
  return { value: schema.parse(input), surprises };
}

function drop(root: unknown, path: readonly PropertyKey[]): void {
  let parent: unknown = root;
  for (const step of path.slice(0, -1)) parent = member(parent, step);
  const last = path.at(-1);
  if (Array.isArray(parent) && typeof last === 'number') parent.splice(last, 1);
  else if (typeof parent === 'object' && parent !== null && last !== undefined) {
    Reflect.set(parent, last, null);
  }
}

function member(of: unknown, step: PropertyKey): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, step) : undefined;
}
