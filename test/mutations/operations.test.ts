import { describe, expect, it } from 'vitest';
import { openStudio } from './studio.ts';
import { told } from './told.ts';
import { guardedOf, wishes } from './wishes.ts';
import { createGroup } from '../../src/mutations/operations/create-group.ts';

const { studio, artist } = await openStudio();

/** The wire shows no identity for this one alone. */
const hasIdentity = (operation: string) => operation !== 'edit_asset_metadata';

describe.each(Object.entries(wishes))('%s', (_name, prepare) => {
  it('is shown by a dry run, made once, and answered from then on', async () => {
    const wish = await prepare({ studio, artist });
    studio.forget();
    const guarded = guardedOf(wish);
    const { clientMutationId } = guarded;

    const dry = await told(wish.make(artist.mutations, { ...guarded, dryRun: true }));
    expect(dry).toMatchObject({ outcome: 'dry_run', result: { operation: wish.operation } });
    const [request] = dry.result?.requests ?? [];
    expect(request).toMatchObject({ method: 'POST', path: wish.path });
    expect(JSON.stringify(request).toLowerCase()).not.toContain('authorization');
    expect(JSON.stringify(request).includes(clientMutationId)).toBe(hasIdentity(wish.operation));
    expect(studio.posts(wish.path)).toBe(0);
    expect((await artist.mutations.list({ limit: 200 })).mutations).not.toContainEqual(
      expect.objectContaining({ clientMutationId }),
    );

    const first = await told(wish.make(artist.mutations, guarded));
    expect(first).toMatchObject({
      outcome: 'succeeded',
      result: {
        clientMutationId,
        operation: wish.operation,
        evidence: { by: 'receipt', certainty: 'certain' },
      },
    });
    expect(first.next).toBeUndefined();
    const warned = first.result?.warnings?.map(({ code }) => code) ?? [];
    expect(warned).not.toContain('read_back_differs');
    expect(warned).not.toContain('not_read_back');

    const { receipt, outcome } = first.result ?? {};
    expect(await told(wish.make(artist.mutations, guarded))).toMatchObject({ outcome, result: { receipt } });
    expect(await told(artist.mutations.status(clientMutationId))).toMatchObject({ outcome });
    expect(studio.posts(wish.path)).toBe(1);
    if (hasIdentity(wish.operation)) expect(studio.applied(clientMutationId)).toBe(1);
  });
});

it('an extra that is nested deeper than the ledger keeps it is refused before anything is claimed', () => {
  const nested = (levels: number): object => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
  const group = {
    clientMutationId: crypto.randomUUID(),
    expectedUpdatedAt: null,
    kind: 'boxset',
    title: 'A',
  };
  expect(createGroup.mutation({ ...group, extra: nested(20) }).intent.extra).toEqual(nested(20));
  for (const levels of [21, 100, 5_000]) {
    expect(() => createGroup.mutation({ ...group, extra: nested(levels) })).toThrow(
      expect.objectContaining({ category: 'invalid_arguments' }),
    );
  }
});
