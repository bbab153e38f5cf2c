import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';

/** Changes something without the two guards, and why that is right. */
const unguarded: Readonly<Record<string, string>> = {
  connect_account: 'a person agrees on a page of the service; nothing in the catalogue changes',
  disconnect_account: 'ends what the person can end anyway, and is harmless when repeated',
  plan_set: 'keeps a plan on this machine, and sends nothing',
  get_mutation_status: 'notes on this machine what it has learnt of a change',
  watch: 'keeps a list on this machine, and changes nothing on the service',
  download_set: 'writes files below the download root, and changes nothing on the service',
};

const readers = [
  'find_titles',
  'get_entity',
  'get_set',
  'list_episodes',
  'read_feed',
  'list_changes',
  'audit_sets',
  'view_artwork',
  'get_owned',
  'find_upload_destinations',
  'list_relationships',
  'list_mutations',
  'account_status',
  'new_mutation_ids',
];

const assetId = '00000000-0000-4000-8000-000000000001';
const place = { targetKind: 'movie', targetId: 1, slot: 'poster' };
const work = { entryTargetKind: 'movie', entryTargetId: 1, titleBase: 'Title', languageCode: 'en' };
const asset = { existingAssetId: assetId, expectedAssetUpdatedAt: 'r1', ...place };

interface Use {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  /** Where the revision is read; null: nothing has one, and the call is right with "none". */
  readonly read: { readonly tool: string; readonly arguments: Record<string, unknown> } | null;
}

const owned = (type: string, id: unknown) => ({ tool: 'get_owned', arguments: { type, id } });

/** Each guarded tool in its uses, complete but for the two guards. */
const uses: readonly Use[] = [
  { tool: 'upload_asset', args: { file: '/a.png', operation: 'add', ...place }, read: null },
  {
    tool: 'upload_asset',
    args: { file: '/a.png', operation: 'replace', previousAssetId: assetId, ...place },
    read: owned('asset', assetId),
  },
  {
    tool: 'upload_asset',
    args: { file: '/a.png', operation: 'add', slot: 'poster', setId: 5 },
    read: owned('set', 5),
  },
  {
    tool: 'upload_asset',
    args: { file: '/a.png', operation: 'add', slot: 'poster', groupId: 6 },
    read: owned('group', 6),
  },
  { tool: 'edit_asset_metadata', args: { assetId, languageCode: 'en' }, read: owned('asset', assetId) },
  { tool: 'select_preview_frame', args: { assetId, selectedSourceFrame: 1 }, read: owned('asset', assetId) },
  { tool: 'create_group', args: { kind: 'boxset', title: 'Title' }, read: null },
  { tool: 'edit_group', args: { groupId: 6, title: 'Title' }, read: owned('group', 6) },
  {
    tool: 'create_grouping_set',
    args: { setKind: 'talent_set', titleBase: 'T', entryTargetKind: 'person', entryTargetId: 1 },
    read: null,
  },
  { tool: 'assign_grouping_assets', args: { setId: 5, items: [asset] }, read: owned('set', 5) },
  {
    tool: 'change_relationship',
    args: { targetKind: 'user', targetId: 2, relationship: 'follow' },
    read: { tool: 'list_relationships', arguments: {} },
  },
  {
    tool: 'create_media_set',
    args: { ...work, finalised: false, declaredFiles: [{ file: '/a.png', ...place }] },
    read: null,
  },
  {
    tool: 'edit_set',
    args: { setId: 5, setKind: 'media_set', metadata: { finalised: true } },
    read: owned('set', 5),
  },
  { tool: 'resume_mutation', args: {}, read: null },
];

let household: Household;
let server: StartedServer;
const folders: (() => Promise<void>)[] = [];

beforeAll(async () => {
  household = await startHousehold();
  server = await startServer(await registered(household));
  await signInThrough(server, household);
});

afterAll(async () => {
  await server.stop();
  await Promise.all(folders.map((remove) => remove()));
  await household.remove();
});

const schema = z.looseObject({
  required: z.array(z.string()).default([]),
  properties: z.record(z.string(), z.unknown()),
});

describe('the tools that change something', () => {
  it('require both guards, or stand in a list with a reason', async () => {
    const { tools } = await server.client.listTools();
    const guarded = tools.filter(({ inputSchema }) => {
      const { required } = schema.parse(inputSchema);
      return required.includes('clientMutationId') && required.includes('expectedUpdatedAt');
    });
    const names = guarded.map(({ name }) => name);
    expect([...names, ...Object.keys(unguarded), ...readers].sort()).toEqual(
      tools.map(({ name }) => name).sort(),
    );
    for (const name of readers) {
      expect([name, tools.find((tool) => tool.name === name)?.annotations?.readOnlyHint]).toEqual([
        name,
        true,
      ]);
    }
    expect([...new Set(uses.map(({ tool }) => tool))].sort()).toEqual(names.sort());
  });

  it.each(uses)('$tool without its guards leads to what it lacks ($read.arguments)', async (use) => {
    const { tool, args, read } = use;
    const [clientMutationId, expectedUpdatedAt] = [randomUUID(), 'r1'];
    const resumes = tool === 'resume_mutation';

    for (const rest of [args, { ...args, expectedUpdatedAt }]) {
      const { error, next } = errorOf(await server.call(tool, rest));
      expect(error).toMatchObject({
        category: 'invalid_arguments',
        message: expect.stringContaining('clientMutationId is missing'),
      });
      expect(next).toMatchObject(
        resumes
          ? { tool: 'list_mutations', arguments: { state: 'open' } }
          : { tool: 'new_mutation_ids', arguments: { count: 1 } },
      );
      const followed = await server.call(String(next?.tool), Object(next?.arguments));
      expect(followed.isError).toBeUndefined();
    }

    const { error, next } = errorOf(await server.call(tool, { ...args, clientMutationId }));
    expect(error.message).toContain('expectedUpdatedAt is missing');
    expect(error.message).toContain(read === null && !resumes ? '"none"' : (read?.tool ?? 'first call'));
    expect(JSON.stringify(error.issues)).toBe(
      '[{"code":"missing","message":"is missing","path":["expectedUpdatedAt"]}]',
    );
    expect(next).toMatchObject(
      resumes
        ? { tool: 'get_mutation_status', arguments: { clientMutationId } }
        : (read ?? { tool, arguments: { ...args, clientMutationId, expectedUpdatedAt: 'none' } }),
    );
  });

  it('say of an argument what was given, what is right, and what was perhaps meant, once', async () => {
    const wrong = {
      clientMutationId: 'mine',
      expectedUpdatedAt: 'none',
      kind: 'box-sett',
      titel: 'A title',
      setIds: ['12', 'x'],
    };
    const { error, next } = errorOf(await server.call('create_group', wrong));
    const message = String(error.message);
    expect(message).toContain('clientMutationId can\'t be "mine"');
    expect(message).toContain(
      'kind can\'t be "box-sett" (did you mean "boxset"?): give one of "boxset", "loadout"',
    );
    expect(message).toContain('titel is no argument (did you mean title?)');
    expect(message).toContain('title is missing: give text of 1 to 500 characters');
    expect(message).toContain('setIds.1 can\'t be "x": give a whole number');
    expect(message).not.toMatch(/setIds\.0|Invalid input|received/);
    for (const word of ['box-sett', 'titel is no', '"mine"']) expect(message.split(word)).toHaveLength(2);
    expect(JSON.stringify(error.issues)).not.toContain('did you mean');
    // What the name of a Set stands for is looked for first.
    expect(next).toMatchObject({ tool: 'find_upload_destinations', arguments: { q: 'x' } });
  });

  it('take the digits of an id for the id', async () => {
    const args = {
      clientMutationId: randomUUID(),
      expectedUpdatedAt: 'none',
      kind: 'boxset',
      title: 'Of digits',
    };
    const made = await server.call('create_group', { ...args, setIds: [] });
    const { id } = z
      .looseObject({ receipt: z.looseObject({ id: z.int() }) })
      .parse(made.structuredContent).receipt;
    const read = await server.call('get_owned', { type: 'group', id: String(id) });
    const { updatedAt } = z.looseObject({ updatedAt: z.string() }).parse(read.structuredContent);
    const edit = { clientMutationId: randomUUID(), expectedUpdatedAt: updatedAt, title: 'Of an edit' };
    const edited = await server.call('edit_group', { ...edit, groupId: String(id) });
    expect(edited.structuredContent).toMatchObject({ outcome: 'succeeded' });
    // The number is the same intent.
    const again = await server.call('edit_group', { ...edit, groupId: id });
    expect(again.structuredContent).toMatchObject({ outcome: 'succeeded' });
  });

  it('take "none" and null for one intent, of a repeat and of a resume too', async () => {
    const made = { clientMutationId: randomUUID(), kind: 'boxset', title: `Boxset ${randomUUID()}` };
    const answers = [];
    for (const expectedUpdatedAt of ['none', null, 'none']) {
      answers.push((await server.call('create_group', { ...made, expectedUpdatedAt })).structuredContent);
    }
    expect(answers[0]).toMatchObject({ outcome: 'succeeded' });
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    const { clientMutationId } = made;
    for (const expectedUpdatedAt of ['none', null]) {
      const resumed = await server.call('resume_mutation', { clientMutationId, expectedUpdatedAt });
      expect(resumed.structuredContent).toMatchObject({ outcome: 'succeeded' });
    }
    const other = errorOf(
      await server.call('resume_mutation', { clientMutationId, expectedUpdatedAt: 'r1' }),
    );
    expect(other).toMatchObject({
      error: { category: 'stale_revision' },
      next: { tool: 'resume_mutation', arguments: { clientMutationId, expectedUpdatedAt: 'none' } },
    });
  });
});

describe('every schema', () => {
  it('holds no union, since some hosts drop it with all that is in it', async () => {
    const { tools } = await server.client.listTools();
    const text = JSON.stringify(
      tools.map(({ inputSchema, outputSchema }) => ({ inputSchema, outputSchema })),
    );
    expect(text).not.toMatch(/"(anyOf|oneOf|allOf)"/);
    expect(text).toContain('["string","null"]');
  });
});
