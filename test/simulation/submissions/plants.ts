import type { Json } from '../../../src/canonical-json.ts';
import type { Clock } from '../../../src/clock.ts';
import type { SendOutcome } from '../../../src/catalogue/send.ts';
import { readSubmission } from '../../../src/catalogue/submission.ts';
import { parseEntryOrNull } from '../../../src/ledger/entry.ts';
import { heartbeatLimit, type LeaseIo } from '../../../src/storage/lease.ts';
import type { Disk } from '../disk.ts';
import type { Planted, Send } from './process.ts';

/** A mistake, made where the production modules touch the world. */
export interface Plant {
  readonly name: string;
  /** What must be said of it. */
  readonly caught: RegExp;
  /** Made anew for each process. */
  plant(): Planted;
}

export const plants: readonly Plant[] = [
  {
    name: 'an admission without an answer is repeated under a new id',
    caught: /is sent and not in the ledger/,
    plant: () => ({ send: (send) => repeatedAs(send, withNewId) }),
  },
  {
    name: 'an admission is built anew when it is repeated',
    caught: /the admission of .* has changed/,
    plant: () => ({ send: (send) => repeatedAs(send, inAnotherOrder) }),
  },
  {
    name: 'a transfer without an answer is sent again at once',
    caught: /is sent again, and nothing shows/,
    plant: () => ({
      send: (send) => async (request, call) => {
        const outcome = await send(request, call);
        return outcome.outcome === 'unknown' && isTransfer(request.path) ? send(request, call) : outcome;
      },
    }),
  },
  {
    name: 'what the service has is sent again by whoever goes on',
    caught: /is sent again, and nothing shows/,
    plant: blindToWhatArrived,
  },
  {
    name: 'it is not noted which files are about to be sent',
    caught: /is sent again, and nothing shows/,
    plant: () => ({
      ledger: (ledger) => ({
        ...ledger,
        checkpoint: (lease, progress) => ledger.checkpoint(lease, withoutMarks(progress)),
      }),
    }),
  },
  {
    name: 'a transfer without an answer counts as arrived',
    caught: /is completed before item/,
    plant: () => ({
      send: (send) => async (request, call) =>
        isTransfer(request.path) ? believed(await send(request, call), {}) : send(request, call),
    }),
  },
  {
    name: 'a file is read where it lay, and not from its kept copy',
    caught: /other bytes than were meant/,
    plant: readingOriginals,
  },
  {
    name: 'the kept copies are freed with the first file that is sent',
    caught: /is stuck at a person for nothing/,
    plant: () => ({
      kept: (kept) => ({
        ...kept,
        async open(owner, file, signal) {
          const opened = await kept.open(owner, file, signal);
          return { ...opened, close: () => kept.release(owner) };
        },
      }),
    }),
  },
  {
    name: 'a completion without an answer counts as succeeded',
    caught: /is called succeeded and is/,
    plant: () => ({
      send: (send) => async (request, call) =>
        isCompletion(request.path)
          ? believed(await send(request, call), { outcome: 'succeeded' })
          : send(request, call),
    }),
  },
  {
    name: 'a refused completion counts as failed',
    caught: /is called failed and is/,
    plant: () => ({
      send: (send) => async (request, call) => {
        const outcome = await send(request, call);
        const refused = outcome.outcome === 'refused' && outcome.status === 409 && isCompletion(request.path);
        return refused ? { outcome: 'applied', status: 200, body: { outcome: 'failed' } } : outcome;
      },
    }),
  },
  {
    name: 'a submission that was made elsewhere is taken for this one',
    caught: /and what is there is another's/,
    plant: () => foreignIsOwn(),
  },
  {
    name: 'an edit is admitted again without comparing its revisions',
    caught: /is admitted again over a moved revision/,
    plant: () => ({
      owned: (owned) => ({
        ...owned,
        readSet: async (id, call) => ({ ...(await owned.readSet(id, call)), updatedAt: 's1' }),
        readAsset: async (id, call) => ({ ...(await owned.readAsset(id, call)), updatedAt: 'a1' }),
      }),
    }),
  },
  {
    name: 'a redirect means refused',
    caught: /is called refused and is admitted/,
    plant: () => ({
      send: (send) => async (request, call) => {
        const outcome = await send(request, call);
        const { status } = outcome.outcome === 'unknown' ? outcome : { status: null };
        if (outcome.outcome !== 'unknown' || status === null || status < 300 || status >= 400) return outcome;
        return { outcome: 'refused', status, error: outcome.error };
      },
    }),
  },
  {
    name: 'a 401 or 429 means that nothing was applied',
    caught: /is called refused and is admitted/,
    plant: () => ({
      send: (send) => async (request, call) => {
        const outcome = await send(request, call);
        const isTurnedAway = outcome.outcome === 'refused' && [401, 429].includes(outcome.status);
        return isTurnedAway ? { ...outcome, status: 400 } : outcome;
      },
    }),
  },
  {
    name: 'a file that was turned away is sent again at once',
    caught: /is sent again, and nothing shows/,
    plant: () => ({
      send: (send) => async (request, call) => {
        const outcome = await send(request, call);
        const isTurnedAway = outcome.outcome === 'refused' && [401, 429].includes(outcome.status);
        return isTurnedAway && isTransfer(request.path) ? send(request, call) : outcome;
      },
    }),
  },
  {
    name: 'a completion without an answer is sent again at once',
    caught: /is completed again without a look/,
    plant: () => ({
      send: (send) => async (request, call) => {
        const outcome = await send(request, call);
        return outcome.outcome === 'unknown' && isCompletion(request.path) ? send(request, call) : outcome;
      },
    }),
  },
  {
    name: 'the clock on the wall tells whether a holder lives',
    caught: /leaves a process that has lost it/,
    plant: () => ({ mayRun: byTheWall }),
  },
  {
    name: 'nobody asks whether the submission still is theirs',
    caught: /is sent by somebody who has lost it|is sent after it/,
    plant: () => ({ ledger: (ledger) => ({ ...ledger, isHolder: async () => true, isFresh: () => true }) }),
  },
  {
    name: 'a process that was stopped relies on what the ledger said before',
    caught: /leaves a process that has lost it/,
    plant: () => ({ ledger: (ledger) => ({ ...ledger, isFresh: () => true }) }),
  },
];

/** When an entry was changed stands there by its holder's clock; here it is compared with one's own. */
function byTheWall({ entries }: Disk, clock: Clock): LeaseIo['mayRun'] {
  return async ({ instance, hold }) =>
    [...entries.values()].some(({ key, value }) => {
      const entry = parseEntryOrNull(key, value);
      const isOfHolder = entry?.owner?.instance === instance && entry.owner.hold === hold;
      return isOfHolder && clock.now() - Date.parse(entry.updatedAt) <= heartbeatLimit;
    });
}

const isTransfer = (path: string) => path.endsWith('/assets');
const isCompletion = (path: string) => path.endsWith('/complete');

/** From the second time that one process sends it, an admission is something else. */
function repeatedAs(send: Send, change: (body: Record<string, unknown>) => Record<string, unknown>): Send {
  let sent = 0;
  return (request, call) => {
    if (isTransfer(request.path) || isCompletion(request.path)) return send(request, call);
    sent += 1;
    if (sent === 1) return send(request, call);
    const body = change(JSON.parse(String(request.body)));
    return send({ ...request, body: Buffer.from(JSON.stringify(body)) }, call);
  };
}

/** Until a process has sent a file, what the service says of a submission's files and outcome goes unread. */
function foreignIsOwn(): Planted {
  let hasSent = false;
  return {
    send: (send) => async (request, call) => {
      const isAdmission = !isTransfer(request.path) && !isCompletion(request.path);
      if (!isAdmission) hasSent = true;
      const outcome = await send(request, call);
      if (outcome.outcome !== 'applied' || !isAdmission) return outcome;
      const { submissionId } = readSubmission(outcome.body, 'creation');
      return { ...outcome, body: { data: { submission: { submissionId } } } };
    },
    owned: (owned) => ({
      ...owned,
      async findSubmission(kind, id, call) {
        const seen = await owned.findSubmission(kind, id, call);
        return seen === null || hasSent ? seen : { ...seen, state: 'open', outcome: null, items: [] };
      },
    }),
  };
}

function withNewId(body: Record<string, unknown>): Record<string, unknown> {
  return { ...body, clientMutationId: '0d0d0d0d-0000-4000-8000-000000000001' };
}

function inAnotherOrder(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).reverse());
}

function withoutMarks(progress: Json): Json {
  return progress instanceof Object && !Array.isArray(progress)
    ? { ...progress, mark: 0, open: [] }
    : progress;
}

/** What is not known is believed to have gone well. */
function believed(outcome: SendOutcome, body: object): SendOutcome {
  return outcome.outcome === 'unknown' ? { outcome: 'applied', status: 200, body } : outcome;
}

function blindToWhatArrived(): Planted {
  return {
    owned: (owned) => ({
      ...owned,
      async findSubmission(kind, id, call) {
        const seen = await owned.findSubmission(kind, id, call);
        if (seen === null) return null;
        const items = seen.items.map((item) =>
          item.status === 'processing' ? { ...item, state: 'unknown' as const, status: 'pending' } : item,
        );
        return { ...seen, items };
      },
    }),
  };
}

function readingOriginals(): Planted {
  const paths = new Map<string, string>();
  return {
    kept: (kept, folder) => ({
      ...kept,
      keep(owner, file, path, how) {
        paths.set(file.sha256, path);
        return kept.keep(owner, file, path, how);
      },
      async open(owner, file, signal) {
        const opened = await kept.open(owner, file, signal);
        const bytes = folder.read(paths.get(file.sha256) ?? '');
        return bytes === null ? opened : { ...opened, body: () => Buffer.from(bytes) };
      },
    }),
  };
}
