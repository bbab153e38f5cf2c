// A process of its own for the tests: claims ids as told by its arguments, and answers in JSON lines.
import { once } from 'node:events';
import { systemClock } from '../../src/clock.ts';
import { identifyProcess, processMayRun } from '../../src/storage/lease.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { indexOf } from '../support/ledger-index.ts';
import { scope } from './machine.ts';
import { openTestStorage } from '../support/test-store.ts';

const [home = '', reach = '', ...ids] = process.argv.slice(2);

function say(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

const storage = await openTestStorage(home, indexOf);
const self = identifyProcess();
const ledger = openLedger({ store: storage.atomic, clock: systemClock, self, mayRun: processMayRun(self) });
say({ ready: true });
await once(process.stdin, 'data');
for (const clientMutationId of ids) {
  const claiming = await ledger.claim(scope, {
    clientMutationId,
    operation: 'upload_asset',
    target: null,
    intent: { slot: 'poster' },
  });
  if (claiming.claim === 'leased' && reach === 'sending') await ledger.send(claiming.lease);
  say({ id: clientMutationId, claim: claiming.claim, standing: claiming.view.standing });
}
// It stays, so that its leases have a live holder until it is killed.
say({ done: true });
setInterval(() => undefined, 60_000);
