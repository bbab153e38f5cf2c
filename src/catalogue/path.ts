import { ArtworkError } from '../errors.ts';

/** A path below `{base_url}`, with every inserted value encoded as one segment of it. */
export type ServicePath = string & { readonly __brand: 'ServicePath' };

/**
 * Tagged template for paths of the interface document: path`/shows/${id}`. An inserted value stays inside
 * its segment whatever it holds; `.` and `..` would still be resolved away, so they are refused.
 * @throws ArtworkError `invalid_arguments` for those
 */
export function path(parts: TemplateStringsArray, ...values: readonly (string | number)[]): ServicePath {
  let result = parts[0] ?? '';
  for (const [index, value] of values.entries()) {
    result += segment(String(value)) + (parts[index + 1] ?? '');
  }
  return result as ServicePath;
}

function segment(value: string): string {
  // Half of a character can't be encoded.
  if (/^\.{0,2}$|\p{Cs}/u.test(value)) {
    throw new ArtworkError('invalid_arguments', `${JSON.stringify(value)} can't be an id.`);
  }
  return encodeURIComponent(value);
}

/** The parameters of a request, in the order in which they are sent. */
export type Query = Readonly<Record<string, string | number>>;

/**
 * `?name=value&…`, or nothing. A space becomes `%20`: the `+` that forms use for it is read as a plus sign by
 * a server that does not read a query as a form. A lone surrogate becomes U+FFFD, as in every URL.
 */
export function writeQuery(query: Query): string {
  const encode = (part: string | number) => encodeURIComponent(String(part).replace(/\p{Cs}/gu, '\ufffd'));
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
