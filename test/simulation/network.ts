import { judgeAnswer, type SendOutcome, type SendRequest, unknownOutcome } from '../../src/catalogue/send.ts';
import { ArtworkError } from '../../src/errors.ts';
import { cleanText } from '../../src/text.ts';
import type { Answer } from './answers.ts';
import type { Random } from './random.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import type { Weather } from './weather.ts';

/** How long the one that asks waits for an answer, ms. */
const patienceMs = 60_000;
/** How late a request may arrive, and how late an answer may come: also later than it is waited for. ms */
const latest = { request: 240_000, answer: 90_000 };

/** A request on its way. */
export interface Passage {
  /** Which step of a change it is. */
  readonly step: string;
  readonly what: string;
  /** Asked before it leaves. */
  readonly gate: SendRequest['gate'];
  /** The one that sends it gives it up. */
  readonly signal: AbortSignal;
  /** Its gate has opened for it. */
  begin(): void;
  /** It leaves. */
  leave(): void;
  /** It arrives, whatever has become of the one that sent it. `again`: the network has doubled it. */
  arrive(again: boolean): Answer;
  /** What the one that sent it hears. */
  heard(outcome: SendOutcome): void;
}

export interface Around {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly weather: Weather;
}

/** What lies between the processes and the service: it loses, delays and doubles. */
export class Network {
  readonly #around: Around;

  constructor(around: Around) {
    this.#around = around;
  }

  /** Asks whether the request may leave, and then, with some of its body on the way, whether the last chunk may. */
  async send(actor: Actor, passage: Passage): Promise<SendOutcome> {
    const { scheduler, random } = this.#around;
    const { step, gate = async () => () => true } = passage;
    let hasBegun = false;
    try {
      while (!(await gate('first'))());
      if (random.chance(0.3)) {
        hasBegun = true;
        await new Promise<void>((resolve) => scheduler.later(() => `body of ${step}`, actor, resolve));
      }
      for (;;) {
        const isStillOpen = await gate('last');
        passage.begin();
        const outcome = await this.#sendOnce(actor, passage, isStillOpen);
        if (outcome !== 'not in time') return outcome;
      }
    } catch (cause) {
      const error =
        cause instanceof ArtworkError ? cause : new ArtworkError('network', 'kept back', { cause });
      return hasBegun ? unknownOutcome(error, null, false) : { outcome: 'not_sent', error };
    }
  }

  #sendOnce(
    actor: Actor,
    passage: Passage,
    isStillOpen: () => boolean,
  ): Promise<SendOutcome | 'not in time'> {
    const { scheduler, random, weather } = this.#around;
    const { step, what, signal } = passage;
    const named = `${step} ${what}`;
    return new Promise((resolve) => {
      let isTold = false;
      const tell = (outcome: SendOutcome) => {
        // What has heard of one end hears of no other.
        if (isTold) return;
        isTold = true;
        signal.removeEventListener('abort', giveUp);
        passage.heard(outcome);
        resolve(outcome);
      };
      const cut = () => tell(unknownOutcome(fault('reset'), null, true));
      const giveUp = () => {
        scheduler.later(`give up ${step}`, actor, cut);
      };
      const resetPerhaps = () => {
        if (random.chance(0.5)) scheduler.later(() => `reset ${named}`, actor, cut);
      };
      const arrive = () => {
        const answer = passage.arrive(false);
        const isDoubled = answer.status < 300 && weather.happens('doubled');
        // The answer to either may be the one that comes through.
        if (!isDoubled || random.chance(0.5)) this.#answer(actor, step, answer, tell);
        if (!isDoubled) return;
        scheduler.after(random.below(5_000), null, () => {
          scheduler.note(`${named} arrives a second time`);
          this.#answer(actor, step, passage.arrive(true), tell);
        });
      };
      const leave = () => {
        if (signal.aborted) return tell({ outcome: 'not_sent', error: fault('given up') });
        if (!isStillOpen()) return resolve('not in time');
        if (weather.happens('notSent')) return tell({ outcome: 'not_sent', error: fault('refused') });
        signal.addEventListener('abort', giveUp, { once: true });
        passage.leave();
        scheduler.after(patienceMs, actor, cut);
        if (weather.happens('lost')) {
          scheduler.note(`${named} is lost`);
          return resetPerhaps();
        }
        if (weather.happens('delayed')) {
          scheduler.note(`${named} is delayed`);
          scheduler.after(random.below(latest.request), null, () => {
            scheduler.note(`${named} arrives late`);
            arrive();
          });
          return resetPerhaps();
        }
        scheduler.later(() => `arrives ${named}`, null, arrive);
      };
      scheduler.later(() => `send ${named}`, actor, leave);
    });
  }

  #answer(actor: Actor, step: string, answer: Answer, tell: (outcome: SendOutcome) => void): void {
    const { scheduler, random, weather } = this.#around;
    const { status, body, headers } = answer;
    if (weather.happens('answerLost')) {
      scheduler.note(`answer ${status} is lost`);
      const cut = () => tell(unknownOutcome(fault('cut'), status, true));
      if (random.chance(0.5)) scheduler.later('cut answer', actor, cut);
      return;
    }
    const bytes = Buffer.from(JSON.stringify(body));
    const head = { status, headers: { ...headers, 'content-length': String(bytes.length) } };
    const hear = () =>
      scheduler.later(
        () => `hear ${step} ${status}`,
        actor,
        () => tell(judgeAnswer({ head, body: bytes, clean: cleanText }, true)),
      );
    if (weather.happens('answerLate')) scheduler.after(random.below(latest.answer), actor, hear);
    else hear();
  }
}

export function fault(what: string): ArtworkError {
  return new ArtworkError('network', `The connection was ${what}.`);
}
