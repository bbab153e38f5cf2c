import { readFileSync } from 'node:fs';
import { z } from 'zod';

/*
 * Reads `records.txt`, which has the records of the interface document. Every answer of the catalogue that a test gets
 * is compared with it.
 */

/** A text of this folder, line by line: what is indented by `indent` belongs to the line before. */
export function linesOf(name: string, indent: string): string[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  return text.replace(new RegExp(`\\n${indent}(?=\\S)`, 'g'), ' ').split('\n');
}

const path = z.string().regex(/^\/(?!\/)\S+$/);
const url = z.url({ protocol: /^https?$/ });
const object = z.looseObject({});
const types: Readonly<Record<string, z.ZodType>> = {
  integer: z.int(),
  positive: z.int().min(1),
  boolean: z.boolean(),
  date: z.iso.date(),
  timestamp: z.iso.datetime(),
  UUID: z.uuid(),
  URL: url,
  'URL or null': url.nullable(),
  'path or null': path.nullable(),
  text: z.string().min(1),
  strings: z.array(z.string()),
  object,
  objects: z.array(object),
  list: z.array(z.unknown()),
  null: z.null(),
  false: z.literal(false),
};
const lines = linesOf('records.txt', '  ');
/** The type of each member; any other is a text. */
const typeOf = new Map<string, z.ZodType>();
/** What several records have. */
const parts = new Map<string, string>();
for (const line of lines) {
  const [, type = '', members = ''] = /^([\w |]+): ([\w. ]+)$/.exec(line) ?? [];
  const words = type.split('|');
  const known = types[type] ?? (words.length > 1 ? z.enum(words) : undefined);
  if (known !== undefined) for (const member of members.split(' ')) typeOf.set(member, known);
  const [, part, whole] = /^(@\w+) = (.*)/.exec(line) ?? [];
  if (part !== undefined && whole !== undefined) parts.set(part, whole);
}

/** The shape of what stands behind an arrow. */
function shapeOf(written: string): z.ZodType {
  let whole = written;
  while (whole.includes('@')) whole = whole.replace(/@\w+/g, (part) => parts.get(part) ?? '');
  const tokens = whole.match(/[\w:]+[?*]?|[{}[\]…]/g) ?? [];
  const members = (within: string): z.ZodType => {
    const shape: Record<string, z.ZodType> = {};
    let isOpen = false;
    for (let token = tokens.shift(); token !== undefined && !/[\]}]/.test(token); token = tokens.shift()) {
      const [name = '', type = ''] = token.replace(/[?*]/, '').split(':');
      isOpen ||= name === '…';
      if (name === '…') continue;
      const open = /[{[]/.test(tokens[0] ?? '') ? tokens.shift() : '';
      const known = types[type] ?? typeOf.get(`${within}.${name}`) ?? typeOf.get(name) ?? z.string();
      const one = open ? members(name) : known;
      const all = open === '[' ? z.array(one) : one;
      shape[name] = token.endsWith('?') ? all.nullable() : token.endsWith('*') ? all.optional() : all;
    }
    return isOpen ? z.looseObject(shape) : z.strictObject(shape);
  };
  return members('');
}

const shapes = lines.flatMap((line) => {
  const [, asked = '', written] = /^(?:[\w ]+: )?(.+?) → (.*)/.exec(line) ?? [];
  const pattern = new RegExp(`^${asked.replace(/\{\w+\}/g, '[^/?]+')}(\\?.*)?$`);
  return written === undefined ? [] : [{ pattern, shape: shapeOf(written) }];
});

/** The paths of public records by their kinds, as feeds and groups name them. */
export const publicKinds: ReadonlyMap<string, string> = new Map(
  lines.flatMap((line): [string, string][] => {
    const [, heading = '', at] = /^([\w ]+): GET (\/[\w-]+)\/\{id\} /.exec(line) ?? [];
    return at === undefined ? [] : [[heading.toLowerCase().replace(' ', '_'), at]];
  }),
);

/** @throws Error where an answer is not as documented */
export function requireShape(request: string, status: number, body: unknown): void {
  const failed = request.includes(' /me/') ? 'PROTECTED' : 'PUBLIC';
  const shape = shapes.find(({ pattern }) => pattern.test(status < 400 ? request : failed))?.shape;
  const error = shape?.safeParse(body).error;
  if (error) throw new Error(`${request}: ${error.message}\n${JSON.stringify(body).slice(0, 2_000)}`);
}
