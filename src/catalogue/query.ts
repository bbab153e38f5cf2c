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
