import type { Random } from './random.ts';

/** A process of the simulated world. What a dead one waits for never happens. */
export interface Actor {
  readonly name: string;
  alive: boolean;
  /** Stopped, and to go on: until then nothing that concerns it happens. */
  stalled: boolean;
}

/** Told in traces; made only when it is. */
export type What = string | (() => string);

interface Task {
  readonly what: What;
  /** Null: the world's own, which no process's death ends. */
  readonly actor: Actor | null;
  /** Whether it only looks: being killed there is like being killed at the next thing that is done. */
  readonly looks: boolean;
  /** Does it; answers how the one that waits hears of it. */
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
  /** How likely a process is stopped for a while at any step. */
  readonly stall: number;
  stalls: number;
  /** How likely time passes at any step although there is something to do; left out: a little. */
  readonly delay?: number;
}

/** See `Mishaps.delay`. */
const usualDelay = 0.04;
/** How much less likely than elsewhere something befalls a process where it only looks. */
const partOfLooks = 0.1;
/** Longer than any schedule takes. */
const mostSteps = 20_000;
/** How long a process may be stopped, ms: longer than others wait for it. */
const longestStall = 200_000;
/** ms */
const longestTimer = 2 ** 31 - 1;

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
  /** What waits until a stalled process goes on. */
  #held: Task[] = [];
  readonly #actors = new Set<Actor>();
  #killed: (actor: Actor) => void = () => {};

  constructor(random: Random, mishaps: Mishaps, trace: string[] | null) {
    this.#random = random;
    this.mishaps = mishaps;
    this.trace = trace;
  }

  onKilled(listener: (actor: Actor) => void): void {
    this.#killed = listener;
  }

  newActor(name: string): Actor {
    const actor = { name, alive: true, stalled: false };
    this.#actors.add(actor);
    return actor;
  }

  /** Those that live. */
  get actors(): ReadonlySet<Actor> {
    return this.#actors;
  }

  /** Something that a process does to the world, at a moment that is not its choice. */
  io<Value>(
    actor: Actor | null,
    what: What,
    effect: () => Value | Promise<Value>,
    looks = false,
  ): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#await({
        what,
        actor,
        looks,
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

  /** Something that a process sees of the world. */
  look<Value>(actor: Actor | null, what: What, see: () => Value | Promise<Value>): Promise<Value> {
    return this.io(actor, what, see, true);
  }

  /** Something that the world does by itself. */
  later(what: What, actor: Actor | null, act: () => void): void {
    this.#await({
      what,
      actor,
      looks: false,
      act: () => {
        act();
        return () => {};
      },
    });
  }

  #await(task: Task): void {
    // Nobody is there any more to hear of it.
    if (task.actor?.alive === false) return;
    if (task.actor?.stalled === true) this.#held.push(task);
    else this.#tasks.push(task);
  }

  /** @returns forgets it */
  after(milliseconds: number, actor: Actor | null, fire: () => void): () => void {
    if (actor?.alive === false) return () => {};
    const timer = { at: this.time + milliseconds, actor, fire };
    this.#timers.push(timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  sleep(actor: Actor, milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    // A timer that is set for longer strikes at once, as Node.js has it.
    const after = milliseconds > longestTimer ? 1 : milliseconds;
    return new Promise((resolve) => {
      const forget = this.after(after, actor, () => {
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
    this.#actors.delete(actor);
    this.#tasks = this.#tasks.filter((task) => task.actor !== actor);
    this.#timers = this.#timers.filter((timer) => timer.actor !== actor);
    this.#held = this.#held.filter((task) => task.actor !== actor);
    this.note(`${actor.name} is killed`);
    this.#killed(actor);
  }

  /** It goes on after a while as if nothing had been, and its clock with all others has moved on. */
  #stall(actor: Actor): void {
    actor.stalled = true;
    this.#held.push(...this.#tasks.filter((task) => task.actor === actor));
    this.#tasks = this.#tasks.filter((task) => task.actor !== actor);
    this.note(`${actor.name} is stopped`);
    this.after(this.#random.below(longestStall), null, () => this.#wake(actor));
  }

  #wake(actor: Actor): void {
    if (!actor.stalled) return;
    actor.stalled = false;
    this.#tasks.push(...this.#held.filter((task) => task.actor === actor));
    this.#held = this.#held.filter((task) => task.actor !== actor);
    this.note(`${actor.name} goes on`);
  }

  /** Stopped processes go on before their time. @returns whether there was one */
  wakeAll(): boolean {
    const stalled = [...this.#actors].filter((actor) => actor.stalled);
    for (const actor of stalled) this.#wake(actor);
    return stalled.length > 0;
  }

  /** One step; false: nothing is left to happen. */
  step(): boolean {
    this.steps += 1;
    const waits = this.#timers.length > 0;
    if (this.#tasks.length === 0 || (waits && this.#random.chance(this.mishaps.delay ?? usualDelay)))
      return this.#passTime();
    const index = this.#random.below(this.#tasks.length);
    const task = this.#tasks[index];
    if (task === undefined) return this.#passTime();
    const part = task.looks ? partOfLooks : 1;
    if (task.actor !== null && this.mishaps.stalls > 0 && this.#random.chance(part * this.mishaps.stall)) {
      this.mishaps.stalls -= 1;
      this.#stall(task.actor);
      return true;
    }
    this.#tasks[index] = this.#tasks.at(-1) ?? task;
    this.#tasks.pop();
    const { actor } = task;
    const dies = actor !== null && this.mishaps.kills > 0 && this.#random.chance(part * this.mishaps.kill);
    if (dies) this.mishaps.kills -= 1;
    if (dies && this.#random.chance(0.5)) {
      this.note(`${actor.name}: before ${textOf(task.what)}`);
      this.kill(actor);
      return true;
    }
    if (this.trace !== null) this.note(`${actor?.name ?? '—'}: ${textOf(task.what)}`);
    const tell = task.act();
    if (dies && actor.alive) this.kill(actor);
    else tell();
    return true;
  }

  /** Steps until it is over, or nothing is left to happen. Answers false where it does not end. */
  async run(isOver: () => boolean): Promise<boolean> {
    // Now and then the machine's own events have their turn.
    await new Promise((resolve) => setImmediate(resolve));
    while (!isOver()) {
      if (!this.step()) return true;
      await settle();
      if (this.steps > mostSteps) return false;
    }
    return true;
  }

  #passTime(): boolean {
    let first: Timer | undefined;
    for (const timer of this.#timers) if (first === undefined || timer.at < first.at) first = timer;
    if (first === undefined) return false;
    this.#timers.splice(this.#timers.indexOf(first), 1);
    this.time = Math.max(this.time, first.at);
    const { actor, fire } = first;
    if (actor?.stalled === true) this.later('its clock strikes', actor, fire);
    else fire();
    return true;
  }
}

function textOf(what: What): string {
  return typeof what === 'string' ? what : what();
}

/**
 * Lets every process run until it waits for the world: what is queued here comes after every promise that is kept
 * by then, and none of the modules under simulation waits for anything else.
 */
function settle(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
