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
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  [keyword: string]: unknown;
}

/**
 * A schema as hosts get it: without what only costs tokens, and without `anyOf`, which some hosts drop together
 * with everything in it.
 * @throws TypeError for a union that one list of types can't express; that is a defect of the tool
 */
export function publicSchema(schema: z.ZodObject, io: 'input' | 'output'): SchemaNode & { type: 'object' } {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: node, zodSchema }) => {
      // Zod leaves it out where a number may also come as its digits.
      if (zodSchema._zod.def.type === 'default') node.default = zodSchema._zod.def.defaultValue;
      // Zod states the safe-integer range of every integer; it says nothing to a model.
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
      // The format says the same in one word.
      if (node.format !== undefined) delete node.pattern;
      // Keys of JSON objects are strings.
      delete node.propertyNames;
      // Answers may gain fields, and the word costs tokens in each nested object.
      if (io === 'output') delete node.additionalProperties;
    },
  });
  const whole: unknown = JSON.parse(JSON.stringify(rest));
  return { ...withoutUnions(node.parse(whole)), type: 'object' };
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
