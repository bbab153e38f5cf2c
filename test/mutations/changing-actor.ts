// A process of its own for the tests: makes changes, one after the other, each until its outcome is known or only a person
// can tell, and says which.
import { setTimeout as sleep } from 'node:timers/promises';
import { createKeptCopies, createUploadFiles } from '../../src/app/files.ts';
import { createCatalogue } from '../../src/catalogue/client.ts';
import { createOwned } from '../../src/catalogue/owned.ts';
import { systemClock } from '../../src/clock.ts';
import { type Bearer, connectionId, Secret } from '../../src/connection/row.ts';
import { ArtworkError } from '../../src/errors.ts';
import { holdersOfMachine } from '../../src/ledger/lease.ts';
import { createLedger } from '../../src/ledger/open-ledger.ts';
import { createLog } from '../../src/log.ts';
import { namedCatalogue } from '../../src/model/target-names.ts';
import { createMutations } from '../../src/mutations/mutations.ts';
import { openTestStore } from '../support/test-store.ts';

const [home = '', baseUrl = '', first = '0', step = '1', last = '0'] = process.argv.slice(2);

const store = await openTestStore(home);
const ledger = createLedger({ store, holders: holdersOfMachine(), clock: systemClock });
const log = createLog('error', () => {});
const place = { baseUrl, assetOrigin: new URL(baseUrl).origin };
const bearer: Bearer = {
  ...{ connection: connectionId.parse('0'.repeat(32)), generation: 1, subject: 'owner' },
  ...{ scopes: ['assets:write', 'assets:replace'], token: new Secret('token') },
};
const means = { locate: async () => place, userAgent: 'test', log };
const catalogue = namedCatalogue((onReading) => createCatalogue({ ...means, onReading }));
const access = { bearer: async () => bearer, rejected: async () => bearer };
const mutations = createMutations({
  service: async () => ({ baseUrl, embedded: false }),
  user: 'default',
  ledger: async () => ledger,
  connections: {
    account: async () => bearer,
    bearer: async () => bearer,
    onUnauthorized: async () => bearer,
  },
  owned: createOwned({ ...means, access }),
  catalogue,
  send: (request, call) => catalogue.send(request, call),
  files: createUploadFiles([]),
  copies: createKeptCopies(home, [], async () => store.id),
  clock: systemClock,
  log,
});

/** The change with this number: one Asset each, and one id. */
const changeOf = (number: number) => ({
  clientMutationId: `c4a26ed0-0000-4000-8000-${number.toString(16).padStart(12, '0')}`,
  expectedUpdatedAt: '2030-01-01T00:00:00.000Z',
  assetId: `a55e7000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`,
  languageCode: 'fr',
});

process.stdout.write('{"ready":true}\n');
for (let number = Number(first); number < Number(last); number += Number(step)) {
  const args = changeOf(number);
  const { clientMutationId, expectedUpdatedAt } = args;
  let outcome = '';
  // A process that was killed between its note and its request leaves what no look can tell: each waits most of a minute.
  for (let tries = 0; outcome !== 'succeeded' && (outcome !== 'unresolved' || tries < 2); tries += 1) {
    try {
      ({ outcome } =
        tries === 0
          ? await mutations.perform('edit_asset_metadata', args)
          : await mutations.resume({ clientMutationId, expectedUpdatedAt }));
    } catch (error) {
      if (!(error instanceof ArtworkError) || error.failure === 'invalid_arguments') throw error;
      outcome = error.code;
      // The first call may not have got as far as its claim.
      if (error.failure === 'not_found') tries = -1;
    }
    if (outcome !== 'succeeded') await sleep(20 + Math.random() * 50);
  }
  process.stdout.write(`${JSON.stringify({ number, outcome })}\n`);
}
await mutations.close();
store.close();
