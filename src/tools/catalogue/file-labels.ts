/** Of each path as much of its end as tells it from the others: its name, where no other has the same. */
export function tellApart(paths: readonly string[]): string[] {
  const all = paths.map((path) => path.split('/'));
  const endOf = (parts: readonly string[], depth: number) => parts.slice(-depth).join('/');
  return all.map((parts, at) => {
    const others = all.filter((_, other) => paths[other] !== paths[at]);
    const isAlone = (depth: number) => !others.some((other) => endOf(other, depth) === endOf(parts, depth));
    let depth = 1;
    while (depth < parts.length && !isAlone(depth)) depth += 1;
    return endOf(parts, depth);
  });
}
