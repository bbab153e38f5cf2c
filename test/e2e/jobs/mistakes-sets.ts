import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { madeId } from './curate.ts';
import type { Mistake } from './mistake.ts';
import { fresh, type Scene } from './scene.ts';

const plan = ({ folder, show }: Scene) => ({
  folder,
  entryTargetKind: 'show',
  entryTargetId: show.showId,
});

/** A Set of one poster, which can only succeed. */
async function creation({ movieSet, poster }: Scene): Promise<Record<string, unknown>> {
  const target = { targetKind: 'movie', targetId: movieSet.movieId };
  return {
    ...fresh(),
    entryTargetKind: 'movie',
    entryTargetId: movieSet.movieId,
    titleBase: `Mistaken ${randomUUID()}`,
    languageCode: 'en',
    finalised: false,
    declaredFiles: [{ file: await poster(), ...target, slot: 'poster' }],
  };
}

/** An edit of the film's Set, without its change. */
async function edit({ movieSet, revisionOf }: Scene): Promise<Record<string, unknown>> {
  const expectedUpdatedAt = await revisionOf('set', movieSet.id);
  return { ...fresh(), expectedUpdatedAt, setId: movieSet.id, setKind: 'media_set' };
}

/** Whole Sets, and their plans. */
export const setMistakes: readonly Mistake[] = [
  {
    what: 'a folder that is not open',
    tool: 'plan_set',
    args: (scene) => ({ ...plan(scene), folder: path.dirname(scene.files.outside) }),
    category: 'upload_refused',
    right: /ARTWORK_UPLOAD_ROOTS|allowed|open/,
  },
  {
    what: 'a folder that is not there',
    tool: 'plan_set',
    args: (scene) => ({ ...plan(scene), folder: path.join(scene.folder, 'cards') }),
    category: 'upload_refused',
    right: /no (such )?folder|not there|does not exist/,
  },
  {
    what: 'a file for a folder',
    tool: 'plan_set',
    args: (scene) => ({ ...plan(scene), folder: scene.files.square }),
    category: 'invalid_arguments',
    right: /folder/,
  },
  {
    what: 'a folder by its name alone',
    tool: 'plan_set',
    args: (scene) => ({ ...plan(scene), folder: 'cards' }),
    category: 'invalid_arguments',
    right: /absolute/,
  },
  {
    what: 'a show by its title',
    tool: 'plan_set',
    args: (scene) => ({ ...plan(scene), entryTargetId: 'Sherlock' }),
    category: 'invalid_arguments',
    right: /whole number/,
  },
  {
    what: 'a show that there is not',
    tool: 'plan_set',
    args: (scene) => ({ ...plan(scene), entryTargetId: 987_654_321 }),
    category: 'not_found',
    right: /show 987654321|list_episodes|read_feed/,
  },
  {
    what: 'a plan of an edit of another’s Set',
    tool: 'plan_set',
    args: (scene) => ({ ...plan(scene), setId: scene.foreignSetId }),
    category: 'forbidden',
    right: /somebody else|another account|of your own|account’s own/,
  },
  {
    what: 'a language of a Set that there is',
    tool: 'plan_set',
    args: (scene) => ({ ...plan(scene), setId: scene.movieSet.id, languageCode: 'de' }),
    category: 'invalid_arguments',
    right: /metadata of edit_set/,
  },
  {
    what: 'a slot that there is not, in a plan',
    tool: 'plan_set',
    args: (scene) => ({ ...plan(scene), slot: 'screenshot' }),
    category: 'invalid_arguments',
    right: /poster.*titlecard|titlecard.*poster/,
  },
  {
    what: 'another name of nothing',
    tool: 'plan_set',
    args: (scene) => ({ ...plan(scene), alsoCalled: ['–'] }),
    category: 'invalid_arguments',
    right: /no letter and no number/,
  },
  {
    what: 'a path for a folder',
    tool: 'plan_set',
    args: (scene) => ({ ...plan(scene), path: scene.folder, folder: undefined }),
    category: 'invalid_arguments',
    right: /folder is missing: give/,
  },
  {
    what: 'a Set of no files',
    tool: 'create_media_set',
    args: async (scene) => ({ ...(await creation(scene)), declaredFiles: undefined }),
    category: 'invalid_arguments',
    right: /planId.*declaredFiles|declaredFiles.*planId/,
  },
  {
    what: 'a plan that there is not',
    tool: 'create_media_set',
    args: async (scene) => ({
      ...(await creation(scene)),
      declaredFiles: undefined,
      planId: randomUUID(),
    }),
    category: 'not_found',
    right: /plan_set/,
  },
  {
    what: 'files left out of no plan',
    tool: 'create_media_set',
    args: async (scene) => ({ ...(await creation(scene)), leaveOut: ['a.png'] }),
    category: 'invalid_arguments',
    right: /planId/,
  },
  {
    what: 'a title under another name',
    tool: 'create_media_set',
    args: async (scene) => ({ ...(await creation(scene)), titleBase: undefined, title: 'A title' }),
    category: 'invalid_arguments',
    right: /did you mean titleBase/,
  },
  {
    what: 'an episode of a film',
    tool: 'create_media_set',
    args: async (scene) => {
      const place = { targetKind: 'episode', targetId: scene.show.episodes[0]?.id, slot: 'titlecard' };
      return { ...(await creation(scene)), declaredFiles: [{ file: await scene.poster(), ...place }] };
    },
    category: 'invalid_arguments',
    right: /does not belong to .*movie/,
  },
  {
    what: 'two files for one place',
    tool: 'create_media_set',
    args: async (scene) => {
      const place = { targetKind: 'movie', targetId: scene.movieSet.movieId, slot: 'poster' };
      const declaredFiles = [
        { file: await scene.poster(), ...place },
        { file: await scene.poster(), ...place },
      ];
      return { ...(await creation(scene)), declaredFiles };
    },
    category: 'invalid_arguments',
    right: /is that of item 0 too: poster of movie/,
  },
  {
    what: 'a text among the files',
    tool: 'create_media_set',
    args: async (scene) => {
      const place = { targetKind: 'movie', targetId: scene.movieSet.movieId, slot: 'poster' };
      return { ...(await creation(scene)), declaredFiles: [{ file: scene.files.text, ...place }] };
    },
    category: 'upload_refused',
    right: /PNG, JPEG, WebP/,
  },
  {
    what: 'a language by its name, for a Set',
    tool: 'create_media_set',
    args: async (scene) => ({ ...(await creation(scene)), languageCode: 'english', dryRun: true }),
    category: 'invalid_arguments',
    right: /\\"en\\"/,
  },
  {
    what: 'a Set of a season',
    tool: 'create_media_set',
    args: async (scene) => ({ ...(await creation(scene)), entryTargetKind: 'season' }),
    category: 'invalid_arguments',
    right: /show|season/,
  },
  {
    what: 'a change that is none',
    tool: 'edit_set',
    args: edit,
    category: 'invalid_arguments',
    right: /metadata.*items|items.*metadata/,
  },
  {
    what: 'a title under another name, in an edit',
    tool: 'edit_set',
    args: async (scene) => ({ ...(await edit(scene)), metadata: { title: 'Another title' } }),
    category: 'invalid_arguments',
    right: /did you mean titleBase/,
  },
  {
    what: 'another kind of Set',
    tool: 'edit_set',
    args: async (scene) => ({
      ...(await edit(scene)),
      setKind: 'movie_set',
      metadata: { titleBase: 'Another' },
    }),
    category: 'invalid_arguments',
    right: /media_set/,
  },
  {
    what: 'a Set of another kind than it says',
    tool: 'edit_set',
    args: async (scene) => ({
      ...(await edit(scene)),
      setKind: 'talent_set',
      metadata: { titleBase: 'Another' },
      dryRun: true,
    }),
    category: 'invalid_arguments',
    right: /media_set/,
  },
  {
    what: 'a stale revision of a Set',
    tool: 'edit_set',
    args: async (scene) => ({
      ...(await edit(scene)),
      expectedUpdatedAt: '2001-01-01T00:00:00.000Z',
      metadata: { titleBase: 'Another' },
    }),
    category: 'stale_revision',
    right: /get_owned/,
    next: 'get_owned',
  },
  {
    what: 'a replacement of nothing, in an edit',
    tool: 'edit_set',
    args: async (scene) => {
      const place = { targetKind: 'movie', targetId: scene.movieSet.movieId, slot: 'poster' };
      const items = [{ operation: 'replace', ...place, file: await scene.poster() }];
      return { ...(await edit(scene)), items };
    },
    category: 'invalid_arguments',
    right: /expectedPreviousAssetId/,
  },
  {
    what: 'an addition to an occupied place',
    tool: 'edit_set',
    args: async (scene) => {
      const place = { targetKind: 'movie', targetId: scene.movieSet.movieId, slot: 'poster' };
      const items = [{ operation: 'add', ...place, file: await scene.poster() }];
      return { ...(await edit(scene)), items, dryRun: true };
    },
    category: 'conflict',
    right: /replace/,
    next: 'edit_set',
  },
  {
    what: 'an operation in other words',
    tool: 'edit_set',
    args: async (scene) => {
      const place = { targetKind: 'movie', targetId: scene.movieSet.movieId, slot: 'poster' };
      return { ...(await edit(scene)), items: [{ operation: 'delete', ...place }] };
    },
    category: 'invalid_arguments',
    right: /\\"replace\\"/,
  },
  {
    what: 'an edit of another’s Set',
    tool: 'edit_set',
    args: ({ foreignSetId }) => ({
      ...fresh(),
      expectedUpdatedAt: '2026-01-01T00:00:00.000Z',
      setId: foreignSetId,
      setKind: 'media_set',
      metadata: { titleBase: 'Mine now' },
    }),
    category: 'forbidden',
    right: /somebody else|another account|of your own|account’s own/,
  },
  {
    what: 'a Set that is not published yet',
    tool: 'get_set',
    args: async (scene) => {
      const made = await scene.hosts.connected.answer('create_media_set', await creation(scene));
      return { kind: 'movie_set', id: madeId(made) };
    },
    category: 'not_found',
    right: /pending/,
    next: 'get_owned',
  },
];
