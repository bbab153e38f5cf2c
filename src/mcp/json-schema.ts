import { z } from 'zod';

/** A node of JSON Schema, as far as tool definitions use it. */
export interface SchemaNode {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  /** What a host is told instead of the description, which errors tell; empty for nothing. */
  brief?: string;
  /** Its values stand in words: the server takes other spellings of them too, or another tool lists them all. */
  inWords?: boolean;
  [keyword: string]: unknown;
}

/**
 * A schema with all that the server checks, as errors tell it; without `anyOf`, which some hosts drop together with
 * everything in it.
 * @throws TypeError for a union that one list of types can't express; that is a defect of the tool
 */
export function wholeSchema(schema: z.ZodObject, io: 'input' | 'output'): SchemaNode {
  const written = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: node }) => {
      // Zod states the safe-integer range of every integer; it says nothing to a caller.
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
      // The format says the same in one word.
      if (node.format !== undefined) delete node.pattern;
    },
  });
  const whole: unknown = JSON.parse(JSON.stringify(written));
  return withoutUnions(node.parse(whole));
}

/**
 * A schema as hosts get it: types, names and words alone. Each definition stands in a model's context, and the server
 * checks the rest anyway, with errors that say what is right. A host that checks calls by it refuses nothing that the
 * server takes: so a number may be its digits.
 */
export function publicSchema(schema: z.ZodObject, io: 'input' | 'output'): SchemaNode & { type: 'object' } {
  return { ...shownOf(wholeSchema(schema, io), io), type: 'object' };
}

function shownOf(node: SchemaNode, io: 'input' | 'output'): SchemaNode {
  const shown: SchemaNode = {};
  const { type, brief, description = '', enum: values, properties, required, items } = node;
  if (type !== undefined) shown.type = io === 'input' ? withDigits(type) : type;
  const words = brief ?? description;
  if (words !== '') shown.description = words;
  if (values !== undefined && node.inWords !== true) shown.enum = values;
  if (properties !== undefined) {
    shown.properties = Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, shownOf(inner, io)]),
    );
  }
  if (required !== undefined) shown.required = required;
  const element = items === undefined ? {} : shownOf(items, io);
  if (Object.keys(element).length > 0) shown.items = element;
  return shown;
}

function withDigits(type: string | string[]): string | string[] {
  const types = [type].flat();
  return types.includes('integer') && !types.includes('string')
    ? types.flatMap((each) => (each === 'integer' ? ['integer', 'string'] : [each]))
    : type;
}

/** Only that it is an object: its members are read as what zod writes. */
const node = z.custom<SchemaNode>((value) => typeof value === 'object' && value !== null);

function withoutUnions({ anyOf, ...given }: SchemaNode): SchemaNode {
  const plain = { ...given };
  if (plain.items !== undefined) plain.items = withoutUnions(plain.items);
  if (plain.properties !== undefined) {
    plain.properties = Object.fromEntries(
      Object.entries(plain.properties).map(([name, inner]) => [name, withoutUnions(inner)]),
    );
  }
  return anyOf === undefined ? plain : { ...joined(anyOf.map(withoutUnions)), ...plain };
}

/** What limits a text says nothing of a number, so members of different types can stand side by side. */
function joined(members: readonly SchemaNode[]): SchemaNode {
  const types = members.flatMap(({ type }) => type ?? []);
  if (types.length < members.length || new Set(types).size !== types.length) {
    throw new TypeError(`No list of types says ${JSON.stringify(members)}.`);
  }
  const all: SchemaNode = Object.assign({}, ...members);
  // A list of values counts for every type.
  const values = members.flatMap(({ type, enum: listed, const: only }) =>
    type === 'null' ? [null] : (listed ?? (only === undefined ? [] : [only])),
  );
  const { const: _, ...rest } = all;
  const listed = values.some((value) => value !== null);
  return { ...rest, type: types, ...(listed ? { enum: values } : {}) };
}
