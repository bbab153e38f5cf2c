import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { MutationPorts } from '../../src/mutations/ports.ts';
import { storeError } from '../../src/storage/store-error.ts';
import { indexOf } from '../support/ledger-index.ts';
import { gate } from './gate.ts';
import { poster } from './pictures.ts';
import { openStudio } from './studio.ts';
import { told } from './told.ts';
import { openTestStorage } from '../support/test-store.ts';

const { studio, artist } = await openStudio();
/** The same, a minute later. */
const later = await artist.another({
  ports: (ports) => ({ ...ports, clock: { ...ports.clock, now: () => ports.clock.now() + 60_000 } }),
});
let file: string;
beforeEach(async () => {
  studio.forget();
  file = await artist.file(await poster());
});
afterAll(() => later.leave());

const place = { operation: 'add', slot: 'poster', targetKind: 'movie', targetId: 7 } as const;
const upload = () => ({ clientMutationId: randomUUID(), expectedUpdatedAt: null, file, ...place });

const appliedOf = (...ids: string[]) => ids.reduce((sum, id) => sum + studio.applied(id), 0);

const withLedger = (ports: MutationPorts, change: (ledger: Ledger) => Partial<Ledger>): MutationPorts => ({
  ...ports,
  ledger: async () => {
    const ledger = await ports.ledger();
    return { ...ledger, ...change(ledger) };
  },
});

const answers = (status: number) =>
  studio.queue({
    method: 'POST',
    path: '/me/assets',
    do: 'answer',
    when: 'before',
    status,
    body: { error: { code: 'not.now', message: 'Not now.', details: {}, issues: [] } },
  });

/** A holder that sends only once it is let. */
async function slowSender() {
  const sending = gate();
  const mayAnswer = gate();
  const sender = await artist.another({
    ports: (ports) => ({
      ...ports,
      send: async (request, call) => {
        sending.open();
        await mayAnswer.passed;
        return ports.send(request, call);
      },
    }),
  });
  return { sender, sending, mayAnswer };
}

it('holds its place while the token is renewed after a 401', async () => {
  const [first, second] = [upload(), upload()];
  let other: ReturnType<typeof told> | null = null;
  const renewing = await artist.another({
    ports: (ports) => ({
      ...ports,
      connections: {
        ...ports.connections,
        onUnauthorized: async (rejected, call) => {
          other ??= told(artist.mutations.perform('upload_asset', second));
          await other;
          return ports.connections.onUnauthorized(rejected, call);
        },
      },
    }),
  });
  await answers(401);
  const one = await told(renewing.mutations.perform('upload_asset', first));
  expect(one).toMatchObject({ outcome: 'succeeded' });
  expect(await other).toMatchObject({ outcome: 'not_sent', category: 'conflict' });
  expect(appliedOf(first.clientMutationId, second.clientMutationId)).toBe(1);
  await renewing.leave();
});

it('leads a call whose process ended before it sent to the one that was sent in its place', async () => {
  const [first, second] = [upload(), upload()];
  const ending = await artist.another({
    ports: (ports) => ({
      ...ports,
      async ledger() {
        const storage = await openTestStorage(path.join(artist.home, 'data'), indexOf);
        const holders = storage.holders();
        // No process has this number.
        const self = { ...holders.self, pid: 2 ** 30 };
        const ledger = openLedger({ store: storage.atomic, clock: systemClock, ...holders, self });
        const fails = async () => {
          throw storeError('store_full', 'The disk is full.');
        };
        return { ...ledger, send: fails, settle: fails, release: async () => storage.close() };
      },
    }),
  });
  expect((await told(ending.mutations.perform('upload_asset', first))).outcome).not.toBe('succeeded');
  await ending.leave();
  expect(await told(artist.mutations.perform('upload_asset', second))).toMatchObject({
    outcome: 'succeeded',
  });
  const again = await told(later.mutations.perform('upload_asset', first));
  expect(again).toMatchObject({ outcome: 'not_sent', category: 'conflict' });
  const status = await told(artist.mutations.status(first.clientMutationId));
  expect(status.next).toMatchObject({
    tool: 'get_mutation_status',
    arguments: { clientMutationId: second.clientMutationId },
  });
  expect(appliedOf(first.clientMutationId, second.clientMutationId)).toBe(1);
});

it('sees what was done since its id was first claimed, however long ago', async () => {
  const [first, between] = [upload(), upload()];
  await answers(429);
  expect((await told(artist.mutations.perform('upload_asset', first))).outcome).toBe('refused');
  expect((await told(artist.mutations.perform('upload_asset', between))).outcome).toBe('succeeded');
  const again = await told(later.mutations.perform('upload_asset', first));
  expect(again).toMatchObject({ outcome: 'not_sent', category: 'conflict' });
  expect(again.details).toMatchObject({ heldBy: between.clientMutationId });
  expect(appliedOf(first.clientMutationId, between.clientMutationId)).toBe(1);
});

it('holds no place where the store fails for a moment while a conflict is recorded', async () => {
  const { sender, sending, mayAnswer } = await slowSender();
  const [first, second] = [upload(), upload()];
  const looked = gate();
  let failed = false;
  const unlucky = await artist.another({
    ports: (ports) =>
      withLedger(ports, (ledger) => ({
        async claim(scope, meant) {
          looked.open();
          await sending.passed;
          return ledger.claim(scope, meant);
        },
        async settle(lease, settlement) {
          if (failed) return ledger.settle(lease, settlement);
          failed = true;
          throw storeError('store_full', 'The disk is full.');
        },
      })),
  });
  const two = told(unlucky.mutations.perform('upload_asset', second));
  await looked.passed;
  const one = told(sender.mutations.perform('upload_asset', first));
  expect(await two).toMatchObject({ category: 'conflict', outcome: 'not_sent' });
  expect(failed).toBe(true);
  mayAnswer.open();
  expect(await one).toMatchObject({ outcome: 'succeeded' });
  expect(await told(unlucky.mutations.status(second.clientMutationId))).toMatchObject({
    outcome: 'not_sent',
  });
  expect(await unlucky.mutations.countOpen()).toBe(0);
  expect(appliedOf(first.clientMutationId, second.clientMutationId)).toBe(1);
  await unlucky.leave();
  await sender.leave();
});
