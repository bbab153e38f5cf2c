import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemKeyring } from '../../src/storage/keyring.ts';
import { temporaryFolder } from '../support/temporary.ts';

describe("the system's keyring", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.runIf(process.platform === 'linux')('gives up on one that never answers', async () => {
    const folder = await temporaryFolder();
    const socket = path.join(folder.path, 'bus');
    const silent = createServer();
    silent.listen(socket);
    await once(silent, 'listening');
    const asked = once(silent, 'connection');
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', `unix:path=${socket}`);
    // On a busy machine the process may not even have asked within the first limit.
    let outcome: Promise<unknown>;
    for (let limit = 1500; ; limit *= 2) {
      outcome = systemKeyring(limit)
        .read('test')
        .catch((caught: unknown) => caught);
      const hasAsked = await Promise.race([asked.then(() => true), outcome.then(() => false)]);
      if (hasAsked) break;
    }
    const [connection] = await asked;
    const gone = once(connection.resume(), 'close');
    expect(await outcome).toMatchObject({ code: 'key_unreachable', message: /did not answer in time/ });
    await gone; // Its process has ended too.
    silent.close();
    await folder.remove();
  });
});
