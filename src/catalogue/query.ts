/** The parameters of a request, in the order in which they are sent. */
export type Query = Readonly<Record<string, string | number>>;

/**
 * `?name=value&…`, or nothing. A space becomes `%20`: the `+` that forms use for it is read as a plus sign by
 * whoever does not take a query for a form.
 */
export function writeQuery(query: Query): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
