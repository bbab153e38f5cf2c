import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { fresh } from './scene.ts';
import type { Slip, SlipScene } from './slip.ts';

type Given = Readonly<Record<string, unknown>>;

const day = 24 * 60 * 60_000;
const daysAgo = (days: number) => new Date(Date.now() - days * day).toISOString().slice(0, 10);
const without = (given: Given, ...names: string[]): Given =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));

/** The Sets of the scene's show. */
const setsOfShow = {
  to: 'get_entity',
  with: ({ show }: SlipScene) => ({ kind: 'show', id: show.showId, include: ['sets'] }),
} as const;

/** An upload that is only tried. */
async function upload({ poster, movieSet }: SlipScene): Promise<Given> {
  const target = { slot: 'poster', targetKind: 'movie', targetId: movieSet.movieId };
  return { ...fresh(), file: await poster(), operation: 'add', ...target, dryRun: true };
}

/** The creation of a Set that is only tried. */
async function creation({ poster, movieSet }: SlipScene): Promise<Given> {
  const target = { targetKind: 'movie', targetId: movieSet.movieId };
  return {
    ...fresh(),
    entryTargetKind: 'movie',
    entryTargetId: movieSet.movieId,
    titleBase: `Tried ${randomUUID()}`,
    languageCode: 'en',
    finalised: false,
    declaredFiles: [{ file: await poster(), ...target, slot: 'poster' }],
    dryRun: true,
  };
}

const group = () => ({ ...fresh(), kind: 'boxset', title: 'Tried', dryRun: true });
const plan = ({ folder, show }: SlipScene) => ({
  folder,
  entryTargetKind: 'show',
  entryTargetId: show.showId,
});
const download = (id: unknown) => ({ kind: 'show_set', id, layout: 'plex', dryRun: true });

async function cursorOf({ hosts }: SlipScene, tool: string, args: Given): Promise<string> {
  const answer = await hosts.connected.answer(tool, { ...args });
  return z.looseObject({ nextCursor: z.string() }).parse(answer).nextCursor;
}

/** One line tells a slip and the call that its answer leads to in one step. */
export const slips: readonly Slip[] = [
  // The number of something else.
  {
    what: 'a show’s id for its Set',
    tool: 'get_set',
    args: ({ show }) => ({ kind: 'show_set', id: show.showId }),
    leads: setsOfShow,
  },
  {
    what: 'a show where a Set is read',
    tool: 'get_set',
    args: ({ show }) => ({ kind: 'show', id: show.showId }),
    leads: setsOfShow,
  },
  {
    what: 'a film where a Set is read',
    tool: 'get_set',
    args: ({ movieSet }) => ({ kind: 'movie', id: movieSet.movieId }),
    leads: {
      to: 'find_titles',
      with: ({ movieSet }) => ({ targetKind: 'movie', targetId: movieSet.movieId, kind: 'set' }),
    },
  },
  {
    what: 'another word for a show where a Set is read',
    tool: 'get_set',
    args: ({ show }) => ({ kind: 'tv show', id: show.showId }),
    leads: setsOfShow,
  },
  {
    what: 'a Set of a film as one of a show',
    tool: 'get_set',
    args: ({ foreignSetId }) => ({ kind: 'show_set', id: foreignSetId }),
    leads: { to: 'get_set', with: ({ foreignSetId }) => ({ kind: 'movie_set', id: foreignSetId }) },
  },
  {
    what: 'a Set where an entity is read',
    tool: 'get_entity',
    args: ({ foreignSetId }) => ({ kind: 'movie_set', id: foreignSetId }),
    leads: { to: 'get_set', with: ({ foreignSetId }) => ({ kind: 'movie_set', id: foreignSetId }) },
  },
  {
    what: 'an episode as a show',
    tool: 'get_entity',
    args: ({ show }) => ({ kind: 'show', id: show.episodes[0]?.id }),
    leads: { to: 'get_entity', with: ({ show }) => ({ kind: 'episode', id: show.episodes[0]?.id }) },
  },
  {
    what: 'a Boxset as a Set of one’s own',
    tool: 'get_owned',
    args: ({ groupId }) => ({ type: 'set', id: groupId }),
    leads: { to: 'get_owned', with: ({ groupId }) => ({ type: 'group', id: groupId }) },
  },
  {
    what: 'a Set of one’s own as a group',
    tool: 'get_owned',
    args: ({ movieSet }) => ({ type: 'group', id: movieSet.id }),
    leads: { to: 'get_owned', with: ({ movieSet }) => ({ type: 'set', id: movieSet.id }) },
  },
  {
    what: 'a Set by its public kind as a type',
    tool: 'get_owned',
    args: ({ movieSet }) => ({ type: 'movie_set', id: movieSet.id }),
    leads: { to: 'get_owned', with: ({ movieSet }) => ({ type: 'set', id: movieSet.id }) },
  },
  {
    what: 'a Set’s number for an Asset',
    tool: 'get_owned',
    args: ({ movieSet }) => ({ type: 'asset', id: movieSet.id }),
    leads: { to: 'get_owned', with: ({ movieSet }) => ({ type: 'set', id: movieSet.id }) },
  },
  {
    what: 'a film where Sets are audited',
    tool: 'audit_sets',
    args: ({ movieSet }) => ({ kind: 'movie', id: movieSet.movieId }),
    leads: {
      to: 'audit_sets',
      with: ({ movieSet }) => ({ targetKind: 'movie', targetId: movieSet.movieId }),
    },
  },
  {
    what: 'a show’s id for the Set that is downloaded',
    tool: 'download_set',
    args: ({ show }) => download(show.showId),
    leads: setsOfShow,
  },
  {
    what: 'a show as what is downloaded',
    tool: 'download_set',
    args: ({ show }) => ({ ...download(show.showId), kind: 'show' }),
    leads: setsOfShow,
  },
  {
    what: 'a show’s id for the Set that is looked at',
    tool: 'view_artwork',
    args: ({ show }) => ({ items: [{ kind: 'show_set', id: show.showId }] }),
    leads: setsOfShow,
  },
  {
    what: 'an episode as what a folder is for',
    tool: 'plan_set',
    args: (scene) => ({ ...plan(scene), entryTargetId: scene.show.episodes[0]?.id }),
    leads: { to: 'plan_set', with: plan },
  },
  {
    what: 'a Set where a group is edited',
    tool: 'edit_group',
    args: ({ movieSet }) => ({ ...fresh(), groupId: movieSet.id, title: 'Tried', dryRun: true }),
    leads: { to: 'find_upload_destinations' },
  },

  // A name, an address or a code in the place of a number.
  {
    what: 'a title for an id',
    tool: 'get_entity',
    args: () => ({ kind: 'show', id: 'Sherlock' }),
    leads: { to: 'find_titles', with: () => ({ kind: 'show', query: 'Sherlock' }) },
  },
  {
    what: 'a title for the id of what is planned',
    tool: 'plan_set',
    args: (scene) => ({ ...plan(scene), entryTargetId: 'Sherlock' }),
    leads: { to: 'find_titles', with: () => ({ kind: 'show', query: 'Sherlock' }) },
  },
  {
    what: 'a title for the Sets of a Boxset',
    tool: 'create_group',
    args: () => ({ ...group(), setIds: ['Lantern'] }),
    leads: { to: 'find_upload_destinations', with: () => ({ kind: 'media_set', q: 'Lantern' }) },
  },
  {
    what: 'a title for a Set of one’s own',
    tool: 'get_owned',
    args: () => ({ type: 'set', id: 'Lantern' }),
    leads: { to: 'find_upload_destinations', with: () => ({ kind: 'media_set', q: 'Lantern' }) },
  },
  {
    what: 'a title where something is watched',
    tool: 'watch',
    args: () => ({ add: [{ kind: 'show', id: 'Sherlock' }] }),
    leads: { to: 'find_titles', with: () => ({ kind: 'show', query: 'Sherlock' }) },
  },
  {
    what: 'a title as the name of the argument',
    tool: 'get_entity',
    args: () => ({ kind: 'show', title: 'Sherlock' }),
    leads: { to: 'find_titles', with: () => ({ kind: 'show', query: 'Sherlock' }) },
  },
  {
    what: 'an address of the catalogue for an id',
    tool: 'get_entity',
    args: ({ show }) => ({ kind: 'show', id: `https://catalogue.example/shows/${show.showId}` }),
    leads: { to: 'get_entity', with: ({ show }) => ({ kind: 'show', id: show.showId }) },
  },
  {
    what: 'an address of a page, with the title behind the number',
    tool: 'get_set',
    args: ({ foreignSetId }) => ({
      kind: 'movie_set',
      id: `https://catalogue.example/movie-set/${foreignSetId}-the-best-one?tab=posters`,
    }),
    leads: { to: 'get_set', with: ({ foreignSetId }) => ({ kind: 'movie_set', id: foreignSetId }) },
  },
  {
    what: 'the address of a resource for an id',
    tool: 'get_entity',
    args: ({ show }) => ({ kind: 'show', id: `artwork://show/${show.showId}` }),
    leads: { to: 'get_entity', with: ({ show }) => ({ kind: 'show', id: show.showId }) },
  },
  {
    what: 'a number behind #',
    tool: 'get_entity',
    args: ({ show }) => ({ kind: 'show', id: `#${show.showId}` }),
    leads: { to: 'get_entity', with: ({ show }) => ({ kind: 'show', id: show.showId }) },
  },
  {
    what: 'the code of an episode for a target',
    tool: 'get_owned',
    args: ({ showSet }) => ({ type: 'set', id: showSet.id, targetKind: 'episode', targetId: 's02e01' }),
    leads: 'is taken',
  },
  {
    what: 'the code of an episode in a search',
    tool: 'find_titles',
    args: ({ show }) => ({ query: 'S02E01', targetKind: 'show', targetId: show.showId }),
    leads: 'is taken',
  },

  // Other words for slots.
  {
    what: '“background” of a film',
    tool: 'view_artwork',
    args: ({ movieSet }) => ({ items: [{ kind: 'movie', id: movieSet.movieId, slot: 'background' }] }),
    leads: 'is taken',
  },
  {
    what: '“fanart” of a film',
    tool: 'upload_asset',
    args: async (scene) => ({
      ...(await upload(scene)),
      slot: 'fanart',
      file: await scene.wide(),
    }),
    leads: 'is taken',
  },
  {
    what: 'a film for a movie',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await upload(scene)), targetKind: 'film' }),
    leads: { to: 'upload_asset', with: (_, given) => ({ ...given, targetKind: 'movie' }) },
  },
  {
    what: 'a kind with a slip',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await upload(scene)), targetKind: 'moive' }),
    leads: { to: 'upload_asset', with: (_, given) => ({ ...given, targetKind: 'movie' }) },
  },
  {
    what: '“thumb” of an episode',
    tool: 'read_feed',
    args: () => ({ feed: 'assets', targetKind: 'episode', slot: 'thumb' }),
    leads: 'is taken',
  },
  {
    what: '“clearlogo”, to download',
    tool: 'download_set',
    args: ({ showSet }) => ({ ...download(showSet.id), slots: ['poster', 'clearlogo'] }),
    leads: 'is taken',
  },
  {
    what: '“title cards” of a Set of one’s own',
    tool: 'get_owned',
    args: ({ showSet }) => ({ type: 'set', id: showSet.id, slot: 'Title Cards' }),
    leads: 'is taken',
  },
  {
    what: 'a slot with a slip',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await upload(scene)), slot: 'postr' }),
    leads: { to: 'upload_asset', with: (_, given) => ({ ...given, slot: 'poster' }) },
  },
  {
    what: 'a slot for a list',
    tool: 'get_entity',
    args: ({ movieSet }) => ({ kind: 'movie', id: movieSet.movieId, include: ['poster'] }),
    leads: { to: 'get_entity', with: (_, given) => ({ ...given, include: ['assets.posters'], limit: 25 }) },
  },

  // Times in words.
  {
    what: 'yesterday',
    tool: 'list_changes',
    args: () => ({ since: 'yesterday' }),
    leads: { to: 'list_changes', with: () => ({ since: daysAgo(1) }) },
  },
  {
    what: 'last week',
    tool: 'read_feed',
    args: () => ({ feed: 'assets', since: 'last week' }),
    leads: { to: 'read_feed', with: () => ({ feed: 'assets', since: daysAgo(7) }) },
  },
  {
    what: 'so many days ago',
    tool: 'list_mutations',
    args: () => ({ since: '3 days ago' }),
    leads: { to: 'list_mutations', with: () => ({ since: daysAgo(3) }) },
  },
  {
    what: 'a time without its zone',
    tool: 'list_changes',
    args: () => ({ since: '2026-11-16T10:00:00' }),
    leads: { to: 'list_changes', with: () => ({ since: '2026-11-16T10:00:00Z' }) },
  },
  {
    what: 'a day as it is written elsewhere',
    tool: 'list_changes',
    args: () => ({ since: '16 November 2026' }),
    leads: { to: 'list_changes', with: () => ({ since: '2026-11-16' }) },
  },

  // Values of another form.
  {
    what: 'numbers as their digits',
    tool: 'get_entity',
    args: ({ show }) => ({ kind: 'show', id: String(show.showId), limit: '10' }),
    leads: 'is taken',
  },
  {
    what: 'true as a word',
    tool: 'create_group',
    args: () => ({ ...group(), dryRun: 'true' }),
    leads: { to: 'create_group', with: (_, given) => ({ ...given, dryRun: true }) },
  },
  {
    what: 'one thing for a list of them',
    tool: 'get_entity',
    args: ({ show }) => ({ kind: 'show', id: show.showId, include: 'seasons' }),
    leads: { to: 'get_entity', with: (_, given) => ({ ...given, include: ['seasons'] }) },
  },
  {
    what: 'one item for a list of them',
    tool: 'view_artwork',
    args: ({ show }) => ({ items: { kind: 'show', id: show.showId, slot: 'poster' } }),
    leads: { to: 'view_artwork', with: (_, given) => ({ items: [given.items] }) },
  },
  {
    what: 'one id for the Sets of a Boxset',
    tool: 'create_group',
    args: ({ showSet }) => ({ ...group(), setIds: showSet.id }),
    leads: { to: 'create_group', with: (_, given) => ({ ...given, setIds: [given.setIds] }) },
  },
  {
    what: 'a page that is too long',
    tool: 'get_entity',
    args: ({ show }) => ({ kind: 'show', id: show.showId, limit: 500 }),
    leads: { to: 'get_entity', with: (_, given) => ({ ...given, limit: 200 }) },
  },
  {
    what: 'every argument filled in, with nothing',
    tool: 'list_changes',
    args: () => ({ since: '', scope: null, createdBy: '', slot: null, cursor: '', limit: null, page: null }),
    leads: 'is taken',
  },
  {
    what: 'several words in one text for a list',
    tool: 'download_set',
    args: ({ showSet }) => ({ ...download(showSet.id), slots: 'poster, titlecard' }),
    leads: { to: 'download_set', with: (_, given) => ({ ...given, slots: ['poster', 'titlecard'] }) },
  },

  // Words in another number or case, and arguments of a sister.
  {
    what: 'a kind in the plural',
    tool: 'get_entity',
    args: ({ show }) => ({ kind: 'Shows', id: show.showId }),
    leads: 'is taken',
  },
  {
    what: 'a kind in other words',
    tool: 'get_entity',
    args: ({ movieSet }) => ({ kind: 'film', id: movieSet.movieId }),
    leads: { to: 'get_entity', with: ({ movieSet }) => ({ kind: 'movie', id: movieSet.movieId }) },
  },
  {
    what: 'a kind of Set in other letters',
    tool: 'get_set',
    args: ({ foreignSetId }) => ({ kind: 'Movie Sets', id: foreignSetId }),
    leads: { to: 'get_set', with: ({ foreignSetId }) => ({ kind: 'movie_set', id: foreignSetId }) },
  },
  {
    what: 'a feed in the singular',
    tool: 'read_feed',
    args: () => ({ feed: 'asset' }),
    leads: { to: 'read_feed', with: () => ({ feed: 'assets' }) },
  },
  {
    what: 'a layout with its capital',
    tool: 'download_set',
    args: ({ showSet }) => ({ ...download(showSet.id), layout: 'Plex' }),
    leads: { to: 'download_set', with: (_, given) => ({ ...given, layout: 'plex' }) },
  },
  {
    what: 'query where a sister says q',
    tool: 'find_upload_destinations',
    args: () => ({ kind: 'media_set', query: 'Lantern' }),
    leads: { to: 'find_upload_destinations', with: () => ({ kind: 'media_set', q: 'Lantern' }) },
  },
  {
    what: 'q where a sister says query',
    tool: 'find_titles',
    args: () => ({ q: 'Sherlock' }),
    leads: { to: 'find_titles', with: () => ({ query: 'Sherlock' }) },
  },
  {
    what: 'setId where a Set is read',
    tool: 'get_set',
    args: ({ foreignSetId }) => ({ kind: 'movie_set', setId: foreignSetId }),
    leads: { to: 'get_set', with: ({ foreignSetId }) => ({ kind: 'movie_set', id: foreignSetId }) },
  },
  {
    what: 'targetKind and targetId where an entity is read',
    tool: 'get_entity',
    args: ({ movieSet }) => ({ targetKind: 'movie', targetId: movieSet.movieId }),
    leads: { to: 'get_entity', with: ({ movieSet }) => ({ kind: 'movie', id: movieSet.movieId }) },
  },
  {
    what: 'the index of one show',
    tool: 'list_episodes',
    args: ({ show }) => ({ showId: show.showId }),
    leads: {
      to: 'get_entity',
      with: ({ show }) => ({ kind: 'show', id: show.showId, include: ['seasons'] }),
    },
  },
  {
    what: 'kind and id beside the items',
    tool: 'view_artwork',
    args: ({ show }) => ({ kind: 'show', id: show.showId, slot: 'poster' }),
    leads: { to: 'view_artwork', with: (_, given) => ({ items: [given] }) },
  },
  {
    what: 'a title under the name that a sister has for it',
    tool: 'create_group',
    args: () => ({ ...without(group(), 'title'), titleBase: 'Tried' }),
    leads: { to: 'create_group', with: (_, given) => ({ ...without(given, 'titleBase'), title: 'Tried' }) },
  },
  {
    what: 'path for the folder',
    tool: 'plan_set',
    args: (scene) => ({ ...without(plan(scene), 'folder'), path: scene.folder }),
    leads: { to: 'plan_set', with: plan },
  },
  {
    what: 'a change’s id under a shorter name',
    tool: 'get_mutation_status',
    args: ({ settled }) => ({ id: settled }),
    leads: { to: 'get_mutation_status', with: ({ settled }) => ({ clientMutationId: settled }) },
  },

  // What a change needs a word for.
  {
    what: 'a change without an id of its own',
    tool: 'create_group',
    args: () => without(group(), 'clientMutationId'),
    leads: { to: 'new_mutation_ids', with: () => ({ count: 1 }) },
  },
  {
    what: 'a change without the revision that it rests on',
    tool: 'edit_group',
    args: ({ groupId }) => ({
      ...without(fresh(), 'expectedUpdatedAt'),
      groupId,
      title: 'Tried',
      dryRun: true,
    }),
    leads: { to: 'get_owned', with: ({ groupId }) => ({ type: 'group', id: groupId }) },
  },
  {
    what: '“none” for what exists',
    tool: 'edit_group',
    args: ({ groupId }) => ({ ...fresh(), groupId, title: 'Tried', dryRun: true }),
    leads: { to: 'get_owned', with: ({ groupId }) => ({ type: 'group', id: groupId }) },
  },
  {
    what: 'the revision of another thing',
    tool: 'edit_set',
    args: async ({ movieSet, groupId, revisionOf }) => ({
      ...fresh(),
      expectedUpdatedAt: await revisionOf('group', groupId),
      setId: movieSet.id,
      setKind: 'media_set',
      metadata: { description: 'Tried' },
      dryRun: true,
    }),
    leads: { to: 'get_owned', with: ({ movieSet }) => ({ type: 'set', id: movieSet.id }) },
  },
  {
    what: 'a Set without a word on whether it is complete',
    tool: 'create_media_set',
    args: async (scene) => without(await creation(scene), 'finalised'),
    leads: { asks: /complete/ },
  },
  {
    what: 'a Set without its pictures',
    tool: 'create_media_set',
    args: async (scene) => without(await creation(scene), 'declaredFiles'),
    leads: { asks: /folder/ },
  },
  {
    what: 'an addition to an occupied place',
    tool: 'upload_asset',
    args: async (scene) => ({
      ...(await upload(scene)),
      setId: scene.movieSet.id,
      expectedUpdatedAt: await scene.revisionOf('set', scene.movieSet.id),
    }),
    leads: { to: 'upload_asset' },
  },
  {
    what: 'unfollow for an end of it',
    tool: 'change_relationship',
    args: async (scene) => ({
      ...fresh(),
      ...(await scene.followed()),
      relationship: 'unfollow',
      dryRun: true,
    }),
    leads: { to: 'change_relationship', with: (_, given) => ({ ...given, relationship: 'clear' }) },
  },

  // Files.
  {
    what: 'a file by its name alone',
    tool: 'upload_asset',
    args: async (scene) => {
      const given = await upload(scene);
      return { ...given, file: path.basename(String(given.file)) };
    },
    leads: {
      to: 'upload_asset',
      with: ({ folder }, given) => ({ ...given, file: path.join(folder, String(given.file)) }),
    },
  },
  {
    what: 'a path of Windows',
    tool: 'upload_asset',
    args: async (scene) => {
      const given = await upload(scene);
      const names = ['C:', 'Users', path.basename(scene.folder), path.basename(String(given.file))];
      return { ...given, file: names.join('\\') };
    },
    leads: {
      to: 'upload_asset',
      with: ({ folder }, given) => ({
        ...given,
        file: path.join(folder, path.win32.basename(String(given.file))),
      }),
    },
  },
  {
    what: 'a path of Windows of which nothing but the name is here',
    tool: 'upload_asset',
    args: async (scene) => {
      const given = await upload(scene);
      return { ...given, file: `D:\\${path.basename(String(given.file))}` };
    },
    leads: { asks: /open/ },
  },
  {
    what: 'a file from the person’s home',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await upload(scene)), file: '~/Pictures/poster.png' }),
    leads: { asks: /open/ },
  },
  {
    what: 'a file on the web',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await upload(scene)), file: 'https://example.com/poster.png' }),
    leads: { asks: /save/ },
  },
  {
    what: 'a file outside of what is open',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await upload(scene)), file: scene.files.outside }),
    leads: { asks: /open/ },
  },
  {
    what: 'a file with a slip in its name',
    tool: 'upload_asset',
    args: async (scene) => {
      const given = await upload(scene);
      return { ...given, file: String(given.file).replace(/\.png$/, '.jpg') };
    },
    leads: {
      to: 'upload_asset',
      with: (_, given) => ({ ...given, file: String(given.file).replace(/\.jpg$/, '.png') }),
    },
  },
  {
    what: 'a file for a folder',
    tool: 'plan_set',
    args: (scene) => ({ ...plan(scene), folder: scene.files.square }),
    leads: { to: 'plan_set', with: plan },
  },
  {
    what: 'a folder for a file',
    tool: 'upload_asset',
    args: async (scene) => ({ ...(await upload(scene)), file: scene.folder }),
    leads: { asks: /which/ },
  },
  {
    what: 'a local file as a path of the service',
    tool: 'view_artwork',
    args: async ({ poster }) => ({ items: [{ path: await poster() }] }),
    leads: { to: 'view_artwork', with: (_, given) => ({ items: [{ file: Object(given).items[0].path }] }) },
  },
  {
    what: 'the folder for downloads as a place outside of it',
    tool: 'download_set',
    args: ({ showSet }) => ({ ...download(showSet.id), folder: '/srv/media/Plex' }),
    leads: { asks: /ARTWORK_DOWNLOAD_ROOT/ },
  },

  // What was good once.
  {
    what: 'a cursor of other arguments',
    tool: 'read_feed',
    args: async (scene) => ({
      feed: 'sets',
      cursor: await cursorOf(scene, 'read_feed', { feed: 'assets', limit: 1 }),
    }),
    leads: { to: 'read_feed', with: () => ({ feed: 'sets', limit: 25 }) },
  },
  {
    what: 'a number for a cursor',
    tool: 'list_episodes',
    args: () => ({ cursor: 2 }),
    leads: { to: 'list_episodes', with: () => ({ limit: 25 }) },
  },
  {
    what: 'a plan that is not kept any more',
    tool: 'create_media_set',
    args: async (scene) => ({
      ...without(await creation(scene), 'declaredFiles'),
      planId: randomUUID(),
    }),
    leads: { asks: /folder/ },
  },
  {
    what: 'an id that another change has',
    tool: 'create_group',
    args: async ({ settled }) => ({ ...group(), clientMutationId: settled, dryRun: false }),
    leads: { to: 'new_mutation_ids', with: () => ({ count: 1 }) },
  },
  {
    what: 'an id that no change has',
    tool: 'get_mutation_status',
    args: () => ({ clientMutationId: randomUUID() }),
    leads: { asks: /make the same call again, with the same id/ },
  },
  {
    what: 'going on with what has ended',
    tool: 'resume_mutation',
    args: async ({ settled, settledRevision }) => ({
      clientMutationId: settled,
      expectedUpdatedAt: settledRevision,
    }),
    leads: 'is taken',
  },
  {
    what: 'no account',
    tool: 'get_owned',
    at: 'unconnected',
    args: ({ movieSet }) => ({ type: 'set', id: movieSet.id }),
    leads: { to: 'connect_account' },
  },
];
