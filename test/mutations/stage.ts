import { type SendOutcome, type SendRequest, unknownOutcome } from '../../src/catalogue/send.ts';
import { deadlineIn } from '../../src/deadline.ts';
import { ArtworkError } from '../../src/errors.ts';
import { MutationError, type MutationResult } from '../../src/mutations/answer/result.ts';
import type { MutationCall, Mutations } from '../../src/mutations/mutations.ts';
import type { Process } from '../simulation/agent.ts';
import { type Picture, pictureOf } from '../simulation/folder.ts';
import { fault } from '../simulation/network.ts';
import { openWorld, type Planted, startProcess, type World } from '../simulation/process.ts';
import { seeded } from '../simulation/random.ts';
import { Scheduler } from '../simulation/scheduler.ts';
import type { Habits } from '../simulation/weather.ts';
import { Shelf } from './shelf.ts';

/** How the service or the network treats one request, beside doing what it asks for and saying so. */
export type Treatment =
  /** It is done, and then: no answer, or this status. */
  | { readonly done: 'and unheard' | number }
  /** It is done, and a yes with another receipt is the answer. */
  | { readonly told: object }
  /** Nothing of it arrives: nobody hears of it, it is proven not to have left, or this status is the answer. */
  | { readonly undone: 'and unheard' | 'unsent' | number; readonly error?: object };

/** A request as the service got it. */
export interface Got {
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed, where it is JSON. */
  readonly body: unknown;
}

/** What a call came to: an answer, or an error. */
export type Said = Partial<Omit<MutationResult, 'outcome' | 'error' | 'clientMutationId'>> & {
  readonly outcome?: string | undefined;
  readonly clientMutationId?: string | undefined;
  readonly error?:
    | {
        readonly code: string;
        readonly message: string;
        readonly category?: string | undefined;
        readonly details?: object | undefined;
      }
    | undefined;
};

/** One machine with any number of processes, before a service that does as it is told, without luck: no time passes in the real world. */
export class Stage {
  readonly world: World;
  readonly shelf = new Shelf();
  /** All that the service got, in its order. */
  readonly got: Got[] = [];
  readonly #treatments: { readonly path: RegExp; readonly treatment: Treatment }[] = [];
  #started = 0;

  private constructor(world: World) {
    this.world = world;
  }

  static async open(habits: Partial<Habits> = {}): Promise<Stage> {
    const random = seeded(1);
    const mishaps = { kill: 0, kills: 0, stall: 0, stalls: 0, delay: 0 };
    const scheduler = new Scheduler(random, mishaps, null);
    const plain: Habits = {
      ...{ lagMs: 0, words: 'plain', namesPending: true, insists: false },
      ...{ takesOnce: false, doubtsItself: false, mostListed: 50 },
      ...habits,
    };
    const world = await openWorld({ scheduler, random, wishes: [], habits: plain });
    world.weather.isCalm = true;
    world.accounts.signIn('owner', true);
    return new Stage(world);
  }

  /** Starts a process. */
  start(plant: Planted = {}): Process {
    this.#started += 1;
    const treated: Planted = {
      ...plant,
      send: (send) => plant.send?.(this.#treating(send)) ?? this.#treating(send),
      owned: (owned) => plant.owned?.(this.shelf.reads(owned)) ?? this.shelf.reads(owned),
    };
    return startProcess(this.world, `process-${this.#started}`, treated);
  }

  kill({ actor }: Process): void {
    this.world.scheduler.kill(actor);
  }

  picture(name: string): Picture {
    const picture = pictureOf(name);
    this.world.folder.put(picture);
    return picture;
  }

  /** The next request to a path is treated so. */
  treat(path: RegExp, ...treatments: readonly Treatment[]): void {
    this.#treatments.push(...treatments.map((treatment) => ({ path, treatment })));
  }

  /** Makes a call, lets the world go on until it has answered, and answers what it said. */
  async call(process: Process, make: MakeCall, milliseconds = 45_000): Promise<Said> {
    try {
      return await this.ask(process, make, milliseconds);
    } catch (error) {
      if (error instanceof ArtworkError) return saidBy(error);
      throw error;
    }
  }

  /** The same, with an answer of any shape; rejects where the call does. */
  async ask<Answer>(
    { mutations }: Process,
    make: (mutations: Mutations, call: MutationCall) => Promise<Answer>,
    milliseconds = 45_000,
  ): Promise<Answer> {
    const { scheduler } = this.world;
    const deadline = deadlineIn(milliseconds, undefined, { monotonic: () => scheduler.time });
    const heard = { isHeard: false };
    const answer = make(mutations, { deadline }).finally(() => {
      heard.isHeard = true;
    });
    answer.catch(() => {});
    await scheduler.run(() => heard.isHeard);
    if (!heard.isHeard) throw new TypeError('The call does not answer.');
    return answer;
  }

  /** Lets the world go on until nothing happens any more, or for so long. ms */
  async pass(milliseconds = Number.POSITIVE_INFINITY): Promise<void> {
    const { scheduler } = this.world;
    const until = scheduler.time + milliseconds;
    if (Number.isFinite(until)) scheduler.after(milliseconds, null, () => {});
    await scheduler.run(() => scheduler.time >= until);
  }

  /** Reads show the service as it is now, until they catch up. */
  freezeReads(): void {
    this.world.service.frozenAt = this.world.scheduler.time;
    this.shelf.freeze();
  }

  catchUp(): void {
    this.world.service.frozenAt = null;
    this.shelf.catchUp();
  }

  /** How often the service got a request to a path. */
  count(path: RegExp): number {
    return this.got.filter((one) => path.test(one.path)).length;
  }

  #treating(send: (request: SendRequest, deadline: Parameters<Send>[1]) => Promise<SendOutcome>): Send {
    return async (request, deadline) => {
      const at = this.#treatments.findIndex(({ path }) => path.test(request.path));
      const treatment = at < 0 ? null : (this.#treatments.splice(at, 1)[0]?.treatment ?? null);
      if (treatment !== null && 'undone' in treatment) {
        if (treatment.undone === 'unsent') return { outcome: 'not_sent', error: fault('refused') };
        await request.gate?.('first');
        this.#note(request);
        return answered(treatment.undone, treatment.error);
      }
      this.#note(request);
      const outcome = this.shelf.has(request.path)
        ? await this.#shelved(request)
        : await send(request, deadline);
      if (treatment === null) return outcome;
      if ('told' in treatment) return { outcome: 'applied', status: 200, body: treatment.told };
      return answered(treatment.done);
    };
  }

  async #shelved(request: SendRequest): Promise<SendOutcome> {
    await request.gate?.('first');
    await request.gate?.('last');
    return this.shelf.post(request);
  }

  #note({ path, query = {}, headers, body }: SendRequest): void {
    const text = Buffer.isBuffer(body) ? body.toString() : '';
    this.got.push({ path, query, headers, body: text.startsWith('{') ? JSON.parse(text) : text });
  }
}

type MakeCall = (mutations: Mutations, call: MutationCall) => Promise<Said>;
type Send = NonNullable<ReturnType<NonNullable<Planted['send']>>>;

function answered(status: 'and unheard' | number, error: object = {}): SendOutcome {
  if (status === 'and unheard') return unknownOutcome(fault('cut'), null, true);
  const told = refusalError(status, error);
  if (status >= 400 && status < 500) return { outcome: 'refused', status, error: told };
  return unknownOutcome(told, status, true);
}

function refusalError(status: number, error: object): ArtworkError {
  const categories: Readonly<Record<number, ArtworkError['failure']>> = {
    401: 'reconnect_required',
    403: 'forbidden',
    409: 'conflict',
    429: 'rate_limited',
  };
  const category = categories[status] ?? (status < 500 ? 'upload_refused' : 'service_unavailable');
  return new ArtworkError(category, `The service answered ${status}.`, { status, ...error });
}

function saidBy(error: ArtworkError): Said {
  const { code, failure, message, details = {}, next } = error;
  const about = error instanceof MutationError ? error : undefined;
  return {
    clientMutationId: about?.clientMutationId,
    outcome: about?.outcome,
    next,
    error: { code, category: failure, message, details },
  };
}
