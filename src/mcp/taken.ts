/**
 * Words of a call that were taken for others, such as `posters` for `poster`: what was given, and what it was taken
 * for. Null where every word was taken as it stands.
 */
export function takenFor(given: unknown, parsed: unknown): Readonly<Record<string, string>> | null {
  const found = new Map<string, string>();
  compare(given, parsed, found);
  return found.size === 0 ? null : Object.fromEntries(found);
}

function compare(given: unknown, parsed: unknown, found: Map<string, string>): void {
  if (typeof given === 'string' && typeof parsed === 'string') {
    if (given !== parsed) found.set(given, parsed);
    return;
  }
  if (typeof given !== 'object' || typeof parsed !== 'object' || given === null || parsed === null) return;
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(parsed, name)) compare(value, Reflect.get(parsed, name), found);
  }
}
