import { expect, it } from 'vitest';
import { type AuditOwnReads, findOwnSets } from '../../../src/curation/audits/own-sets.ts';
import type { ListedMutation } from '../../../src/mutations/calls/list-mutations.ts';

/** A ledger of so many created Sets, and a service whose search shows nothing. */
function reads(made: number): AuditOwnReads {
  const list: AuditOwnReads['mutations']['list'] = async ({ state, after, limit = 25 }) => {
    const from = after == null ? 0 : Number(JSON.parse(JSON.stringify(after)).at);
    const count = state === 'succeeded' ? Math.max(0, Math.min(limit, made - from)) : 0;
    const mutations = Array.from({ length: count }, (_, at) => entry(from + at + 1));
    const next = state === 'succeeded' && from + count < made ? JSON.parse(`{"at":${from + count}}`) : null;
    return { mutations, next };
  };
  return {
    owned: { findUploadDestinations: async () => [] },
    mutations: { list, knownBytes: async () => new Map() },
    connections: { status: async () => JSON.parse('{"state":"connected","account":"quiet.reel"}') },
    call: () => ({}),
    hasTime: () => true,
  };
}

function entry(id: number): ListedMutation {
  return JSON.parse(JSON.stringify({ id: { kind: 'set', id, title: `Set ${id}` } }));
}

it('says where older changes of this machine were not looked through', async () => {
  const all = await findOwnSets(reads(1_000));
  expect(all.sets).toHaveLength(1_000);
  expect(all.warnings).toEqual([]);
  const cut = await findOwnSets(reads(1_001));
  expect(cut.sets).toHaveLength(1_000);
  expect(cut.warnings).toEqual([expect.stringContaining('the latest 1000 changes')]);
});
