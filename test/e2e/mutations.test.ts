import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allScopes, type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

let household: Household;
let server: StartedServer;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;

beforeAll(async () => {
  [household, pictures] = await Promise.all([startHousehold(), temporaryFolder()]);
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
  const app = await household.register({ type: 'public', redirectUri, scopes: allScopes });
  env = { ...app, ARTWORK_UPLOAD_ROOTS: pictures.path };
  server = await startServer(env);
  const begun = z.object({ url: z.string() }).parse((await server.call('connect_account')).structuredContent);
  await fetch(await household.agree(begun.url));
});

afterAll(async () => {
  await server.stop();
  await household.remove();
  await pictures.remove();
});

const result = z.looseObject({ outcome: z.string(), clientMutationId: z.string() });
const records = z.object({
  data: z.array(z.looseObject({ id: z.int(), target: z.looseObject({ id: z.int() }) })),
});
const ownedSet = z.object({
  updatedAt: z.string(),
  data: z.looseObject({
    assets: z.array(z.looseObject({ id: z.string(), slot: z.string(), updatedAt: z.string() })),
  }),
});

function succeeded(answer: CallToolResult) {
  if (answer.isError === true) throw new Error(JSON.stringify(answer.content));
  return result.parse(answer.structuredContent);
}

async function newId(): Promise<string> {
  const { structuredContent } = await server.call('new_mutation_ids', { count: 1 });
  return z.object({ ids: z.tuple([z.uuid()]) }).parse(structuredContent).ids[0];
}

async function picture(name: string, width: number, height: number, colour: string): Promise<string> {
  const file = path.join(pictures.path, name);
  const lettering = { create: { width: 40, height: 40, channels: 3 as const, background: '#ffffff' } };
  await sharp({ create: { width, height, channels: 3, background: colour } })
    .composite([{ input: await sharp(lettering).png().toBuffer(), left: 20, top: 20 }])
    .png()
    .toFile(file);
  return file;
}

async function ownSet() {
  const { structuredContent } = await server.call('find_upload_destinations', { kind: 'media_set' });
  const [destination] = records.parse(structuredContent).data;
  if (destination === undefined) throw new Error('The account owns no Set.');
  const owned = await server.call('get_owned', { type: 'set', id: destination.id });
  return { id: destination.id, target: destination.target, ...ownedSet.parse(owned.structuredContent) };
}

const revisionOf = async (type: string, id: string | number) =>
  z.object({ updatedAt: z.string() }).parse((await server.call('get_owned', { type, id })).structuredContent)
    .updatedAt;

const savedAsset = z.looseObject({ receipt: z.looseObject({ assetId: z.string() }) });

describe('upload_asset', () => {
  it('shows in a dry run what it would send, and claims nothing', async () => {
    const { target } = await ownSet();
    const args = {
      clientMutationId: await newId(),
      expectedUpdatedAt: null,
      file: await picture('dry.png', 1000, 1500, '#204060'),
      operation: 'add',
      slot: 'poster',
      targetKind: 'movie',
      targetId: target.id,
    };
    const dry = succeeded(await server.call('upload_asset', { ...args, dryRun: true }));
    expect(dry).toMatchObject({ outcome: 'dry_run', requests: [{ method: 'POST', path: '/me/assets' }] });
    expect(JSON.stringify(dry)).not.toMatch(/authorization/i);
    const known = await server.call('get_mutation_status', { clientMutationId: args.clientMutationId });
    expect(known.isError === true || result.parse(known.structuredContent).outcome !== 'succeeded').toBe(
      true,
    );
  });

  it('uploads once, tells the same again, and refuses the id for anything else', async () => {
    const { target } = await ownSet();
    const args = {
      clientMutationId: await newId(),
      expectedUpdatedAt: null,
      file: await picture('poster.png', 1000, 1500, '#602040'),
      operation: 'add',
      slot: 'poster',
      targetKind: 'movie',
      targetId: target.id,
      languageCode: 'en',
    };
    const first = savedAsset.parse(succeeded(await server.call('upload_asset', args)));
    expect(first).toMatchObject({ outcome: 'succeeded', operation: 'upload_asset' });
    expect(String(first.service)).toMatch(/nothing is published/i);
    const again = savedAsset.parse(succeeded(await server.call('upload_asset', args)));
    expect(again.receipt.assetId).toBe(first.receipt.assetId);
    const owned = await server.call('get_owned', { type: 'asset', id: first.receipt.assetId });
    expect(owned.structuredContent).toMatchObject({ data: { slot: 'poster', languageCode: 'en' } });

    const other = errorOf(await server.call('upload_asset', { ...args, languageCode: 'de' }));
    expect(other).toMatchObject({ error: { category: 'mutation_id_reused' } });
    const status = succeeded(
      await server.call('get_mutation_status', { clientMutationId: args.clientMutationId }),
    );
    expect(status.outcome).toBe('succeeded');
  });

  it('replaces under the revision that was read, and nothing under another', async () => {
    const { data } = await ownSet();
    const previous = data.assets.find(({ slot }) => slot === 'poster') ?? data.assets[0];
    if (previous === undefined) throw new Error('The Set is empty.');
    const wide = previous.slot === 'poster' ? [1000, 1500] : [1920, 1080];
    const args = {
      file: await picture('replacement.png', wide[0] ?? 0, wide[1] ?? 0, '#206040'),
      operation: 'replace',
      slot: previous.slot,
      previousAssetId: previous.id,
      targetKind: z.object({ kind: z.string() }).parse(previous.target).kind,
      targetId: z.object({ id: z.int() }).parse(previous.target).id,
    };
    const stale = errorOf(
      await server.call('upload_asset', {
        ...args,
        clientMutationId: await newId(),
        expectedUpdatedAt: '2001-01-01T00:00:00Z',
      }),
    );
    expect(stale.error).toMatchObject({ category: 'stale_revision' });
    expect(JSON.stringify(stale)).toContain(previous.updatedAt);
    expect(stale.next).toMatchObject({ tool: 'get_owned' });
    const done = succeeded(
      await server.call('upload_asset', {
        ...args,
        clientMutationId: await newId(),
        expectedUpdatedAt: previous.updatedAt,
      }),
    );
    expect(done.outcome).toBe('succeeded');
  });

  it('reads files from open folders only', async () => {
    const { target } = await ownSet();
    const args = {
      clientMutationId: randomUUID(),
      expectedUpdatedAt: null,
      operation: 'add',
      slot: 'poster',
      targetKind: 'movie',
      targetId: target.id,
    };
    for (const file of [
      '/etc/passwd',
      path.join(pictures.path, '..', 'other.png'),
      'relative.png',
      '/dev/zero',
    ]) {
      const { error } = errorOf(await server.call('upload_asset', { ...args, file }));
      expect(['upload_refused', 'invalid_arguments']).toContain(error.category);
    }
    await writeFile(path.join(pictures.path, 'text.png'), 'this is no picture');
    const text = errorOf(
      await server.call('upload_asset', { ...args, file: path.join(pictures.path, 'text.png') }),
    );
    expect(text.error.category).toBe('upload_refused');
  });
});

describe('other mutations', () => {
  it('edit metadata on the wire’s own revision', async () => {
    const { data } = await ownSet();
    const asset = data.assets.at(-1);
    if (asset === undefined) throw new Error('The Set is empty.');
    const expectedUpdatedAt = await revisionOf('asset', asset.id);
    const args = {
      clientMutationId: await newId(),
      expectedUpdatedAt,
      assetId: asset.id,
      languageCode: 'fr',
    };
    expect(succeeded(await server.call('edit_asset_metadata', args)).outcome).toBe('succeeded');
    expect(await revisionOf('asset', asset.id)).not.toBe(expectedUpdatedAt);
    const later = errorOf(
      await server.call('edit_asset_metadata', { ...args, clientMutationId: await newId() }),
    );
    expect(later.error.category).toBe('stale_revision');
    const still = errorOf(
      await server.call('select_preview_frame', {
        clientMutationId: await newId(),
        expectedUpdatedAt: await revisionOf('asset', asset.id),
        assetId: asset.id,
        selectedSourceFrame: 3,
      }),
    );
    expect(still).toMatchObject({ outcome: 'not_sent', error: { category: 'invalid_arguments' } });
  });

  it('create a Boxset, edit it and give it a poster', async () => {
    const created = succeeded(
      await server.call('create_group', {
        clientMutationId: await newId(),
        expectedUpdatedAt: null,
        kind: 'boxset',
        title: 'Everything with a harbour',
        languageCode: 'en',
      }),
    );
    expect(created.outcome).toBe('succeeded');
    const groupId = z.object({ id: z.int() }).parse(created.receipt).id;
    const edited = succeeded(
      await server.call('edit_group', {
        clientMutationId: await newId(),
        expectedUpdatedAt: await revisionOf('group', groupId),
        groupId,
        description: 'Ships included',
      }),
    );
    expect(edited.outcome).toBe('succeeded');
    const poster = succeeded(
      await server.call('upload_asset', {
        clientMutationId: await newId(),
        expectedUpdatedAt: await revisionOf('group', groupId),
        file: await picture('group.png', 1000, 1500, '#404040'),
        operation: 'add',
        slot: 'poster',
        groupId,
      }),
    );
    expect(poster.outcome).toBe('succeeded');
  });

  it('create a Category Set and assign artwork to it', async () => {
    const target = z.object({ id: z.int() });
    const feed = await server.call('read_feed', { feed: 'assets', targetKind: 'category', limit: 1 });
    const [change] = z
      .object({ data: z.array(z.looseObject({ target })) })
      .parse(feed.structuredContent).data;
    const entryTargetId = change?.target.id ?? 0;
    const upload = savedAsset.parse(
      succeeded(
        await server.call('upload_asset', {
          clientMutationId: await newId(),
          expectedUpdatedAt: null,
          file: await picture('category.png', 1000, 1500, '#806020'),
          operation: 'add',
          slot: 'poster',
          targetKind: 'category',
          targetId: entryTargetId,
        }),
      ),
    );
    const created = succeeded(
      await server.call('create_grouping_set', {
        clientMutationId: await newId(),
        expectedUpdatedAt: null,
        setKind: 'category_set',
        titleBase: 'Harbours',
        entryTargetKind: 'category',
        entryTargetId,
        languageCode: 'en',
      }),
    );
    const setId = z.object({ id: z.int() }).parse(created.receipt).id;
    const assigned = succeeded(
      await server.call('assign_grouping_assets', {
        clientMutationId: await newId(),
        expectedUpdatedAt: await revisionOf('set', setId),
        setId,
        items: [
          {
            existingAssetId: upload.receipt.assetId,
            expectedAssetUpdatedAt: await revisionOf('asset', upload.receipt.assetId),
            targetKind: 'category',
            targetId: entryTargetId,
            slot: 'poster',
          },
        ],
      }),
    );
    expect(assigned.outcome).toBe('succeeded');
  });

  it('change a relationship', async () => {
    const listed = z.object({
      data: z.array(z.looseObject({ targetKind: z.string(), targetId: z.int(), updatedAt: z.string() })),
    });
    const [relationship] = listed.parse((await server.call('list_relationships')).structuredContent).data;
    const changed = succeeded(
      await server.call('change_relationship', {
        clientMutationId: await newId(),
        expectedUpdatedAt: relationship?.updatedAt,
        targetKind: relationship?.targetKind,
        targetId: relationship?.targetId,
        relationship: 'hide',
      }),
    );
    expect(changed.outcome).toBe('succeeded');
  });

  it('are refused without a guard, an identity, or the right to change', async () => {
    const args = { assetId: randomUUID(), languageCode: 'fr' };
    for (const missing of [{ clientMutationId: randomUUID() }, { expectedUpdatedAt: null }]) {
      const { error } = errorOf(await server.call('edit_asset_metadata', { ...args, ...missing }));
      expect(error.category).toBe('invalid_arguments');
    }
    const readOnly = await startServer({ ...env, ARTWORK_READ_ONLY: '1' });
    try {
      const names = (await readOnly.client.listTools()).tools.map(({ name }) => name);
      expect(names).not.toContain('edit_asset_metadata');
      const guarded = { ...args, clientMutationId: randomUUID(), expectedUpdatedAt: null };
      expect(errorOf(await readOnly.call('edit_asset_metadata', guarded)).error.category).toBe('read_only');
    } finally {
      await readOnly.stop();
    }
  });

  it('are all in the ledger, for agents and for people', async () => {
    const listed = z.looseObject({
      data: z.array(z.looseObject({ clientMutationId: z.string(), outcome: z.string() })),
    });
    const { data } = listed.parse((await server.call('list_mutations', { limit: 200 })).structuredContent);
    expect(data.length).toBeGreaterThan(5);
    const open = listed.parse((await server.call('list_mutations', { state: 'open' })).structuredContent);
    expect(open.data).toEqual([]);
    expect(open).not.toHaveProperty('next');
    const told = await runCli(['mutations', '--json'], env);
    const ledger = z.object({ mutations: z.array(z.looseObject({ clientMutationId: z.string() })) });
    expect(
      ledger.parse(JSON.parse(told.stdout)).mutations.map(({ clientMutationId }) => clientMutationId),
    ).toEqual(expect.arrayContaining(data.map(({ clientMutationId }) => clientMutationId)));
    const rows = (await runCli(['mutations'], env)).stdout.trim().split('\n');
    expect(rows.join('\n')).not.toContain('{');
    expect(rows.filter((row) => / {2}poster of .*\((movie|show) \d+\)/.test(row)).length).toBeGreaterThan(0);
    expect(await runCli(['mutations', '--open'], env)).toMatchObject({ code: 0, stdout: 'None.\n' });
    expect(await runCli(['mutations', 'abandon', randomUUID()], env)).toMatchObject({ code: 1 });
    const ended = data.find(({ outcome }) => outcome === 'succeeded')?.clientMutationId ?? '';
    expect(await runCli(['mutations', 'abandon', ended], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(ended),
      stderr: expect.stringContaining('had ended before'),
    });
    expect(await runCli(['mutations', 'forget'], env)).toMatchObject({ code: 2 });
    const unknown = { clientMutationId: randomUUID(), expectedUpdatedAt: null };
    expect(errorOf(await server.call('resume_mutation', unknown)).error.category).toBe('not_found');
  });
});
