/** Lets so many work at once; the others wait in the order in which they came. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** Waits for a turn. Answers how to give it back; giving it back twice does nothing. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    };
  }

  async with<Value>(work: () => Promise<Value>): Promise<Value> {
    const give = await this.take();
    try {
      return await work();
    } finally {
      give();
    }
  }
}

/** One at a time for each name. */
export class Locks {
  readonly #locks = new Map<string, Turns>();

  of(name: string): Turns {
    const lock = this.#locks.get(name) ?? new Turns(1);
    this.#locks.set(name, lock);
    return lock;
  }
}

/** However often it is asked for, it is done once; every asker gets what came of it. */
export function onceOnly<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let done: Promise<Value> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
