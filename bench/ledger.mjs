// What a claim, the check of a place and the first page of a list cost with a long history, against a short one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleParts } from './bundle-parts.mjs';
import { median } from './measure.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const scope = { service: 'http://127.0.0.1:4000', user: 'default', subject: 'artist', connection: 'bench' };

const parts = `
  export { openStorage } from './src/store/open.ts';
  export { openLedger } from './src/ledger/open-ledger.ts';
  export { ledgerIndex } from './src/ledger/entry-store.ts';
  export { keywordsOf } from './src/mutations/before/keywords.ts';
  export { requireNoConflict } from './src/mutations/before/conflicts.ts';
  export { uploadAsset } from './src/mutations/operations/upload-asset.ts';
  export { fillLedger, filledUpload } from './test/support/filled-ledger.ts';
`;

/** Medians in ms of each, with few entries and with many, taken in turn; one in ten is not settled. */
export async function measureLedger({ few = 100, many = 100_000, rounds = 200 } = {}) {
  const program = path.join(root, 'test-output', `bench-ledger-${process.pid}.mjs`);
  await bundleParts(parts, program);
  const folder = await mkdtemp(path.join(tmpdir(), 'artwork-bench-'));
  const opened = [];
  try {
    const made = await import(pathToFileURL(program).href);
    for (const count of [few, many]) opened.push(await open(made, path.join(folder, String(count)), count));
    const measured = async (ask) => {
      const times = opened.map(() => []);
      for (let round = -20; round < rounds; round += 1) {
        for (const [at, { ledger }] of opened.entries()) {
          const begun = performance.now();
          await ask(ledger);
          if (round >= 0) times[at].push(performance.now() - begun);
        }
      }
      const [short, long] = times.map(median);
      return { short, long, ratio: long / short };
    };
    const { claim, place, page } = questions(made);
    return {
      ...{ few, many, rounds },
      claim: await measured(claim),
      place: await measured(place),
      page: await measured(page),
    };
  } finally {
    for (const { storage } of opened) storage.close();
    await rm(folder, { recursive: true, force: true });
    await rm(program, { force: true });
  }
}

async function open({ openStorage, openLedger, ledgerIndex, keywordsOf, fillLedger }, home, count) {
  await fillLedger({ home, scope, count, open: (number) => number % 10 === 0 });
  const storage = await openStorage({ home, keyring: null, indexOf: ledgerIndex(keywordsOf) });
  const owner = { machine: 'here', pid: 1, instance: 'bench' };
  const ledger = openLedger({
    store: storage.atomic,
    clock: { now: Date.now, monotonic: () => performance.now() },
    self: owner,
    mayRun: async () => false,
  });
  return { storage, ledger };
}

function questions({ uploadAsset, filledUpload, requireNoConflict }) {
  let number = 1_000_000;
  const next = () => {
    number += 1;
    return uploadAsset.mutation({ ...filledUpload(number), clientMutationId: crypto.randomUUID() });
  };
  return {
    claim: (ledger) => {
      const { clientMutationId, operation, target, intent } = next();
      return ledger.claim(scope, { clientMutationId, operation, target, intent });
    },
    place: (ledger) => requireNoConflict({ ledger, scope }, next()),
    page: (ledger) => ledger.list(scope, { limit: 25 }),
  };
}
