import { beforeEach, expect, it } from 'vitest';
import { ArtworkError } from '../../src/errors.ts';
import { create, creationOf, patient } from './show.ts';
import { openStudio } from './studio.ts';
import { told } from './told.ts';
import { guardedOf, revisionOf } from './wishes.ts';

const { studio, service, artist, prepare } = await openStudio();
beforeEach(() => studio.forget());

const error = { code: 'asset.withheld', message: 'It is withheld' };
const nothingLeft = /nothing of (it|this)|no item of it/i;
const assetId = '6f2b4a4e-8d1c-4c62-9a53-0f6a1f4b9a10';

/** A creation of two cards, whose completion the service answers so. */
async function completedAs(outcome: string, statuses: readonly string[], more: object = {}) {
  const args = await creationOf(artist, statuses.length);
  const items = args.declaredFiles.map(({ itemId }, index) => ({
    ...{ itemId, status: statuses[index], assetId: statuses[index] === 'succeeded' ? assetId : undefined },
  }));
  const body = { submission: { outcome, items, ...more } };
  const path = '/me/set-uploads/*/complete';
  studio.queue({ method: 'POST', path, do: 'answer', when: 'after', status: 200, body });
  return create(artist, args);
}

it.each(['failed', 'rolled_back'])(
  'a creation that is called %s and shows items that succeeded is left to a person',
  async (outcome) => {
    const answer = await completedAs(outcome, ['succeeded', 'failed']);
    expect(answer).toMatchObject({ outcome, result: { counts: { succeeded: 1, failed: 1 } } });
    expect(answer.next).not.toHaveProperty('tool');
    expect(JSON.stringify(answer)).not.toMatch(nothingLeft);
  },
);

it('a creation that is called succeeded and shows an item that failed is partial', async () => {
  expect(await completedAs('succeeded', ['succeeded', 'failed'])).toMatchObject({
    ...{ outcome: 'partial', result: { counts: { succeeded: 1, failed: 1 } } },
  });
});

it('an error that comes with a success is told', async () => {
  const { result, outcome } = await completedAs('succeeded', ['succeeded', 'succeeded'], { error });
  expect(outcome).toBe('succeeded');
  expect(result?.warnings?.map(({ code }) => code)).toContain('error_with_success');
});

it('an edit that is called failed tells what stands there now, since its metadata may be saved', async () => {
  const setId = service.plantSet('show_set', { kind: 'show', id: 7 });
  const expectedUpdatedAt = revisionOf(service, 'set', setId);
  const metadata = { titleBase: 'Edited' };
  const body = { submission: { outcome: 'failed', setId, items: [] } };
  const path = '/me/set-updates/*/complete';
  studio.queue({ method: 'POST', path, do: 'answer', when: 'after', status: 200, body });
  const args = {
    clientMutationId: assetId,
    expectedUpdatedAt,
    setId,
    setKind: 'media_set' as const,
    metadata,
  };
  const heard = await told(artist.mutations.perform('edit_set', args, patient));
  const updatedAt = revisionOf(service, 'set', setId);
  expect(updatedAt).not.toBe(expectedUpdatedAt);
  expect(heard).toMatchObject({
    ...{ outcome: 'failed', result: { updatedAt }, next: { tool: 'new_mutation_ids' } },
  });
});

it('a look that does not reach the service is not its word that it could not confirm', async () => {
  const args = await creationOf(artist, 1);
  const path = '/me/set-uploads/*/complete';
  studio.queue({ method: 'POST', path, do: 'process', milliseconds: 60_000 });
  const early = await told(artist.mutations.perform('create_media_set', args, artist.within(10_000)));
  expect(early.outcome).toBe('processing');
  const findSubmission = () => Promise.reject(new ArtworkError('network', 'No connection.'));
  const blind = await artist.another({
    ports: (ports) => ({ ...ports, owned: { ...ports.owned, findSubmission } }),
  });
  const asked = await told(blind.mutations.status(args.clientMutationId, blind.within(4_500)));
  expect(asked.outcome).toBe('processing');
  service.pass(60_000);
  expect((await told(artist.mutations.status(args.clientMutationId, patient))).outcome).toBe('succeeded');
  await blind.leave();
});

it.each([
  ['an edit of an Asset', { assetId, updatedAt: 'r9' }],
  ['an edit of a group', { groupId: 1, updatedAt: 'r9' }],
  ['an upload', { clientMutationId: assetId, assetId, publicationStatus: 'succeeded' }],
])('a receipt of %s that names another thing proves nothing', async (name, data) => {
  const wish = await prepare(name);
  const answer = { do: 'answer', when: 'before', status: 200, body: { data } } as const;
  studio.queue({ method: 'POST', path: wish.path, ...answer });
  const made = await told(wish.make(artist.mutations, guardedOf(wish)));
  expect(made.outcome).toBe('unresolved');
  expect(studio.applied(guardedOf(wish).clientMutationId)).toBe(0);
});
