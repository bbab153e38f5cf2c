import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { errorOf, type StartedServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';

// A dry run refuses what the service would refuse, as far as that can be known, and so does the call itself before its
// id is claimed; what is in the way leads to the call that is meant.

let household: FailingHousehold;
let server: StartedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let movieSet: OwnSet;
let talent: { readonly personId: number; readonly categoryId: number; readonly networkId: number };

beforeAll(async () => {
  [household, folder] = await Promise.all([startFailingHousehold(), temporaryFolder()]);
  env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: folder.path };
  server = await startConnected(household, env);
  movieSet = await ownSet();
  const [personId, categoryId, networkId] = await Promise.all(
    ['person', 'category', 'network'].map(targetOf),
  );
  talent = { personId: personId ?? 0, categoryId: categoryId ?? 0, networkId: networkId ?? 0 };
});

afterAll(async () => {
  await server.stop();
  await household.remove();
  await folder.remove();
});

const asset = z.looseObject({
  id: z.string(),
  slot: z.string(),
  updatedAt: z.string(),
  target: z.object({ kind: z.string(), id: z.int() }),
});
const set = z.looseObject({
  id: z.int(),
  updatedAt: z.string(),
  data: z.looseObject({ assets: z.array(asset), target: z.looseObject({ kind: z.string(), id: z.int() }) }),
});
type OwnSet = z.output<typeof set>;
const nextCall = z.looseObject({
  tool: z.string(),
  arguments: z.looseObject({ clientMutationId: z.uuid() }),
  why: z.string(),
});

function plain(answer: CallToolResult) {
  if (answer.isError === true) throw new Error(JSON.stringify(answer.content));
  return z.looseObject({}).parse(answer.structuredContent);
}

const readSet = async (id: number) => set.parse(plain(await server.call('get_owned', { type: 'set', id })));
const readAsset = async (id: string) =>
  z
    .object({ updatedAt: z.string(), data: asset })
    .parse(plain(await server.call('get_owned', { type: 'asset', id })));

async function ownSets(kind: string): Promise<number[]> {
  const answer = plain(await server.call('find_upload_destinations', { kind: 'media_set' }));
  const found = z.object({
    data: z.array(z.looseObject({ id: z.int(), target: z.looseObject({ kind: z.string() }) })),
  });
  return found
    .parse(answer)
    .data.filter(({ target }) => target.kind === kind)
    .map(({ id }) => id);
}

async function ownSet(kind = 'movie'): Promise<OwnSet> {
  const [id] = await ownSets(kind);
  if (id === undefined) throw new Error(`The account owns no Set of a ${kind}.`);
  return readSet(id);
}

async function targetOf(targetKind: string): Promise<number> {
  const feed = plain(await server.call('read_feed', { feed: 'assets', targetKind, limit: 1 }));
  const change = z.object({ data: z.array(z.looseObject({ target: z.looseObject({ id: z.int() }) })) });
  return change.parse(feed).data[0]?.target.id ?? 0;
}

const guard = (expectedUpdatedAt = 'none') => ({ clientMutationId: randomUUID(), expectedUpdatedAt });
const poster = () => writePoster(folder.path);
const place = ({ data: { target } }: OwnSet) => ({ targetKind: target.kind, targetId: target.id });

function heldIn({ data }: OwnSet, slot = 'poster') {
  const held = data.assets.find((one) => one.slot === slot);
  if (held === undefined) throw new Error(`The Set has no ${slot}.`);
  return held;
}

/**
 * The dry run and the call are refused alike, and nothing is sent or claimed: the same id serves a right call.
 */
async function refusedBoth(tool: string, args: Record<string, unknown>) {
  const posts = await household.control.requests();
  const dry = errorOf(await server.call(tool, { ...args, dryRun: true }));
  const real = errorOf(await server.call(tool, args));
  const { category, code, message } = dry.error;
  expect(real.error).toMatchObject({ category, code, message });
  expect(real).toMatchObject({ outcome: 'not_sent' });
  const sent = (await household.control.requests()).slice(posts.length);
  expect(sent.filter(({ method, path: to }) => method === 'POST' && to.startsWith('/me/'))).toEqual([]);
  expect(plain(await server.call('list_mutations', { limit: 5 })).data).not.toContainEqual(
    expect.objectContaining({ clientMutationId: args.clientMutationId }),
  );
  return { ...dry, real };
}

async function upload(args: Record<string, unknown>) {
  const done = plain(await server.call('upload_asset', { ...guard(), file: await poster(), ...args }));
  expect(done.outcome).toBe('succeeded');
  const { assetId } = z.looseObject({ assetId: z.string() }).parse(done.receipt);
  return { id: assetId, updatedAt: (await readAsset(assetId)).updatedAt };
}

const toCategory = () => ({
  operation: 'add',
  slot: 'poster',
  targetKind: 'category',
  targetId: talent.categoryId,
});

describe('an upload', () => {
  it('to a target that there is none of, or a slot that it has not, is refused', async () => {
    const args = { ...guard(), file: await poster(), operation: 'add', slot: 'poster', targetKind: 'movie' };
    const nowhere = await refusedBoth('upload_asset', { ...args, targetId: 999_999_999 });
    expect(nowhere.error).toMatchObject({
      category: 'invalid_arguments',
      message: expect.stringContaining('there is no movie 999999999'),
    });
  });

  it('into a place that is taken leads to the replacement of what stands there', async () => {
    const held = heldIn(movieSet);
    const args = {
      ...guard(movieSet.updatedAt),
      file: await poster(),
      operation: 'add',
      slot: 'poster',
      setId: movieSet.id,
    };
    for (const named of [{}, place(movieSet)]) {
      const taken = await refusedBoth('upload_asset', { ...args, ...named });
      expect(taken.error).toMatchObject({
        category: 'conflict',
        code: 'slot.occupied',
        details: { standing: [{ assetId: held.id, updatedAt: held.updatedAt }] },
      });
      const right = { operation: 'replace', previousAssetId: held.id, expectedUpdatedAt: held.updatedAt };
      expect(taken.next).toMatchObject({
        tool: 'upload_asset',
        arguments: { ...args, ...named, ...right, dryRun: true },
      });
      expect(taken.real.next).toMatchObject({ arguments: { ...args, ...named, ...right } });
    }
    const { next } = errorOf(await server.call('upload_asset', { ...args, dryRun: true }));
    const dry = nextCall.parse(next);
    expect(plain(await server.call(dry.tool, dry.arguments)).outcome).toBe('dry_run');
  });

  it('that the service refuses for what stands there leads to its replacement under an unused id', async () => {
    const { id, updatedAt } = await upload(toCategory());
    const { clientMutationId } = guard();
    const args = { file: await poster(), ...toCategory(), clientMutationId, expectedUpdatedAt: updatedAt };
    const replace = { ...args, operation: 'replace', previousAssetId: id };
    // Somebody is faster, between the look at what stands there and the request.
    const fast = { ...toCategory(), operation: 'replace', previousAssetId: id, expectedUpdatedAt: updatedAt };
    const there = await upload(fast);
    await household.control.fail({
      method: 'GET',
      path: `/me/assets/${id}`,
      do: 'answer',
      when: 'before',
      status: 200,
      body: { data: { id, updatedAt } },
    });
    const refused = errorOf(await server.call('upload_asset', replace));
    expect(refused).toMatchObject({
      outcome: 'refused',
      error: {
        category: 'conflict',
        code: 'asset.replaced',
        details: { standing: [{ assetId: there.id, updatedAt: there.updatedAt }] },
      },
    });
    const next = nextCall.parse(refused.next);
    const { clientMutationId: _, ...rest } = replace;
    expect(next.arguments).toMatchObject({
      ...rest,
      previousAssetId: there.id,
      expectedUpdatedAt: there.updatedAt,
    });
    expect(next.arguments.clientMutationId).not.toBe(clientMutationId);
    // Told again, and by the status alike: it is the same call.
    expect(errorOf(await server.call('upload_asset', replace)).next).toEqual(refused.next);
    const status = await server.call('get_mutation_status', { clientMutationId });
    expect(errorOf(status).next).toEqual(refused.next);
    expect(plain(await server.call(next.tool, next.arguments)).outcome).toBe('succeeded');
  });

  it('that replaces what was replaced leads to what stands there now', async () => {
    const first = await upload(toCategory());
    const replace = { ...toCategory(), operation: 'replace' };
    const second = await upload({
      ...replace,
      previousAssetId: first.id,
      expectedUpdatedAt: first.updatedAt,
    });
    const third = await upload({
      ...replace,
      previousAssetId: second.id,
      expectedUpdatedAt: second.updatedAt,
    });
    const args = { ...guard(first.updatedAt), file: await poster(), ...replace, previousAssetId: first.id };
    const refused = await refusedBoth('upload_asset', args);
    expect(refused.error).toMatchObject({ category: 'conflict', code: 'asset.replaced' });
    const next = nextCall.parse(refused.real.next);
    expect(next.arguments).toMatchObject({
      ...args,
      previousAssetId: third.id,
      expectedUpdatedAt: third.updatedAt,
    });
    expect(plain(await server.call(next.tool, next.arguments)).outcome).toBe('succeeded');
  });

  it('that replaces an Asset of another place leads to its own place', async () => {
    const held = heldIn(movieSet);
    const args = {
      ...guard(held.updatedAt),
      file: await poster(),
      operation: 'replace',
      slot: 'backdrop',
      ...place(movieSet),
      previousAssetId: held.id,
    };
    const refused = await refusedBoth('upload_asset', args);
    expect(refused.error).toMatchObject({
      category: 'invalid_arguments',
      message: expect.stringContaining(`is the poster of movie ${movieSet.data.target.id}`),
    });
    expect(refused.next).toMatchObject({ arguments: { slot: 'poster', previousAssetId: held.id } });
  });

  it('of the poster of a group that has one leads to its replacement', async () => {
    const created = plain(
      await server.call('create_group', { ...guard(), kind: 'boxset', title: 'Posters' }),
    );
    const groupId = z.object({ id: z.int() }).parse(created.receipt).id;
    const revision = async () =>
      z
        .object({ updatedAt: z.string() })
        .parse(plain(await server.call('get_owned', { type: 'group', id: groupId }))).updatedAt;
    const onto = { operation: 'add', slot: 'poster', groupId };
    const first = await upload({ ...onto, expectedUpdatedAt: await revision() });
    const args = { ...guard(await revision()), file: await poster(), ...onto };
    const refused = await refusedBoth('upload_asset', args);
    expect(refused.error).toMatchObject({ category: 'conflict', code: 'slot.occupied' });
    const next = nextCall.parse(refused.real.next);
    expect(next.arguments).toMatchObject({ operation: 'replace', previousAssetId: first.id, groupId });
    expect(plain(await server.call(next.tool, next.arguments)).outcome).toBe('succeeded');
  });

  it('of a target that is not the Set’s is refused', async () => {
    const other = await ownSet('show');
    const args = { ...guard(movieSet.updatedAt), file: await poster(), operation: 'add', slot: 'logo' };
    const refused = await refusedBoth('upload_asset', { ...args, ...place(other), setId: movieSet.id });
    expect(refused.error).toMatchObject({
      category: 'invalid_arguments',
      message: expect.stringContaining('does not belong to'),
    });
  });
});

describe('an edit of a Set', () => {
  it('that adds to a taken place leads to the edit that replaces what stands there', async () => {
    const show = await ownSet('show');
    const held = heldIn(show, 'titlecard');
    const where = { targetKind: held.target.kind, targetId: held.target.id, slot: held.slot };
    const edit = {
      setId: show.id,
      setKind: 'media_set',
      items: [{ operation: 'add', ...where, file: await poster() }],
    };
    const args = { ...guard(show.updatedAt), ...edit };
    const refused = await refusedBoth('edit_set', args);
    expect(refused.error).toMatchObject({ category: 'conflict', code: 'slot.occupied' });
    expect(refused.next).toMatchObject({
      tool: 'edit_set',
      arguments: {
        ...args,
        dryRun: true,
        items: [
          {
            ...edit.items[0],
            operation: 'replace',
            expectedPreviousAssetId: held.id,
            expectedAssetUpdatedAt: held.updatedAt,
          },
        ],
      },
    });
    const next = nextCall.parse(refused.next);
    expect(plain(await server.call(next.tool, next.arguments)).outcome).toBe('dry_run');
  });

  it('with an item whose Asset was replaced leads to the one that stands there now', async () => {
    const [, id] = await ownSets('movie');
    const before = await readSet(id ?? 0);
    const held = heldIn(before);
    const replacing = { operation: 'replace', slot: 'poster', ...place(before), previousAssetId: held.id };
    const there = await upload({ ...replacing, setId: before.id, expectedUpdatedAt: held.updatedAt });
    const { updatedAt } = await readSet(before.id);
    const item = { operation: 'asset_metadata', ...place(before), slot: 'poster', languageCode: 'fr' };
    const stale = { ...item, existingAssetId: held.id, expectedAssetUpdatedAt: held.updatedAt };
    const args = { ...guard(updatedAt), setId: before.id, setKind: 'media_set', items: [stale] };
    const refused = await refusedBoth('edit_set', args);
    expect(refused.error).toMatchObject({ category: 'conflict', code: 'asset.replaced' });
    const next = nextCall.parse(refused.real.next);
    expect(next.arguments).toMatchObject({
      ...args,
      items: [{ ...stale, existingAssetId: there.id, expectedAssetUpdatedAt: there.updatedAt }],
    });
    expect(plain(await server.call(next.tool, next.arguments)).outcome).toBe('succeeded');
  });

  it('of another kind, with an Asset of another place or a target of another work is refused', async () => {
    const held = heldIn(movieSet);
    const base = { setId: movieSet.id, setKind: 'media_set' };
    const kind = await refusedBoth('edit_set', {
      ...guard(movieSet.updatedAt),
      setId: movieSet.id,
      setKind: 'talent_set',
      metadata: { titleBase: 'Another' },
    });
    expect(kind.next).toMatchObject({ arguments: { setKind: 'media_set' } });
    const item = { operation: 'asset_metadata', ...place(movieSet), slot: 'backdrop', languageCode: 'fr' };
    const elsewhere = await refusedBoth('edit_set', {
      ...guard(movieSet.updatedAt),
      ...base,
      items: [{ ...item, existingAssetId: held.id, expectedAssetUpdatedAt: held.updatedAt }],
    });
    expect(elsewhere.next).toMatchObject({ arguments: { items: [{ slot: 'poster' }] } });
    const show = await ownSet('show');
    const outside = await refusedBoth('edit_set', {
      ...guard(movieSet.updatedAt),
      ...base,
      items: [{ operation: 'add', ...place(show), slot: 'logo', file: await poster() }],
    });
    expect(String(outside.error.message)).toContain('does not belong to');
  });
});

describe('a new Set', () => {
  it('is for a film, a show, a collection or a game that is there', async () => {
    const set = { titleBase: 'Nothing', languageCode: 'en', finalised: false };
    const person = { targetKind: 'person', targetId: talent.personId, slot: 'poster', file: await poster() };
    const refused = await refusedBoth('create_media_set', {
      ...guard(),
      ...set,
      entryTargetKind: 'person',
      entryTargetId: talent.personId,
      declaredFiles: [person],
    });
    expect(String(refused.error.message)).toContain('there are no media Sets for a person');
  });

  it('goes into a group that is there, one’s own, and of such Sets', async () => {
    const created = plain(await server.call('create_group', { ...guard(), kind: 'loadout', title: 'Games' }));
    const { id } = z.object({ id: z.int() }).parse(created.receipt);
    const set = { titleBase: 'Somewhere', languageCode: 'en', finalised: false };
    const { targetKind: entryTargetKind, targetId: entryTargetId } = place(movieSet);
    const declaredFiles = [{ ...place(movieSet), slot: 'poster', file: await poster() }];
    const into = (destination: Record<string, unknown>) => {
      const args = { ...guard(), ...set, entryTargetKind, entryTargetId, declaredFiles, destination };
      return refusedBoth('create_media_set', args);
    };
    const gone = await into({ kind: 'boxset', id: 999_999_999 });
    expect(gone.error).toMatchObject({ category: 'not_found' });
    const games = await into({ kind: 'boxset', family: 'game', id });
    expect(String(games.error.message)).toContain('goes into a boxset');
  });

  it('of talent, a brand or a category is for what is there and of that kind', async () => {
    const create = async (args: Record<string, unknown>) =>
      String(
        (await refusedBoth('create_grouping_set', { ...guard(), titleBase: 'Set', ...args })).error.message,
      );
    expect(await create({ setKind: 'talent_set' })).toContain('a talent_set is for a person');
    const movie = { entryTargetKind: 'movie', entryTargetId: movieSet.data.target.id };
    expect(await create({ setKind: 'category_set', ...movie })).toContain('a category_set is for a category');
    expect(await create({ setKind: 'brand_set' })).toContain('a brand_set is of networks and companies');
    expect(await create({ setKind: 'brand_set', networkIds: [talent.networkId, 999_999_999] })).toContain(
      'networkIds.1 names nothing: there is no network 999999999',
    );
  });
});

describe('a group', () => {
  it('holds Sets of one’s own, of its kind, once, and of no other group', async () => {
    const create = (setIds: number[], kind = 'boxset') =>
      refusedBoth('create_group', { ...guard(), kind, title: 'A group', setIds });
    expect((await create([999_999_999])).error).toMatchObject({ category: 'not_found' });
    const [free = 0] = await ownSets('movie');
    expect((await create([free, free])).error).toMatchObject({ category: 'invalid_arguments' });
    expect((await create([free], 'loadout')).error).toMatchObject({ category: 'invalid_arguments' });
    const feed = plain(await server.call('read_feed', { feed: 'sets', kind: 'movie_set', limit: 200 }));
    const own = await ownSets('movie');
    const others = z
      .object({ data: z.array(z.looseObject({ setId: z.int() })) })
      .parse(feed)
      .data.find(({ setId }) => !own.includes(setId));
    expect((await create([others?.setId ?? 0])).error).toMatchObject({ category: 'forbidden' });
  });
});

describe('what the document of the service leaves open', () => {
  it('is no refusal, but a warning that says so', async () => {
    const made = async (args: Record<string, unknown>) =>
      z.looseObject({ id: z.int() }).parse(plain(await server.call('create_grouping_set', args)).receipt).id;
    const brand = await made({
      ...guard(),
      setKind: 'brand_set',
      titleBase: 'Brand',
      networkIds: [talent.networkId],
    });
    const group = { kind: 'boxset', title: 'A box' };
    const warned = async (args: Record<string, unknown>) => {
      const dry = plain(await server.call('create_group', { ...guard(), ...group, ...args, dryRun: true }));
      expect(dry.outcome).toBe('dry_run');
      return z.array(z.looseObject({ code: z.string(), message: z.string() })).parse(dry.warnings);
    };
    const open = /document does not say whether it takes that.*the corrected call needs a new id/;
    const ofBrand = await warned({ setIds: [brand] });
    expect(ofBrand).toMatchObject([{ code: 'may_be_refused', message: expect.stringMatching(open) }]);
    expect(ofBrand[0]?.message).toContain(`names the Set ${brand}, a brand_set`);
    const [free = 0] = (await ownSets('movie')).slice(-1);
    const first = plain(await server.call('create_group', { ...guard(), ...group, setIds: [free] }));
    expect(first.outcome).toBe('succeeded');
    expect(await warned({ setIds: [free] })).toContainEqual(
      expect.objectContaining({ code: 'may_be_refused', message: expect.stringContaining('already') }),
    );
  });

  it('is refused before its id is claimed where the document says it', async () => {
    const { id } = z.looseObject({ id: z.int() }).parse(
      plain(
        await server.call('create_grouping_set', {
          ...guard(),
          setKind: 'brand_set',
          titleBase: 'Another brand',
          networkIds: [talent.networkId],
        }),
      ).receipt,
    );
    const loadout = { ...guard(), kind: 'loadout', title: 'Games', setIds: [id] };
    const refused = await refusedBoth('create_group', loadout);
    expect(String(refused.error.message)).toContain('a Loadout holds game Sets');
  });
});

describe('an Asset', () => {
  it('that was replaced is not edited, and leads to the one that was put in its place', async () => {
    const first = await upload(toCategory());
    const replace = { ...toCategory(), operation: 'replace' };
    const there = await upload({ ...replace, previousAssetId: first.id, expectedUpdatedAt: first.updatedAt });
    const args = { ...guard(first.updatedAt), assetId: first.id, languageCode: 'fr' };
    const refused = await refusedBoth('edit_asset_metadata', args);
    const next = nextCall.parse(refused.real.next);
    expect(next.arguments).toMatchObject({ ...args, assetId: there.id, expectedUpdatedAt: there.updatedAt });
    expect(plain(await server.call(next.tool, next.arguments)).outcome).toBe('succeeded');
  });

  it('has the frame that is its preview', async () => {
    const { id, updatedAt } = await upload(toCategory());
    const args = { ...guard(updatedAt), assetId: id, selectedSourceFrame: 3 };
    const refused = await refusedBoth('select_preview_frame', args);
    expect(String(refused.error.message)).toContain('is a still picture');
  });

  it('is assigned from no other Set, and another place than its own is pointed out', async () => {
    const created = plain(
      await server.call('create_grouping_set', {
        ...guard(),
        setKind: 'category_set',
        titleBase: 'Category',
        entryTargetKind: 'category',
        entryTargetId: talent.categoryId,
      }),
    );
    const { id } = z.object({ id: z.int() }).parse(created.receipt);
    const { id: assetId, updatedAt } = await upload(toCategory());
    const where = { targetKind: 'category', targetId: talent.categoryId };
    const item = { existingAssetId: assetId, expectedAssetUpdatedAt: updatedAt, ...where };
    const revision = async () => (await readSet(id)).updatedAt;
    const wrong = {
      ...guard(await revision()),
      setId: id,
      items: [{ ...item, slot: 'thumb' }],
      dryRun: true,
    };
    expect(plain(await server.call('assign_grouping_assets', wrong)).warnings).toContainEqual({
      code: 'may_be_refused',
      message: expect.stringContaining(`is the poster of category ${talent.categoryId}`),
    });
    const held = heldIn(movieSet);
    const inSet = {
      existingAssetId: held.id,
      expectedAssetUpdatedAt: held.updatedAt,
      ...where,
      slot: 'poster',
    };
    const taken = await refusedBoth('assign_grouping_assets', {
      ...guard(await revision()),
      setId: id,
      items: [inSet],
    });
    expect(String(taken.error.message)).toContain(`is in the Set ${movieSet.id} already`);
    const media = await refusedBoth('assign_grouping_assets', {
      ...guard(movieSet.updatedAt),
      setId: movieSet.id,
      items: [{ ...item, slot: 'poster' }],
    });
    expect(String(media.error.message)).toContain('edit_set');
  });
});

describe('an edit that was overtaken while its files were sent', () => {
  it('names what stands there now, and the edit that replaces that', async () => {
    const there = await startConnected(household, {
      ...env,
      ARTWORK_HOME: path.join(folder.path, 'elsewhere'),
      ARTWORK_BASE_URL: household.baseUrl,
    });
    try {
      const [, , id] = await ownSets('movie');
      const before = await readSet(id ?? 0);
      const held = heldIn(before);
      const item = { operation: 'replace', ...place(before), slot: 'poster', file: await poster() };
      const expected = { expectedPreviousAssetId: held.id, expectedAssetUpdatedAt: held.updatedAt };
      const edit = { setId: before.id, setKind: 'media_set', items: [{ ...item, ...expected }] };
      const args = { ...guard(before.updatedAt), ...edit };
      await household.control.fail({
        method: 'POST',
        path: '/me/set-updates/*/complete',
        do: 'answer',
        when: 'before',
        status: 503,
        body: { error: { code: 'busy', message: 'Busy', details: {}, issues: [] } },
        count: 1_000,
      });
      const editing = server.call('edit_set', args);
      await expect
        .poll(() => household.control.requests())
        .toContainEqual(
          expect.objectContaining({ path: expect.stringMatching(/set-updates\/.*\/complete/) }),
        );
      const replacing = { operation: 'replace', slot: 'poster', ...place(before), previousAssetId: held.id };
      const faster = { ...guard(held.updatedAt), ...replacing, file: await poster(), setId: before.id };
      expect(plain(await there.call('upload_asset', faster)).outcome).toBe('succeeded');
      const now = heldIn(await readSet(before.id));
      expect(now.id).not.toBe(held.id);
      await household.control.heal();
      let told = plain(await editing);
      const status = { clientMutationId: args.clientMutationId };
      if (told.outcome === 'processing') told = plain(await server.call('get_mutation_status', status));
      expect(told).toMatchObject({
        outcome: 'failed',
        error: { details: { standing: [{ at: 'items.0', assetId: now.id, updatedAt: now.updatedAt }] } },
      });
      const next = nextCall.parse(told.next);
      expect(next).toMatchObject({
        tool: 'edit_set',
        arguments: {
          setId: before.id,
          items: [{ ...item, expectedPreviousAssetId: now.id, expectedAssetUpdatedAt: now.updatedAt }],
        },
      });
      expect(next.arguments.clientMutationId).not.toBe(args.clientMutationId);
      expect(plain(await server.call(next.tool, next.arguments)).outcome).toBe('succeeded');
      // Told later it still names what stood there.
      const later = plain(await server.call('get_mutation_status', status));
      expect(later.next).toMatchObject({ tool: 'get_owned', arguments: { type: 'asset', id: now.id } });
    } finally {
      await there.stop();
    }
  });
});

describe('what is another account’s', () => {
  it('is told to be, with what would be right', async () => {
    const own = new Set(await ownSets('movie'));
    const feed = plain(await server.call('read_feed', { feed: 'sets', kind: 'movie_set', limit: 200 }));
    const change = z.object({ data: z.array(z.looseObject({ setId: z.int() })) });
    const another = change.parse(feed).data.find(({ setId }) => !own.has(setId))?.setId;
    const other = await startConnected(household, { ...env, ARTWORK_USER: 'other' }, { account: 1 });
    try {
      const { id } = heldIn(movieSet);
      const edit = { ...guard('r1'), assetId: id, languageCode: 'fr' };
      const replace = { ...guard('r1'), file: await poster(), operation: 'replace', previousAssetId: id };
      for (const [tool, args] of [
        ['get_owned', { type: 'asset', id }],
        ['edit_asset_metadata', edit],
        ['upload_asset', { ...replace, slot: 'poster', ...place(movieSet) }],
      ] as const) {
        const { error, next } = errorOf(await other.call(tool, args));
        expect(error).toMatchObject({ category: 'forbidden', code: 'resource.not_owned', status: 403 });
        expect(String(next?.why)).toMatch(/another account’s.*upload_asset with operation add/);
      }
    } finally {
      await other.stop();
    }
    const mine = errorOf(await server.call('get_owned', { type: 'set', id: another }));
    expect(mine.next).toMatchObject({ tool: 'get_set', arguments: { kind: 'movie_set', id: another } });
    expect(String(mine.next?.why)).toMatch(/as everyone sees it.*find_upload_destinations lists/);
  });
});
