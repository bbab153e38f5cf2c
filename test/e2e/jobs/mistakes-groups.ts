import { randomUUID } from 'node:crypto';
import { madeId } from './curate.ts';
import type { Mistake } from './mistake.ts';
import { fresh, type Scene } from './scene.ts';

const boxset = () => ({ ...fresh(), kind: 'boxset', title: `Mistaken ${randomUUID()}` });

const talent = ({ personId }: Scene) => ({
  ...fresh(),
  setKind: 'talent_set',
  titleBase: `Mistaken ${randomUUID()}`,
  entryTargetKind: 'person',
  entryTargetId: personId,
});

/** A Talent Set of one's own, without what is to be assigned to it. */
async function assignment(scene: Scene): Promise<Record<string, unknown>> {
  const setId = madeId(await scene.hosts.connected.answer('create_grouping_set', talent(scene)));
  return { ...fresh(), expectedUpdatedAt: await scene.revisionOf('set', setId), setId };
}

/** Boxsets, Loadouts, grouping Sets, and whom one follows. */
export const groupMistakes: readonly Mistake[] = [
  {
    what: 'a title under another name',
    tool: 'create_group',
    args: () => ({ ...boxset(), title: undefined, titleBase: 'A title' }),
    category: 'invalid_arguments',
    right: /did you mean title\?/,
  },
  {
    what: 'a kind with a slip',
    tool: 'create_group',
    args: () => ({ ...boxset(), kind: 'box set' }),
    category: 'invalid_arguments',
    right: /did you mean \\"boxset\\"/,
  },
  {
    what: 'a revision where nothing exists yet',
    tool: 'create_group',
    args: () => ({ ...boxset(), expectedUpdatedAt: '2026-01-01T00:00:00.000Z' }),
    category: 'invalid_arguments',
    right: /none/,
  },
  {
    what: 'Sets by their titles',
    tool: 'create_group',
    args: () => ({ ...boxset(), setIds: ['Lantern Slides'] }),
    category: 'invalid_arguments',
    right: /setIds\.0 .*whole number/,
  },
  {
    what: 'a Set of a game in a Boxset',
    tool: 'create_group',
    args: ({ gameSetId }) => ({ ...boxset(), setIds: [gameSetId] }),
    category: 'invalid_arguments',
    right: /game_set/,
  },
  {
    what: 'a Set that there is not',
    tool: 'create_group',
    args: ({ movieSet }) => ({ ...boxset(), setIds: [movieSet.id, 987_654_321] }),
    category: 'not_found',
    right: /there is no 987654321/,
    next: 'find_upload_destinations',
  },
  {
    what: 'a change that is none',
    tool: 'edit_group',
    args: async ({ groupId, revisionOf }) => ({
      ...fresh(),
      groupId,
      expectedUpdatedAt: await revisionOf('group', groupId),
    }),
    category: 'invalid_arguments',
    right: /title.*description.*languageCode.*setIds/,
  },
  {
    what: '“none” for a group that exists',
    tool: 'edit_group',
    args: ({ groupId }) => ({ ...fresh(), groupId, title: 'Another' }),
    category: 'stale_revision',
    right: /get_owned/,
    next: 'get_owned',
  },
  {
    what: 'a Set for a group',
    tool: 'edit_group',
    args: ({ movieSet }) => ({ ...fresh(), groupId: movieSet.id, title: 'Another' }),
    category: 'not_found',
    right: /find_upload_destinations/,
    next: 'find_upload_destinations',
  },
  {
    what: 'no person for a Talent Set',
    tool: 'create_grouping_set',
    args: (scene) => ({ ...talent(scene), entryTargetKind: undefined, entryTargetId: undefined }),
    category: 'invalid_arguments',
    right: /entryTargetKind.*person/,
  },
  {
    what: 'a film for a Talent Set',
    tool: 'create_grouping_set',
    args: (scene) => ({
      ...talent(scene),
      entryTargetKind: 'movie',
      entryTargetId: scene.movieSet.movieId,
    }),
    category: 'invalid_arguments',
    right: /person/,
  },
  {
    what: 'a person that there is not',
    tool: 'create_grouping_set',
    args: (scene) => ({ ...talent(scene), entryTargetId: 987_654_321, dryRun: true }),
    category: 'invalid_arguments',
    right: /person 987654321/,
  },
  {
    what: 'a person for a Brand Set',
    tool: 'create_grouping_set',
    args: (scene) => ({ ...talent(scene), setKind: 'brand_set' }),
    category: 'invalid_arguments',
    right: /networkIds.*companyIds/,
  },
  {
    what: 'a title under the other name',
    tool: 'create_grouping_set',
    args: (scene) => ({ ...talent(scene), titleBase: undefined, title: 'A title' }),
    category: 'invalid_arguments',
    right: /did you mean titleBase/,
  },
  {
    what: 'nothing to assign',
    tool: 'assign_grouping_assets',
    args: async (scene) => ({ ...(await assignment(scene)), items: [] }),
    category: 'invalid_arguments',
    right: /1 to 300/,
  },
  {
    what: 'another’s Asset to assign',
    tool: 'assign_grouping_assets',
    args: async (scene) => {
      const place = { targetKind: 'person', targetId: scene.personId, slot: 'poster' };
      const asset = { existingAssetId: scene.foreignAssetId, expectedAssetUpdatedAt: 'r1' };
      return { ...(await assignment(scene)), items: [{ ...asset, ...place }] };
    },
    category: 'forbidden',
    right: /somebody else|another account|of your own|account’s own/,
  },
  {
    what: 'an Asset to assign without its revision',
    tool: 'assign_grouping_assets',
    args: async (scene) => {
      const place = { targetKind: 'person', targetId: scene.personId, slot: 'poster' };
      return { ...(await assignment(scene)), items: [{ existingAssetId: randomUUID(), ...place }] };
    },
    category: 'invalid_arguments',
    right: /items\.0\.expectedAssetUpdatedAt is missing/,
  },
  {
    what: 'ceasing to follow in other words',
    tool: 'change_relationship',
    args: () => ({ ...fresh(), targetKind: 'user', targetId: 2, relationship: 'unfollow' }),
    category: 'invalid_arguments',
    right: /\\"clear\\"/,
  },
  {
    what: '“none” for what is followed',
    tool: 'change_relationship',
    args: async ({ hosts }) => {
      const [known] = Object(await hosts.connected.answer('list_relationships', { limit: 1 })).data;
      const { targetKind, targetId } = known;
      return { ...fresh(), targetKind, targetId, relationship: 'clear' };
    },
    category: 'stale_revision',
    right: /list_relationships/,
    next: 'list_relationships',
  },
  {
    what: 'following an account that there is not',
    tool: 'change_relationship',
    args: () => ({ ...fresh(), targetKind: 'user', targetId: 987_654_321, relationship: 'follow' }),
    category: 'not_found',
    right: /Account 987654321 does not exist/,
  },
];
