import { expect, it } from 'vitest';
import { sameBytesBefore } from '../../../src/mutations/before-claim/conflicts.ts';

const upload = {
  clientMutationId: 'one',
  sha256: 'abc',
  slot: 'poster',
  target: { kind: 'movie', id: 7 },
} as const;

it('finds the same bytes at the same place under another id', () => {
  const again = { ...upload, clientMutationId: 'two', assetId: 'x' };
  const asText = { ...again, clientMutationId: 'three', target: { kind: 'movie', id: '7' } };
  expect(sameBytesBefore(upload, [upload, again, asText])).toEqual([again, asText]);
});

it('finds nothing where anything differs', () => {
  const other = { ...upload, clientMutationId: 'two' };
  expect(
    sameBytesBefore(upload, [
      upload,
      { ...other, sha256: 'abd' },
      { ...other, slot: 'backdrop' },
      { ...other, target: { kind: 'movie', id: 8 } },
      { ...other, target: { kind: 'show', id: 7 } },
    ]),
  ).toEqual([]);
});
