import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ArtworkError } from '../../src/errors.ts';
import { openStudio } from './studio.ts';
import { told } from './told.ts';
import { guardedOf } from './wishes.ts';

const { studio, service, artist, prepare } = await openStudio();

const leavesNoTrace = async (id: string, path: string) => {
  expect(studio.posts(path)).toBe(0);
  expect((await artist.mutations.list({ limit: 200 })).mutations).not.toContainEqual(
    expect.objectContaining({ clientMutationId: id }),
  );
};
describe('a revision', () => {
  it('is compared byte for byte, never as a date', async () => {
    const wish = await prepare('an edit of an Asset');
    const { clientMutationId, expectedUpdatedAt } = guardedOf(wish);
    const same = expectedUpdatedAt?.replace('Z', '+00:00') ?? '';
    expect(new Date(same)).toEqual(new Date(expectedUpdatedAt ?? ''));
    const answer = await told(wish.make(artist.mutations, { clientMutationId, expectedUpdatedAt: same }));
    expect(answer.category).toBe('stale_revision');
  });

  it('of each assigned Asset counts as well', async () => {
    const wish = await prepare('an assignment');
    const { items } = wish.arguments;
    if (!Array.isArray(items)) throw new Error('no items');
    const stale = items.map((item) => ({ ...item, expectedAssetUpdatedAt: '2001-01-01T00:00:00.000Z' }));
    const answer = await told(
      artist.mutations.perform('assign_grouping_assets', {
        ...guardedOf(wish),
        setId: Number(wish.arguments.setId),
        items: stale,
      }),
    );
    expect(answer).toMatchObject({
      category: 'stale_revision',
      next: { tool: 'get_owned', arguments: { type: 'asset' } },
    });
  });

  it('that the record does not show is ours: it guards, and is never sent', async () => {
    const groupId = service.plantGroup('Without a revision');
    delete service.groups.get(groupId)?.updatedAt;
    const edit = (expectedUpdatedAt: string | null, dryRun: boolean) =>
      told(
        artist.mutations.perform('edit_group', {
          clientMutationId: randomUUID(),
          expectedUpdatedAt,
          groupId,
          title: 'New',
          dryRun,
        }),
      );
    const stale = await edit(null, true);
    expect(stale.category).toBe('stale_revision');
    const revision = String(stale.details?.actualUpdatedAt);
    expect(revision).toMatch(/^sha256:[0-9a-f]{64}$/);
    const dry = await edit(revision, true);
    expect(dry.outcome).toBe('dry_run');
    expect(JSON.stringify(dry.result?.requests)).not.toContain('sha256:');
  });
});

describe('a 409', () => {
  it('is a stale revision where one more read shows another one', async () => {
    const wish = await prepare('an edit of an Asset');
    const guardedArguments = guardedOf(wish);
    const asset = service.assets.get(String(wish.arguments.assetId));
    const meddler = await artist.another({
      ports: (ports) => ({
        ...ports,
        send: async (request, call) => {
          // Somebody is faster, between our look and our request.
          Object.assign(asset ?? {}, { languageCode: 'de', updatedAt: service.revision() });
          return ports.send(request, call);
        },
      }),
    });
    const answer = await told(wish.make(meddler.mutations, guardedArguments));
    expect(answer).toMatchObject({
      outcome: 'refused',
      category: 'stale_revision',
      code: 'revision.stale',
      status: 409,
      details: { expectedUpdatedAt: guardedArguments.expectedUpdatedAt, actualUpdatedAt: asset?.updatedAt },
      next: { tool: 'get_owned' },
    });
    await meddler.leave();
  });

  it.each(['an edit of an Asset', 'a preview frame', 'an edit of a group', 'an assignment'])(
    'is no refusal of %s that the network has brought twice',
    async (name) => {
      const wish = await prepare(name);
      const body = { error: { code: 'revision.stale', message: 'Stale', details: {}, issues: [] } };
      studio.queue({ method: 'POST', path: wish.path, do: 'answer', when: 'after', status: 409, body });
      const answer = await told(wish.make(artist.mutations, guardedOf(wish)));
      expect(answer).toMatchObject({
        outcome: 'succeeded',
        result: { evidence: { by: 'read_back', certainty: 'likely' } },
      });
    },
  );

  it.each(['a new Boxset', 'a new Talent Set'])(
    'is no refusal of %s that may be there since, and one of what is not',
    async (name) => {
      const body = { error: { code: 'title.taken', message: 'Taken', details: {}, issues: [] } };
      for (const [when, outcome] of [
        ['after', 'unresolved'],
        ['before', 'refused'],
      ] as const) {
        const wish = await prepare(name);
        studio.queue({ method: 'POST', path: wish.path, do: 'answer', when, status: 409, body });
        expect((await told(wish.make(artist.mutations, guardedOf(wish)))).outcome).toBe(outcome);
      }
    },
  );

  it.each([
    ['after', 'succeeded', 1],
    ['before', 'refused', 0],
  ] as const)('that came %s the effect proves nothing until a look tells', async (when, outcome, times) => {
    const wish = await prepare('an edit of a group');
    const body = { error: { code: 'revision.stale', message: 'Stale', details: {}, issues: [] } };
    studio.queue({ method: 'POST', path: wish.path, do: 'answer', when, status: 409, body, count: 2 });
    let isDown = false;
    const blind = await artist.another({
      ports: (ports) => ({
        ...ports,
        send: async (request, call) => {
          isDown = true;
          return ports.send(request, call);
        },
        owned: {
          ...ports.owned,
          readGroup: (id, call) =>
            isDown
              ? Promise.reject(new ArtworkError('network', 'No connection.'))
              : ports.owned.readGroup(id, call),
        },
      }),
    });
    const call = guardedOf(wish);
    const first = await told(wish.make(blind.mutations, call));
    expect(first).toMatchObject({ outcome: 'unresolved', next: { tool: 'get_mutation_status' } });
    expect(JSON.stringify(first)).not.toContain('Nothing was changed');
    const later = await told(artist.mutations.resume(call));
    expect(later.outcome).toBe(outcome);
    expect(studio.applied(call.clientMutationId)).toBe(times);
    await blind.leave();
  });
});

describe('a dry run, and the call itself, refuse before anything is claimed', () => {
  it.each([
    ['an upload', { targetId: 999_999_999 }, 'invalid_arguments'],
    ['a replacement', { slot: 'backdrop' }, 'invalid_arguments'],
    ['a replacement', { targetId: 8 }, 'invalid_arguments'],
    ['a new Talent Set', { entryTargetId: 999_999_999 }, 'invalid_arguments'],
    ['a preview frame', { selectedSourceFrame: 3 }, 'invalid_arguments'],
  ])('%s with %o', async (name, changes, category) => {
    const wish = await prepare(name);
    for (const dryRun of [true, false]) {
      const answer = await told(wish.make(artist.mutations, { ...guardedOf(wish), ...changes, dryRun }));
      expect(answer).toMatchObject({ outcome: 'not_sent', category });
    }
    await leavesNoTrace(guardedOf(wish).clientMutationId, wish.path);
  });

  it('what stands where something is to be added, with the call that replaces it', async () => {
    const wish = await prepare('an upload into a Set');
    const { setId, targetKind: kind, targetId: id } = wish.arguments;
    const there = service.plantAsset({ kind, id }, 'poster', { setId });
    service.sets.get(Number(setId))?.assets.push(there);
    const answer = await told(wish.make(artist.mutations, guardedOf(wish)));
    expect(answer).toMatchObject({
      ...{ outcome: 'not_sent', category: 'conflict', code: 'slot.occupied' },
      next: { tool: 'upload_asset', arguments: { operation: 'replace', previousAssetId: there.id } },
    });
    const { next } = answer;
    const replaced = await told(artist.mutations.perform('upload_asset', Object(next?.arguments)));
    expect(replaced.outcome).toBe('succeeded');
  });

  it('an Asset that was replaced, with the one that stands there now', async () => {
    const wish = await prepare('an edit of an Asset');
    const old = service.assets.get(String(wish.arguments.assetId));
    const now = service.plantAsset(Object(old?.target), 'poster');
    Object.assign(old ?? {}, { replacedByAssetId: now.id });
    const answer = await told(wish.make(artist.mutations, guardedOf(wish)));
    expect(answer).toMatchObject({
      ...{ outcome: 'not_sent', category: 'conflict', code: 'asset.replaced' },
      next: { tool: 'edit_asset_metadata', arguments: { assetId: now.id, expectedUpdatedAt: now.updatedAt } },
    });
  });
});
