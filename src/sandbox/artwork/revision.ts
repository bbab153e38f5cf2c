/**
 * The revision that a change at this moment leaves, never the one before: two changes in one millisecond,
 * or a clock set back, must not look like one.
 */
export function nextRevision(previous: string, at: string): string {
  return at > previous ? at : new Date(Date.parse(previous) + 1).toISOString();
}

export function later(one: string, other: string): string {
  return one > other ? one : other;
}
