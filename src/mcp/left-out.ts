import { z } from 'zod';
import { isRecord } from '../catalogue/records/members.ts';

/**
 * The arguments of a call without those that say nothing. Models fill in every argument that a definition lists: null or
 * "" in one that may be left out means that it is left out. It stays where the argument is needed, where null says
 * something (interface document: "null is used only for fields that allow clearing"), within lists, and in objects that
 * go to the service as they are.
 */
export function withoutEmptyArguments(schema: z.ZodType, given: unknown): unknown {
  const form = unwrapped(schema);
  if (form instanceof z.ZodArray && Array.isArray(given)) {
    const element = typeOf(form.def.element);
    return given.map((one: unknown) => withoutEmptyArguments(element, one));
  }
  if (!(form instanceof z.ZodObject) || !isRecord(given)) return given;
  const shape: z.ZodRawShape = form.shape;
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const argument = Object.hasOwn(shape, name) ? typeOf(shape[name]) : null;
      if (argument === null) return [[name, value]];
      return saysNothing(argument, value) ? [] : [[name, withoutEmptyArguments(argument, value)]];
    }),
  );
}

function saysNothing(argument: z.ZodType, value: unknown): boolean {
  if (value !== null && value !== '') return false;
  if (!argument.safeParse(undefined).success) return false;
  return value === '' || !argument.safeParse(null).success;
}

/** The schema of what is there, whether it may also be left out, be null, or be given in other words. */
function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return unwrapped(typeOf(schema.def.innerType));
  }
  if (!(schema instanceof z.ZodPipe)) return schema;
  const { in: before, out } = schema.def;
  return unwrapped(typeOf(before instanceof z.ZodTransform ? out : before));
}

/** Zod's types leave open whether what is inside a schema is one of its classes; ours all are. */
function typeOf(inner: unknown): z.ZodType {
  if (inner instanceof z.ZodType) return inner;
  throw new TypeError('An argument is no schema.');
}
