/** What is opened at its first use, and shared by all later ones. */
export interface Once<Value> {
  /** Rejects as the opening does; the next use tries again. */
  get(): Promise<Value>;
  /** What was opened, or undefined. Never rejects. */
  opened(): Promise<Value | undefined>;
}

export function once<Value>(open: () => Promise<Value>): Once<Value> {
  let opening: Promise<Value> | undefined;
  return {
    get: () => {
      const current = opening ?? open();
      opening = current;
      current.catch(() => {
        if (opening === current) opening = undefined;
      });
      return current;
    },
    opened: async () => opening?.catch(() => undefined),
  };
}
