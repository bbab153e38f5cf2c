import { z } from 'zod';

/** A node of JSON Schema, as far as tool definitions use it. */
export interface SchemaNode {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  /** What a host is told instead of the description, which the reference has; empty for nothing. */
  brief?: string;
  /** The values stand in words: calls may spell them otherwise, or another tool lists them all. */
  inWords?: boolean;
  /** Words for members by their names, `items.slot` for those of a member or of the elements of a list. */
  words?: Words;
  [keyword: string]: unknown;
}

type Words = Readonly<Record<string, string>>;
type Io = 'input' | 'output';

/**
 * A schema with all that the server checks, as the reference tells it. It holds no union: some hosts drop one together
 * with everything in it. It holds no list of types: some services refuse the whole request for one.
 */
export function wholeSchema(schema: z.ZodObject, io: Io): SchemaNode {
  const written = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: node }) => {
      // Zod states the safe range of every integer, which says nothing to a caller.
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
      // The format says the same in one word.
      if (node.format !== undefined) delete node.pattern;
    },
  });
  // Places that share a schema share its node, and each gets words of its own.
  const node: SchemaNode = JSON.parse(JSON.stringify(written));
  return plainOf(node, {}, io);
}

/** A schema as hosts get it: types, names and words. It costs each conversation, and the server checks the rest. */
export function publicSchema(schema: z.ZodObject, io: Io): SchemaNode & { type: 'object' } {
  return { ...shownOf(wholeSchema(schema, io)), type: 'object' };
}

function shownOf(node: SchemaNode): SchemaNode {
  const shown: SchemaNode = {};
  const { type, description = '', brief = description, enum: values, properties, required, items } = node;
  if (type !== undefined) shown.type = type;
  if (brief !== '') shown.description = brief;
  if (values !== undefined && node.inWords !== true) shown.enum = values;
  if (properties !== undefined) {
    shown.properties = Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, shownOf(inner)]),
    );
  }
  if (required !== undefined) shown.required = required;
  const element = items === undefined ? {} : shownOf(items);
  if (Object.keys(element).length > 0) shown.items = element;
  return shown;
}

/** Without unions and lists of types, and with the words for its members in their places. */
function plainOf(given: SchemaNode, outer: Words, io: Io): SchemaNode {
  const { anyOf: _, oneOf: __, type: ___, words = outer, ...own } = given;
  const node: SchemaNode = { ...joined(membersOf(given), io), ...own };
  const { properties, items } = node;
  if (items !== undefined) node.items = plainOf(items, words, io);
  if (properties !== undefined) {
    node.properties = Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [
        name,
        plainOf(worded(name, inner, words), wordsWithin(name, words), io),
      ]),
    );
  }
  return node;
}

function wordsWithin(name: string, words: Words): Words {
  const within = Object.entries(words).filter(([place]) => place.startsWith(`${name}.`));
  return Object.fromEntries(within.map(([place, said]) => [place.slice(name.length + 1), said]));
}

function worded(name: string, node: SchemaNode, words: Words): SchemaNode {
  const own = words[name];
  return own === undefined ? node : { ...node, description: own, brief: own };
}

/** What a node may be, each with one type, also where a union stands within a union. */
function membersOf({ anyOf, oneOf, type, ...own }: SchemaNode): SchemaNode[] {
  const union = anyOf ?? oneOf ?? (Array.isArray(type) ? type.map((each) => ({ type: each })) : null);
  if (union === null) return [type === undefined ? own : { type, ...own }];
  return union.flatMap(membersOf).map((member) => ({ ...member, ...own }));
}

/**
 * One node for several. An argument that may be null is left out instead. One that may be a number or a text is a text,
 * of which digits are taken. Objects have the members of all. An answer may be any of them, so its type isn't told.
 */
function joined(members: readonly SchemaNode[], io: Io): SchemaNode {
  if (io === 'output' && members.length > 1) return {};
  const own = members.filter(({ type }) => type !== 'null');
  const [first = {}, ...others] = own;
  if (others.length === 0) return first;
  const types = new Set(own.map(({ type }) => type));
  if (types.size > 1) return types.has('string') ? { type: 'string' } : {};
  if (first.properties !== undefined) return joinedObjects(own, io);
  const values = own.flatMap(({ enum: listed, const: only }) => listed ?? (only === undefined ? [] : [only]));
  return { ...(first.type === undefined ? {} : { type: first.type }), enum: values };
}

function joinedObjects(members: readonly SchemaNode[], io: Io): SchemaNode {
  const names = new Set(members.flatMap(({ properties = {} }) => Object.keys(properties)));
  const properties = [...names].map((name): [string, SchemaNode] => {
    const each = members.flatMap(({ properties: its }): SchemaNode[] => (its?.[name] ? [its[name]] : []));
    const [first = {}] = each;
    return [name, first.const === undefined ? first : joined(each, io)];
  });
  const required = [...names].filter((name) => members.every((member) => member.required?.includes(name)));
  const { additionalProperties = false } = members[0] ?? {};
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties };
}
