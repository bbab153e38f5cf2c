import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openStudio } from './studio.ts';
import { type Told, told } from './told.ts';
import { guardedOf, type Wish } from './wishes.ts';

const { studio, artist, prepare } = await openStudio();

const make = (wish: Wish, by = artist): Promise<Told> => told(wish.make(by.mutations, guardedOf(wish)));

const answering = (path: string, status: number, code = `made.up.${status}`) => ({
  method: 'POST',
  path,
  do: 'answer' as const,
  when: 'before' as const,
  status,
  body: { error: { code, message: `Says ${status}`, details: {}, issues: [] } },
});

describe('the same id again, with the same intent,', () => {
  it.each(['an upload', 'an edit of an Asset', 'a new Boxset'])('is sent after %s was not', async (name) => {
    const wish = await prepare(name);
    const cutOff = await artist.another({
      ports: (ports) => ({
        ...ports,
        // Nobody listens there.
        send: async (request, call) => {
          const { createCatalogue } = await import('../../src/catalogue/client.ts');
          const nowhere = 'http://127.0.0.1:9';
          const other = createCatalogue({
            locate: async () => ({ baseUrl: nowhere, assetOrigin: nowhere }),
            userAgent: 'test',
          });
          return other.send(request, call).finally(() => other.close());
        },
      }),
    });
    const first = await make(wish, cutOff);
    expect(first).toMatchObject({
      outcome: 'not_sent',
      category: 'network',
      next: { tool: wish.operation, arguments: expect.objectContaining(guardedOf(wish)) },
    });
    const { clientMutationId } = guardedOf(wish);
    expect(await told(cutOff.mutations.status(clientMutationId))).toMatchObject({ outcome: 'not_sent' });
    expect((await make(wish)).outcome).toBe('succeeded');
    expect(studio.posts(wish.path)).toBe(1);
    await cutOff.leave();
  });

  it.each([
    [403, 'forbidden', 'a person'],
    [429, 'rate_limited', 'the same call'],
  ])('is sent after %i', async (status, category, next) => {
    const wish = await prepare('a new Boxset');
    studio.queue(answering(wish.path, status));
    const first = await make(wish);
    expect(first).toMatchObject({ outcome: 'refused', category, status, code: `made.up.${status}` });
    expect(first.next?.tool).toBe(next === 'a person' ? undefined : wish.operation);
    expect((await make(wish)).outcome).toBe('succeeded');
    expect(studio.posts(wish.path)).toBe(2);
    expect(studio.applied(guardedOf(wish).clientMutationId)).toBe(1);
  });

  it('is sent after a second 401, once somebody has signed in', async () => {
    const wish = await prepare('an edit of an Asset');
    studio.queue(answering(wish.path, 401), answering(wish.path, 401));
    const first = await make(wish);
    expect(first).toMatchObject({
      outcome: 'refused',
      category: 'reconnect_required',
      next: { tool: 'connect_account' },
    });
    expect((await make(wish)).outcome).toBe('succeeded');
    expect(studio.posts(wish.path)).toBe(3);
  });

  it.each(['an upload', 'a new Boxset', 'an edit of an Asset'])(
    'looks up what is unresolved of %s, and sends nothing',
    async (name) => {
      const wish = await prepare(name);
      studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
      expect((await make(wish)).outcome).toBe('unresolved');
      expect(await make(wish)).toMatchObject({
        outcome: 'unresolved',
        result: { evidence: { by: name === 'an upload' ? 'lookup' : 'read_back', certainty: 'unknown' } },
      });
      expect(studio.posts(wish.path)).toBe(1);
    },
  );

  it('looks up what the service still works on, and sends nothing', async () => {
    const wish = await prepare('an upload');
    studio.queue({ method: 'POST', path: wish.path, do: 'process', milliseconds: 60_000 });
    const call = artist.within(800);
    const first = await told(wish.make(artist.mutations, guardedOf(wish), call));
    expect(first).toMatchObject({ outcome: 'processing', next: { tool: 'get_mutation_status' } });
    while (studio.posts(wish.path) === 0) await sleep(10);
    expect((await make(wish)).outcome).toBe('processing');
    const other = await artist.another();
    expect((await make(wish, other)).outcome).toBe('processing');
    expect(studio.posts(wish.path)).toBe(1);
    studio.service.pass(61_000);
    expect(await told(artist.mutations.status(guardedOf(wish).clientMutationId))).toMatchObject({
      outcome: 'succeeded',
      result: { evidence: { by: 'lookup' } },
    });
    await other.leave();
  });

  it.each([400, 404, 409, 413, 422])('repeats what the service refused with %i', async (status) => {
    const wish = await prepare('a new Boxset');
    studio.queue(answering(wish.path, status));
    const first = await make(wish);
    expect(first).toMatchObject({ outcome: 'refused', status, code: `made.up.${status}` });
    const { category, code, message } = first;
    expect(await make(wish)).toMatchObject({ outcome: 'refused', category, code, message, status });
    expect(first.next?.tool).toBe('new_mutation_ids');
    expect(studio.posts(wish.path)).toBe(1);
  });
});

describe('the same id with another intent', () => {
  it('is the same for a file of the same bytes and name elsewhere, another for other bytes', async () => {
    const wish = await prepare('an upload');
    expect((await make(wish)).outcome).toBe('succeeded');
    const { file } = wish.arguments;
    const { readFile } = await import('node:fs/promises');
    const bytes = await readFile(String(file));
    const name = String(file).split('/').at(-1) ?? '';
    const upload = { ...wish.arguments, operation: 'add' as const, slot: 'poster' };
    const target = { targetKind: 'movie', targetId: Number(wish.arguments.targetId) };
    const elsewhere = await artist.file(bytes, `moved/${name}`);
    expect(
      await told(artist.mutations.perform('upload_asset', { ...upload, ...target, file: elsewhere })),
    ).toMatchObject({
      outcome: 'succeeded',
    });
    const others = await artist.file(Buffer.concat([bytes, Buffer.from([0])]), `other/${name}`);
    expect(
      await told(artist.mutations.perform('upload_asset', { ...upload, ...target, file: others })),
    ).toMatchObject({
      category: 'mutation_id_reused',
    });
    expect(studio.posts(wish.path)).toBe(1);
  });
});

describe('the same id after another sign-in of the same user,', () => {
  const again = { connection: '1'.repeat(32) };

  it('to another account, is told to be of that one, and sends nothing', async () => {
    const wish = await prepare('a new Boxset');
    studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
    expect((await make(wish)).outcome).toBe('unresolved');
    const { clientMutationId, expectedUpdatedAt } = guardedOf(wish);
    const other = await artist.another({ subject: '2', ...again });
    const refused = { category: 'not_found', code: 'other_account' };
    expect(await make(wish, other)).toMatchObject(refused);
    await expect(other.mutations.status(clientMutationId)).rejects.toMatchObject(refused);
    const resumed = other.mutations.resume({ clientMutationId, expectedUpdatedAt });
    await expect(resumed).rejects.toMatchObject(refused);
    const { mutations } = await other.mutations.list({ limit: 10, state: 'open' });
    expect(mutations).toContainEqual(
      expect.objectContaining({ clientMutationId, account: 'other', target: null }),
    );
    expect(JSON.stringify(mutations)).not.toContain(String(wish.arguments.title));
    expect(studio.posts(wish.path)).toBe(1);
    await other.leave();
  });

  it.each(['an upload', 'a new Boxset'])(
    'to an account that the service does not name, looks and never sends %s again',
    async (name) => {
      const unnamed = await artist.another({ subject: null, connection: '2'.repeat(32) });
      const wish = await prepare(name);
      studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
      expect((await make(wish, unnamed)).outcome).toBe('unresolved');
      await unnamed.leave();
      const { clientMutationId, expectedUpdatedAt } = guardedOf(wish);
      for (const subject of [null, 'owner']) {
        const now = await artist.another({ subject, ...again });
        expect(await make(wish, now)).toMatchObject({ outcome: 'unresolved' });
        const resumed = await told(now.mutations.resume({ clientMutationId, expectedUpdatedAt }));
        expect(resumed).toMatchObject({ outcome: 'unresolved' });
        const { mutations } = await now.mutations.list({ limit: 10, state: 'open' });
        expect(mutations).toContainEqual(expect.objectContaining({ clientMutationId, account: 'unknown' }));
        await now.leave();
      }
      expect(studio.posts(wish.path)).toBe(1);
    },
  );

  it('to an account that the service does not name, finds what was applied', async () => {
    const unnamed = await artist.another({ subject: null, connection: '2'.repeat(32) });
    const wish = await prepare('an upload');
    studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'after' });
    await make(wish, unnamed);
    await unnamed.leave();
    const now = await artist.another({ subject: null, ...again });
    expect(await make(wish, now)).toMatchObject({ outcome: 'succeeded' });
    expect(studio.posts(wish.path)).toBe(1);
    await now.leave();
  });
});
