import { expect, it, vi } from 'vitest';
import { findOwnSets, type OwnReads } from '../../../src/curation/audit/which-sets.ts';
import { deadlineIn } from '../../../src/deadline.ts';
import type { ListedMutation } from '../../../src/mutations/answer/result.ts';

/** A ledger of so many created Sets, and a service whose search shows nothing. */
function reads(made: number): OwnReads {
  const list: OwnReads['mutations']['list'] = async ({ standing, after, limit = 25 }) => {
    const from = after == null ? 0 : Number(JSON.parse(JSON.stringify(after)).at);
    const count = standing === 'succeeded' ? Math.max(0, Math.min(limit, made - from)) : 0;
    const mutations = Array.from({ length: count }, (_, at) => entry(from + at + 1));
    const next =
      standing === 'succeeded' && from + count < made ? JSON.parse(`{"at":${from + count}}`) : null;
    return { mutations, next };
  };
  return {
    owned: { findUploadDestinations: async () => [], readGroup: async () => ({}) },
    mutations: { list, knownBytes: async () => new Map() },
    connections: { status: async () => JSON.parse('{"state":"connected","account":"quiet.reel"}') },
    deadline: deadlineIn(1_000),
    index: null,
  };
}

function entry(id: number): ListedMutation {
  return JSON.parse(JSON.stringify({ id: { kind: 'set', id, title: `Set ${id}` } }));
}

it('finds Sets among the destinations, in the groups among them, and in the index under the account’s name', async () => {
  const findUploadDestinations = vi.fn<OwnReads['owned']['findUploadDestinations']>(async ({ kind, q }) => {
    expect(q).toBeUndefined();
    const id = { talent_set: 7, media_set: 8, boxset: 3 }[kind];
    return [JSON.parse(`{"id":${id},"title":"Shown"}`)];
  });
  const readGroup: OwnReads['owned']['readGroup'] = async (id) => ({ id, sets: [{ id: 8 }, { id: 6 }] });
  const hit = { kind: 'movie_set', id: 9, name: 'Indexed', creator: 'quiet.reel' };
  const others = [
    { ...hit, id: 10, creator: 'quiet.reels' },
    { ...hit, id: 11, kind: 'boxset' },
  ];
  const search: NonNullable<OwnReads['index']>['search'] = async () =>
    JSON.parse(JSON.stringify({ hits: [hit, { ...hit, id: 8 }, ...others], total: 4 }));
  const found = await findOwnSets({
    ...reads(0),
    owned: { findUploadDestinations, readGroup },
    index: { search },
  });
  expect(found.sets).toEqual([6, 7, 8, 9]);
  expect(findUploadDestinations).toHaveBeenCalledTimes(5);
});
