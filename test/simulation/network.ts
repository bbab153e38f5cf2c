import { judgeAnswer, type SendOutcome, type SendRequest, unknownOutcome } from '../../src/catalogue/send.ts';
import type { Renewal } from '../../src/connection/oauth-answers.ts';
import type { Ports } from '../../src/connection/renewal.ts';
import { Secret } from '../../src/connection/row.ts';
import { ArtworkError } from '../../src/errors.ts';
import { cleanText } from '../../src/text.ts';
import type { Access } from './access.ts';
import type { Answer } from './answers.ts';
import type { Weather } from './faults.ts';
import type { Random } from './random.ts';
import type { Actor, Scheduler } from './scheduler.ts';

/** How long whoever asks waits for an answer, ms. */
const patience = { request: 60_000, renewal: 30_000 };
/** How late a request may arrive, ms. */
const latest = 240_000;

/** How late an answer may come, ms: also later than it is waited for. */
const latestAnswer = 90_000;

/** A request on its way. */
export interface Passage {
  /** Which step of a mutation it is. */
  readonly step: string;
  readonly what: string;
  /** Asked before it leaves. */
  readonly gate: SendRequest['gate'];
  /** Whoever sends it gives it up. */
  readonly signal?: AbortSignal | undefined;
  /** Its gate has opened for it. */
  begin?(): void;
  /** It leaves. */
  leave(): void;
  /** It arrives, whatever has become of whoever sent it. */
  arrive(): Answer;
  /** It arrives long after it left. */
  late?(): void;
  /** Whoever sent it hears that it changed nothing. */
  refused(): void;
  /** It was answered with 401 or 429, which says nothing of its effect. */
  turnedAway(): void;
  /** It never left. */
  notSent?(): void;
}

interface Trip {
  readonly actor: Actor;
  readonly step: string;
  readonly what: string;
  readonly waitMs: number;
  readonly signal: AbortSignal | undefined;
  /** Whether the gate that it has passed is still open. */
  isStillOpen(): boolean;
  /** It has to pass its gate again. */
  waits(): void;
  leave(): void;
  arrive(): void;
  late(): void;
}

export interface Around {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly weather: Weather;
  readonly access: Access;
  /** A refresh token leaves; it may again once what this answers is called. */
  presents(token: string): () => void;
  reach(what: string): void;
}

/** What lies between the processes and the service: it loses, delays and repeats nothing by itself. */
export class Network {
  readonly #around: Around;

  constructor(around: Around) {
    this.#around = around;
  }

  /** Asks whether the request may leave, and then, with some of its body on the way, whether the last chunk may. */
  async send(actor: Actor, passage: Passage): Promise<SendOutcome> {
    const { scheduler, random, reach } = this.#around;
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
        passage.begin?.();
        const outcome = await this.#sendOnce(actor, passage, isStillOpen);
        if (outcome !== 'not in time') return outcome;
      }
    } catch (cause) {
      reach(hasBegun ? `kept back in its body: ${step}` : `kept back: ${step}`);
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
    const { step, what, signal } = passage;
    const { reach } = this.#around;
    return new Promise((resolve) => {
      const giveUp = () => {
        reach(`given up: ${step}`);
        this.#around.scheduler.later(`give up ${step}`, actor, cut);
      };
      const tell = once((outcome: SendOutcome) => {
        signal?.removeEventListener('abort', giveUp);
        if (outcome.outcome === 'refused')
          if (outcome.status === 401 || outcome.status === 429) passage.turnedAway();
          else passage.refused();
        if (outcome.outcome === 'not_sent') passage.notSent?.();
        resolve(outcome);
      });
      const cut = () => tell(unknownOutcome(fault('reset'), null, true));
      this.#travel(
        {
          actor,
          step,
          what,
          waitMs: patience.request,
          signal,
          isStillOpen,
          waits() {
            reach(`asks for its lease again: ${step}`);
            resolve('not in time');
          },
          leave() {
            signal?.addEventListener('abort', giveUp, { once: true });
            passage.leave();
          },
          arrive: () => this.#answer(actor, step, passage.arrive(), tell),
          late: () => passage.late?.(),
        },
        () => tell({ outcome: 'not_sent', error: fault('refused') }),
        cut,
      );
    });
  }

  tokens(actor: Actor): Ports['server'] {
    return {
      prepare: async () => {},
      renew: (secret) =>
        new Promise((resolve) => {
          const { random, scheduler, weather, presents } = this.#around;
          const token = secret.reveal();
          let proven = () => {};
          const tell = once((renewal: Renewal) => {
            if (renewal.outcome === 'not_consumed') proven();
            resolve(renewal);
          });
          const answer = (renewal: Renewal) => {
            if (random.chance(weather.faults.answerLost)) return;
            scheduler.later(`renewal ${renewal.outcome}`, actor, () => tell(renewal));
          };
          this.#travel(
            {
              actor,
              step: 'renewal',
              what: token,
              waitMs: patience.renewal,
              signal: undefined,
              isStillOpen: () => true,
              waits: () => {},
              leave: () => {
                proven = presents(token);
              },
              arrive: () => answer(this.#renew(token)),
              late: () => {},
            },
            () => tell(notConsumed()),
            () => tell({ outcome: 'unknown' }),
          );
        }),
      revoke: async () => 'revoked',
    };
  }

  #renew(token: string): Renewal {
    const { random, weather, access } = this.#around;
    const { faults } = weather;
    if (random.chance(faults.refused)) return notConsumed();
    if (random.chance(faults.brokenBefore)) return { outcome: 'unknown' };
    const granted = access.renew(token);
    if (granted === 'refused') return { outcome: 'refused' };
    if (random.chance(faults.brokenAfter)) return { outcome: 'unknown' };
    return {
      outcome: 'granted',
      issued: {
        tokens: { access: new Secret(granted.access), refresh: new Secret(granted.refresh) },
        expiresInSeconds: granted.seconds,
        scopes: null,
        issuer: 'the service',
        subject: null,
        name: null,
      },
    };
  }

  #travel(trip: Trip, notSent: () => void, cut: () => void): void {
    const { actor, step, what } = trip;
    const { scheduler, random, weather, reach } = this.#around;
    const { faults } = weather;
    scheduler.later(
      () => `send ${step} ${what}`,
      actor,
      () => {
        if (trip.signal?.aborted === true) return notSent();
        if (!trip.isStillOpen()) return trip.waits();
        if (random.chance(faults.notSent)) {
          scheduler.note(`${step} ${what} is not sent`);
          reach(`not sent: ${step}`);
          return notSent();
        }
        trip.leave();
        scheduler.after(trip.waitMs, actor, cut);
        if (random.chance(faults.lost)) {
          scheduler.note(`${step} ${what} is lost`);
          reach(`lost: ${step}`);
          if (random.chance(0.5)) scheduler.later(() => `reset ${step} ${what}`, actor, cut);
          return;
        }
        if (random.chance(faults.delayed)) {
          scheduler.note(`${step} ${what} is delayed`);
          scheduler.after(random.below(latest), null, () => {
            scheduler.note(`${step} ${what} arrives late`);
            reach(`late: ${step}`);
            trip.late();
            trip.arrive();
          });
          if (random.chance(0.5)) scheduler.later(() => `reset ${step} ${what}`, actor, cut);
          return;
        }
        scheduler.later(
          () => `arrives ${step} ${what}`,
          null,
          () => trip.arrive(),
        );
      },
    );
  }

  #answer(
    actor: Actor,
    step: string,
    { status, body, headers }: Answer,
    tell: (outcome: SendOutcome) => void,
  ): void {
    const { scheduler, random, weather, reach } = this.#around;
    reach(`${status}: ${step}`);
    if (random.chance(weather.faults.answerLost)) {
      scheduler.note(`answer ${status} is lost`);
      reach(`answer lost: ${step}`);
      if (random.chance(0.5)) {
        scheduler.later('cut answer', actor, () => tell(unknownOutcome(fault('cut'), status, true)));
      }
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
    if (random.chance(weather.faults.answerLate)) {
      reach(`answer late: ${step}`);
      scheduler.after(random.below(latestAnswer), actor, hear);
    } else hear();
  }
}

/** Whoever has heard of one end hears of no other. */
function once<Value>(tell: (value: Value) => void): (value: Value) => void {
  let told = false;
  return (value) => {
    if (told) return;
    told = true;
    tell(value);
  };
}

export function fault(what: string): ArtworkError {
  return new ArtworkError('network', `The connection was ${what}.`);
}

function notConsumed(): Renewal {
  return { outcome: 'not_consumed', error: fault('refused') };
}
