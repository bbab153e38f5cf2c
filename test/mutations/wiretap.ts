import type { SendOutcome, SendRequest } from '../../src/catalogue/send.ts';
import type { MutationPorts } from '../../src/mutations/ports.ts';
import { waitingClock } from './waiting-clock.ts';

export interface Sent {
  /** `admission`, `complete`, or the id of the item whose file it was. */
  readonly what: string;
  readonly path: string;
  /** Of what was JSON. */
  readonly body: string | null;
  outcome: SendOutcome['outcome'] | null;
}

/** Notes every request that a submission makes, and may get in its way. Waits are short. */
export interface Wiretap {
  readonly sent: Sent[];
  /** How often each of these left. */
  count(what: string): number;
  /** The items whose file left more than once. */
  repeated(): string[];
  readonly ports: (ports: MutationPorts) => MutationPorts;
}

export type Meddle = (sent: Sent, send: () => Promise<SendOutcome>) => Promise<SendOutcome>;

export function wiretap(meddle: Meddle = (_, send) => send(), times = 10): Wiretap {
  const sent: Sent[] = [];
  const count = (what: string) => sent.filter((one) => one.what === what).length;
  return {
    sent,
    count,
    repeated: () =>
      [...new Set(sent.map(({ what }) => what))].filter((what) => isItem(what) && count(what) > 1),
    ports: (ports) => ({
      ...ports,
      clock: waitingClock(times),
      async send(request, call) {
        const { path, body } = request;
        const one: Sent = {
          what: whatIs(request),
          path,
          body: Buffer.isBuffer(body) ? body.toString() : null,
          outcome: null,
        };
        sent.push(one);
        const outcome = await meddle(one, () => ports.send(request, call));
        one.outcome = outcome.outcome;
        return outcome;
      },
    }),
  };
}

function isItem(what: string): boolean {
  return what !== 'admission' && what !== 'complete';
}

function whatIs({ path, query }: SendRequest): string {
  if (path.endsWith('/complete')) return 'complete';
  return typeof query?.itemId === 'string' ? query.itemId : 'admission';
}
