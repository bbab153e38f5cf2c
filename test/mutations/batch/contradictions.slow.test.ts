import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ArtworkError } from '../../../src/errors.ts';
import { textOf } from '../../sandbox/me-catalogue.ts';
import type { Artist } from '../artist.ts';
import { type Studio, startStudio } from '../studio.ts';
import { told } from '../told.ts';
import { plantShowOf } from './show.ts';
import { patient } from './until-settled.ts';

let studio: Studio;
let artist: Artist;

beforeAll(async () => {
  studio = await startStudio();
  artist = await studio.artist();
});
afterAll(() => studio.close());
beforeEach(() => studio.forget());

const error = { code: 'asset.withheld', message: 'It is withheld' };
const nothingLeft = /nothing of (it|this)|no item of it/i;

/** A creation of two cards, whose completion the service answers so. */
async function completedAs(outcome: string, statuses: readonly string[], more: object = {}) {
  const args = await plantShowOf(studio, 2).creation(artist, 2);
  const declaredFiles = args.declaredFiles.map((file) => ({ ...file, itemId: randomUUID() }));
  const items = declaredFiles.map(({ itemId }, index) => ({
    itemId,
    status: statuses[index],
    ...(statuses[index] === 'succeeded' ? { assetId: randomUUID() } : {}),
  }));
  const answer = {
    do: 'answer',
    when: 'after',
    status: 200,
    body: { submission: { outcome, items, ...more } },
  };
  await studio.queue({ method: 'POST', path: '/me/set-uploads/*/complete', ...answer });
  return told(artist.mutations.perform('create_media_set', { ...args, declaredFiles }, patient));
}

it.each(['failed', 'rolled_back'])(
  'a creation that is called %s and shows items that succeeded is left to a person',
  async (outcome) => {
    const answer = await completedAs(outcome, ['succeeded', 'failed']);
    expect(answer).toMatchObject({
      outcome,
      result: { counts: { succeeded: 1, failed: 1 } },
      next: { why: expect.stringContaining('1 of its items as succeeded') },
    });
    expect(answer.next).not.toHaveProperty('tool');
    expect(JSON.stringify(answer)).not.toMatch(nothingLeft);
  },
);

it('a creation that is called succeeded and shows an item that failed is partial', async () => {
  expect(await completedAs('succeeded', ['succeeded', 'failed'])).toMatchObject({
    outcome: 'partial',
    message: expect.stringContaining('says that it succeeded, and shows items that failed'),
    result: { counts: { succeeded: 1, failed: 1 } },
    next: { why: expect.stringContaining('edit_set') },
  });
});

it('an error that comes with a success is told', async () => {
  const { result, outcome } = await completedAs('succeeded', ['succeeded', 'succeeded'], { error });
  expect(outcome).toBe('succeeded');
  expect(result?.warnings).toContainEqual({
    code: 'error_with_success',
    message: expect.stringContaining('(asset.withheld) with it: “It is withheld”'),
  });
});

it('an edit that is called failed tells what stands there now, since its metadata may be saved', async () => {
  const { setId } = plantShowOf(studio, 1);
  const path = `/me/sets/${setId}`;
  const token = await studio.catalogue.token(1);
  const before = textOf(await studio.catalogue.get(path, token), 'updatedAt');
  const args = {
    clientMutationId: randomUUID(),
    expectedUpdatedAt: before,
    setId,
    setKind: 'media_set' as const,
    metadata: { titleBase: 'Edited' },
  };
  const body = { submission: { outcome: 'failed', setId, items: [] } };
  const answer = { do: 'answer', when: 'after', status: 200, body };
  await studio.queue({ method: 'POST', path: '/me/set-updates/*/complete', ...answer });
  const heard = await told(artist.mutations.perform('edit_set', args, patient));
  const now = textOf(await studio.catalogue.get(path, token), 'updatedAt');
  expect(now).not.toBe(before);
  expect(heard).toMatchObject({
    outcome: 'failed',
    result: { updatedAt: now, id: { title: expect.stringContaining('Edited') } },
    next: { tool: 'new_mutation_ids', why: expect.stringContaining('may have been saved all the same') },
  });
});

it('a look that does not reach the service is not its word that it could not confirm', async () => {
  const args = await plantShowOf(studio, 1).creation(artist, 1);
  await studio.queue({
    method: 'POST',
    path: '/me/set-uploads/*/complete',
    do: 'process',
    milliseconds: 60_000,
  });
  const early = await told(artist.mutations.perform('create_media_set', args, artist.within(10_000)));
  expect(early.outcome).toBe('processing');
  const findSubmission = () => Promise.reject(new ArtworkError('network', 'No connection.'));
  const blind = await artist.another({
    ports: (ports) => ({ ...ports, owned: { ...ports.owned, findSubmission } }),
  });
  const asked = await told(blind.mutations.status(args.clientMutationId, blind.within(4_500)));
  expect(asked.outcome).toBe('processing');
  expect(JSON.stringify(asked)).not.toContain('could not confirm');
  studio.catalogue.pass(60_000);
  const end = await told(artist.mutations.status(args.clientMutationId, patient));
  expect(end.outcome).toBe('succeeded');
  await blind.leave();
});
