import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalDigest, canonicalJson } from '../../src/canonical-json.ts';
import { ArtworkError } from '../../src/errors.ts';
import type { Mutation } from '../../src/mutations/mutation.ts';
import { assignGroupingAssets } from '../../src/mutations/operations/assign-grouping-assets.ts';
import { createGroup } from '../../src/mutations/operations/create-group.ts';
import { editGroup } from '../../src/mutations/operations/edit-group.ts';
import { rehydrateMutation } from '../../src/mutations/operations/find-operation.ts';
import { progressOfFile } from '../../src/mutations/operations/operation.ts';
import { deriveItemId } from '../../src/mutations/submission.ts';
import { type Arguments, operations, uuid } from './asked.ts';

const digest = ({ intent }: Mutation) => canonicalDigest(canonicalJson(intent));
const onTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
const shuffled = (args: Arguments) => Object.fromEntries(Object.entries(args).toReversed());

describe.each(operations)('the intent of %s', (name, make, args) => {
  it('is the same however the call is written', () => {
    fc.assert(
      fc.property(args, (one) => {
        const mutation = make(one);
        expect(mutation.operation).toBe(name);
        expect(digest(make(shuffled(one)))).toBe(digest(mutation));
        const bare = Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined));
        expect(digest(make(bare))).toBe(digest(mutation));
      }),
    );
  });

  it('is one whether no revision is written as null or as "none"', () => {
    fc.assert(
      fc.property(args, (one) => {
        const digestWith = (expectedUpdatedAt: string | null) => {
          try {
            const { intent } = make({ ...one, expectedUpdatedAt });
            expect(intent.expectedUpdatedAt ?? null).toBe(null);
            return canonicalDigest(canonicalJson(intent));
          } catch (error) {
            if (error instanceof ArtworkError) return error.category;
            throw error;
          }
        };
        expect(digestWith('none')).toBe(digestWith(null));
      }),
    );
  });

  it('does not hold the id, and is made again from what the ledger keeps', () => {
    fc.assert(
      fc.property(args, (one) => {
        const mutation = make(one);
        const { operation, clientMutationId, intent, target } = mutation;
        expect(intent).not.toHaveProperty('clientMutationId');
        const entry = { operation, clientMutationId, intent: canonicalJson(intent) };
        const recalled = rehydrateMutation(entry);
        expect(recalled?.intent).toEqual(intent);
        expect(recalled?.target).toEqual(target);
        expect(recalled?.places).toEqual(mutation.places);
        expect(onTheWire(recalled?.request())).toEqual(onTheWire(mutation.request()));
      }),
    );
  });

  it('is that of the call that is offered to make it again', () => {
    fc.assert(
      fc.property(args, (one) => {
        const mutation = make(one);
        const again = mutation.again(progressOfFile('/art/poster.png'));
        const { file: path, ...rest } = { file: undefined, ...again };
        const sameFile = name === 'upload_asset' ? { file: mutation.intent.file } : {};
        expect(path).toBe(name === 'upload_asset' ? '/art/poster.png' : undefined);
        expect(digest(make({ ...rest, ...sameFile }))).toBe(digest(mutation));
        expect(again?.clientMutationId).toBe(mutation.clientMutationId);
      }),
    );
  });

  it('is another where anything that is meant is another', () => {
    fc.assert(
      fc.property(args, args, (one, other) => {
        const [a, b] = [make(one), make({ ...other, clientMutationId: one.clientMutationId })];
        const same = canonicalJson(a.intent) === canonicalJson(b.intent);
        expect(digest(a) === digest(b)).toBe(same);
        const alike = JSON.stringify(a.request()) === JSON.stringify(b.request());
        if (same) expect(alike).toBe(true);
      }),
    );
  });
});

describe('what is left out', () => {
  it('of items is derived from the id and the place, and is the same written out', () => {
    fc.assert(
      fc.property(uuid, fc.integer({ min: 1, max: 10 }), (clientMutationId, many) => {
        const items = Array.from({ length: many }, (_, index) => ({
          existingAssetId: crypto.randomUUID(),
          expectedAssetUpdatedAt: 'r1',
          targetKind: 'person',
          targetId: index,
          slot: 'poster',
        }));
        const common = { clientMutationId, expectedUpdatedAt: 'r1', setId: 1 };
        const whole = items.map((item, position) => ({
          ...item,
          position,
          itemId: deriveItemId(clientMutationId.toLowerCase(), position),
        }));
        const short = assignGroupingAssets.mutation({ ...common, items });
        expect(digest(assignGroupingAssets.mutation({ ...common, items: whole }))).toBe(digest(short));
        expect(new Set(whole.map(({ itemId }) => itemId)).size).toBe(many);
      }),
    );
  });

  it('is a UUIDv5, as others compute it', () => {
    // Python's uuid.uuid5(uuid.NAMESPACE_DNS, '0').
    expect(deriveItemId('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 0)).toBe(
      '6af613b6-569c-5c22-9c37-2ed93f31d3af',
    );
  });

  it('of a new group is null and none, and is the same written out', () => {
    const short = {
      clientMutationId: crypto.randomUUID(),
      expectedUpdatedAt: null,
      kind: 'boxset',
      title: 'A',
    };
    const whole = { ...short, description: null, setIds: [], languageCode: null };
    expect(digest(createGroup.mutation(whole))).toBe(digest(createGroup.mutation(short)));
    const edit = {
      clientMutationId: short.clientMutationId,
      expectedUpdatedAt: 'r1',
      groupId: 1,
      title: 'A',
    };
    expect(digest(editGroup.mutation({ ...edit, description: null }))).not.toBe(
      digest(editGroup.mutation(edit)),
    );
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
