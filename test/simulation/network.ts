import { type Fate, judge, unknown } from '../../src/catalogue/fate.ts';
import type { SendRequest } from '../../src/catalogue/send.ts';
import { Secret } from '../../src/connections/secret.ts';
import type { Renewal, TokenService } from '../../src/connections/token-service.ts';
import { ArtworkError } from '../../src/errors.ts';
import type { Random } from './random.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import { type Answer, Service } from './service.ts';
import type { Watch } from './watch.ts';

/** How long whoever asks waits for an answer, ms. */
const patience = { request: 60_000, renewal: 30_000 };
/** How late a request may arrive, ms. */
const latest = 240_000;

interface Trip {
  readonly actor: Actor;
  readonly what: string;
  readonly waitMs: number;
  /** It leaves. */
  leave(): void;
  /** It arrives, whatever has become of whoever sent it. */
  arrive(): void;
}

/** What lies between the processes and the service: it loses, delays and repeats nothing by itself. */
export class Network {
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #service: Service;
  readonly #watch: Watch;

  constructor(scheduler: Scheduler, random: Random, service: Service, watch: Watch) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.#service = service;
    this.#watch = watch;
  }

  send(
    actor: Actor,
    request: SendRequest,
    rights: { readonly mayRepeat: boolean; readonly isInLedger: (mutation: string) => boolean },
  ): Promise<Fate> {
    const mutation = Service.mutationOf(request);
    return new Promise((resolve) => {
      let departure: ReturnType<Watch['departs']> | null = null;
      const tell = once((fate: Fate) => {
        if (departure !== null && fate.fate === 'refused') departure.open = false;
        resolve(fate);
      });
      this.#travel(
        {
          actor,
          what: `${request.path} ${mutation.slice(-2)}`,
          waitMs: patience.request,
          leave: () => {
            departure = this.#watch.departs(mutation, rights.mayRepeat, rights.isInLedger(mutation));
          },
          arrive: () => {
            if (departure === null) return;
            this.#answer(actor, this.#service.post(request, departure), tell);
          },
        },
        () => tell({ fate: 'not_sent', error: fault('refused') }),
        () => tell(unknown(fault('reset'), null, true)),
      );
    });
  }

  tokens(actor: Actor): TokenService {
    return {
      prepare: async () => {},
      renew: (secret) =>
        new Promise((resolve) => {
          const token = secret.reveal();
          let proven = () => {};
          const tell = once((renewal: Renewal) => {
            if (renewal.fate === 'not_consumed') proven();
            resolve(renewal);
          });
          const answer = (renewal: Renewal) => {
            if (this.#random.chance(this.#service.faults.answerLost)) return;
            this.#scheduler.later(`renewal ${renewal.fate}`, actor, () => tell(renewal));
          };
          this.#travel(
            {
              actor,
              what: `renew ${token}`,
              waitMs: patience.renewal,
              leave: () => {
                proven = this.#watch.presents(token);
              },
              arrive: () => answer(this.#renew(token)),
            },
            () => tell(notConsumed('not_sent')),
            () => tell({ fate: 'unknown', code: 'ECONNRESET' }),
          );
        }),
      revoke: async () => ({ fate: 'revoked' }),
    };
  }

  #renew(token: string): Renewal {
    const { faults } = this.#service;
    if (this.#random.chance(faults.refused)) return notConsumed('rate_limited');
    if (this.#random.chance(faults.brokenBefore)) return { fate: 'unknown', code: '503' };
    const granted = this.#service.renew(token);
    if (granted === 'refused') return { fate: 'refused' };
    if (this.#random.chance(faults.brokenAfter)) return { fate: 'unknown', code: '503' };
    return {
      fate: 'granted',
      subject: null,
      answer: {
        accessToken: new Secret(granted.access),
        refreshToken: new Secret(granted.refresh),
        expiresInSeconds: granted.seconds,
        scopes: null,
        idToken: null,
      },
    };
  }

  #travel(trip: Trip, notSent: () => void, cut: () => void): void {
    const { actor, what } = trip;
    const { faults } = this.#service;
    this.#scheduler.later(`send ${what}`, actor, () => {
      if (this.#random.chance(faults.notSent)) {
        this.#scheduler.note(`${what} is not sent`);
        return notSent();
      }
      trip.leave();
      this.#scheduler.after(trip.waitMs, actor, cut);
      if (this.#random.chance(faults.lost)) {
        this.#scheduler.note(`${what} is lost`);
        if (this.#random.chance(0.5)) this.#scheduler.later(`${what} is reset`, actor, cut);
        return;
      }
      if (this.#random.chance(faults.delayed)) {
        this.#scheduler.note(`${what} is delayed`);
        this.#scheduler.after(this.#random.below(latest), null, () => {
          this.#scheduler.note(`${what} arrives late`);
          trip.arrive();
        });
        if (this.#random.chance(0.5)) this.#scheduler.later(`${what} is reset`, actor, cut);
        return;
      }
      this.#scheduler.later(`${what} arrives`, null, () => trip.arrive());
    });
  }

  #answer(actor: Actor, { status, body }: Answer, tell: (fate: Fate) => void): void {
    if (this.#random.chance(this.#service.faults.answerLost)) {
      this.#scheduler.note(`answer ${status} is lost`);
      if (this.#random.chance(0.5)) {
        this.#scheduler.later('answer is cut', actor, () => tell(unknown(fault('cut'), status, true)));
      }
      return;
    }
    const bytes = Buffer.from(JSON.stringify(body));
    const head = { status, headers: { 'content-length': String(bytes.length) } };
    this.#scheduler.later(`answer ${status}`, actor, () => tell(judge(head, bytes, true)));
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

function notConsumed(why: 'not_sent' | 'rate_limited'): Renewal {
  return { fate: 'not_consumed', proof: { why, code: null, retryAfterMs: null } };
}
