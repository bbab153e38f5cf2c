import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, startHousehold } from '../support/account.ts';
import type { StartedServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { manners, settled, type Spoken, startSpoken } from '../support/eras.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { argumentsOf, toolFiles } from '../support/tool-files.ts';
import { Workshop } from '../support/workshop.ts';

// Every tool through every kind of client, all of them for one account: what the first call has done, the others repeat.

let household: Household;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: StartedServer;
let workshop: Workshop;
let hosts: readonly Spoken[];

beforeAll(async () => {
  [household, folder] = await Promise.all([startHousehold(), temporaryFolder()]);
  const env = {
    ...(await registered(household)),
    ARTWORK_UPLOAD_ROOTS: folder.path,
    ARTWORK_DOWNLOAD_ROOT: folder.path,
    // Else more of the catalogue is read from one answer to the next.
    ARTWORK_INDEX: 'passive',
  };
  server = await startConnected(household, env);
  workshop = new Workshop(server, folder.path);
  hosts = await Promise.all(
    manners.map((manner) => startSpoken(manner, { env: { ...env, HOME: folder.path } })),
  );
});

afterAll(async () => {
  await Promise.all(hosts.map((host) => host.stop()));
  await server.stop();
  await household.remove();
  await folder.remove();
});

const lasts = ['connect_account', 'disconnect_account'];
const inOrder = toolFiles.toSorted((one, other) => lasts.indexOf(one.name) - lasts.indexOf(other.name));

it.each(inOrder)('$name answers the same to every client', async (tool) => {
  const args = await argumentsOf(tool, workshop);
  expect(await server.call(tool.name, args)).not.toHaveProperty('isError');
  // What was published meanwhile may stand in one answer and not in the one before; the next ones agree.
  const distinct = async () => {
    const answers: string[] = [];
    // One after the other: each of two at once would tell of the other.
    for (const host of hosts) answers.push(settled(await host.call(tool.name, args)));
    return [...new Set(answers)];
  };
  await expect.poll(distinct).toHaveLength(1);
});

describe('a call that is cancelled', () => {
  it.each(manners)('by %s ends its request to the service', async (manner) => {
    const service = createServer().listen(0, '127.0.0.1');
    await once(service, 'listening');
    const address = service.address();
    if (address === null || typeof address === 'string') throw new Error('There is no port.');
    const host = await startSpoken(manner, {
      env: {
        HOME: folder.path,
        ARTWORK_HOME: folder.path,
        ARTWORK_BASE_URL: `http://127.0.0.1:${address.port}`,
      },
    });
    try {
      const asked = once(service, 'request');
      const cancel = new AbortController();
      const call = host.call('get_entity', { kind: 'show', id: 1 }, { signal: cancel.signal });
      const [request] = await asked;
      const ended = once(request.socket, 'close');
      cancel.abort();
      await expect(call).rejects.toThrow();
      await ended;
    } finally {
      await host.stop();
      service.closeAllConnections();
      service.close();
    }
  });
});
