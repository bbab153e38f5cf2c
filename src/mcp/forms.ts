import { z } from 'zod';

// How the schemas of arguments are taken apart, to read what is given and to say what is wrong with it.

/** Zod's types leave open whether what is inside a schema is one of its classes. Ours all are. */
export function schemaOf(inner: unknown): z.ZodType {
  if (inner instanceof z.ZodType) return inner;
  throw new TypeError('An argument is no schema.');
}

/** The schema of what is there, whether it may also be left out, be null, or become something else. */
export function formOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return formOf(schemaOf(schema.def.innerType));
  if (!(schema instanceof z.ZodPipe)) return schema;
  const { in: before, out } = schema.def;
  return formOf(schemaOf(before instanceof z.ZodTransform ? out : before));
}

export function elementOf(list: z.ZodArray): z.ZodType {
  return schemaOf(list.def.element);
}

/** The members that an object can have. */
interface Option {
  readonly shape: z.ZodRawShape;
  /** Names that other members of a union have. */
  readonly others: ReadonlySet<string>;
}

/** The members that a given object can have; null where the schema is not of objects, or no member of it fits. */
export function optionFor(form: z.ZodType, given: Readonly<Record<string, unknown>>): Option | null {
  if (form instanceof z.ZodObject) return { shape: form.shape, others: new Set() };
  if (!(form instanceof z.ZodDiscriminatedUnion)) return null;
  const { discriminator } = form.def;
  const shapes = shapesIn(form);
  const others = new Set(shapes.flatMap((shape) => Object.keys(shape)));
  const named = (shape: z.ZodRawShape) =>
    schemaOf(shape[discriminator]).safeParse(given[discriminator]).success;
  const shape = shapes.find(named);
  return shape === undefined ? null : { shape, others };
}

function shapesIn({ options }: z.ZodDiscriminatedUnion): z.ZodRawShape[] {
  return options.flatMap((option) => (option instanceof z.ZodObject ? [option.shape] : []));
}

/** The form at a place within a schema, for the value that was given there; null where there is none. */
export function formAt(schema: z.ZodType, path: readonly PropertyKey[], given: unknown): z.ZodType | null {
  const form = formOf(schema);
  const [step, ...rest] = path;
  if (step === undefined) return form;
  const inner: unknown = Object(given)[step];
  if (form instanceof z.ZodArray) return formAt(elementOf(form), rest, inner);
  const found: unknown = optionFor(form, Object(given))?.shape[String(step)];
  return found === undefined ? null : formAt(schemaOf(found), rest, inner);
}
