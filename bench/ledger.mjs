// What a claim, the check of a place and the first page of a list cost with a long history, against a short one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median, timed } from './measure.mjs';
import { loadParts } from './parts.mjs';

const scope = { service: 'http://127.0.0.1:4000', user: 'default', subject: 'artist', connection: 'bench' };

const parts = `
  export { openStore } from './src/store/open.ts';
  export { createLedger } from './src/ledger/open-ledger.ts';
  export { holdersOfMachine } from './src/ledger/lease.ts';
`;

/** Medians in ms of each, with few entries and with many, taken in turn; one in ten is not settled. */
export async function measureLedger({ few = 100, many = 100_000, rounds = 200 } = {}) {
  const made = await loadParts(parts);
  const folder = await mkdtemp(path.join(tmpdir(), 'artwork-bench-'));
  const opened = [];
  try {
    for (const count of [few, many]) opened.push(await open(made, path.join(folder, String(count)), count));
    const measured = async (ask) => {
      const times = opened.map(() => []);
      for (let round = -20; round < rounds; round += 1) {
        for (const [at, { ledger }] of opened.entries()) {
          const ms = await timed(() => ask(ledger));
          if (round >= 0) times[at].push(ms);
        }
      }
      const [short, long] = times.map(median);
      return { short, long, ratio: long / short };
    };
    const { claim, place, page } = questions(few + many);
    return {
      ...{ few, many, rounds },
      claim: await measured(claim),
      place: await measured(place),
      page: await measured(page),
    };
  } finally {
    for (const { store } of opened) store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A store with so many changes, of which every tenth is still open. */
async function open({ openStore, createLedger, holdersOfMachine }, home, count) {
  const store = await openStore({ home, keyring: null });
  const clock = { now: Date.now, monotonic: () => performance.now() };
  const ledger = createLedger({ store, holders: holdersOfMachine(), clock });
  // One by one it would take minutes: the first is claimed, and the others are written as it was.
  const first = await ledger.claim(scope, changeOf(0), 0);
  await ledger.conclude(scope, first.lease.id, { outcome: 'succeeded', receipt: { saved: 1 }, error: null });
  await store.sql.write(...copies(first.lease.id, count));
  return { store, ledger };
}

/** Statements that copy a change with its body and its key, under ids and times of their own. */
function copies(id, count) {
  const numbers = `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count - 1})`;
  const newId = "printf('00000000-0000-4000-8000-%012d', n)";
  const isOpen = 'n % 10 = 0';
  const of = (text) => ({ text, values: [id] });
  return [
    of(`${numbers} INSERT INTO artwork.mutation SELECT service, person, ${newId}, operation, digest,
      expected_updated_at, subject, connection, iif(${isOpen}, 2, 3), 0, 1, NULL, 1, submission, 0, 0, 0,
      iif(${isOpen}, NULL, outcome), receipt, error, NULL, created_at + n, changed_at + n,
      iif(${isOpen}, NULL, settled_seq + n) FROM artwork.mutation, number WHERE id = ?`),
    of(`${numbers} INSERT INTO artwork.mutation_body SELECT service, person, ${newId}, intent, target, names, earlier,
      noticed, admission, file, machine, keeper FROM artwork.mutation_body, number WHERE id = ?`),
    of(`${numbers} INSERT INTO artwork.mutation_key SELECT service, person, 'key ' || n, ${newId}
      FROM artwork.mutation, number WHERE id = ?`),
  ];
}

function changeOf(number) {
  return {
    id: crypto.randomUUID(),
    operation: 'upload_asset',
    expectedUpdatedAt: null,
    intent: `{"slot":"poster","targetId":${number}}`,
    target: { targetKind: 'movie', targetId: number },
    names: {},
    keys: [`movie ${number} poster`],
    items: [],
    ...{ earlier: null, noticed: null, admission: null, file: null, machine: null, keeper: null },
  };
}

function questions(from) {
  let number = from;
  const next = () => {
    number += 1;
    return changeOf(number);
  };
  return {
    claim: (ledger) => ledger.claim(scope, next(), 0),
    place: (ledger) => ledger.findConflict(scope, crypto.randomUUID(), next().keys, 0),
    page: (ledger) => ledger.list(scope, { limit: 25 }),
  };
}
