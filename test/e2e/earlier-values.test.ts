import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { writeCards } from '../support/title-cards.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writeAnimation, writePoster } from '../support/unique-pictures.ts';
import { Workshop } from '../support/workshop.ts';

let household: Household;
let server: StartedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let workshop: Workshop;
let env: Record<string, string>;

beforeAll(async () => {
  [household, folder] = await Promise.all([startHousehold(), temporaryFolder()]);
  env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: folder.path };
  server = await startConnected(household, env);
  workshop = new Workshop(server, folder.path);
});
afterAll(async () => {
  await server.stop();
  await household.remove();
  await folder.remove();
});

type Arguments = Record<string, unknown>;

const answered = z.looseObject({
  outcome: z.string(),
  clientMutationId: z.string(),
  earlier: z.unknown().optional(),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })).default([]),
  items: z.array(z.looseObject({ earlier: z.unknown().optional() })).default([]),
  receipt: z.unknown().optional(),
  next: z
    .looseObject({ tool: z.string().optional(), arguments: z.looseObject({}).optional(), why: z.string() })
    .optional(),
});
const listed = z.object({ data: z.array(z.looseObject({ clientMutationId: z.string() })) });
const record = z.object({ updatedAt: z.string(), data: z.looseObject({}) });
const destinations = z.object({ data: z.array(z.looseObject({ id: z.int(), title: z.string() })) });

function structured(answer: CallToolResult): unknown {
  if (answer.isError === true) throw new Error(JSON.stringify(answer.content));
  return answer.structuredContent;
}

async function call(tool: string, args: Arguments) {
  return answered.parse(structured(await server.call(tool, args)));
}

async function change(tool: string, args: Arguments) {
  const whole = { clientMutationId: randomUUID(), expectedUpdatedAt: 'none', ...args };
  const result = await call(tool, whole);
  if (result.outcome !== 'succeeded') throw new Error(JSON.stringify(result));
  return result;
}

async function owned(type: string, id: unknown) {
  return record.parse(structured(await server.call('get_owned', { type, id })));
}

/** The change as the history shows it. */
async function inHistory(clientMutationId: string) {
  const { data } = listed.parse(structured(await server.call('list_mutations', { limit: 200 })));
  const found = data.find((one) => one.clientMutationId === clientMutationId);
  if (found === undefined) throw new Error('The history lacks it.');
  return found;
}

/** What the answer, a later question and the history say of what stood there before. */
async function toldEarlier({ clientMutationId, earlier }: z.output<typeof answered>) {
  const asked = await call('get_mutation_status', { clientMutationId });
  expect(asked.earlier).toEqual(earlier);
  return { answer: earlier, history: (await inHistory(clientMutationId)).earlier };
}

/** Sets of films and shows of one's own that stand in no group, with their titles. */
async function freeSets(count: number) {
  const found = destinations.parse(
    structured(await server.call('find_upload_destinations', { kind: 'media_set' })),
  );
  const free: { id: number; title: string }[] = [];
  for (const { id, title } of found.data) {
    if (free.length === count) break;
    if ((await owned('set', id)).data.group === null) free.push({ id, title });
  }
  if (free.length < count) throw new Error('The account has too few Sets.');
  return free;
}

async function groupOf(setIds: readonly number[]) {
  const made = await change('create_group', { kind: 'boxset', title: `Boxset ${randomUUID()}`, setIds });
  const { id } = z.looseObject({ id: z.int() }).parse(made.receipt);
  return { groupId: id, expectedUpdatedAt: (await owned('group', id)).updatedAt };
}

async function put(setIds: readonly number[], groupId: number) {
  const { updatedAt: expectedUpdatedAt } = await owned('group', groupId);
  return change('edit_group', { groupId, expectedUpdatedAt, setIds });
}

describe('what stood there before', () => {
  it('is kept by edit_asset_metadata', async () => {
    const { assetId, updatedAt } = await workshop.newAsset();
    const first = await change('edit_asset_metadata', {
      assetId,
      expectedUpdatedAt: updatedAt,
      languageCode: 'de',
    });
    expect(await toldEarlier(first)).toEqual({
      answer: { languageCode: null },
      history: { languageCode: null },
    });
    const { updatedAt: expectedUpdatedAt } = await owned('asset', assetId);
    const second = await change('edit_asset_metadata', { assetId, expectedUpdatedAt, languageCode: null });
    expect(await toldEarlier(second)).toEqual({
      answer: { languageCode: 'de' },
      history: { languageCode: 'de' },
    });
  });

  it('is kept by select_preview_frame', async () => {
    const { assetId, updatedAt } = await workshop.newAsset(await writeAnimation(folder.path));
    await change('select_preview_frame', { assetId, expectedUpdatedAt: updatedAt, selectedSourceFrame: 2 });
    const { updatedAt: expectedUpdatedAt } = await owned('asset', assetId);
    const second = await change('select_preview_frame', {
      assetId,
      expectedUpdatedAt,
      selectedSourceFrame: 1,
    });
    const earlier = { selectedSourceFrame: 2 };
    expect(await toldEarlier(second)).toEqual({ answer: earlier, history: earlier });
  });

  it('is kept by edit_group: title, description, language and members', async () => {
    const sets = await freeSets(3);
    const [one, two, three] = sets.map(({ id }) => id);
    const { groupId, expectedUpdatedAt } = await groupOf([one ?? 0, two ?? 0]);
    const before = await owned('group', groupId);
    const edited = await change('edit_group', {
      groupId,
      expectedUpdatedAt,
      title: `Renamed ${randomUUID()}`,
      description: 'Another one',
      setIds: [two, three],
    });
    const earlier = {
      title: before.data.title,
      description: null,
      setIds: [one, two],
      removed: [{ id: one, title: sets[0]?.title }],
    };
    expect(await toldEarlier(edited)).toEqual({ answer: earlier, history: earlier });
    await change('edit_group', {
      groupId,
      expectedUpdatedAt: (await owned('group', groupId)).updatedAt,
      title: String(before.data.title),
      description: null,
      setIds: earlier.setIds,
    });
    const after = await owned('group', groupId);
    expect({ ...after.data, updatedAt: '', dateUpdated: '', sets: [] }).toEqual({
      ...before.data,
      updatedAt: '',
      dateUpdated: '',
      sets: [],
    });
  });

  it('is shown by create_group and edit_group of a Set that leaves another group for it', async () => {
    const [set] = await freeSets(1);
    const id = set?.id ?? 0;
    const { groupId: first } = await groupOf([id]);
    const group = { kind: 'boxset', title: `Boxset ${randomUUID()}`, setIds: [id] };
    const earlier = { moved: [{ setId: id, groupId: first }] };
    // The embedded catalogue refuses it; the interface document does not say that every service does.
    const create = { clientMutationId: randomUUID(), expectedUpdatedAt: 'none', ...group, dryRun: true };
    const dry = await call('create_group', create);
    expect(dry).toMatchObject({ outcome: 'dry_run', earlier });
    // The group is known by its title, from the read of the Set.
    const { title } = (await owned('group', first)).data;
    const inFirst = expect.stringContaining(`in the group ${first} (“${title}”) already`);
    expect(dry.warnings).toContainEqual({ code: 'may_be_refused', message: inFirst });
    const other = await groupOf([]);
    const edit = { clientMutationId: randomUUID(), ...other, setIds: [id], dryRun: true };
    expect(await call('edit_group', edit)).toMatchObject({ outcome: 'dry_run', earlier });
  });

  it('is kept by change_relationship', async () => {
    const { targetId, updatedAt, relationship = 'clear' } = await workshop.takeOther();
    const wanted = relationship === 'follow' ? 'hide' : 'follow';
    const first = await change('change_relationship', {
      targetKind: 'user',
      targetId,
      relationship: wanted,
      expectedUpdatedAt: updatedAt,
    });
    expect(await toldEarlier(first)).toEqual({ answer: { relationship }, history: { relationship } });
  });

  it('is kept by an upload that replaces: the Asset as it was, with the path of its picture', async () => {
    const { assetId, updatedAt } = await workshop.newAsset();
    const before = await owned('asset', assetId);
    const replaced = await change('upload_asset', {
      ...(await workshop.toCategory()),
      operation: 'replace',
      previousAssetId: assetId,
      expectedUpdatedAt: updatedAt,
      file: await writePoster(folder.path),
    });
    const { path, languageCode, editionId, selectedSourceFrame } = before.data;
    const earlier = { assetId, languageCode, editionId, selectedSourceFrame, path, updatedAt };
    expect(await toldEarlier(replaced)).toEqual({ answer: earlier, history: earlier });
  });

  it('is kept by edit_set: its metadata, and each Asset that an item replaces or edits', async () => {
    const { id } = await workshop.newSet();
    const place = { targetKind: 'category', targetId: await workshop.category(), slot: 'poster' };
    await change('edit_set', {
      setId: id,
      setKind: 'category_set',
      expectedUpdatedAt: (await owned('set', id)).updatedAt,
      items: [{ operation: 'add', ...place, file: await writePoster(folder.path) }],
    });
    const before = await owned('set', id);
    const assets = z.array(z.looseObject({ id: z.string(), updatedAt: z.string() }));
    const [asset] = assets.parse(before.data.assets);
    const edit = {
      setId: id,
      setKind: 'category_set',
      expectedUpdatedAt: before.updatedAt,
      metadata: { titleBase: `Another ${id}`, description: 'New words' },
      items: [
        {
          operation: 'replace',
          ...place,
          file: await writePoster(folder.path),
          expectedPreviousAssetId: asset?.id,
          expectedAssetUpdatedAt: asset?.updatedAt,
        },
      ],
    };
    const dry = await call('edit_set', { clientMutationId: randomUUID(), ...edit, dryRun: true });
    const replaced = await change('edit_set', edit);
    const asked = await call('get_mutation_status', { clientMutationId: replaced.clientMutationId });
    const metadata = { titleBase: before.data.title, description: before.data.description };
    const was = expect.objectContaining({
      assetId: asset?.id,
      path: asset?.path,
      updatedAt: asset?.updatedAt,
      languageCode: asset?.languageCode,
    });
    for (const answer of [dry, replaced, asked]) {
      expect(answer.earlier).toEqual({ metadata });
      expect(answer.items.map((item) => item.earlier)).toEqual([was]);
    }
    const { earlier } = await inHistory(replaced.clientMutationId);
    expect(earlier).toEqual({ metadata, items: [was] });
  });

  it('is kept by assign_grouping_assets: which Assets stood alone', async () => {
    const [set, asset] = [await workshop.newSet(), await workshop.newAsset()];
    const assigned = await change('assign_grouping_assets', {
      setId: set.id,
      expectedUpdatedAt: set.updatedAt,
      items: [
        {
          existingAssetId: asset.assetId,
          expectedAssetUpdatedAt: asset.updatedAt,
          targetKind: 'category',
          targetId: await workshop.category(),
          slot: 'poster',
        },
      ],
    });
    const earlier = { standalone: [asset.assetId] };
    expect(await toldEarlier(assigned)).toEqual({ answer: earlier, history: earlier });
  });

  it('is nothing where nothing is put aside: creations and additions', async () => {
    const made = [
      await change('create_group', { kind: 'boxset', title: `Boxset ${randomUUID()}` }),
      await change('create_grouping_set', await workshop.newCategorySet()),
      await change('upload_asset', {
        ...(await workshop.toCategory()),
        file: await writePoster(folder.path),
      }),
      await change('create_media_set', {
        entryTargetKind: 'movie',
        entryTargetId: await workshop.movie(),
        titleBase: `Film ${randomUUID()}`,
        languageCode: 'en',
        finalised: true,
        declaredFiles: [
          {
            file: await writePoster(folder.path),
            targetKind: 'movie',
            targetId: await workshop.movie(),
            slot: 'poster',
          },
        ],
      }),
    ];
    for (const one of made) {
      expect(await toldEarlier(one)).toEqual({ answer: undefined, history: undefined });
      expect(one.items.map(({ earlier }) => earlier).filter(Boolean)).toEqual([]);
    }
  });
});

describe('a picture that was replaced in a Set', () => {
  it('is put back by its file, to which every wrong way leads', async () => {
    const { id: setId, target } = await workshop.ownSet();
    const assets = async () => {
      const { data, updatedAt } = await owned('set', setId);
      const listed = z.array(z.looseObject({ id: z.string(), slot: z.string(), updatedAt: z.string() }));
      const poster = listed.parse(data.assets).find(({ slot }) => slot === 'poster');
      if (poster === undefined) throw new Error('The Set has no poster.');
      return { poster, setUpdatedAt: updatedAt };
    };
    const place = { targetKind: target.kind, targetId: target.id, slot: 'poster' };
    const replace = ({ poster }: Awaited<ReturnType<typeof assets>>, file: unknown) => ({
      clientMutationId: randomUUID(),
      operation: 'replace',
      setId,
      ...place,
      previousAssetId: poster.id,
      expectedUpdatedAt: poster.updatedAt,
      file,
    });
    const first = (await assets()).poster;
    const replaced = await change('upload_asset', replace(await assets(), await writePoster(folder.path)));
    const { earlier } = await inHistory(replaced.clientMutationId);
    const { assetId, path } = z.looseObject({ assetId: z.string(), path: z.string() }).parse(earlier);
    expect(assetId).toBe(first.id);

    const now = await assets();
    const asFile = errorOf(await server.call('upload_asset', replace(now, path)));
    expect(asFile.error.message).toContain('is the path of a picture on the service');
    expect(asFile.next).toMatchObject({ tool: 'view_artwork', arguments: { items: [{ path }] } });
    expect((await server.call('view_artwork', { items: [{ path }] })).isError).toBeUndefined();

    const items = [
      {
        ...place,
        existingAssetId: assetId,
        expectedAssetUpdatedAt: (await owned('asset', assetId)).updatedAt,
      },
    ];
    const guard = { clientMutationId: randomUUID(), expectedUpdatedAt: now.setUpdatedAt, setId };
    const assigns: [string, Arguments][] = [
      ['edit_set', { ...guard, setKind: 'media_set', items: [{ operation: 'assign', ...items[0] }] }],
      ['assign_grouping_assets', { ...guard, items }],
    ];
    for (const [tool, args] of assigns) {
      const { error, next } = errorOf(await server.call(tool, args));
      expect(error).toMatchObject({
        code: 'asset.replaced',
        message: expect.stringContaining("can't be assigned any more"),
      });
      const how = `operation replace, previousAssetId ${now.poster.id} and expectedUpdatedAt ${now.poster.updatedAt}`;
      expect(next).toMatchObject({ tool: 'view_artwork', why: expect.stringContaining(how) });
    }
    await change('upload_asset', replace(now, await writePoster(folder.path)));
  });
});

describe('edit_group that leaves Sets out', () => {
  const warningsOf = ({ warnings }: z.output<typeof answered>) =>
    Object.fromEntries(warnings.map(({ code, message }) => [code, message]));

  /** The id that stands for a person's word. */
  const wordIn = (dry: z.output<typeof answered>) =>
    /clientMutationId ([0-9a-f-]{36})/.exec(warningsOf(dry).removes_all_members ?? '')?.[1];

  it('names every Set that goes and that comes, in its dry run and in its answer', async () => {
    const sets = await freeSets(3);
    const [one, two, three] = sets.map(({ id }) => id);
    const { groupId, expectedUpdatedAt } = await groupOf([one ?? 0, two ?? 0]);
    const edit = { groupId, expectedUpdatedAt, setIds: [two, three] };
    const dry = await call('edit_group', { clientMutationId: randomUUID(), ...edit, dryRun: true });
    const done = await change('edit_group', edit);
    const asked = await call('get_mutation_status', { clientMutationId: done.clientMutationId });
    for (const answer of [dry, done, asked]) {
      const { removes_members: words } = warningsOf(answer);
      expect(words).toContain(`The Set ${one} (“${sets[0]?.title}”) leaves`);
      expect(words).toContain(`The Set ${three} (“${sets[2]?.title}”) comes in`);
      expect(words).not.toContain(String(sets[1]?.title));
    }
    expect(dry.next).toMatchObject({ why: expect.stringContaining('removes_members') });
    expect(dry.next?.tool).toBeUndefined();
  });

  it('says of an addition only what comes, and of the same Sets nothing', async () => {
    const sets = await freeSets(2);
    const [one, two] = sets.map(({ id }) => id);
    const { groupId } = await groupOf([one ?? 0]);
    expect(Object.keys(warningsOf(await put([one ?? 0], groupId)))).toEqual([]);
    const { adds_members: words, removes_members: gone } = warningsOf(
      await put([one ?? 0, two ?? 0], groupId),
    );
    expect(words).toContain(`The Set ${two} (“${sets[1]?.title}”) comes in`);
    expect(gone).toBeUndefined();
  });

  it('is refused for an empty list until a person has had the word', async () => {
    const sets = await freeSets(2);
    const { groupId, expectedUpdatedAt } = await groupOf(sets.map(({ id }) => id));
    const edit = { groupId, expectedUpdatedAt, setIds: [] };
    const refused = errorOf(await server.call('edit_group', { clientMutationId: randomUUID(), ...edit }));
    expect(refused).toMatchObject({
      outcome: 'not_sent',
      error: { category: 'conflict', code: 'removes_all_members' },
      next: { tool: 'edit_group', arguments: { groupId, setIds: [], dryRun: true } },
    });
    for (const { id, title } of sets) expect(refused.error.message).toContain(`${id} (“${title}”)`);

    const { tool = '', arguments: args = {} } = answered.shape.next.parse(refused.next) ?? {};
    const dry = await call(tool, args);
    expect(dry).toMatchObject({ outcome: 'dry_run' });
    // It ends at a person.
    expect(dry.next?.tool).toBeUndefined();
    expect(dry.next?.doNot).toContain('before the person has decided');
    expect((await owned('group', groupId)).data.sets).toHaveLength(2);

    const word = wordIn(dry);
    const emptied = await change('edit_group', { ...edit, clientMutationId: word });
    expect(emptied.earlier).toMatchObject({ setIds: sets.map(({ id }) => id) });
    const empty = await owned('group', groupId);
    expect(empty.data.sets).toEqual([]);
    // Of what is empty nothing goes.
    await change('edit_group', { groupId, expectedUpdatedAt: empty.updatedAt, setIds: [] });
  });

  it('takes the word for one group, at one revision, alone', async () => {
    const [set] = await freeSets(1);
    const first = await groupOf([set?.id ?? 0]);
    const clientMutationId = randomUUID();
    const dry = await call('edit_group', { clientMutationId, ...first, setIds: [], dryRun: true });
    const word = wordIn(dry);
    const { updatedAt: expectedUpdatedAt } = await owned('group', first.groupId);
    await change('edit_group', { groupId: first.groupId, expectedUpdatedAt, description: 'Moved on' });
    const later = await owned('group', first.groupId);
    const refused = errorOf(
      await server.call('edit_group', {
        clientMutationId: word,
        groupId: first.groupId,
        expectedUpdatedAt: later.updatedAt,
        setIds: [],
      }),
    );
    expect(refused.error).toMatchObject({ code: 'removes_all_members' });
  });
});

describe('list_mutations', () => {
  it('labels what was changed as other answers do, and leaves out what is null', async () => {
    const feed = z.object({ data: z.tuple([z.looseObject({ target: z.object({ id: z.int() }) })]) });
    const changes = await server.call('read_feed', { feed: 'assets', targetKind: 'episode', limit: 1 });
    const targetId = feed.parse(structured(changes)).data[0].target.id;
    const [card] = await writeCards(folder.path, [targetId]);
    const { file, targetKind, slot } = card ?? { file: '', targetKind: '', slot: '' };
    const uploaded = await change('upload_asset', { operation: 'add', file, targetKind, targetId, slot });
    const { assetId } = z.looseObject({ assetId: z.string() }).parse(uploaded.receipt);
    const { updatedAt } = await owned('asset', assetId);
    // Another process, which has read nothing of the episode.
    const other = await startConnected(household, env);
    const edited = answered.parse(
      structured(
        await other.call('edit_asset_metadata', {
          clientMutationId: randomUUID(),
          assetId,
          expectedUpdatedAt: updatedAt,
          languageCode: 'fr',
        }),
      ),
    );
    await other.stop();
    const label = expect.stringMatching(/^S\d\dE\d\d title card$/);
    for (const one of [uploaded, edited]) {
      expect(one).toMatchObject({ id: { title: label } });
      const { id, ...told } = await inHistory(one.clientMutationId);
      expect(id).toEqual({ kind: 'asset', id: assetId, title: label });
      expect(Object.values(told)).not.toContain(null);
      expect(Object.keys(told)).not.toContain('abandonedAt');
    }
  });

  it('tells of a long text its beginning, and the call that tells all of it', async () => {
    const description = 'Ships and their crews. '.repeat(80).trim();
    const made = await change('create_group', {
      kind: 'boxset',
      title: `Boxset ${randomUUID()}`,
      description,
    });
    const { id: groupId } = z.looseObject({ id: z.int() }).parse(made.receipt);
    const { updatedAt: expectedUpdatedAt } = await owned('group', groupId);
    const { clientMutationId } = await change('edit_group', {
      groupId,
      expectedUpdatedAt,
      description: 'Short',
    });
    const omitted = z.array(
      z.object({ next: z.object({ tool: z.string(), arguments: z.object({ clientMutationId: z.uuid() }) }) }),
    );
    const answer = z
      .looseObject({ omitted, data: z.array(z.looseObject({ earlier: z.unknown() })) })
      .parse(structured(await server.call('list_mutations', { limit: 1 })));
    const [first] = answer.data;
    expect(z.object({ description: z.string() }).parse(first?.earlier).description.length).toBeLessThan(
      2_000,
    );
    const [{ next } = { next: null }] = answer.omitted;
    expect(next?.arguments).toEqual({ clientMutationId });
    const asked = await call(next?.tool ?? '', next?.arguments ?? {});
    expect(asked.earlier).toEqual({ description });
  });
});
