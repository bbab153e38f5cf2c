/** Elements by what they have in common, groups and elements in the order in which they first came. */
export function groupedBy<Element, Key>(
  elements: Iterable<Element>,
  keyOf: (element: Element) => Key,
): Map<Key, Element[]> {
  const groups = new Map<Key, Element[]>();
  for (const element of elements) {
    const key = keyOf(element);
    const others = groups.get(key);
    if (others === undefined) groups.set(key, [element]);
    else others.push(element);
  }
  return groups;
}
