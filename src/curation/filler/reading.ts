import { ArtworkError } from '../../errors.ts';
import type { TitleReference } from '../titles/title-index.ts';
import type { ListName, Lists } from './lists.ts';
import type { FillerPorts } from './ports.ts';
import { type Records, readOwnTitles } from './records.ts';
import type { FillerLease, Pace } from './turns.ts';

export interface Filling {
  readonly signal: AbortSignal;
  /** A person waits for it: four requests at a time, as fast as the service answers. */
  readonly isByHand: boolean;
  /** Reads all of it again, what is fresh too; a full reading that was interrupted goes on. */
  readonly isFull?: boolean;
  readonly onProgress?: (progress: FillerProgress) => void;
}

export interface FillerProgress {
  readonly lists: Readonly<
    Record<ListName, { readonly pages: number; readonly of: number | null; readonly ended: boolean }>
  >;
  /** Records that this reading has read. */
  readonly records: number;
  /** How many are known to be left. */
  readonly left: () => Promise<number>;
  /** Until when the service is left alone, ms; null: it is being asked. */
  readonly restsUntil: number | null;
}

type Job =
  | { readonly read: 'page'; readonly list: ListName }
  | { readonly read: 'record'; readonly reference: TitleReference };

interface ReadingParts {
  readonly ports: FillerPorts;
  readonly filling: Filling;
  readonly lease: FillerLease;
  readonly signal: AbortSignal;
  /** Ends what else is under way once the store has failed, or the reading was given up. */
  readonly broken: AbortController;
  readonly pace: Pace;
  readonly lists: Lists;
  readonly records: Records;
  readonly fullSince: number;
}

/** A request may take so long, ms. */
const deadlineMs = 40_000;
/** The pause after a failure grows from the first to the second, ms. */
const failurePauses = [2_000, 300_000] as const;
const failurePausesByHand = [500, 8_000] as const;
/** After a 429 that doesn't say how long. */
const limitedPauses = [60_000, 3_600_000] as const;
/** A person is told of so many failures in a row; without one it is tried on. */
const mostFailuresByHand = 6;
/** A person does not wait longer than this at a time: the reading ends, and says when it can go on, ms. */
const longestWaitByHandMs = 20 * 60_000;
/** One page or record that fails so often while others can be read is left for later. */
const mostTries = 4;

const feeds = ['assets', 'sets'] as const;
const sources = ['feed', 'index', 'record'] as const;

/** Several workers, each with one request at a time; what one has read is kept before it goes on. */
export class TitleReading {
  readonly #parts: ReadingParts;
  readonly #busy = new Set<ListName>();
  readonly #tries = new Map<string, number>();
  #failures = 0;
  #read = 0;
  #turns = 0;
  #choosing: Promise<Job | null> = Promise.resolve(null);
  #failed: ArtworkError | null = null;
  #isFull = false;
  #settled: (() => void)[] = [];
  #underWay = 0;

  constructor(parts: ReadingParts) {
    this.#parts = parts;
  }

  /** @returns why it was given up; null where nothing is left, or it was aborted */
  async run(atOnce: number): Promise<ArtworkError | null> {
    const { ports, fullSince, signal } = this.#parts;
    await readOwnTitles(ports, fullSince, () => this.#turn(), { signal, deadlineMs });
    await this.#lookAtSize();
    const ends = await Promise.allSettled(Array.from({ length: atOnce }, () => this.#work()));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return this.#failed;
  }

  /** Whether it ended since the index takes no more. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** What would be read now could not be kept. */
  async #lookAtSize(): Promise<void> {
    if (this.#isFull || !(await this.#parts.ports.index.isFull())) return;
    this.#isFull = true;
    this.#parts.broken.abort();
  }

  async #work(): Promise<void> {
    while (!this.#isOver()) {
      const job = await this.#choose();
      if (job === null) {
        // What others are reading may name more.
        if (this.#underWay === 0) return;
        await new Promise<void>((resolve) => this.#settled.push(resolve));
        continue;
      }
      let isRead = false;
      try {
        isRead = (await this.#turn()) && (await this.#carryOut(job));
      } catch (error) {
        this.#parts.broken.abort();
        throw error;
      } finally {
        this.#underWay -= 1;
        if (job.read === 'page') this.#busy.delete(job.list);
        else this.#parts.records.done(job.reference, isRead);
        const waiting = this.#settled;
        this.#settled = [];
        for (const resolve of waiting) resolve();
      }
    }
  }

  #isOver(): boolean {
    return this.#parts.signal.aborted || this.#failed !== null || this.#isFull;
  }

  /** Whether a request may be sent now. */
  async #turn(): Promise<boolean> {
    const { pace, signal, lease, filling } = this.#parts;
    if (filling.isByHand) this.#endBeforeLongWait();
    await pace.turn(signal);
    return !this.#isOver() && (await lease.held());
  }

  #endBeforeLongWait(): void {
    const { pace, ports } = this.#parts;
    const until = pace.restsUntil();
    if (until === null || until - ports.clock.now() <= longestWaitByHandMs) return;
    const at = new Date(until).toISOString();
    this.#fail(
      new ArtworkError(
        'rate_limited',
        `The service asked for a pause: nothing more is read for the index of titles until ${at}.`,
      ),
    );
  }

  /** Ends the other workers too, which may be waiting for their turn. */
  #fail(error: ArtworkError): void {
    this.#failed ??= error;
    this.#parts.broken.abort();
  }

  /** One after the other, so that no two take the same. */
  #choose(): Promise<Job | null> {
    const chosen = this.#choosing.then(async () => {
      if (this.#isOver()) return null;
      const job = await this.#next();
      if (job === null) return null;
      this.#underWay += 1;
      if (job.read === 'page') this.#busy.add(job.list);
      return job;
    });
    this.#choosing = chosen.catch(() => null);
    return chosen;
  }

  /**
   * One after the other from the feeds, the index and the records that they name, so that something of each can soon
   * be found. A feed whose snapshot has expired once goes before all, and so do both where a person waits.
   */
  async #next(): Promise<Job | null> {
    const { lists, records, fullSince, filling } = this.#parts;
    const isOpen = (list: ListName) => !this.#busy.has(list) && lists.isDue(list, fullSince);
    const feed = feeds.find(isOpen);
    const isUrgent = feed !== undefined && (filling.isByHand || (lists.state(feed)?.restarts ?? 0) > 0);
    if (isUrgent) return { read: 'page', list: feed };
    const isFeedFree = !feeds.some((one) => this.#busy.has(one));
    for (let tried = 0; tried < sources.length; tried += 1) {
      const source = sources[this.#turns % sources.length];
      this.#turns += 1;
      if (source === 'feed' && feed !== undefined && isFeedFree) return { read: 'page', list: feed };
      if (source === 'index' && isOpen('episodes')) return { read: 'page', list: 'episodes' };
      if (source === 'record') {
        const reference = await records.next();
        if (reference !== null) return { read: 'record', reference };
      }
    }
    return null;
  }

  /** Whether it was read, or will not be. */
  async #carryOut(job: Job): Promise<boolean> {
    const { lists, records, fullSince, signal } = this.#parts;
    const call = { signal, deadlineMs };
    try {
      if (job.read === 'page') await lists.readPage(job.list, fullSince, call);
      else await records.read(job.reference, call);
      this.#failures = 0;
      this.#tries.delete(nameOf(job));
      if (job.read === 'record') this.#read += 1;
      await this.#lookAtSize();
      return true;
    } catch (error) {
      // What the store can't do ends the reading.
      if (!(error instanceof ArtworkError) || error.category === 'internal') throw error;
      return await this.#settle(job, error);
    } finally {
      this.#tell();
    }
  }

  /** Whether the job is done with. */
  async #settle(job: Job, error: ArtworkError): Promise<boolean> {
    const { lists, records, ports } = this.#parts;
    switch (error.category) {
      case 'cancelled':
        return false;
      case 'not_found':
        this.#failures = 0;
        if (job.read === 'record') await records.gone(job.reference);
        else if (lists.state(job.list)?.next == null) await lists.giveUp(job.list, 'there is no such list');
        else await lists.restart(job.list);
        return true;
      case 'snapshot_expired':
        if (job.read === 'record') await records.passOver(job.reference);
        else await lists.restart(job.list);
        return true;
      case 'rate_limited':
      case 'service_unavailable':
      case 'network':
        if (await this.#isToBeTriedAgain(job, error)) return false;
        break;
      default:
        break;
    }
    const what = nameOf(job);
    ports.log.debug(`${what} could not be read for the index of titles: ${error.message}`);
    this.#tries.delete(what);
    if (job.read === 'page') await lists.giveUp(job.list, error.message);
    else await records.passOver(job.reference);
    return true;
  }

  async #isToBeTriedAgain(job: Job, error: ArtworkError): Promise<boolean> {
    const { pace, filling } = this.#parts;
    this.#failures += 1;
    const asked = askedFor(error);
    const usual = filling.isByHand ? failurePausesByHand : failurePauses;
    const pauses = error.category === 'rate_limited' ? limitedPauses : usual;
    await pace.leaveAlone(asked ?? pauseAfter(this.#failures, pauses), asked !== null);
    if (filling.isByHand && this.#failures >= mostFailuresByHand) this.#fail(error);
    const tries = (this.#tries.get(nameOf(job)) ?? 0) + 1;
    this.#tries.set(nameOf(job), tries);
    // Where everything fails nothing is given up: it is the service that is away.
    const isThisOne = error.category === 'service_unavailable' && this.#failures < tries;
    return !(isThisOne && tries >= mostTries);
  }

  #tell(): void {
    const { filling, lists, records, pace } = this.#parts;
    const of = (name: ListName) => {
      const state = lists.state(name);
      return { pages: state?.pages ?? 0, of: state?.totalPages ?? null, ended: state?.ended != null };
    };
    filling.onProgress?.({
      lists: { assets: of('assets'), sets: of('sets'), episodes: of('episodes') },
      records: this.#read,
      left: () => records.left(),
      restsUntil: pace.restsUntil(),
    });
  }
}

function nameOf(job: Job): string {
  return job.read === 'page' ? `the list of ${job.list}` : `${job.reference.kind} ${job.reference.id}`;
}

/** Retry-After, ms. */
function askedFor({ details }: ArtworkError): number | null {
  const seconds = details?.retryAfterSeconds;
  return typeof seconds === 'number' && seconds >= 0 ? seconds * 1000 : null;
}

function pauseAfter(failures: number, [first, longest]: readonly [number, number]): number {
  return Math.min(longest, first * 2 ** (failures - 1));
}
