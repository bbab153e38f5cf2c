import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';

// Words and values that people and models give, and that can only mean one thing; and what is said to the others.

let household: Household;
let server: StartedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;
let env: Record<string, string>;

beforeAll(async () => {
  [household, folder] = await Promise.all([startHousehold(), temporaryFolder()]);
  env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: folder.path };
  server = await startConnected(household, env);
  file = await writePoster(folder.path);
});

afterAll(async () => {
  await server.stop();
  await household.remove();
  await folder.remove();
});

const destinations = z.object({
  data: z.array(z.looseObject({ id: z.int(), target: z.looseObject({ kind: z.string(), id: z.int() }) })),
});
const ownedSet = z.looseObject({
  updatedAt: z.string(),
  data: z.looseObject({
    languageCode: z.string().nullable(),
    assets: z.array(
      z.looseObject({
        id: z.string(),
        slot: z.string(),
        updatedAt: z.string(),
        target: z.object({ kind: z.string(), id: z.int() }),
      }),
    ),
  }),
});
const created = z.looseObject({ receipt: z.looseObject({ id: z.int() }) });

function plain(answer: CallToolResult) {
  if (answer.isError === true) throw new Error(JSON.stringify(answer.content));
  return z.looseObject({}).parse(answer.structuredContent);
}

async function ownSet() {
  const found = plain(await server.call('find_upload_destinations', { kind: 'media_set' }));
  const destination = destinations.parse(found).data.find(({ target }) => target.kind === 'movie');
  if (destination === undefined) throw new Error('The account owns no Set of a film.');
  const { id, target } = destination;
  return { id, target, ...ownedSet.parse(plain(await server.call('get_owned', { type: 'set', id }))) };
}

const guard = () => ({ clientMutationId: randomUUID(), expectedUpdatedAt: 'none' });
const toMovie = async () => {
  const { target } = await ownSet();
  return { file, operation: 'add', slot: 'poster', targetKind: target.kind, targetId: target.id };
};

describe('a slot', () => {
  it('is taken by the name of its list, and the answer says so', async () => {
    const args = { ...guard(), ...(await toMovie()), slot: 'posters', dryRun: true };
    expect(plain(await server.call('upload_asset', args))).toMatchObject({
      requests: [{ query: { slot: 'poster' } }],
      taken: { posters: 'poster' },
    });
    const { target } = await ownSet();
    const files = { declaredFiles: [{ file, targetKind: 'movie', targetId: target.id, slot: 'Posters' }] };
    const set = {
      entryTargetKind: 'movie',
      entryTargetId: target.id,
      titleBase: 'A Set',
      languageCode: 'en',
    };
    const creation = { ...guard(), ...set, ...files, finalised: false, dryRun: true };
    expect(plain(await server.call('create_media_set', creation))).toMatchObject({
      outcome: 'dry_run',
      taken: { Posters: 'poster' },
    });
    const plan = { entryTargetKind: 'movie', entryTargetId: target.id, folder: folder.path };
    expect(plain(await server.call('plan_set', { ...plan, slot: 'posters' }))).toMatchObject({
      taken: { posters: 'poster' },
      data: expect.arrayContaining([expect.objectContaining({ slot: 'poster' })]),
    });
    const feed = plain(await server.call('read_feed', { feed: 'assets', slot: 'title cards', limit: 1 }));
    expect(feed).toMatchObject({ taken: { 'title cards': 'titlecard' }, data: [{ slot: 'titlecard' }] });
  });

  it('of a Set is looked at by the name of its list', async () => {
    const feed = plain(await server.call('read_feed', { feed: 'sets', kind: 'movie_set', limit: 1 }));
    const [change] = z.object({ data: z.array(z.looseObject({ setId: z.int() })) }).parse(feed).data;
    const items = [{ kind: 'movie_set', id: change?.setId, slot: 'posters' }];
    const looked = await server.call('view_artwork', { items });
    expect(looked.isError).not.toBe(true);
    expect(looked.content).toContainEqual(expect.objectContaining({ type: 'image' }));
  });

  it('that a target has not is refused with those that it has, and the nearest', async () => {
    const unknown = { ...guard(), ...(await toMovie()), slot: 'backdrp', dryRun: true };
    const refused = errorOf(await server.call('upload_asset', unknown));
    expect(refused.error).toMatchObject({ category: 'invalid_arguments' });
    expect(String(refused.error.message)).toMatch(/did you mean "backdrop".*"poster", "backdrop", "logo"/);
    expect(refused.next).toMatchObject({ tool: 'upload_asset', arguments: { ...unknown, slot: 'backdrop' } });
    const place = { targetKind: 'episode', targetId: 1, slot: 'poster' };
    const item = { existingAssetId: randomUUID(), expectedAssetUpdatedAt: 'r1', ...place };
    for (const [tool, args] of [
      ['edit_set', { setKind: 'media_set', setId: 1, items: [{ ...item, operation: 'assign' }] }],
      ['assign_grouping_assets', { setId: 1, items: [item] }],
      ['upload_asset', { operation: 'add', file, ...place }],
      ['read_feed', { feed: 'assets', targetKind: 'episode', slot: 'poster' }],
    ] as const) {
      const given = tool === 'read_feed' ? args : { ...guard(), ...args };
      const { error } = errorOf(await server.call(tool, given));
      expect(String(error.message)).toMatch(/slot.*no episode has such a slot/);
      expect(String(error.message)).toContain('"titlecard"');
    }
  });
});

describe('an argument', () => {
  it('that is a language is a tag, and a name of one leads to it', async () => {
    const args = { ...guard(), ...(await toMovie()), dryRun: true };
    for (const [given, tag] of [
      ['english', 'en'],
      ['Deutsch', 'de'],
      ['pt_BR', 'pt-BR'],
      ['EN', 'en'],
    ]) {
      const refused = errorOf(await server.call('upload_asset', { ...args, languageCode: given }));
      expect(refused.error).toMatchObject({ category: 'invalid_arguments' });
      expect(String(refused.error.message)).toContain(`did you mean "${tag}"?`);
      expect(refused.next).toMatchObject({ tool: 'upload_asset', arguments: { languageCode: tag } });
    }
    for (const languageCode of ['en', 'pt-BR', 'zh-Hant', 'fil']) {
      expect(plain(await server.call('upload_asset', { ...args, languageCode })).outcome).toBe('dry_run');
    }
  });

  it('that is an id may be its decimal digits, everywhere', async () => {
    const { id, target, updatedAt } = await ownSet();
    const digits = String(target.id);
    const add = { ...guard(), file, operation: 'add', slot: 'poster', targetKind: 'movie', dryRun: true };
    expect(plain(await server.call('upload_asset', { ...add, targetId: digits }))).toMatchObject({
      requests: [{ query: { targetId: target.id } }],
    });
    expect(plain(await server.call('get_entity', { kind: 'movie', id: digits }))).toBeDefined();
    expect(plain(await server.call('get_owned', { type: 'set', id: String(id) }))).toMatchObject({
      updatedAt,
    });
    const group = { kind: 'boxset', title: 'By digits', setIds: [String(id)] };
    expect(plain(await server.call('create_group', { ...guard(), ...group, dryRun: true }))).toMatchObject({
      requests: [{ body: { setIds: [id] } }],
    });
    const view = await server.call('view_artwork', {
      items: [{ kind: 'movie', id: digits, slot: 'poster' }],
    });
    expect(view.isError).not.toBe(true);
  });

  it('with another name than its own is named, and the call is given', async () => {
    const { id, updatedAt } = await ownSet();
    const edit = { clientMutationId: randomUUID(), expectedUpdatedAt: updatedAt, setId: id, dryRun: true };
    const args = { ...edit, setKind: 'media_set', metadata: { title: 'Another' } };
    const titled = errorOf(await server.call('edit_set', args));
    expect(String(titled.error.message)).toMatch(
      /metadata\.title is no argument \(did you mean titleBase\?\)/,
    );
    expect(titled.next).toMatchObject({
      tool: 'edit_set',
      arguments: { ...args, metadata: { titleBase: 'Another' } },
    });
    const { arguments: right } = z
      .looseObject({ arguments: z.record(z.string(), z.unknown()) })
      .parse(titled.next);
    expect(plain(await server.call('edit_set', right))).toMatchObject({
      outcome: 'dry_run',
      requests: expect.arrayContaining([
        expect.objectContaining({ body: expect.objectContaining({ titleBase: 'Another' }) }),
      ]),
    });
    const near = errorOf(await server.call('get_entity', { type: 'movie', kind: 'movie', ID: 5 }));
    expect(String(near.error.message)).toContain('did you mean id?');
  });

  it('that is a revision where nothing exists yet leads to "none"', async () => {
    const args = { ...guard(), ...(await toMovie()), expectedUpdatedAt: '2026-01-01T00:00:00Z' };
    const refused = errorOf(await server.call('upload_asset', args));
    expect(refused.error).toMatchObject({ category: 'invalid_arguments' });
    expect(refused.next).toMatchObject({
      tool: 'upload_asset',
      arguments: { ...args, expectedUpdatedAt: 'none' },
    });
    const group = { ...guard(), kind: 'boxset', title: 'New', expectedUpdatedAt: 'r1' };
    expect(errorOf(await server.call('create_group', group)).next).toMatchObject({
      tool: 'create_group',
      arguments: { expectedUpdatedAt: 'none' },
    });
  });

  it('that is a time needs its zone, and the words show one that can be given', async () => {
    const refused = errorOf(await server.call('list_changes', { since: '2026-11-16T10:00:00' }));
    const words = String(refused.error.message);
    expect(words).toMatch(
      /^list_changes was called with wrong arguments: since can't be "2026-11-16T10:00:00"/,
    );
    expect(words).toContain('(neither a date nor a time with its zone): give a date such as');
    const given = [...words.matchAll(/such as "([^"]+)"/g)].map(([, example]) => example);
    expect(given).toHaveLength(2);
    for (const since of given) plain(await server.call('list_changes', { since }));
  });

  it('that names a picture beside items leads to the call with it in items', async () => {
    const { target } = await ownSet();
    const own = { kind: 'movie', id: target.id, slot: 'poster' };
    const refused = errorOf(await server.call('view_artwork', { ...own, size: 128 }));
    expect(refused.next).toMatchObject({ tool: 'view_artwork', arguments: { items: [own], size: 128 } });
    const { arguments: right } = z
      .looseObject({ arguments: z.record(z.string(), z.unknown()) })
      .parse(refused.next);
    expect((await server.call('view_artwork', right)).isError).not.toBe(true);
    const named = errorOf(await server.call('view_artwork', { kind: 'movie', id: 'Serenity' }));
    expect(named.next).toMatchObject({
      tool: 'find_titles',
      arguments: { query: 'Serenity', kind: 'movie' },
    });
    expect(errorOf(await server.call('view_artwork', {})).next).toBeUndefined();
  });

  it('that holds the files of a Set is asked for in words that lead on', async () => {
    const { target } = await ownSet();
    const set = {
      entryTargetKind: 'movie',
      entryTargetId: target.id,
      titleBase: 'A Set',
      languageCode: 'en',
    };
    const refused = errorOf(await server.call('create_media_set', { ...guard(), ...set, finalised: false }));
    expect(refused.error.issues).toEqual([{ code: 'missing', message: 'is missing', path: ['planId'] }]);
    expect(String(refused.error.message)).toContain('give the planId of plan_set, declaredFiles, or both');
    expect(String(refused.next?.why)).toContain('plan_set');
  });
});

describe('what a Set can say', () => {
  it('is language and edition, for a Brand Set too', async () => {
    const feed = plain(await server.call('read_feed', { feed: 'assets', targetKind: 'network', limit: 1 }));
    const [change] = z
      .object({ data: z.array(z.looseObject({ target: z.looseObject({ id: z.int() }) })) })
      .parse(feed).data;
    const brand = { setKind: 'brand_set', titleBase: 'A brand', networkIds: [String(change?.target.id)] };
    const made = await server.call('create_grouping_set', {
      ...guard(),
      ...brand,
      languageCode: 'en',
      editionId: 1,
    });
    const { id } = created.parse(plain(made)).receipt;
    expect(plain(await server.call('get_owned', { type: 'set', id }))).toMatchObject({
      data: { languageCode: 'en', editionId: 1 },
    });
  });

  it('is that it has no language any more', async () => {
    const { id, updatedAt, data } = await ownSet();
    expect(data.languageCode).not.toBeNull();
    const edit = { clientMutationId: randomUUID(), expectedUpdatedAt: updatedAt, setId: id };
    const cleared = { ...edit, setKind: 'media_set', metadata: { languageCode: null } };
    expect(plain(await server.call('edit_set', cleared)).outcome).toBe('succeeded');
    expect((await ownSet()).data.languageCode).toBeNull();
  });
});

describe('an assignment', () => {
  it('needs no scope of Assets, whose revisions the service compares', async () => {
    const scopes = ['openid', 'profile', 'offline_access', 'sets:write'];
    const { target } = await ownSet();
    const item = {
      existingAssetId: randomUUID(),
      expectedAssetUpdatedAt: '2026-01-01T00:00:00.000Z',
      targetKind: 'movie',
      targetId: target.id,
      slot: 'poster',
    };
    const feed = plain(await server.call('read_feed', { feed: 'assets', targetKind: 'network', limit: 1 }));
    const [change] = z
      .object({ data: z.array(z.looseObject({ target: z.looseObject({ id: z.int() }) })) })
      .parse(feed).data;
    const networkIds = [change?.target.id];
    const brand = { ...guard(), setKind: 'brand_set', titleBase: 'Another brand', networkIds };
    const { id } = created.parse(plain(await server.call('create_grouping_set', brand))).receipt;
    const owned = z.object({ updatedAt: z.string() });
    const { updatedAt } = owned.parse(plain(await server.call('get_owned', { type: 'set', id })));
    const narrow = await startConnected(household, { ...env, ARTWORK_USER: 'narrow' }, { scopes });
    try {
      const args = { clientMutationId: randomUUID(), expectedUpdatedAt: updatedAt, setId: id };
      const items = [{ ...item, targetKind: 'network', targetId: change?.target.id }];
      const assigned = await narrow.call('assign_grouping_assets', { ...args, items, dryRun: true });
      expect(plain(assigned).outcome).toBe('dry_run');
    } finally {
      await narrow.stop();
    }
  });
});
