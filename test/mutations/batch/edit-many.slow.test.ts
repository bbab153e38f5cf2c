import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Arguments, EditedItem } from '../../../src/mutations/operations/find-operation.ts';
import { textOf } from '../../sandbox/me-catalogue.ts';
import { effectsOf } from '../../sandbox/submissions-client.ts';
import { type Studio, startStudio } from '../studio.ts';
import { told } from '../told.ts';
import { card, plantShowOf } from './show.ts';
import { patient } from './until-settled.ts';
import { wiretap } from './wiretap.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await startStudio();
});
afterAll(() => studio.close());

it('many items are edited in one submission, and shown in pages', async () => {
  const many = plantShowOf(studio, 120);
  const wire = wiretap();
  const artist = await studio.artist({ ports: wire.ports });
  const read = await studio.catalogue.get(`/me/sets/${many.setId}`, await studio.catalogue.token(1));
  const file = await artist.file(await card());
  const files = await Promise.all(
    many.episodes.map(async (_, index) => (index % 10 === 0 ? artist.file(await card()) : file)),
  );
  const items = many.episodes.map(
    (targetId, index): EditedItem => ({
      operation: 'add',
      targetKind: 'episode',
      targetId,
      slot: 'titlecard',
      file: files[index] ?? file,
    }),
  );
  const args: Arguments<'edit_set'> = {
    clientMutationId: randomUUID(),
    expectedUpdatedAt: textOf(read, 'updatedAt'),
    setId: many.setId,
    setKind: 'media_set',
    items,
  };
  const answer = await told(artist.mutations.perform('edit_set', args, patient));
  expect(answer).toMatchObject({ outcome: 'succeeded', result: { counts: { succeeded: 120 } } });
  expect(wire.repeated()).toEqual([]);
  expect(
    effectsOf(studio.catalogue, args.clientMutationId).filter((one) => one === 'submission.file'),
  ).toHaveLength(120);
  expect(JSON.stringify(answer.result).length).toBeLessThan(5_000);

  const seen = new Set<string>();
  let after = answer.result?.nextItems ?? null;
  for (const { itemId } of answer.result?.items ?? []) seen.add(itemId);
  expect(seen.size).toBeGreaterThan(0);
  while (after !== null) {
    const page = await artist.mutations.status(args.clientMutationId, {}, { after, limit: 200 });
    expect(JSON.stringify(page).length).toBeLessThan(18_000);
    for (const { itemId } of page.items ?? []) {
      expect(seen.has(itemId)).toBe(false);
      seen.add(itemId);
    }
    after = page.nextItems ?? null;
  }
  expect(seen.size).toBe(120);
});
