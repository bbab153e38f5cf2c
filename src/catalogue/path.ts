/** A path below `{base_url}`, with every inserted value encoded as one segment of it. */
export type ServicePath = string & { readonly __brand: 'ServicePath' };

/**
 * Tagged template for paths of the interface document: path`/shows/${id}`. An inserted value stays inside
 * its segment whatever it holds; `.` and `..` would still be resolved away, so they are refused.
 */
export function path(parts: TemplateStringsArray, ...values: readonly (string | number)[]): ServicePath {
  let result = parts[0] ?? '';
  for (const [index, value] of values.entries()) {
    result += segment(String(value)) + (parts[index + 1] ?? '');
  }
  return result as ServicePath;
}

function segment(value: string): string {
  if (value === '' || value === '.' || value === '..') {
    throw new TypeError(`"${value}" can't be a segment of a path.`);
  }
  return encodeURIComponent(value);
}
