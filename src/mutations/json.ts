import type { Json } from '../canonical-json.ts';

/** Deep enough for every record of the interface document. */
const deepest = 40;

/** What came over the wire or from a call, as what the ledger can hold; what JSON has no word for is null. */
export function asJson(value: unknown, depth = 0): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      // No JSON has a negative zero.
      return Number.isFinite(value) ? value + 0 : null;
    case 'object': {
      if (value === null || depth > deepest) return null;
      if (Array.isArray(value)) return value.map((item) => asJson(item, depth + 1));
      return asJsonObject(value, depth);
    }
    default:
      return null;
  }
}

/** Members that are undefined are left out. */
export function asJsonObject(value: object, depth = 0): { readonly [member: string]: Json } {
  const members: [string, Json][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push([name, asJson(member, depth + 1)]);
  }
  return Object.fromEntries(members);
}
