import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { ArtworkError } from '../../src/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { works } from '../sandbox/me-works.ts';
import { openStudio } from './studio.ts';
import { told } from './told.ts';
import { guardedOf, type Wish } from './wishes.ts';

const { studio, artist, prepare } = await openStudio();
const status = (wish: Wish) => told(artist.mutations.status(guardedOf(wish).clientMutationId));

/** Waits until a request has reached the service. */
const arrived = async (path: string) => {
  while ((await studio.posts(path)) === 0) await sleep(10);
};

/** A picture of several chunks: noise does not compress. */
const largePicture = () =>
  sharp(randomBytes(1000 * 1500 * 3), { raw: { width: 1000, height: 1500, channels: 3 } })
    .png()
    .toBuffer();

const upload = async (bytes: Buffer) => ({
  clientMutationId: crypto.randomUUID(),
  expectedUpdatedAt: null,
  file: await artist.file(bytes),
  operation: 'add' as const,
  slot: 'poster',
  targetKind: 'movie',
  targetId: works.movie.id,
});

describe('a call', () => {
  it('answers within its time, and its work goes on', async () => {
    const wish = await prepare('an edit of an Asset');
    await studio.queue({ method: 'POST', path: wish.path, do: 'delay', when: 'before', milliseconds: 1_000 });
    const first = await told(wish.make(artist.mutations, guardedOf(wish), artist.within(2_000)));
    // The service has not even looked at it yet.
    expect(first).toMatchObject({ outcome: 'processing', next: { tool: 'get_mutation_status' } });
    expect(await status(wish)).toMatchObject({
      outcome: 'succeeded',
      result: { evidence: { by: 'receipt' } },
    });
    expect(await studio.posts(wish.path)).toBe(1);
  });

  it('tells how far an upload is', async () => {
    const bytes = await largePicture();
    const args = await upload(bytes);
    const said: [number, number | null, string][] = [];
    const progress = (...one: [number, number | null, string]) => said.push(one);
    expect((await told(artist.mutations.perform('upload_asset', args, { progress }))).outcome).toBe(
      'succeeded',
    );
    const uploading = said.filter(([, , message]) => message === 'uploading');
    expect(uploading.length).toBeGreaterThan(2);
    expect(uploading.at(-1)).toEqual([bytes.length, bytes.length, 'uploading']);
  });

  it('that is cancelled before anything left sends nothing', async () => {
    const wish = await prepare('an edit of an Asset');
    const giveUp = new AbortController();
    const early = await artist.another({
      ports: (ports) => ({
        ...ports,
        connections: {
          ...ports.connections,
          bearer: async (call) => {
            giveUp.abort();
            return ports.connections.bearer(call);
          },
        },
      }),
    });
    const answer = await told(
      wish.make(early.mutations, guardedOf(wish), early.within(45_000, giveUp.signal)),
    );
    expect(answer).toMatchObject({ category: 'cancelled', outcome: 'not_sent' });
    expect(await studio.posts(wish.path)).toBe(0);
    expect((await told(wish.make(artist.mutations, guardedOf(wish)))).outcome).toBe('succeeded');
    await early.leave();
  });

  it('that is cancelled after it left says so, and what comes of it is recorded', async () => {
    const wish = await prepare('an edit of an Asset');
    await studio.queue({ method: 'POST', path: wish.path, do: 'delay', when: 'before', milliseconds: 800 });
    const giveUp = new AbortController();
    const call = told(wish.make(artist.mutations, guardedOf(wish), artist.within(45_000, giveUp.signal)));
    await arrived(wish.path);
    giveUp.abort();
    const answer = await call;
    expect(answer).toMatchObject({ category: 'cancelled', next: { tool: 'get_mutation_status' } });
    expect(answer.outcome).toBeUndefined();
    expect((await status(wish)).outcome).toBe('succeeded');
  });

  it('that is cancelled in the middle of an upload takes it back, and does not call it lost', async () => {
    const args = await upload(await largePicture());
    const giveUp = new AbortController();
    const progress = (done: number, total: number | null, message: string) => {
      const most = total ?? 0;
      if (message === 'uploading' && done > most / 2 && done < most) giveUp.abort();
    };
    const slow = await artist.another({
      ports: (ports) => ({
        ...ports,
        send: (request, call) => {
          const { body } = request;
          if (Buffer.isBuffer(body)) return ports.send(request, call);
          const open = async function* () {
            for await (const chunk of body.open()) {
              yield chunk;
              await sleep(50);
            }
          };
          return ports.send({ ...request, body: { length: body.length, open } }, call);
        },
      }),
    });
    const answer = await told(
      slow.mutations.perform('upload_asset', args, { ...slow.within(45_000, giveUp.signal), progress }),
    );
    expect(answer.outcome).toBe('unresolved');
    expect(await studio.applied(args.clientMutationId)).toBe(0);
    expect((await told(artist.mutations.resume(args))).outcome).toBe('succeeded');
    expect(await studio.applied(args.clientMutationId)).toBe(1);
    await slow.leave();
  });

  it('whose file changes after it was hashed sends nothing of it whole', async () => {
    const bytes = await largePicture();
    const args = await upload(bytes);
    const meddler = await artist.another({
      ports: (ports) => ({
        ...ports,
        connections: {
          ...ports.connections,
          bearer: async (call) => {
            await writeFile(args.file, randomBytes(bytes.length));
            return ports.connections.bearer(call);
          },
        },
      }),
    });
    const answer = await told(meddler.mutations.perform('upload_asset', args));
    expect(['not_sent', 'unresolved']).toContain(answer.outcome);
    expect(await studio.applied(args.clientMutationId)).toBe(0);
    await meddler.leave();
  });

  it('that the end of the program meets leaves what is known behind', async () => {
    const wish = await prepare('a new Boxset');
    await studio.queue({
      method: 'POST',
      path: wish.path,
      do: 'delay',
      when: 'before',
      milliseconds: 60_000,
    });
    const ending = await artist.another();
    const call = told(wish.make(ending.mutations, guardedOf(wish)));
    await arrived(wish.path);
    await ending.leave();
    await call;
    expect(await told(wish.make(artist.mutations, guardedOf(wish)))).toMatchObject({ outcome: 'unresolved' });
    expect(await studio.posts(wish.path)).toBe(1);
  });
});

describe('a ledger that can’t be written', () => {
  const breaking = (broken: Partial<Ledger>) =>
    artist.another({
      ports: (ports) => ({ ...ports, ledger: async () => ({ ...(await ports.ledger()), ...broken }) }),
    });
  const full = () => {
    throw new ArtworkError('internal', 'The disk is full.', { code: 'store_full' });
  };

  it.each(['claim', 'send'] as const)('before sending (%s) stops it', async (name) => {
    const wish = await prepare('a new Boxset');
    const broken = await breaking({ [name]: async () => full() });
    expect(await told(wish.make(broken.mutations, guardedOf(wish)))).toMatchObject({ code: 'store_full' });
    expect(await studio.posts(wish.path)).toBe(0);
    expect((await told(wish.make(artist.mutations, guardedOf(wish)))).outcome).toBe('succeeded');
    await broken.leave();
  });

  it('after sending is told, with the way to find out', async () => {
    const wish = await prepare('an edit of an Asset');
    const broken = await breaking({ settle: async () => full() });
    expect(await told(wish.make(broken.mutations, guardedOf(wish)))).toMatchObject({
      category: 'internal',
      code: 'store_full',
      outcome: undefined,
      next: { tool: 'get_mutation_status' },
    });
    expect((await status(wish)).outcome).toBe('succeeded');
    expect(await studio.posts(wish.path)).toBe(1);
    await broken.leave();
  });

  it('for a moment loses nothing', async () => {
    const wish = await prepare('a new Boxset');
    let tries = 0;
    const broken = await artist.another({
      ports: (ports) => ({
        ...ports,
        ledger: async () => {
          const ledger = await ports.ledger();
          return {
            ...ledger,
            settle: async (lease, settlement) => {
              tries += 1;
              return tries < 3 ? full() : ledger.settle(lease, settlement);
            },
          };
        },
      }),
    });
    expect((await told(wish.make(broken.mutations, guardedOf(wish)))).outcome).toBe('succeeded');
    expect(tries).toBe(3);
    await broken.leave();
  });
});

describe('the size limit', () => {
  it('is learnt from a refusal, also by the next process', async () => {
    const learner = await studio.artist();
    const bytes = await largePicture();
    const args = { ...(await upload(bytes)), file: await learner.file(bytes) };
    const body = {
      error: { code: 'asset.file.maxSize', message: 'Too large', details: { maxBytes: 1_000 }, issues: [] },
    };
    await studio.queue({
      method: 'POST',
      path: '/me/assets',
      do: 'answer',
      when: 'before',
      status: 413,
      body,
    });
    const first = await told(learner.mutations.perform('upload_asset', args));
    expect(first).toMatchObject({
      category: 'upload_refused',
      code: 'asset.file.maxSize',
      details: { maxBytes: 1_000 },
    });
    const next = await learner.another();
    for (const { mutations } of [learner, next]) {
      const dry = { ...args, clientMutationId: crypto.randomUUID(), dryRun: true };
      const { result } = await told(mutations.perform('upload_asset', dry));
      expect(result?.warnings).toContainEqual(
        expect.objectContaining({ code: 'too_large', message: expect.stringContaining('1000 bytes') }),
      );
    }
    await next.leave();
  });
});
