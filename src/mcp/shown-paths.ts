/** Root-relative paths that the service's answers have shown: a caller may name these, whatever their form is. */
export interface ShownPaths {
  /** Takes them from an answer's data, at any depth. */
  learn(data: unknown): void;
  has(path: string): boolean;
}

/** Enough for a day's work; a bound, because what it holds comes from answers. */
const most = 20_000;
const longest = 4_000;

/** Remembers the paths that answers have shown, which alone may be asked for later. */
export function createShownPaths(): ShownPaths {
  const paths = new Set<string>();
  const learn = (value: unknown): void => {
    if (typeof value === 'string') {
      if (/^\/[^/\\]/.test(value) && value.length <= longest) paths.add(value);
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) learn(inner);
    }
  };
  return {
    learn(data) {
      learn(data);
      for (const oldest of paths) {
        if (paths.size <= most) break;
        paths.delete(oldest);
      }
    },
    has: (path) => paths.has(path),
  };
}
