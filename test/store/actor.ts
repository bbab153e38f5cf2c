// A process of its own for the tests: acts on a store as told by its arguments, and answers in JSON lines.
import { once } from 'node:events';
import { clientMutationId } from '../../src/catalogue/request.ts';
import { systemClock } from '../../src/clock.ts';
import { ArtworkError } from '../../src/errors.ts';
import { holdersOfMachine } from '../../src/ledger/lease.ts';
import { createLedger } from '../../src/ledger/open-ledger.ts';
import { openTestStore } from '../support/test-store.ts';

const [mode = '', home = '', ...rest] = process.argv.slice(2);

const account = { service: 'https://service.test', user: 'default', subject: 's', connection: 'c' };

function say(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

/** Lets all actors begin at the same moment: they say that they are ready, and wait for a byte. */
async function together(): Promise<void> {
  say({ ready: true });
  await once(process.stdin, 'data');
  process.stdin.destroy();
}

async function act(): Promise<void> {
  if (mode === 'first') await together();
  const store = await openTestStore(home);
  const ledger = createLedger({ store, holders: holdersOfMachine(), clock: systemClock });
  const claim = async (id: string, keys: readonly string[] = []) =>
    ledger.claim(
      account,
      {
        ...{
          id: clientMutationId.parse(id),
          operation: 'create_group',
          expectedUpdatedAt: null,
          intent: '{}',
        },
        ...{
          target: null,
          names: {},
          earlier: null,
          noticed: null,
          admission: null,
          file: null,
          machine: null,
        },
        ...{ keeper: null, keys, items: [] },
      },
      await ledger.sequence(),
    );
  switch (mode) {
    case 'first': {
      const sealed = await store.seal.seal('record', '1', `from ${process.pid}`);
      say({ sealed, location: await store.seal.keyLocation() });
      break;
    }
    // Claims each id, and another one for its place.
    case 'claim':
      await together();
      for (const id of rest) {
        const own = crypto.randomUUID();
        const [same, place] = [await claim(id), await claim(own, [`place of ${id}`])];
        say({ id, same: same.claim, place: place.claim });
      }
      break;
    // Claims and sends, and then stands still until it is killed.
    case 'send': {
      const claimed = await claim(rest[0] ?? '');
      if (claimed.claim === 'leased' && rest[1] === 'sending') await ledger.send(claimed.lease);
      say({ claim: claimed.claim });
      await once(process.stdin, 'data');
      break;
    }
    // Writes until it is killed or the disk is full; what it says was acknowledged.
    case 'write':
      for (let i = 0; ; i += 1) {
        await store.marks.put(`${rest[0]}/${i}`, null, 'z'.repeat(4000));
        say({ i });
      }
  }
  store.close();
}

act().catch((error: unknown) => {
  say({ error: error instanceof ArtworkError ? error.code : String(error) });
  process.exitCode = 1;
});
