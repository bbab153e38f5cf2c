import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ArtworkError } from '../../src/errors.ts';
import type { MutationPorts } from '../../src/mutations/ports.ts';
import type { Artist } from './artist.ts';
import { startStudio, type Studio } from './studio.ts';
import { told } from './told.ts';
import { guardedOf, type Wish, wishNamed } from './wishes.ts';

let studio: Studio;
let artist: Artist;
/** The same account on another machine, whose ledger knows nothing of this one. */
let elsewhere: Artist;
let token: string;
beforeAll(async () => {
  studio = await startStudio();
  artist = await studio.artist();
  elsewhere = await studio.artist();
  token = await studio.catalogue.token(1);
});
afterAll(() => studio.close());

const prepare = async (name: string, by = artist): Promise<Wish> => {
  const wish = await wishNamed(name, { studio, artist: by, token });
  await studio.forget();
  return wish;
};
const assetIdIn = (receipt: unknown): unknown => receipt instanceof Object && Reflect.get(receipt, 'assetId');

/** An upload that another machine has made, and another one of this machine under the same id. */
async function taken(name = 'an upload') {
  const theirs = await prepare(name, elsewhere);
  const made = await told(theirs.make(elsewhere.mutations, guardedOf(theirs)));
  const ours = await prepare(name);
  const { clientMutationId } = guardedOf(theirs);
  const guarded = { ...guardedOf(ours), clientMutationId };
  return { ours, guarded, clientMutationId, theirAsset: assetIdIn(made.result?.receipt) };
}

describe('an id that the service knows and this ledger does not', () => {
  it.each(['an upload', 'an upload into a Set', 'a replacement'])(
    'is refused for %s, and whose it is is said',
    async (name) => {
      const { ours, guarded, clientMutationId, theirAsset } = await taken(name);
      const refused = {
        outcome: 'refused',
        category: 'conflict',
        status: 409,
        details: { earlierUpload: { outcome: 'succeeded', assetId: theirAsset } },
        next: { tool: 'new_mutation_ids' },
      };
      expect(await told(ours.make(artist.mutations, guarded))).toMatchObject(refused);
      // What is stored says the same, and no later answer takes the other one's Asset for this one's.
      for (const again of [
        await told(ours.make(artist.mutations, guarded)),
        await told(artist.mutations.status(clientMutationId)),
        await told(artist.mutations.resume(guarded)),
      ]) {
        expect(again).toMatchObject(refused);
        expect(again.message).toContain(String(theirAsset));
      }
      expect(await studio.posts(ours.path)).toBe(1);
    },
  );

  it('is refused too where an earlier attempt surely was not sent, and after a 401', async () => {
    const { ours, guarded } = await taken();
    let cut = true;
    const unlucky = await artist.another({
      ports: (ports) => ({
        ...ports,
        send: async (request, call) => {
          if (!cut) return ports.send(request, call);
          cut = false;
          return { outcome: 'not_sent', error: new ArtworkError('network', 'The cable is out.') };
        },
      }),
    });
    expect((await told(ours.make(unlucky.mutations, guarded))).outcome).toBe('not_sent');
    const body = { error: { code: 'token.expired', message: 'Expired', details: {}, issues: [] } };
    await studio.queue({ method: 'POST', path: ours.path, do: 'answer', when: 'before', status: 401, body });
    expect(await told(ours.make(unlucky.mutations, guarded))).toMatchObject({
      outcome: 'refused',
      category: 'conflict',
      details: { earlierUpload: { outcome: 'succeeded' } },
    });
    await unlucky.leave();
  });

  it('warns later uploads of no bytes that were never saved', async () => {
    const { ours, guarded } = await taken();
    await told(ours.make(artist.mutations, guarded));
    const dry = { ...guarded, clientMutationId: crypto.randomUUID(), dryRun: true };
    const { outcome, result } = await told(ours.make(artist.mutations, dry));
    expect(outcome).toBe('dry_run');
    expect(result?.warnings ?? []).not.toContainEqual(expect.objectContaining({ code: 'same_bytes' }));
    expect((await artist.mutations.knownBytes()).size).toBe(0);
  });

  it('never succeeds with the other one’s Asset where the answer was lost', async () => {
    const { ours, guarded, theirAsset } = await taken();
    await studio.queue({ method: 'POST', path: ours.path, do: 'cut', when: 'before' });
    expect((await told(ours.make(artist.mutations, guarded))).outcome).toBe('unresolved');
    for (const ask of [
      () => artist.mutations.status(guarded.clientMutationId),
      () => artist.mutations.resume(guarded),
      () => ours.make(artist.mutations, guarded),
    ]) {
      const answer = await told(ask());
      expect(answer).toMatchObject({
        outcome: 'unresolved',
        next: { why: expect.stringContaining('person') },
      });
      expect(answer.next?.tool).toBeUndefined();
      expect(JSON.stringify(answer)).not.toContain(String(theirAsset));
    }
    expect(await studio.posts(ours.path)).toBe(1);
  });

  it.each([
    ['invalid_arguments', 'bad_response'],
    ['forbidden', 'bad_response'],
    ['service_unavailable', 'service_unavailable'],
  ] as const)(
    'is sent for nothing where the service answers %s when it is asked for it',
    async (said, category) => {
      const wish = await prepare('an upload');
      const deaf = await artist.another({
        ports: (ports) => ({
          ...ports,
          owned: {
            ...ports.owned,
            findAssetUpload: async () => {
              throw new ArtworkError(said, 'No answer.');
            },
          },
        }),
      });
      const guarded = guardedOf(wish);
      const answer = await told(wish.make(deaf.mutations, guarded));
      expect(answer).toMatchObject({ outcome: 'not_sent', category });
      expect(answer.next?.why).toContain('the same call may be made with the same id');
      expect(await studio.applied(guarded.clientMutationId)).toBe(0);
      await deaf.leave();
    },
  );

  it('is looked up where this ledger’s own request of the same intent may have arrived', async () => {
    const wish = await prepare('a replacement');
    await studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'after' });
    const guarded = guardedOf(wish);
    expect((await told(wish.make(artist.mutations, guarded))).outcome).toBe('unresolved');
    expect(await told(artist.mutations.resume(guarded))).toMatchObject({
      outcome: 'succeeded',
      result: { evidence: { by: 'lookup', certainty: 'certain' } },
    });
    expect(await studio.posts(wish.path)).toBe(1);
  });

  it('is answered with its first receipt where a 401 came after the service had applied it', async () => {
    const wish = await prepare('a replacement');
    const body = { error: { code: 'token.expired', message: 'Expired', details: {}, issues: [] } };
    await studio.queue({ method: 'POST', path: wish.path, do: 'answer', when: 'after', status: 401, body });
    const guarded = guardedOf(wish);
    expect((await told(wish.make(artist.mutations, guarded))).outcome).toBe('succeeded');
    expect(await studio.applied(guarded.clientMutationId)).toBe(1);
  });
});

describe('a redirect', () => {
  const redirect = (wish: Wish, when: 'before' | 'after', status: number) => {
    const headers = { location: `${studio.catalogue.baseUrl}/me/groups` };
    return studio.queue({ method: 'POST', path: wish.path, do: 'answer', when, status, headers, body: '' });
  };

  it.each([301, 302, 303, 300, 304])(
    'of %i proves nothing: it may be sent after applying',
    async (status) => {
      const wish = await prepare('an upload');
      await redirect(wish, 'after', status);
      const guarded = guardedOf(wish);
      expect((await told(wish.make(artist.mutations, guarded))).outcome).toBe('unresolved');
      expect(await told(artist.mutations.status(guarded.clientMutationId))).toMatchObject({
        outcome: 'succeeded',
        result: { evidence: { by: 'lookup' } },
      });
      expect(await studio.posts(wish.path)).toBe(1);
    },
  );

  it.each([307, 308])('of %i asks for the same request elsewhere, and so is a refusal', async (status) => {
    const wish = await prepare('a new Boxset');
    await redirect(wish, 'before', status);
    expect(await told(wish.make(artist.mutations, guardedOf(wish)))).toMatchObject({
      outcome: 'refused',
      status,
    });
  });
});

describe('a repeat', () => {
  const lost = async (): Promise<Wish> => {
    const wish = await prepare('a replacement');
    await studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
    expect((await told(wish.make(artist.mutations, guardedOf(wish)))).outcome).toBe('unresolved');
    return wish;
  };
  const change = async (wish: Wish) => {
    const path = `/me/assets/${wish.arguments.previousAssetId}`;
    const { expectedUpdatedAt } = guardedOf(wish);
    const languageCode = 'nl';
    const edited = await studio.catalogue.post(`${path}/metadata`, token, {
      expectedUpdatedAt,
      languageCode,
    });
    expect(edited.status).toBe(200);
    const { body } = await studio.catalogue.get(path, token);
    return String(Reflect.get(Object(Reflect.get(Object(body), 'data')), 'updatedAt'));
  };

  it('of a replacement whose Asset has been changed since is left to a person', async () => {
    const wish = await lost();
    const actualUpdatedAt = await change(wish);
    const guarded = guardedOf(wish);
    const { expectedUpdatedAt } = guarded;
    const resumed = await told(artist.mutations.resume(guarded));
    expect(resumed).toMatchObject({
      outcome: 'unresolved',
      code: 'stale_revision',
      details: { expectedUpdatedAt, actualUpdatedAt },
    });
    const dry = await told(artist.mutations.resume({ ...guarded, dryRun: true }));
    expect(dry).toMatchObject({
      category: 'stale_revision',
      details: { expectedUpdatedAt, actualUpdatedAt },
    });
    const asked = await told(artist.mutations.status(guarded.clientMutationId));
    expect(asked.outcome).toBe('unresolved');
    for (const { next } of [resumed, dry, asked]) {
      expect(next?.tool).toBeUndefined();
      for (const value of ['person', expectedUpdatedAt ?? '', actualUpdatedAt])
        expect(next?.why).toContain(value);
    }
    expect(await studio.posts(wish.path)).toBe(1);
    expect(await studio.applied(guarded.clientMutationId)).toBe(0);
  });

  it('is not made where the revision moves after the last look and before the request', async () => {
    const wish = await lost();
    const late = await artist.another({
      ports: (ports) => ({
        ...ports,
        async ledger() {
          const ledger = await ports.ledger();
          return {
            ...ledger,
            async acquire(scope, id) {
              const taken = await ledger.acquire(scope, id);
              await change(wish);
              return taken;
            },
          };
        },
      }),
    });
    expect(await told(late.mutations.resume(guardedOf(wish)))).toMatchObject({
      outcome: 'unresolved',
      code: 'stale_revision',
    });
    expect(await studio.posts(wish.path)).toBe(1);
    await late.leave();
  });

  it('is not made where the revision can’t be read', async () => {
    const wish = await lost();
    const path = `/me/assets/${wish.arguments.previousAssetId}`;
    const broken = {
      method: 'GET',
      path,
      do: 'answer',
      when: 'before',
      status: 500,
      body: 'broken',
      count: 20,
    };
    await studio.queue(broken);
    expect((await told(artist.mutations.resume(guardedOf(wish)))).outcome).toBe('unresolved');
    expect(await studio.posts(wish.path)).toBe(1);
    await studio.forget();
    expect((await told(artist.mutations.resume(guardedOf(wish)))).outcome).toBe('succeeded');
    expect(await studio.applied(guardedOf(wish).clientMutationId)).toBe(1);
  });

  it('is not needed where the first request itself has moved the revision', async () => {
    const wish = await prepare('a replacement');
    await studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'after' });
    const guarded = guardedOf(wish);
    await told(wish.make(artist.mutations, guarded));
    // Lookups that lag behind, until the revision has been compared.
    const body = { error: { code: 'not_found', message: 'Unknown', details: {}, issues: [] } };
    const path = `/me/asset-uploads/${guarded.clientMutationId}`;
    await studio.queue({ path, do: 'answer', when: 'before', status: 404, body, count: 2 });
    const moved = await artist.another({
      ports: (ports) => ({
        ...ports,
        owned: {
          ...ports.owned,
          readAsset: async (id, call) => ({ ...(await ports.owned.readAsset(id, call)), updatedAt: 'moved' }),
        },
      }),
    });
    expect(await told(moved.mutations.resume(guarded))).toMatchObject({
      outcome: 'succeeded',
      result: { evidence: { by: 'lookup' } },
    });
    expect(await studio.posts(wish.path)).toBe(1);
    await moved.leave();
  });
});

describe('what was created and not heard of', () => {
  it('is no outcome by its title alone', async () => {
    const wish = await prepare('a new Boxset');
    await studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
    const { clientMutationId } = guardedOf(wish);
    await told(wish.make(artist.mutations, guardedOf(wish)));
    // Somebody else makes one of the same title.
    const { title } = wish.arguments;
    expect((await studio.catalogue.post('/me/groups', token, { kind: 'boxset', title })).status).toBeLessThan(
      300,
    );
    const answer = await told(artist.mutations.status(clientMutationId));
    expect(answer).toMatchObject({
      outcome: 'unresolved',
      result: { evidence: { by: 'read_back', certainty: 'likely' } },
      next: { why: expect.stringContaining('person') },
    });
    expect(answer.next?.tool).toBeUndefined();
  });
});

describe('relationships', () => {
  const listing = (readRelationships: MutationPorts['owned']['readRelationships']) =>
    artist.another({ ports: (ports) => ({ ...ports, owned: { ...ports.owned, readRelationships } }) });
  const page = (number: number) => ({
    items: [{ targetKind: 'user', targetId: 1_000 + number, relationship: 'follow', updatedAt: 'r1' }],
    nextPage: `/me/relationships?page=${number + 1}`,
  });
  const numberOf = (path: string | null) => Number(path?.split('=')[1] ?? 1);

  it('are read to their end, however many pages there are', async () => {
    const wish = await prepare('a new relationship');
    const reader = await listing(async (path) => {
      const number = numberOf(path);
      return number < 120 ? page(number) : { ...page(number), nextPage: null };
    });
    const dry = { ...guardedOf(wish), dryRun: true };
    expect((await told(wish.make(reader.mutations, dry))).outcome).toBe('dry_run');
    await reader.leave();
  });

  it.each([
    ['goes round in a circle', (number: number) => page(number % 7)],
    ['has no end', page],
  ])('are not known where their list %s', async (_, read) => {
    const wish = await prepare('a new relationship');
    const reader = await listing(async (path) => read(numberOf(path)));
    const answer = await told(wish.make(reader.mutations, guardedOf(wish)));
    expect(answer).toMatchObject({
      outcome: 'not_sent',
      category: 'bad_response',
      message: expect.stringContaining('is not known'),
      next: { why: expect.stringContaining('person') },
    });
    expect(await studio.posts(wish.path)).toBe(0);
    await reader.leave();
  });

  it('that can’t be read to their end never count as cleared', async () => {
    const wish = await prepare('a new relationship');
    await studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
    let endless = false;
    const reader = await artist.another({
      ports: (ports) => ({
        ...ports,
        owned: {
          ...ports.owned,
          readRelationships: (path, call) =>
            endless ? Promise.resolve(page(numberOf(path))) : ports.owned.readRelationships(path, call),
        },
      }),
    });
    const cleared = { ...guardedOf(wish), targetKind: 'user', targetId: 3, relationship: 'clear' as const };
    expect((await told(reader.mutations.perform('change_relationship', cleared))).outcome).toBe('unresolved');
    endless = true;
    expect(await told(reader.mutations.status(cleared.clientMutationId))).toMatchObject({
      outcome: 'unresolved',
      result: { evidence: { certainty: 'unknown', says: expect.stringContaining('is not known') } },
    });
    await reader.leave();
  });
});

it('an upload elsewhere that is not finished leads to no endless asking', async () => {
  const wish = await prepare('an upload', elsewhere);
  await studio.queue({ method: 'POST', path: wish.path, do: 'process', milliseconds: 600_000 });
  await told(wish.make(elsewhere.mutations, guardedOf(wish), elsewhere.within(20_000)));
  const answer = await told(artist.mutations.status(guardedOf(wish).clientMutationId, artist.within(6_000)));
  expect(answer).toMatchObject({ outcome: 'processing', next: { why: expect.stringContaining('later') } });
  expect(answer.next?.tool).toBeUndefined();
  studio.catalogue.pass(600_000);
});

it('an id that nobody knows is not called unsent', async () => {
  const answer = await told(artist.mutations.status(crypto.randomUUID()));
  expect(answer).toMatchObject({ category: 'not_found' });
  expect(`${answer.message} ${answer.next?.why}`).toMatch(
    /does not know.*from here.*another machine.*submissionId/s,
  );
  expect(`${answer.message} ${answer.next?.why}`).not.toMatch(/never sent/);
});
