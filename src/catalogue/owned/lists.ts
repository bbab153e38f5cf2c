type Json = Readonly<Record<string, unknown>>;

/**
 * The list in data that is none: the interface document does not show what relationships and destinations
 * come in. Where there are several (`follows` and `hides`, say), each element is told from the others by the
 * name of its list.
 */
export function listsIn(data: Json): unknown {
  const lists = Object.entries(data).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const [first] = lists;
  if (first === undefined) return data;
  if (lists.length === 1) return first[1];
  return lists.flatMap(([name, elements]) =>
    elements.map((element) => (isObject(element) ? { ...element, listedUnder: name } : element)),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
