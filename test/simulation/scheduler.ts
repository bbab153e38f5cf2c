import type { Random } from './random.ts';

/** A process of the simulated world. What a dead one waits for never happens. */
export interface Actor {
  readonly name: string;
  alive: boolean;
}

interface Task {
  readonly what: string;
  /** Null: the world's own, which no process's death ends. */
  readonly actor: Actor | null;
  /** Does it; answers how whoever waits hears of it. */
  readonly act: () => () => void;
}

interface Timer {
  readonly at: number;
  readonly actor: Actor | null;
  readonly fire: () => void;
}

export interface Mishaps {
  /** How likely a process is killed at any step. */
  readonly kill: number;
  /** How many kills a schedule may have. */
  kills: number;
}

/**
 * Decides what happens next. Everything that a process does to the world is a task; between two tasks every
 * process runs until it waits for another one.
 */
export class Scheduler {
  /** ms of the simulated world */
  time = 0;
  steps = 0;
  readonly mishaps: Mishaps;
  readonly trace: string[] | null;
  readonly #random: Random;
  #tasks: Task[] = [];
  #timers: Timer[] = [];
  #killed: (actor: Actor) => void = () => {};

  constructor(random: Random, mishaps: Mishaps, trace: string[] | null) {
    this.#random = random;
    this.mishaps = mishaps;
    this.trace = trace;
  }

  onKilled(listener: (actor: Actor) => void): void {
    this.#killed = listener;
  }

  /** Something that a process does to the world, at a moment that is not its choice. */
  io<Value>(actor: Actor | null, what: string, effect: () => Value): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#tasks.push({
        what,
        actor,
        act: () => {
          try {
            const value = effect();
            return () => resolve(value);
          } catch (error) {
            return () => reject(error);
          }
        },
      });
    });
  }

  /** Something that the world does by itself. */
  later(what: string, actor: Actor | null, act: () => void): void {
    this.#tasks.push({
      what,
      actor,
      act: () => {
        act();
        return () => {};
      },
    });
  }

  after(milliseconds: number, actor: Actor | null, fire: () => void): () => void {
    const timer = { at: this.time + milliseconds, actor, fire };
    this.#timers.push(timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  sleep(actor: Actor, milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const forget = this.after(milliseconds, actor, () => {
        signal?.removeEventListener('abort', wake);
        resolve();
      });
      const wake = () => {
        forget();
        resolve();
      };
      signal?.addEventListener('abort', wake, { once: true });
    });
  }

  note(text: string): void {
    this.trace?.push(
      `${String(this.steps).padStart(4)} ${(this.time / 1000).toFixed(1).padStart(7)}s  ${text}`,
    );
  }

  kill(actor: Actor): void {
    actor.alive = false;
    this.#tasks = this.#tasks.filter((task) => task.actor !== actor);
    this.#timers = this.#timers.filter((timer) => timer.actor !== actor);
    this.note(`${actor.name} is killed`);
    this.#killed(actor);
  }

  /** One step; false: nothing is left to happen. */
  step(): boolean {
    this.steps += 1;
    const waits = this.#timers.length > 0;
    if (this.#tasks.length === 0 || (waits && this.#random.chance(0.04))) return this.#passTime();
    const index = this.#random.below(this.#tasks.length);
    const task = this.#tasks[index];
    if (task === undefined) return this.#passTime();
    this.#tasks[index] = this.#tasks.at(-1) ?? task;
    this.#tasks.pop();
    const { actor } = task;
    const dies = actor !== null && this.mishaps.kills > 0 && this.#random.chance(this.mishaps.kill);
    if (dies && this.#random.chance(0.5)) {
      this.mishaps.kills -= 1;
      this.note(`${actor.name}: before ${task.what}`);
      this.kill(actor);
      return true;
    }
    if (this.trace !== null) this.note(`${actor?.name ?? '—'}: ${task.what}`);
    const tell = task.act();
    if (dies && actor.alive) {
      this.mishaps.kills -= 1;
      this.kill(actor);
    } else tell();
    return true;
  }

  #passTime(): boolean {
    let first: Timer | undefined;
    for (const timer of this.#timers) if (first === undefined || timer.at < first.at) first = timer;
    if (first === undefined) return false;
    this.#timers.splice(this.#timers.indexOf(first), 1);
    this.time = Math.max(this.time, first.at);
    first.fire();
    return true;
  }
}

/** Lets every process run until it waits for the world. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
