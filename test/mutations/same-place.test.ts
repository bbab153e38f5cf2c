import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ArtworkError } from '../../src/errors.ts';
import { systemClock } from '../../src/clock.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { MutationPorts } from '../../src/mutations/ports.ts';
import { storeError } from '../../src/storage/store-error.ts';
import { poster } from '../sandbox/me-pictures.ts';
import { works } from '../sandbox/me-works.ts';
import { indexOf } from '../support/ledger-index.ts';
import type { Artist } from './artist.ts';
import { type Studio, startStudio } from './studio.ts';
import { told } from './told.ts';
import { openTestStorage } from '../support/test-store.ts';

let studio: Studio;
let artist: Artist;
/** The same, a minute later. */
let later: Artist;
let file: string;
beforeAll(async () => {
  studio = await startStudio();
  artist = await studio.artist();
  later = await artist.another({
    ports: (ports) => ({ ...ports, clock: { ...ports.clock, now: () => ports.clock.now() + 60_000 } }),
  });
});
beforeEach(async () => {
  await studio.forget();
  file = await artist.file(await poster());
});
afterAll(async () => {
  await later.leave();
  await studio.close();
});

const place = { operation: 'add', slot: 'poster', targetKind: 'movie', targetId: works.movie.id } as const;
const upload = () => ({ clientMutationId: randomUUID(), expectedUpdatedAt: null, file, ...place });

async function appliedOf(...ids: string[]): Promise<number> {
  const applied = await Promise.all(ids.map((id) => studio.applied(id)));
  return applied.reduce((sum, one) => sum + one, 0);
}

/** Lets the one side wait for the other. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

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
        await mayAnswer.opened;
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
  expect(await appliedOf(first.clientMutationId, second.clientMutationId)).toBe(1);
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
  expect(await appliedOf(first.clientMutationId, second.clientMutationId)).toBe(1);
});

it('sees what was done since its id was first claimed, however long ago', async () => {
  const [first, between] = [upload(), upload()];
  await answers(429);
  expect((await told(artist.mutations.perform('upload_asset', first))).outcome).toBe('refused');
  expect((await told(artist.mutations.perform('upload_asset', between))).outcome).toBe('succeeded');
  const again = await told(later.mutations.perform('upload_asset', first));
  expect(again).toMatchObject({ outcome: 'not_sent', category: 'conflict' });
  expect(again.details).toMatchObject({ heldBy: between.clientMutationId });
  expect(await appliedOf(first.clientMutationId, between.clientMutationId)).toBe(1);
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
          await sending.opened;
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
  await looked.opened;
  const one = told(sender.mutations.perform('upload_asset', first));
  expect(await two).toMatchObject({ category: 'conflict', outcome: 'not_sent' });
  expect(failed).toBe(true);
  mayAnswer.open();
  expect(await one).toMatchObject({ outcome: 'succeeded' });
  expect(await told(unlucky.mutations.status(second.clientMutationId))).toMatchObject({
    outcome: 'not_sent',
  });
  expect(await unlucky.mutations.countOpen()).toBe(0);
  expect(await appliedOf(first.clientMutationId, second.clientMutationId)).toBe(1);
  await unlucky.leave();
  await sender.leave();
});

it('is not held by what a clock did that was ahead and was set back', async () => {
  const [first, second] = [upload(), upload()];
  const ahead = await artist.another({
    ports: (ports) => ({
      ...ports,
      async ledger() {
        const storage = await openTestStorage(path.join(artist.home, 'data'), indexOf);
        return openLedger({
          store: storage.atomic,
          clock: { ...systemClock, now: () => Date.now() + 30 * 60_000 },
          ...storage.holders(),
        });
      },
    }),
  });
  expect((await told(ahead.mutations.perform('upload_asset', first))).outcome).toBe('succeeded');
  await ahead.leave();
  const again = await told(artist.mutations.perform('upload_asset', second));
  expect(again).toMatchObject({ outcome: 'succeeded' });
});

it('leaves to the service what the public catalogue has no answer to', async () => {
  for (const category of ['forbidden', 'snapshot_expired', 'bad_response'] as const) {
    file = await artist.file(await poster());
    const one = upload();
    const unclear = await artist.another({
      ports: (ports) => ({
        ...ports,
        catalogue: {
          ...ports.catalogue,
          readEntity: async () => {
            throw new ArtworkError(category, 'No answer.');
          },
        },
      }),
    });
    expect(await told(unclear.mutations.perform('upload_asset', one)), category).toMatchObject({
      outcome: 'succeeded',
    });
    await unclear.leave();
  }
});
