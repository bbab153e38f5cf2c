import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { bundle } from '../support/bundle.ts';

/** A process of its own for a test, which speaks in lines of JSON. */
export interface Actor {
  readonly process: ChildProcess;
  /** The next line that it says; null once it has ended. */
  next(): Promise<unknown>;
  /** All that it still says, until it has ended. */
  rest(): Promise<unknown[]>;
  /** Lets an actor that is ready begin. */
  begin(): void;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
}

export interface ActorOptions {
  /** Node's own arguments. */
  readonly node?: readonly string[];
  /** More variables of its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Actors {
  start(args: readonly string[], options?: ActorOptions): Actor;
  /** Ends every actor that still runs, and removes the program. */
  end(): Promise<void>;
}

/** Builds the actors' program, since Node 20 runs no TypeScript, and starts processes of it. */
export async function buildActors(source: string): Promise<Actors> {
  const built = await bundle({ actor: source });
  const running = new Set<Actor>();
  return {
    start(args, { node = [], env = {} } = {}) {
      const child = spawn(process.execPath, [...node, built.program('actor'), ...args], {
        stdio: ['pipe', 'pipe', 'inherit'],
        windowsHide: true,
        env: { ...process.env, ...env },
      });
      child.stdin.on('error', () => undefined); // An actor that ended early is seen by what it said.
      const ended = once(child, 'close');
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const next = async (): Promise<unknown> => {
        const line = await lines.next();
        return line.done === true ? null : JSON.parse(line.value);
      };
      const actor: Actor = {
        process: child,
        next,
        async rest() {
          const said: unknown[] = [];
          for (let line = await next(); line !== null; line = await next()) said.push(line);
          await ended;
          running.delete(actor);
          return said;
        },
        begin: () => child.stdin.end('go\n'),
        async kill() {
          child.kill('SIGKILL');
          await ended;
          running.delete(actor);
        },
      };
      running.add(actor);
      return actor;
    },
    async end() {
      await Promise.all([...running].map((actor) => actor.kill()));
      await built.remove();
    },
  };
}
