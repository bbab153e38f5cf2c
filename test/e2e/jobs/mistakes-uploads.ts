import type { Mistake } from './mistake.ts';
import { fresh, type Scene } from './scene.ts';

/** A poster for the film, which can only succeed. */
async function poster({ poster: draw, movieSet }: Scene): Promise<Record<string, unknown>> {
  const target = { targetKind: 'movie', targetId: movieSet.movieId };
  return { ...fresh(), file: await draw(), operation: 'add', slot: 'poster', ...target };
}

/** The replacement of the poster in the film's Set, which can only succeed. */
async function replacement(scene: Scene): Promise<Record<string, unknown>> {
  const { id, updatedAt } = await scene.moviePoster();
  const replace = { operation: 'replace', previousAssetId: id, expectedUpdatedAt: updatedAt };
  return { ...(await poster(scene)), ...replace, setId: scene.movieSet.id };
}

/** Pictures, one by one. */
export const uploadMistakes: readonly Mistake[] = [
  {
    what: 'neither guard',
    tool: 'upload_asset',
    args: async (scene) => {
      const { clientMutationId: _, expectedUpdatedAt: __, ...rest } = await poster(scene);
      return rest;
    },
    category: 'invalid_arguments',
    right: /new_mutation_ids/,
    next: 'new_mutation_ids',
  },
  {
    what: 'no revision',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), expectedUpdatedAt: undefined }),
    category: 'invalid_arguments',
    right: /give \\"none\\"/,
    next: 'upload_asset',
  },
  {
    what: 'a revision where nothing exists yet',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), expectedUpdatedAt: '2026-01-01T00:00:00.000Z' }),
    category: 'invalid_arguments',
    right: /none|null/,
  },
  {
    what: 'the word null as a revision',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), expectedUpdatedAt: 'null' }),
    category: 'invalid_arguments',
    right: /none/,
  },
  {
    what: 'a replacement that does not say of what',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await replacement(scene)), previousAssetId: undefined }),
    category: 'invalid_arguments',
    right: /previousAssetId is needed to replace/,
    next: 'get_owned',
  },
  {
    what: 'a replacement that does not say of what, without its Set',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), operation: 'replace' }),
    category: 'invalid_arguments',
    right: /previousAssetId is needed to replace/,
    next: 'get_entity',
  },
  {
    what: '“none” where a revision exists',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await replacement(scene)), expectedUpdatedAt: 'none' }),
    category: 'stale_revision',
    right: /get_owned/,
    next: 'get_owned',
  },
  {
    what: 'a stale revision',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await replacement(scene)), expectedUpdatedAt: '2001-01-01T00:00:00.000Z' }),
    category: 'stale_revision',
    right: /get_owned/,
    next: 'get_owned',
  },
  {
    what: 'a file by its name alone',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), file: 'poster.png' }),
    category: 'invalid_arguments',
    right: /absolute/,
  },
  {
    what: 'a file outside of the open folders',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), file: scene.files.outside }),
    category: 'upload_refused',
    right: /ARTWORK_UPLOAD_ROOTS|allowed|open/,
  },
  {
    what: 'a file that is not there',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), file: scene.files.missing }),
    category: 'upload_refused',
    right: /no (such )?file|not there|does not exist/,
  },
  {
    what: 'a folder for a file',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), file: scene.folder }),
    category: 'upload_refused',
    right: /folder|plan_set/,
  },
  {
    what: 'a file on the web',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), file: 'https://example.com/poster.png' }),
    category: 'invalid_arguments',
    right: /absolute path/,
  },
  {
    what: 'a text that calls itself a picture',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), file: scene.files.text }),
    category: 'upload_refused',
    right: /PNG, JPEG, WebP/,
  },
  {
    what: 'a slot that there is not',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), slot: 'screenshot' }),
    category: 'invalid_arguments',
    right: /poster.*backdrop/,
  },
  {
    what: 'a slot of episodes for a film',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), slot: 'titlecard', dryRun: true }),
    category: 'invalid_arguments',
    right: /poster.*backdrop/,
  },
  {
    what: 'a film that there is not',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), targetId: 987_654_321, dryRun: true }),
    category: 'invalid_arguments',
    right: /movie 987654321/,
  },
  {
    what: 'a kind in other words',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), targetKind: 'film' }),
    category: 'invalid_arguments',
    right: /did you mean \\"movie\\"/,
  },
  {
    what: 'a language by its name',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), languageCode: 'english', dryRun: true }),
    category: 'invalid_arguments',
    right: /\\"en\\"/,
  },
  {
    what: 'a shape that no poster has',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), file: scene.files.square }),
    category: 'upload_refused',
    right: /600 × 600 is not the shape of a poster/,
    next: 'new_mutation_ids',
  },
  {
    what: 'no target at all',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), targetKind: undefined, targetId: undefined }),
    category: 'invalid_arguments',
    right: /targetKind.*targetId.*setId.*groupId/,
  },
  {
    what: 'a Set and a group',
    tool: 'upload_asset',
    args: async (scene) => ({
      ...(await poster(scene)),
      setId: scene.movieSet.id,
      groupId: scene.groupId,
    }),
    category: 'invalid_arguments',
    right: /setId.*groupId/,
  },
  {
    what: 'a place that is occupied',
    tool: 'upload_asset',
    args: async (scene) => ({
      ...(await poster(scene)),
      setId: scene.movieSet.id,
      expectedUpdatedAt: await scene.revisionOf('set', scene.movieSet.id),
    }),
    category: 'conflict',
    right: /replace/,
    next: 'upload_asset',
  },
  {
    what: 'a replacement of nothing',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), operation: 'replace' }),
    category: 'invalid_arguments',
    right: /previousAssetId/,
  },
  {
    what: 'an addition that names what it replaces',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await poster(scene)), previousAssetId: (await scene.moviePoster()).id }),
    category: 'invalid_arguments',
    right: /replace/,
  },
  {
    what: 'a replacement of another’s Asset',
    tool: 'upload_asset',
    args: async (scene) => ({
      ...(await poster(scene)),
      operation: 'replace',
      previousAssetId: scene.foreignAssetId,
      expectedUpdatedAt: '2026-01-01T00:00:00.000Z',
    }),
    category: 'forbidden',
    right: /somebody else|another account|of your own|account’s own/,
  },
  {
    what: 'a replacement of what was replaced already',
    tool: 'upload_asset',
    args: async (scene) => {
      const first = await replacement(scene);
      await scene.hosts.connected.answer('upload_asset', first);
      const { previousAssetId } = first;
      const expectedUpdatedAt = await scene.revisionOf('asset', previousAssetId);
      return { ...(await replacement(scene)), previousAssetId, expectedUpdatedAt };
    },
    category: 'conflict',
    right: /replaced/,
  },
  {
    what: 'an id for another picture',
    tool: 'upload_asset',
    args: async (scene) => {
      const first = await poster(scene);
      await scene.hosts.connected.answer('upload_asset', first);
      return { ...first, file: await scene.poster() };
    },
    category: 'mutation_id_reused',
    right: /new_mutation_ids/,
    next: 'new_mutation_ids',
  },
];
