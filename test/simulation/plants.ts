import { readUploadStatus } from '../../src/catalogue/records/owned.ts';
import type { SendOutcome } from '../../src/catalogue/send.ts';
import { readSubmission } from '../../src/catalogue/submission.ts';
import { connectionId } from '../../src/connection/row.ts';
import { ArtworkError } from '../../src/errors.ts';
import type { ItemNote } from '../../src/ledger/rows.ts';
import type { Statement } from '../../src/store/sql.ts';
import type { Planted, Send } from './process.ts';
import type { WishKind } from './wishes.ts';

/** A mistake, made where the production modules touch the world. */
export interface Plant {
  readonly name: string;
  /** What must be said of it. */
  readonly caught: RegExp;
  /** The kind of change that shows it; without, any of `of`. */
  readonly only?: WishKind;
  /** Left out: submissions. */
  readonly of?: 'singles';
  /** Made anew for each process. */
  plant(): Planted;
}

type Path = (path: string) => boolean;
const anywhere: Path = () => true;
const isTransfer: Path = (path) => path.endsWith('/assets') && path !== '/me/assets';
const isCompletion: Path = (path) => path.endsWith('/complete');
const isAdmission: Path = (path) => !isTransfer(path) && !isCompletion(path);

const isUnknown = (outcome: SendOutcome) => outcome.outcome === 'unknown';
const isTurnedAway = (outcome: SendOutcome) =>
  outcome.outcome === 'refused' && [401, 429].includes(outcome.status);

const ofSingles: readonly Omit<Plant, 'of'>[] = [
  {
    name: 'what is about to be sent is not written down first',
    caught: /is sent while the ledger calls it claimed/,
    plant: () => ({
      ledger: (ledger) => ({
        ...ledger,
        async send(lease) {
          const row = await ledger.row(lease, lease.id);
          if (row === null) throw new TypeError('It was claimed.');
          return { ...row, state: 'sending' };
        },
      }),
    }),
  },
  {
    name: 'two statements where one transaction is meant',
    caught: /is claimed while its like is under way/,
    plant: () => ({
      sql: (sql) => ({
        ...sql,
        async write(...statements) {
          const rows = [];
          for (const statement of statements) rows.push(...(await sql.write(statement)));
          return rows;
        },
      }),
    }),
  },
  {
    name: 'a lost answer or a 503 is tried again',
    caught: /sent a second time/,
    plant: () => again(isUnknown),
  },
  {
    name: 'what was turned away is sent again at once',
    only: 'group',
    caught: /sent a second time/,
    plant: () => again(isTurnedAway),
  },
  {
    name: 'a lookup that says 404 means failed',
    only: 'upload',
    caught: /was told that it was not|is called failed and is applied/,
    plant: notFoundIsFailed,
  },
  {
    name: 'what the service has under the id is taken for what was refused',
    only: 'upload',
    caught: /what is there is another's/,
    plant: conflictIsFound,
  },
  {
    name: 'a request is sent without comparing its revision',
    only: 'replacement',
    caught: /over a moved revision/,
    plant: revisionsNeverMove,
  },
  { name: 'a redirect means refused', caught: /is called refused and is applied/, plant: redirectIsRefusal },
  {
    name: 'whose account it is is never asked',
    caught: /sent for another account/,
    plant: ownerWhoeverSignsIn,
  },
];

const ofSubmissions: readonly Plant[] = [
  {
    name: 'a stale epoch writes',
    caught: /is written by .*, which has lost it/,
    plant: () => ({
      sql: (sql) => ({ ...sql, write: (...statements) => sql.write(...statements.map(withoutFence)) }),
    }),
  },
  {
    name: "an item's row is written after its request",
    caught: /is sent before it is noted/,
    plant: notedAfterwards,
  },
  {
    name: 'the clock on the wall tells whether a holder lives',
    caught: /is taken from .*, which lives/,
    plant: () => ({ clock: (clock) => ({ ...clock, monotonic: () => clock.now() }) }),
  },
  {
    name: 'the bytes of an admission are made twice',
    caught: /the admission of .* has changed/,
    plant: () => repeatedAs((body) => Object.fromEntries(Object.entries(body).reverse())),
  },
  {
    name: 'an admission without an answer is repeated under a new id',
    caught: /is sent and not in the ledger/,
    plant: () =>
      repeatedAs((body) => ({ ...body, clientMutationId: '0d0d0d0d-0000-4000-8000-000000000001' })),
  },
  {
    name: 'a transfer without an answer is sent again at once',
    caught: /is sent again, and nothing shows/,
    plant: () => again(isUnknown, isTransfer),
  },
  {
    name: 'a file that was turned away is sent again at once',
    caught: /is sent again, and nothing shows/,
    plant: () => again(isTurnedAway, isTransfer),
  },
  {
    name: 'a completion without an answer is sent again at once',
    caught: /is completed again without a look/,
    plant: () => again(isUnknown, isCompletion),
  },
  {
    name: 'what the service has is sent again',
    caught: /is sent again, and nothing shows/,
    plant: blindToWhatArrived,
  },
  {
    name: 'a transfer without an answer counts as arrived',
    caught: /is completed before item/,
    plant: () => believed(isTransfer, {}),
  },
  {
    name: 'a completion without an answer counts as succeeded',
    caught: /is called succeeded and is/,
    plant: () => believed(isCompletion, { outcome: 'succeeded' }),
  },
  {
    name: 'a refused completion counts as failed',
    caught: /is called failed and is/,
    plant: () =>
      heardAs((outcome, path) =>
        outcome.outcome === 'refused' && outcome.status === 409 && isCompletion(path)
          ? { outcome: 'applied', status: 200, body: { outcome: 'failed' } }
          : outcome,
      ),
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
      copies: (copies) => ({
        ...copies,
        async open(keeper, file, signal) {
          const opened = await copies.open(keeper, file, signal);
          return { ...opened, close: () => copies.release(keeper) };
        },
      }),
    }),
  },
  {
    name: 'a submission that was made elsewhere is taken for this one',
    caught: /and what is there is another's/,
    plant: foreignIsOwn,
  },
  {
    name: 'files are sent although nothing was ever seen of their submission',
    caught: /by a process that was shown nothing of it/,
    plant: unseen,
  },
  {
    name: 'an edit is admitted again without comparing its revisions',
    only: 'edit',
    caught: /is repeated over a moved revision/,
    plant: revisionsNeverMove,
  },
  {
    name: 'a 401 or 429 means that nothing was applied',
    caught: /is called refused and is applied/,
    plant: turnedAwayIsRefusal,
  },
  {
    name: 'nobody asks whether the submission still is theirs',
    caught: /is sent by somebody who has lost it|is sent after it|leaves a process that has lost it/,
    plant: () => ({ ledger: (ledger) => ({ ...ledger, isHolder: async () => true, isFresh: () => true }) }),
  },
  {
    name: 'a process that was stopped relies on what the ledger said before',
    caught: /leaves a process that has lost it/,
    plant: () => ({ ledger: (ledger) => ({ ...ledger, isFresh: () => true }) }),
  },
];

export const plants: readonly Plant[] = [
  ...ofSingles.map((plant) => ({ ...plant, of: 'singles' as const })),
  ...ofSubmissions,
];

/** What is answered so is sent again at once. */
function again(isSo: (outcome: SendOutcome) => boolean, where: Path = anywhere): Planted {
  return {
    send: (send) => async (request, deadline) => {
      const outcome = await send(request, deadline);
      return isSo(outcome) && where(request.path) ? send(request, deadline) : outcome;
    },
  };
}

/** What was answered is heard as something else. */
function heardAs(otherwise: (outcome: SendOutcome, path: string) => SendOutcome): Planted {
  return {
    send: (send) => async (request, deadline) => otherwise(await send(request, deadline), request.path),
  };
}

/** What is not known is believed to have gone well. */
function believed(where: Path, body: object): Planted {
  return heardAs((outcome, path) =>
    isUnknown(outcome) && where(path) ? { outcome: 'applied', status: 200, body } : outcome,
  );
}

/** Whatever is read is as it was at first. */
function revisionsNeverMove(): Planted {
  return {
    owned: (owned) => ({
      ...owned,
      readSet: async (id, deadline) => ({ ...(await owned.readSet(id, deadline)), updatedAt: 's1' }),
      readAsset: async (id, deadline) => ({ ...(await owned.readAsset(id, deadline)), updatedAt: 'a1' }),
    }),
  };
}

function redirectIsRefusal(): Planted {
  return heardAs((outcome) => {
    const status = outcome.outcome === 'unknown' ? outcome.status : null;
    if (outcome.outcome !== 'unknown' || status === null || status < 300 || status >= 400) return outcome;
    return { outcome: 'refused', status, error: outcome.error };
  });
}

/** As any other refusal, which is final. */
function turnedAwayIsRefusal(): Planted {
  return heardAs((outcome) =>
    outcome.outcome === 'refused' && isTurnedAway(outcome)
      ? {
          ...outcome,
          status: 400,
          error: new ArtworkError('upload_refused', outcome.error.message, { status: 400 }),
        }
      : outcome,
  );
}

function notFoundIsFailed(): Planted {
  // Before anything is sent the service is asked as well, and what it knows then is another's.
  let isSent = false;
  return {
    send: (send) => async (request, deadline) => {
      isSent = true;
      return send(request, deadline);
    },
    owned: (owned) => ({
      ...owned,
      findAssetUpload: async (id, deadline) => {
        const upload = await owned.findAssetUpload(id, deadline);
        const data = { clientMutationId: id, processingStatus: 'failed' };
        return upload === null && isSent ? readUploadStatus({ data }) : upload;
      },
    }),
  };
}

/** The id is not asked for before the sending, and what a look shows of it after a 409 is believed. */
function conflictIsFound(): Planted {
  let find: (id: string) => Promise<unknown> = async () => null;
  let isSent = false;
  return {
    owned(owned) {
      find = async (id) => (await owned.findAssetUpload(id))?.record;
      return {
        ...owned,
        findAssetUpload: async (id, deadline) => (isSent ? owned.findAssetUpload(id, deadline) : null),
      };
    },
    send: (send) => async (request, deadline) => {
      const outcome = await send(request, deadline);
      isSent = true;
      if (outcome.outcome !== 'refused' || outcome.status !== 409) return outcome;
      const record = await find(String(request.query?.clientMutationId)).catch(() => undefined);
      return record === undefined ? outcome : { outcome: 'applied', status: 200, body: { data: record } };
    },
  };
}

function ownerWhoeverSignsIn(): Planted {
  const first = { subject: 'owner', connection: connectionId.parse('0'.repeat(32)) };
  return {
    connections: (connections) => ({
      account: async () => ({ ...(await connections.account()), ...first }),
      bearer: async (call) => ({ ...(await connections.bearer(call)), ...first }),
      onUnauthorized: async (rejected, call) => ({
        ...(await connections.onUnauthorized(rejected, call)),
        ...first,
      }),
    }),
  };
}

/** What has lost a change writes it all the same. */
function withoutFence(statement: Statement): Statement {
  return {
    ...statement,
    text: statement.text.replaceAll('epoch = ? AND holder = ?', '? >= 0 AND ? IS NOT NULL'),
  };
}

/** What is to be noted before a request is noted once one has been answered. */
function notedAfterwards(): Planted {
  let late: (() => Promise<void>)[] = [];
  const isBefore = ({ state }: ItemNote) => state === 'lost';
  return {
    ledger: (ledger) => ({
      ...ledger,
      async noteItems(lease, notes) {
        if (notes.some(isBefore)) late.push(() => ledger.noteItems(lease, notes.filter(isBefore)));
        const rest = notes.filter((note) => !isBefore(note));
        if (rest.length > 0) await ledger.noteItems(lease, rest);
      },
    }),
    send: (send) => async (request, deadline) => {
      const outcome = await send(request, deadline);
      const noted = late;
      late = [];
      for (const note of noted) await note();
      return outcome;
    },
  };
}

/** From the second time that one process sends it, an admission is something else. */
function repeatedAs(change: (body: Record<string, unknown>) => Record<string, unknown>): Planted {
  let sent = 0;
  const repeat =
    (send: Send): Send =>
    (request, deadline) => {
      if (isAdmission(request.path)) sent += 1;
      if (!isAdmission(request.path) || sent === 1) return send(request, deadline);
      const body = change(JSON.parse(String(request.body)));
      return send({ ...request, body: Buffer.from(JSON.stringify(body)) }, deadline);
    };
  return { send: repeat };
}

/** Receipts show the id of their submission alone. */
function withoutItems(sends: (path: string) => void = () => {}): Planted {
  return {
    send: (send) => async (request, deadline) => {
      sends(request.path);
      const outcome = await send(request, deadline);
      if (outcome.outcome !== 'applied' || !isAdmission(request.path)) return outcome;
      const { submissionId } = readSubmission(outcome.body, 'creation');
      return { ...outcome, body: { data: { submission: { submissionId } } } };
    },
  };
}

/** Until a process has sent a file, what the service says of a submission's files and outcome goes unread. */
function foreignIsOwn(): Planted {
  let hasSent = false;
  return {
    ...withoutItems((path) => {
      hasSent ||= !isAdmission(path);
    }),
    owned: (owned) => ({
      ...owned,
      async findSubmission(kind, id, deadline) {
        const seen = await owned.findSubmission(kind, id, deadline);
        return seen === null || hasSent ? seen : { ...seen, state: 'open', outcome: null, items: [] };
      },
    }),
  };
}

/** A receipt shows no items, and a look that fails shows none either. */
function unseen(): Planted {
  return {
    ...withoutItems(),
    owned: (owned) => ({
      ...owned,
      findSubmission: async (kind, id, deadline) =>
        owned
          .findSubmission(kind, id, deadline)
          .catch(() => readSubmission({ data: { submission: { submissionId: id } } }, kind)),
    }),
  };
}

function blindToWhatArrived(): Planted {
  return {
    owned: (owned) => ({
      ...owned,
      async findSubmission(kind, id, deadline) {
        const seen = await owned.findSubmission(kind, id, deadline);
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
    copies: (copies, folder) => ({
      ...copies,
      async keep(keeper, path, how) {
        const kept = await copies.keep(keeper, path, how);
        paths.set(kept.sha256, path);
        return kept;
      },
      async open(keeper, file, signal) {
        const opened = await copies.open(keeper, file, signal);
        const bytes = folder.read(paths.get(file.sha256) ?? '');
        return bytes === null ? opened : { ...opened, body: () => Buffer.from(bytes) };
      },
    }),
  };
}
