import type { OrderedFault, SeenRequest } from './catalogue-control.ts';

/** How long the catalogue holds a request while the server that sent it is killed; it then goes on with it. ms */
const heldMs = 5_000;
/** How long the outcome of a completed submission stays open, ms. */
const workingMs = 3_000;

/** What the catalogue has seen of a Set: requests since the last server was started, and changes of all of them. */
export interface Seen {
  readonly requests: readonly SeenRequest[];
  readonly effects: Readonly<Record<string, number>>;
  /** The items whose file has arrived. */
  readonly arrived: ReadonlySet<string>;
}

/** A stretch of the way of a Set from its files to its outcome. */
export interface Phase {
  readonly name: string;
  readonly faults: readonly OrderedFault[];
  /** Whether this message of the progress begins the phase; left out: only what the catalogue has seen counts. */
  readonly hears?: (message: string) => boolean;
  isMet(seen: Seen): boolean;
}

const admission = '/me/set-uploads';
const status = '/me/set-uploads/*';
export const transfer = '/me/set-uploads/*/assets';
const completion = '/me/set-uploads/*/complete';

/** The other files arrive one by one, so that a kill still finds some that have not. */
const slow: OrderedFault = {
  method: 'POST',
  path: transfer,
  do: 'delay',
  when: 'before',
  milliseconds: 50,
  count: 1_000,
};

const hold = (
  method: 'GET' | 'POST',
  where: string,
  when: 'before' | 'after',
  query: Readonly<Record<string, string>> = {},
): OrderedFault => ({ method, path: where, query, do: 'delay', when, milliseconds: heldMs });

/** The requests to a path of a submission, whichever it is. */
export function toward({ requests }: Seen, method: 'GET' | 'POST', where: string): SeenRequest[] {
  const pattern = new RegExp(`^${where.replace('*', '[^/]+')}$`);
  return requests.filter((one) => one.method === method && pattern.test(one.path));
}

function isHeld(seen: Seen, method: 'GET' | 'POST', where: string): boolean {
  return toward(seen, method, where).some((one) => one.status === null);
}

/** A file that is under way, and nothing was completed. */
function isOnItsWay(seen: Seen, itemId: string): boolean {
  const open = toward(seen, 'POST', transfer).filter((one) => one.status === null);
  return open.some((one) => itemOf(one) === itemId) && toward(seen, 'POST', completion).length === 0;
}

/** True once so many files are read or kept, or more: if two files end at once, a number is never told. All files are read before one is kept. */
export function hearsOfFiles(done: 'read' | 'kept', atLeast: number): (message: string) => boolean {
  return (message) => {
    const [, word, count] = /^(read|kept) (\d+) of /.exec(message) ?? [];
    return word === done ? Number(count) >= atLeast : word === 'kept';
  };
}

export const itemOf = ({ query }: SeenRequest) => new URLSearchParams(query).get('itemId') ?? '';

/**
 * The phases of a Set's life in their order, in two halves: a Set that meets all of one half meets them as it
 * goes on. `itemId`: the file that is waited for, one of the first half.
 */
export const halves: readonly ((itemId: string, random: () => number, cards: number) => readonly Phase[])[] =
  [
    (itemId, random, cards) => [
      {
        name: 'its files are read or kept',
        faults: [hold('POST', admission, 'before')],
        hears: hearsOfFiles(random() < 0.5 ? 'read' : 'kept', 1 + Math.floor((random() * cards) / 2)),
        isMet: (seen) => toward(seen, 'POST', admission).length === 0,
      },
      {
        name: 'the admission is answered',
        faults: [hold('POST', admission, 'after')],
        isMet: (seen) => isHeld(seen, 'POST', admission) && seen.effects['set.create.admit'] === 1,
      },
      {
        name: 'a file leaves',
        faults: [hold('POST', transfer, 'before', { itemId })],
        isMet: (seen) => isOnItsWay(seen, itemId) && !seen.arrived.has(itemId),
      },
      {
        name: 'the completion leaves',
        faults: [hold('POST', completion, 'before')],
        isMet: (seen) =>
          isHeld(seen, 'POST', completion) &&
          seen.arrived.size === cards &&
          seen.effects['submission.complete'] === undefined,
      },
      {
        name: 'the completion is answered',
        faults: [hold('POST', completion, 'after')],
        isMet: (seen) => isHeld(seen, 'POST', completion) && seen.effects['submission.complete'] === 1,
      },
    ],
    (itemId, random, cards, share = random()) => [
      {
        name: 'the admission leaves',
        faults: [hold('POST', admission, 'before')],
        isMet: (seen) => isHeld(seen, 'POST', admission) && seen.effects['set.create.admit'] === undefined,
      },
      {
        name: 'it is admitted, and no file has left',
        faults: [hold('GET', status, 'before')],
        isMet: (seen) =>
          isHeld(seen, 'GET', status) &&
          seen.effects['set.create.admit'] === 1 &&
          toward(seen, 'POST', transfer).length === 0,
      },
      {
        name: 'a file has arrived, and nobody was told',
        faults: [hold('POST', transfer, 'after', { itemId }), slow],
        isMet: (seen) => isOnItsWay(seen, itemId) && seen.arrived.has(itemId),
      },
      {
        name: 'files are sent',
        faults: [hold('POST', completion, 'before'), slow],
        isMet: (seen) => {
          const answered = toward(seen, 'POST', transfer).filter((one) => one.status !== null).length;
          const before = seen.arrived.size - answered;
          return answered > 0 && answered >= share * (cards - before);
        },
      },
      {
        name: 'the outcome is awaited',
        faults: [{ method: 'POST', path: completion, do: 'process', milliseconds: workingMs }],
        isMet: (seen) => {
          const last = seen.requests.findLastIndex(({ path: where }) => where.endsWith('/complete'));
          const asked = seen.requests.slice(last + 1).some(({ method }) => method === 'GET');
          return last >= 0 && seen.requests[last]?.status === 200 && asked;
        },
      },
    ],
  ];
