import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';

// What is guessed for a word that can't be taken: never the opposite of what was asked, and a change is only given as a
// call where nothing else can be meant.

let household: Household;
let server: StartedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;

beforeAll(async () => {
  [household, folder] = await Promise.all([startHousehold(), temporaryFolder()]);
  const env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: folder.path };
  server = await startConnected(household, env);
  file = await writePoster(folder.path);
});

afterAll(async () => {
  await server.stop();
  await household.remove();
  await folder.remove();
});

const guard = () => ({ clientMutationId: randomUUID(), expectedUpdatedAt: 'none' });

function plain(answer: CallToolResult) {
  if (answer.isError === true) throw new Error(JSON.stringify(answer.content));
  return z.looseObject({}).parse(answer.structuredContent);
}

async function movieId(): Promise<number> {
  const feed = plain(await server.call('read_feed', { feed: 'assets', targetKind: 'movie', limit: 1 }));
  const changes = z.object({ data: z.array(z.looseObject({ target: z.object({ id: z.int() }) })).min(1) });
  return changes.parse(feed).data[0]?.target.id ?? 0;
}

describe('a relationship', () => {
  const change = (relationship: unknown) => ({
    ...guard(),
    targetKind: 'user',
    targetId: 2,
    relationship,
    dryRun: true,
  });

  it('is never guessed to be the opposite of what was asked', async () => {
    for (const given of [
      'unfollow',
      'Unfollow',
      'unhide',
      'remove',
      'none',
      'un-hide',
      'stop following',
      null,
    ]) {
      const args = change(given);
      const { error, next } = errorOf(await server.call('change_relationship', args));
      expect(error).toMatchObject({ category: 'invalid_arguments' });
      expect(String(error.message)).toContain('did you mean "clear"?');
      expect(next).toMatchObject({
        tool: 'change_relationship',
        arguments: { ...args, relationship: 'clear' },
      });
    }
  });

  it('in another spelling is the call, and another word no call', async () => {
    for (const [given, meant] of [
      ['Follow', 'follow'],
      ['folow', 'follow'],
      ['hides', 'hide'],
    ]) {
      const { next } = errorOf(await server.call('change_relationship', change(given)));
      expect(next).toMatchObject({ tool: 'change_relationship', arguments: { relationship: meant } });
    }
    for (const given of ['followers only', 'block', 'disfollow it']) {
      const { next } = errorOf(await server.call('change_relationship', change(given)));
      expect(next).toBeUndefined();
    }
  });
});

describe('a change', () => {
  it('with a value that is only likely is no call, but words', async () => {
    const upload = { ...guard(), file, operation: 'add', slot: 'poster', targetKind: 'movie', targetId: 1 };
    const slot = errorOf(await server.call('upload_asset', { ...upload, slot: 'art' }));
    expect(slot.next).toBeUndefined();
    const group = { ...guard(), file, operation: 'add', slot: 'backdrop', groupId: 1 };
    const only = errorOf(await server.call('upload_asset', group));
    expect(String(only.error.message)).toContain('did you mean "poster"?');
    expect(only.next ?? {}).not.toHaveProperty('tool', 'upload_asset');
    const removed = errorOf(await server.call('upload_asset', { ...upload, operation: 'unadd' }));
    expect(removed.next ?? {}).not.toHaveProperty('tool', 'upload_asset');
  });
});

describe('a kind of target', () => {
  it('is taken in any case and number, and the answer says so', async () => {
    const targetId = await movieId();
    const place = { targetId, slot: 'poster' };
    for (const given of ['Movies', 'movies', 'MOVIE']) {
      const upload = { ...guard(), file, operation: 'add', ...place, targetKind: given, dryRun: true };
      expect(plain(await server.call('upload_asset', upload))).toMatchObject({
        requests: [{ query: { targetKind: 'movie' } }],
        taken: { [given]: 'movie' },
      });
      const creation = {
        ...guard(),
        entryTargetKind: given,
        entryTargetId: targetId,
        titleBase: 'A Set',
        languageCode: 'en',
        finalised: false,
        declaredFiles: [{ file, ...place, targetKind: given }],
        dryRun: true,
      };
      expect(plain(await server.call('create_media_set', creation))).toMatchObject({
        outcome: 'dry_run',
        taken: { [given]: 'movie' },
      });
      const plan = { folder: folder.path, entryTargetKind: given, entryTargetId: targetId };
      expect(plain(await server.call('plan_set', plan))).toMatchObject({ taken: { [given]: 'movie' } });
      expect(plain(await server.call('get_entity', { kind: given, id: targetId }))).toMatchObject({
        taken: { [given]: 'movie' },
      });
    }
  });

  it('that is none is refused before any claim, with all of them and a guess', async () => {
    const targetId = await movieId();
    for (const [given, meant] of [
      ['tv', 'show'],
      ['series', 'show'],
      ['film', 'movie'],
      ['Films', 'movie'],
      ['moive', 'movie'],
      ['nonsense', null],
    ] as const) {
      const place = { targetKind: given, targetId, slot: 'poster' };
      const upload = { ...guard(), file, operation: 'add', ...place };
      const entry = {
        entryTargetKind: given,
        entryTargetId: targetId,
        titleBase: 'A Set',
        languageCode: 'en',
      };
      const creation = { ...guard(), ...entry, finalised: false, declaredFiles: [{ file, ...place }] };
      const asset = { existingAssetId: randomUUID(), expectedAssetUpdatedAt: 'r1' };
      const assigned = { ...guard(), setId: 1, items: [{ ...asset, ...place }] };
      const edited = { ...assigned, setKind: 'media_set', items: [{ operation: 'add', file, ...place }] };
      for (const [tool, args] of [
        ['upload_asset', upload],
        ['create_media_set', creation],
        ['edit_set', edited],
        ['assign_grouping_assets', assigned],
      ] as const) {
        for (const dryRun of [true, false]) {
          const { error } = errorOf(await server.call(tool, { ...args, dryRun }));
          expect(error).toMatchObject({ category: 'invalid_arguments' });
          expect(String(error.message)).toMatch(/[tT]argetKind can't be .*"show", "season", .*"category"/);
          if (meant !== null) expect(String(error.message)).toContain(`did you mean "${meant}"?`);
          else expect(String(error.message)).not.toContain('did you mean');
        }
        // The same id serves the right call: nothing was claimed.
        const status = await server.call('get_mutation_status', { clientMutationId: args.clientMutationId });
        expect(errorOf(status).error).toMatchObject({ category: 'not_found' });
      }
    }
    const read = errorOf(await server.call('get_entity', { kind: 'tv', id: 1 }));
    expect(read.next).toMatchObject({ tool: 'get_entity', arguments: { kind: 'show', id: 1 } });
  });
});

describe('a kind of Set', () => {
  it('as public reads call it leads to the word of the edit', async () => {
    for (const setKind of ['movie_set', 'show_set', 'game_set', 'collection_set', 'Movie Set']) {
      const args = { ...guard(), expectedUpdatedAt: 'r1', setId: 1, setKind, metadata: { titleBase: 'T' } };
      const { error, next } = errorOf(await server.call('edit_set', args));
      expect(String(error.message)).toContain('did you mean "media_set"?');
      expect(next).toMatchObject({ tool: 'edit_set', arguments: { ...args, setKind: 'media_set' } });
    }
  });

  it('leads to the type under which one’s own are read', async () => {
    for (const [type, meant] of [
      ['boxset', 'group'],
      ['Loadouts', 'group'],
      ['movie_set', 'set'],
    ]) {
      const { next } = errorOf(await server.call('get_owned', { type, id: 1 }));
      expect(next).toMatchObject({ tool: 'get_owned', arguments: { type: meant, id: 1 } });
    }
  });
});

describe('a name for an id', () => {
  it('leads to what shows the ids, in changes as in reads', async () => {
    const owned = (kind: string, q: string) => ({ tool: 'find_upload_destinations', arguments: { kind, q } });
    const find = (kind: string, query: string) => ({ tool: 'find_titles', arguments: { query, kind } });
    const add = { operation: 'add', file, slot: 'poster' };
    const set = { titleBase: 'T', languageCode: 'en', finalised: false };
    const declared = { file, slot: 'poster', targetKind: 'movie' };
    const cases: readonly (readonly [string, Record<string, unknown>, object])[] = [
      ['upload_asset', { ...add, targetKind: 'show', targetId: 'Sherlock' }, find('show', 'Sherlock')],
      ['upload_asset', { ...add, targetKind: 'Movies', targetId: 'Serenity' }, find('movie', 'Serenity')],
      ['upload_asset', { ...add, setId: 'Sherlock' }, owned('media_set', 'Sherlock')],
      ['upload_asset', { ...add, groupId: 'Fresh box' }, owned('boxset', 'Fresh box')],
      ['edit_group', { groupId: 'Fresh box', title: 'T' }, owned('boxset', 'Fresh box')],
      ['create_group', { kind: 'boxset', title: 'T', setIds: ['Sherlock'] }, owned('media_set', 'Sherlock')],
      [
        'create_group',
        { kind: 'loadout', title: 'T', setIds: ['Portal'] },
        { arguments: { kind: 'media_set', family: 'game', q: 'Portal' } },
      ],
      [
        'create_grouping_set',
        { setKind: 'talent_set', titleBase: 'T', entryTargetKind: 'person', entryTargetId: 'Ivan Reitman' },
        find('person', 'Ivan Reitman'),
      ],
      [
        'create_grouping_set',
        { setKind: 'brand_set', titleBase: 'T', networkIds: ['HBO'] },
        find('network', 'HBO'),
      ],
      ['assign_grouping_assets', { setId: 'Ivan Reitman', items: [] }, owned('talent_set', 'Ivan Reitman')],
      ['edit_set', { setId: 'Sherlock', setKind: 'media_set' }, owned('media_set', 'Sherlock')],
      [
        'create_media_set',
        { ...set, entryTargetKind: 'movie', entryTargetId: 'Serenity', declaredFiles: [] },
        find('movie', 'Serenity'),
      ],
      [
        'create_media_set',
        {
          ...set,
          entryTargetKind: 'movie',
          entryTargetId: 1,
          declaredFiles: [{ ...declared, targetId: 'Serenity' }],
        },
        find('movie', 'Serenity'),
      ],
      [
        'plan_set',
        { folder: folder.path, entryTargetKind: 'movie', entryTargetId: 'Serenity' },
        find('movie', 'Serenity'),
      ],
    ];
    for (const [tool, args, expected] of cases) {
      const given = tool === 'plan_set' ? args : { ...guard(), ...args };
      const { error, next } = errorOf(await server.call(tool, given));
      expect(error).toMatchObject({ category: 'invalid_arguments' });
      expect(next, `${tool} ${JSON.stringify(args)}`).toMatchObject(expected);
      const { tool: found = '', arguments: right } = z
        .looseObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })
        .parse(next);
      expect((await server.call(found, right)).isError).not.toBe(true);
    }
  });
});

describe('the words of a refusal', () => {
  it('name the list of an entity that a word means, with the call', async () => {
    const id = await movieId();
    for (const include of [['posters'], ['poster'], ['posters', 'assets.logos']]) {
      const { error, next } = errorOf(await server.call('get_entity', { kind: 'movie', id, include }));
      expect(String(error.message)).toContain('did you mean "assets.posters"?');
      const right = include.map((name) => (name.includes('poster') ? 'assets.posters' : name));
      expect(next).toMatchObject({ tool: 'get_entity', arguments: { kind: 'movie', id, include: right } });
      expect((await server.call('get_entity', { kind: 'movie', id, include: right })).isError).not.toBe(true);
    }
    const none = errorOf(await server.call('get_entity', { kind: 'movie', id, include: ['zzzzz'] }));
    expect(none.next).toBeUndefined();
  });

  it('lead from a plan that is gone to a new one', async () => {
    const set = { entryTargetKind: 'movie', entryTargetId: 1, titleBase: 'T', languageCode: 'en' };
    const args = { ...guard(), ...set, finalised: false, planId: randomUUID() };
    const { error, next } = errorOf(await server.call('create_media_set', args));
    expect(error).toMatchObject({ code: 'plan_not_found' });
    expect(String(next?.why)).toMatch(/plan_set makes the plan again/);
  });

  it('are a sentence, with issues that say what is wrong', async () => {
    const upload = {
      ...guard(),
      file,
      operation: 'add',
      slot: 'poster',
      targetKind: 'show',
      targetId: 424_242,
    };
    const absent = errorOf(await server.call('upload_asset', upload));
    expect(absent.error.message).toContain('targetId names nothing: there is no show 424242.');
    expect(absent.error).toMatchObject({ issues: [{ path: ['targetId'], message: 'names nothing' }] });
    const empty = errorOf(
      await server.call('edit_group', { ...guard(), expectedUpdatedAt: 'r1', groupId: 1 }),
    );
    expect(empty.error.message).toContain("can't be used: they change nothing; give title");
    const lacking = errorOf(await server.call('get_entity', { kind: 'movie' }));
    expect(lacking.error).toMatchObject({
      issues: [{ code: 'missing', message: 'is missing', path: ['id'] }],
    });
    const wrong = errorOf(await server.call('get_entity', { kind: 'movie', id: true }));
    expect(wrong.error).toMatchObject({ issues: [{ message: "can't be true", path: ['id'] }] });
  });

  it('have the article that a kind has', async () => {
    const index = plain(await server.call('list_episodes', { limit: 1 }));
    const [episode] = z.object({ data: z.array(z.looseObject({ id: z.int() })) }).parse(index).data;
    const { error } = errorOf(await server.call('get_entity', { kind: 'season', id: episode?.id }));
    expect(error.message).toMatch(/but .*an episode of that id/);
  });
});
