// What the calls that are written down in test/tools share.

export const mutationId = '5f0c0e5e-5f63-4d3c-9a55-0d9a6c1f5f10';
export const assetId = 'a4b7d0aa-7f52-4c5e-8a33-1d0f6f0a9b01';

/** The guards of what nothing was there before of, and of what has a revision. */
export const first = { clientMutationId: mutationId, expectedUpdatedAt: 'none' };
export const later = { clientMutationId: mutationId, expectedUpdatedAt: 'r1' };
