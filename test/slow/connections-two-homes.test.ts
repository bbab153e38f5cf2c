import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openStorage, type Storage } from '../../src/storage/open.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { numberFrom } from '../support/seeded.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { keyFileFor } from '../support/test-store.ts';
import { type ScriptedProvider, startScriptedProvider } from '../connections/scripted-provider.ts';
import { connectTo, signInAt } from '../connections/setup.ts';

const renewals = numberFrom('ARTWORK_TEST_RENEWALS', 1000);
const named = `one sign-in of two homes${postgresMissing === null ? '' : ` (left out: ${postgresMissing})`}`;

describe.skipIf(postgresMissing !== null)(named, () => {
  let server: PostgresServer;
  let provider: ScriptedProvider;
  let folders: Awaited<ReturnType<typeof temporaryFolder>>[];
  const opened: Storage[] = [];
  beforeAll(async () => {
    [server, provider] = await Promise.all([startPostgres(), startScriptedProvider()]);
    folders = [await temporaryFolder(), await temporaryFolder()];
  });
  afterAll(async () => {
    for (const storage of opened) storage.close();
    await Promise.all([
      server?.end(),
      provider?.close(),
      ...(folders ?? []).map((folder) => folder.remove()),
    ]);
  });

  it(
    `is renewed ${renewals} times by both at once: each refresh token is presented once`,
    async () => {
      const url = await server.database();
      const shared = { url: () => url, keyFile: keyFileFor(folders[0]?.path ?? '') };
      const homes = [];
      // Each round all tokens have ended, by the clocks of both.
      let ahead = 0;
      const clock = { ...systemClock, now: () => Date.now() + ahead };
      for (const { path: home } of folders) {
        const storage = await openStorage({ home, keyring: null, indexOf: () => [], shared });
        opened.push(storage);
        homes.push(connectTo(provider, { storage, logged: [] }, { clock }));
      }
      const [first] = homes;
      if (first === undefined) throw new Error('There is no home.');
      await signInAt(provider, first);
      let last = '';
      for (let renewal = 0; renewal < renewals; renewal += 1) {
        ahead += 700_000;
        const bearers = await Promise.all(homes.map((home) => home.bearer()));
        const tokens = new Set(bearers.map(({ token }) => token.reveal()));
        expect(tokens.size).toBe(1);
        expect(tokens).not.toContain(last);
        [last = ''] = tokens;
      }
      expect(provider.seen).toMatchObject({ presented: renewals, presentedTwice: 0 });
    },
    60_000 + renewals * 500,
  );
});
