import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { z } from 'zod';
import { ArtworkError } from '../errors.ts';
import { type Clean, cleanJson, NestedTooDeeply } from '../text.ts';
import type { Head } from '../wire/exchange.ts';
import { isRecord } from './records/members.ts';

/** Largest JSON answer that is read, bytes, before and after its content encoding. */
export const answerBytes = 8 * 1024 * 1024;

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * Undoes an answer's content encoding. None is asked for, but a gateway may compress all the same; what
 * comes out is limited like what comes over the wire.
 * @throws ArtworkError `bad_response`
 */
export async function decodeBody(head: Head, body: Buffer, maxBytes: number): Promise<Buffer> {
  const encoding = (head.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '' || body.length === 0) return body;
  if (!isDecodable(encoding)) {
    throw new ArtworkError('bad_response', 'The answer has a content encoding that was not asked for.', {
      status: head.status,
    });
  }
  try {
    return await decoders[encoding](body, { maxOutputLength: maxBytes });
  } catch (cause) {
    const tooLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
    if (tooLarge) throw answerTooLarge(maxBytes, head.status);
    throw new ArtworkError('bad_response', `The answer's ${encoding} encoding is broken.`, {
      status: head.status,
      cause,
    });
  }
}

function isDecodable(encoding: string): encoding is keyof typeof decoders {
  return Object.hasOwn(decoders, encoding);
}

/** The error of an answer whose body is longer than its limit. */
export function answerTooLarge(maxBytes: number, status: number): ArtworkError {
  const size = `${Math.round(maxBytes / 1024 / 1024)} MiB`;
  return new ArtworkError('bad_response', `The answer is larger than ${size}; it was not read to its end.`, {
    status,
  });
}

/** What a body holds: cleaned JSON, or why it is none. */
export type ParsedBody =
  | { readonly json: true; readonly value: unknown }
  | { readonly json: false; readonly why: string };

/**
 * Reads a body as JSON whatever its content type says, and cleans its text: of the access token too if the request
 * carried one, which only `clean` knows. `deep`: as for `cleanJson`.
 */
export function parseJson(body: Buffer, clean: Clean, deep: 'refuse' | 'leave out' = 'refuse'): ParsedBody {
  const text = body.toString('utf8').replace(/^\ufeff/, '');
  if (text.trim() === '') return { json: false, why: 'is empty' };
  try {
    return { json: true, value: cleanJson(JSON.parse(text), deep, clean) };
  } catch (error) {
    if (error instanceof SyntaxError) return { json: false, why: 'is not JSON' };
    if (error instanceof NestedTooDeeply) return { json: false, why: 'is nested too deeply' };
    throw error;
  }
}

/** A value in the shape of its schema, or why it can't be brought into it. */
type Tolerated<Value> =
  | {
      readonly read: true;
      readonly value: Value;
      /** One sentence per field or list element that was not what the interface document says. */
      readonly surprises: readonly string[];
    }
  /** `why`: null where the answer as a whole is of the wrong type. */
  | { readonly read: false; readonly why: string | null };

/** An answer with more of them is not what it is read as, and what is left of it would mislead. */
const mostFaults = 100;

/**
 * Reads an answer whatever its fields hold: a field of an unexpected type becomes null, a list element of
 * one is left out, and both are told. It is given up after 100 of them, and where a list holds nothing but
 * wrong elements, since an empty list would say that there is nothing. The input is changed in place; the
 * time is in proportion to its size.
 */
export function readTolerantly<Value>(schema: z.ZodType<Value>, input: unknown): Tolerated<Value> {
  const faults = new Faults();
  try {
    if (!mend(shapeOf(schema), input, faults)) return { read: false, why: null };
  } catch (error) {
    if (error instanceof Unreadable) return { read: false, why: error.message };
    throw error;
  }
  const parsed = schema.safeParse(input);
  if (!parsed.success) return { read: false, why: null };
  return { read: true, value: parsed.data, surprises: faults.told };
}

class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** A list of nothing but wrong elements: what holds it is wrong, up to the next list that it is an element of. */
class Hollow extends Unreadable {}

class Faults {
  readonly told: string[] = [];
  /** Where in the answer the reading is. */
  readonly at: PropertyKey[] = [];

  note(): void {
    this.told.push(`${this.#place()} is not what the interface document says`);
    if (this.told.length <= mostFaults) return;
    throw new Unreadable(
      `more than ${mostFaults} of its fields and elements are not what the interface document says, ${this.told[0]?.split(' ', 1)[0]} first`,
    );
  }

  hollow(): Hollow {
    return new Hollow(`${this.#place() || 'the list'} holds nothing but elements of a wrong type`);
  }

  #place(): string {
    const place = z.core.toDotPath(this.at);
    return place.length > 100 ? `${place.slice(0, 100)}…` : place;
  }
}

/** What of a schema matters here, found once: asking the schema at each of a million elements takes far longer. */
type Shape =
  | { readonly is: 'list'; readonly element: Shape; readonly nullish: boolean }
  | { readonly is: 'object'; readonly fields: readonly Field[]; readonly nullish: boolean }
  | { readonly is: 'other'; readonly schema: z.core.$ZodType; readonly nullish: boolean };
type Field = readonly [name: string, shape: Shape];

const shapes = new WeakMap<z.core.$ZodType, Shape>();

function shapeOf(schema: z.core.$ZodType): Shape {
  const shape = shapes.get(schema) ?? findShape(schema);
  shapes.set(schema, shape);
  return shape;
}

function findShape(schema: z.core.$ZodType): Shape {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return { ...shapeOf(schema.unwrap()), nullish: true };
  }
  if (schema instanceof z.ZodArray) return { is: 'list', element: shapeOf(schema.element), nullish: false };
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]): Field => [name, shapeOf(field)]);
    return { is: 'object', fields, nullish: false };
  }
  return { is: 'other', schema, nullish: false };
}

/** Takes out of a value what its shape does not allow; false where that is the value itself. */
function mend(shape: Shape, value: unknown, faults: Faults): boolean {
  if (shape.nullish && (value === undefined || value === null)) return true;
  switch (shape.is) {
    case 'list':
      return Array.isArray(value) && mendList(shape.element, value, faults);
    case 'object':
      return isRecord(value) && mendFields(shape.fields, value, faults);
    case 'other':
      return z.core.safeParse(shape.schema, value).success;
  }
}

function mendFields(
  fields: readonly Field[],
  value: Readonly<Record<string, unknown>>,
  faults: Faults,
): boolean {
  for (const [name, shape] of fields) {
    faults.at.push(name);
    if (!mend(shape, value[name], faults)) {
      faults.note();
      Reflect.set(value, name, null);
    }
    faults.at.pop();
  }
  return true;
}

function mendList(element: Shape, list: unknown[], faults: Faults): boolean {
  let kept = 0;
  const depth = faults.at.push(0);
  for (const [index, value] of list.entries()) {
    faults.at[depth - 1] = index;
    if (mendElement(element, value, faults)) {
      list[kept] = value;
      kept += 1;
    } else faults.note();
  }
  faults.at.pop();
  if (kept === 0 && list.length > 0) throw faults.hollow();
  list.length = kept;
  return true;
}

function mendElement(element: Shape, value: unknown, faults: Faults): boolean {
  const depth = faults.at.length;
  try {
    return mend(element, value, faults);
  } catch (error) {
    if (!(error instanceof Hollow)) throw error;
    faults.at.length = depth;
    return false;
  }
}
