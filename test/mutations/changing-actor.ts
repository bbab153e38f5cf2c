// A process of its own for the tests: makes changes, one after the other, each until its outcome is known or only a person
// can tell, and says which.
import { setTimeout as sleep } from 'node:timers/promises';
import { ArtworkError } from '../../src/errors.ts';
import { join } from './artist.ts';

const [home = '', baseUrl = '', first = '0', step = '1', last = '0'] = process.argv.slice(2);

/** The change with this number: one Asset each, and one id. */
const changeOf = (number: number) => ({
  clientMutationId: `c4a26ed0-0000-4000-8000-${number.toString(16).padStart(12, '0')}`,
  expectedUpdatedAt: '2030-01-01T00:00:00.000Z',
  assetId: `a55e7000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`,
  languageCode: 'fr',
});

const artist = await join(home, { baseUrl, token: async () => 'token' });
process.stdout.write('{"ready":true}\n');
for (let number = Number(first); number < Number(last); number += Number(step)) {
  const args = changeOf(number);
  const { clientMutationId, expectedUpdatedAt } = args;
  let outcome = '';
  // A process that was killed between its note and its request leaves what no look can tell.
  for (let tries = 0; outcome !== 'succeeded' && (outcome !== 'unresolved' || tries < 5); tries += 1) {
    try {
      const result =
        tries === 0
          ? await artist.mutations.perform('edit_asset_metadata', args)
          : await artist.mutations.resume({ clientMutationId, expectedUpdatedAt });
      ({ outcome } = result);
    } catch (error) {
      if (!(error instanceof ArtworkError) || error.category === 'invalid_arguments') throw error;
      outcome = error.code;
      // The first call may not have got as far as its claim.
      if (error.category === 'not_found') tries = -1;
    }
    if (outcome !== 'succeeded') await sleep(20 + Math.random() * 50);
  }
  process.stdout.write(`${JSON.stringify({ number, outcome })}\n`);
}
await artist.leave();
