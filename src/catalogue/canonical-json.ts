/**
 * One spelling for one JSON value: members sorted by their names' UTF-16 code units, no white space, numbers
 * and strings as `JSON.stringify` writes them. It is what RFC 8785 prescribes. Members whose value is
 * undefined count as absent.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((element) => canonicalJson(element ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
