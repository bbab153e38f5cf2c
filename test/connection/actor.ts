// A process of its own for the tests: makes protected calls through the shared connection, one after the other,
// until its input ends, and answers one JSON line per call.
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnections } from '../../src/connection/connections.ts';
import { connectionRows } from '../../src/connection/rows.ts';
import { ArtworkError } from '../../src/errors.ts';
import { createDispatchers } from '../../src/http/dispatchers.ts';
import { holdersOfMachine } from '../../src/ledger/lease.ts';
import { openTestStore } from '../support/test-store.ts';

const [home = '', baseUrl = '', waitFactor = '1'] = process.argv.slice(2);

function say(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

const storage = await openTestStore(home);
const store = { ...storage, rows: connectionRows(storage.sql), holders: holdersOfMachine() };
const connections = createConnections({
  locate: async () => ({
    baseUrl,
    authUrl: baseUrl,
    clientId: 'app',
    clientSecret: null,
    redirectUri: 'https://app.example/callback',
  }),
  user: 'default',
  storage: async () => store,
  connect: () => createDispatchers({ connections: 1 }),
  // Tells the test which process presents a token.
  userAgent: `artwork-mcp/test process ${process.pid}`,
  clock: {
    now: () => Date.now(),
    // The wait for a holder that was killed is the same in kind, and shorter.
    monotonic: () => performance.now() * Number(waitFactor),
    sleep: async (milliseconds) => {
      await sleep(milliseconds);
    },
  },
});

async function call(token: string): Promise<number> {
  const response = await fetch(`${baseUrl}/me/anything`, { headers: { authorization: `Bearer ${token}` } });
  await response.body?.cancel();
  return response.status;
}

async function act(): Promise<void> {
  try {
    const bearer = await connections.bearer();
    let status = await call(bearer.token.reveal());
    if (status === 401) status = await call((await connections.onUnauthorized(bearer)).token.reveal());
    say({ status });
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    say({ category: error.failure, code: error.code });
  }
}

let isOver = false;
process.stdin.on('end', () => (isOver = true)).resume();
say({ ready: true });
while (!isOver) {
  await act();
  await sleep(20);
}
await connections.close();
storage.close();
