import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../src/clock.ts';
import { identifyProcess, processMayRun } from '../../src/store/lease.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { Storage } from '../../src/store/open.ts';
import { type Actor, type Actors, buildActors } from '../storage/processes.ts';
import { indexOf } from '../support/ledger-index.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { scope } from '../ledger/machine.ts';
import { openTestStorage } from '../support/test-store.ts';

const claimed = z.object({ id: z.string(), claim: z.string(), standing: z.string() });

describe('the ledger, in processes', () => {
  let actors: Actors;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let storage: Storage;
  let ledger: Ledger;
  beforeAll(async () => {
    actors = await buildActors('test/ledger/actor.ts');
  });
  afterAll(() => actors.end());
  beforeEach(async () => {
    folder = await temporaryFolder();
    storage = await openTestStorage(folder.path, indexOf);
    const self = identifyProcess();
    ledger = openLedger({ store: storage.atomic, clock: systemClock, self, mayRun: processMayRun(self) });
  });
  afterEach(async () => {
    storage.close();
    await folder.remove();
  });

  const start = async (reach: string, ids: readonly string[]): Promise<Actor> => {
    const actor = actors.start([folder.path, reach, ...ids]);
    expect(await actor.next()).toEqual({ ready: true });
    return actor;
  };
  const answers = async (actor: Actor) => {
    const said: z.infer<typeof claimed>[] = [];
    for (let line = await actor.next(); !z.object({ done: z.literal(true) }).safeParse(line).success; ) {
      said.push(claimed.parse(line));
      line = await actor.next();
    }
    return said;
  };

  it('gives each of 40 ids to one of eight that claim them all at once', async () => {
    const ids = Array.from({ length: 40 }, () => randomUUID());
    const all = await Promise.all(Array.from({ length: 8 }, () => start('claimed', ids)));
    for (const actor of all) actor.begin();
    const said = (await Promise.all(all.map(answers))).flat();
    expect(said.length).toBe(8 * 40);
    for (const id of ids) {
      const ofId = said.filter((each) => each.id === id);
      expect(ofId.filter(({ claim }) => claim === 'leased').length).toBe(1);
      expect(ofId.every(({ standing }) => standing === 'processing')).toBe(true);
    }
    await Promise.all(all.map((actor) => actor.kill()));
  });

  it('knows at once what a killed process had not sent, and what it may have', async () => {
    const [unsent, perhaps] = [randomUUID(), randomUUID()];
    const holders = [await start('claimed', [unsent]), await start('sending', [perhaps])];
    for (const holder of holders) {
      holder.begin();
      expect((await answers(holder)).map(({ claim }) => claim)).toEqual(['leased']);
    }
    const newEntry = {
      clientMutationId: unsent,
      operation: 'upload_asset',
      target: null,
      intent: { slot: 'poster' },
    };
    for (const id of [unsent, perhaps]) {
      expect(await ledger.read(scope, id)).toMatchObject({ live: true, standing: 'processing' });
    }
    expect(await ledger.claim(scope, newEntry)).toMatchObject({ claim: 'known' });
    await Promise.all(holders.map((holder) => holder.kill()));
    expect(await ledger.read(scope, unsent)).toMatchObject({ live: false, standing: 'not_sent' });
    expect(await ledger.read(scope, perhaps)).toMatchObject({ live: false, standing: 'unresolved' });
    expect(await ledger.claim(scope, { ...newEntry, clientMutationId: perhaps })).toMatchObject({
      claim: 'known',
    });
    expect(await ledger.claim(scope, newEntry)).toMatchObject({ claim: 'leased', lease: { epoch: 2 } });
  });
});
