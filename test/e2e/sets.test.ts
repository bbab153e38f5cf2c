import { randomUUID } from 'node:crypto';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allScopes, type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { marked } from '../support/unique-pictures.ts';

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

const item = z.looseObject({
  itemId: z.string(),
  filename: z.string().optional(),
  status: z.string(),
  assetId: z.string().optional(),
});
const result = z.looseObject({
  outcome: z.string(),
  clientMutationId: z.string(),
  updatedAt: z.string().optional(),
  id: z.looseObject({ id: z.unknown() }).optional(),
  warnings: z.array(z.unknown()).optional(),
  next: z.looseObject({ why: z.string() }).optional(),
  receipt: z.looseObject({ setId: z.int().optional() }).optional(),
  counts: z.record(z.string(), z.int()).optional(),
  items: z.array(item).optional(),
  nextCursor: z.string().nullable().optional(),
});

function answerOf(answer: CallToolResult) {
  if (answer.isError === true) throw new Error(JSON.stringify(answer.content));
  return result.parse(answer.structuredContent);
}

const episodes = z.object({ data: z.array(z.looseObject({ id: z.int(), show: z.object({ id: z.int() }) })) });

/** A show of the catalogue, and its first episodes. */
async function someShow() {
  const page = await server.call('list_episodes', { limit: 200 });
  const { data } = episodes.parse(page.structuredContent);
  const showId = data[0]?.show.id ?? 0;
  return { showId, ids: data.filter(({ show }) => show.id === showId).map(({ id }) => id) };
}

async function cards(folder: string, ids: readonly number[], colour = '#204060') {
  const directory = path.join(pictures.path, folder);
  await mkdir(directory, { recursive: true });
  return Promise.all(
    ids.map(async (targetId, index) => {
      const file = path.join(directory, `card ${index}.png`);
      const background = { width: 1280, height: 720, channels: 3 as const, background: colour };
      const mark = { create: { width: 8 + index, height: 8, channels: 3 as const, background: '#ffffff' } };
      const overlay = await sharp(mark).png().toBuffer();
      await sharp({ create: background })
        .composite([{ input: overlay, left: 20, top: 20 }])
        .png()
        .toFile(file);
      return { file, targetKind: 'episode', targetId, slot: 'titlecard' };
    }),
  );
}

describe('upload_asset', () => {
  it('says of an upright title card that it may be refused, before the service refuses it', async () => {
    const { ids } = await someShow();
    const file = path.join(pictures.path, 'upright.png');
    await marked({ width: 720, height: 1280, background: '#405060' }).png().toFile(file);
    const place = { operation: 'add', slot: 'titlecard', targetKind: 'episode', targetId: ids[0], file };
    const upload = { clientMutationId: randomUUID(), expectedUpdatedAt: 'none', ...place };
    const { warnings, next } = answerOf(await server.call('upload_asset', { ...upload, dryRun: true }));
    expect(warnings).toContainEqual({
      code: 'unusual_ratio',
      message: expect.stringMatching(/^The picture is 720×1280; .* the service may refuse\.$/),
    });
    expect(next?.why).toMatch(/First the person decides .*unusual_ratio \(is this picture right/);
    expect(errorOf(await server.call('upload_asset', upload))).toMatchObject({ outcome: 'refused' });
  });

  it('points out a file whose name says another episode, and none that only looks so', async () => {
    const { ids } = await someShow();
    const [card] = await cards('misnamed', ids.slice(0, 1), '#505030');
    const guard = { clientMutationId: randomUUID(), expectedUpdatedAt: 'none' };
    const upload = { ...guard, ...card, operation: 'add', languageCode: 'en' };
    const named = async (name: string) => {
      const file = path.join(pictures.path, 'misnamed', name);
      await copyFile(card?.file ?? '', file);
      return { ...upload, file };
    };
    const other = await named('Some Show S39E47 card.png');
    const warned = {
      code: 'name_says_other',
      message: expect.stringMatching(/says S39E47, and .* S\d+E\d+/),
    };
    const dry = answerOf(await server.call('upload_asset', { ...other, dryRun: true }));
    expect(dry.warnings).toContainEqual(warned);
    expect(dry.next?.why).toContain('name_says_other (');
    const [, right = ''] = /to (S\d+E\d+)/.exec(JSON.stringify(dry.warnings)) ?? [];
    for (const name of [`some.show.${right.toLowerCase()}.png`, 'card 1280x720.png', 'card.png']) {
      const { warnings = [] } = answerOf(
        await server.call('upload_asset', { ...(await named(name)), dryRun: true }),
      );
      expect(JSON.stringify(warnings)).not.toContain('name_says_other');
    }
    const done = answerOf(await server.call('upload_asset', other));
    expect(done).toMatchObject({ outcome: 'succeeded', warnings: expect.arrayContaining([warned]) });
  });
});

/** Makes a call once what was just done is no conflict any more, as its refusal says: under an id of its own. */
async function someTimeLater(tool: string, args: Record<string, unknown>) {
  for (let tries = 0; tries < 20; tries += 1) {
    const answer = await server.call(tool, { ...args, clientMutationId: randomUUID() });
    if (answer.isError !== true) return answerOf(answer);
    expect(errorOf(answer)).toMatchObject({ outcome: 'not_sent', error: { category: 'conflict' } });
    await sleep(1_000);
  }
  throw new Error('What was done stays a conflict.');
}

describe('create_media_set and edit_set', () => {
  it('point out a file that was uploaded by itself before, and name its Asset', async () => {
    const { showId, ids } = await someShow();
    const [card, other] = await cards('sent-singly', ids.slice(0, 2), '#305030');
    const single = { ...card, operation: 'add', languageCode: 'en' };
    const guard = () => ({ clientMutationId: randomUUID(), expectedUpdatedAt: 'none' });
    const uploaded = answerOf(await server.call('upload_asset', { ...guard(), ...single }));
    const { id: assetId } = z.object({ id: z.string() }).parse(uploaded.id);
    const set = {
      ...guard(),
      entryTargetKind: 'show',
      entryTargetId: showId,
      titleBase: 'One card twice',
      languageCode: 'en',
      finalised: false,
      declaredFiles: [card, other],
    };
    const warned = expect.objectContaining({
      code: 'uploaded_before',
      message: expect.stringMatching(
        new RegExp(`^card 0\\.png became Asset ${assetId} .*${uploaded.clientMutationId}`),
      ),
    });
    const dry = answerOf(await server.call('create_media_set', { ...set, dryRun: true }));
    expect(dry.next?.why).toMatch(/^First the person decides .*uploaded_before \(.*\?\)/);
    const done = await someTimeLater('create_media_set', set);
    expect(done.outcome).toBe('succeeded');
    for (const { warnings } of [dry, done]) {
      expect(warnings).toContainEqual(warned);
      expect(JSON.stringify(warnings)).not.toContain('card 1.png');
    }
  });

  it('are pointed out where one of their files is uploaded by itself, or with another Set, afterwards', async () => {
    const { showId, ids } = await someShow();
    const [card, other, third] = await cards('sent-together', ids.slice(0, 3), '#303050');
    const guard = () => ({ clientMutationId: randomUUID(), expectedUpdatedAt: 'none' });
    const set = {
      entryTargetKind: 'show',
      entryTargetId: showId,
      titleBase: 'Two cards',
      languageCode: 'en',
      finalised: false,
    };
    const made = answerOf(
      await server.call('create_media_set', { ...guard(), ...set, declaredFiles: [card, other] }),
    );
    const { assetId } = made.items?.find((one) => one.filename === 'card 0.png') ?? {};
    const warned = expect.objectContaining({
      code: 'uploaded_before',
      message: expect.stringMatching(
        new RegExp(`^card 0\\.png became Asset ${assetId}, sent with the Set ${made.id?.id} `),
      ),
    });
    const single = { ...guard(), ...card, operation: 'add', languageCode: 'en' };
    const dry = answerOf(await server.call('upload_asset', { ...single, dryRun: true }));
    const done = await someTimeLater('upload_asset', single);
    expect(done.outcome).toBe('succeeded');
    for (const { warnings } of [dry, done]) expect(warnings).toContainEqual(warned);
    const alone = { ...guard(), ...third, operation: 'add', languageCode: 'en', dryRun: true };
    expect(answerOf(await server.call('upload_asset', alone)).warnings).toBeUndefined();
    const more = { ...guard(), ...set, declaredFiles: [other, third], dryRun: true };
    const { warnings } = answerOf(await server.call('create_media_set', more));
    expect(warnings).toContainEqual(
      expect.objectContaining({
        message: expect.stringMatching(/^card 1\.png became Asset .* sent with the Set/),
      }),
    );
    expect(JSON.stringify(warnings)).not.toContain('card 2.png');
  });

  it('make a Set of a folder, and edit it afterwards', async () => {
    const { showId, ids } = await someShow();
    const args = {
      clientMutationId: randomUUID(),
      expectedUpdatedAt: null,
      entryTargetKind: 'show',
      entryTargetId: showId,
      titleBase: 'Cards in one conversation',
      languageCode: 'en',
      finalised: false,
      declaredFiles: await cards('first', ids.slice(0, 3)),
    };
    const dry = answerOf(await server.call('create_media_set', { ...args, dryRun: true }));
    expect(dry).toMatchObject({
      outcome: 'dry_run',
      requests: [{ path: '/me/set-uploads' }, {}, { path: '/me/set-uploads/SUBMISSION-ID/complete' }],
    });
    const created = answerOf(await server.call('create_media_set', args));
    expect(created).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 3 }, nextCursor: null });
    expect(dry.next?.why).toContain('the same call without dryRun');
    expect(dry.next).not.toHaveProperty('tool');
    const again = answerOf(await server.call('create_media_set', args));
    expect(again.items).toEqual(created.items);

    const setId = created.receipt?.setId ?? 0;
    const [first] = created.items ?? [];
    const edit = {
      clientMutationId: randomUUID(),
      expectedUpdatedAt: created.updatedAt,
      setId,
      setKind: 'media_set',
      metadata: { titleBase: 'Cards, finished', finalised: true },
      items: [
        {
          operation: 'replace',
          ...(await cards('second', ids.slice(0, 1), '#602040'))[0],
          expectedPreviousAssetId: first?.assetId,
          expectedAssetUpdatedAt: await revisionOf('asset', first?.assetId ?? ''),
        },
      ],
    };
    const dryEdit = answerOf(await server.call('edit_set', { ...edit, dryRun: true }));
    expect(dryEdit.next).toMatchObject({ why: expect.stringContaining('the same call without dryRun') });
    const edited = answerOf(await server.call('edit_set', edit));
    expect(edited).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 1 } });
    expect(edited.updatedAt).toBe(await revisionOf('set', setId));
    expect(edited.updatedAt).not.toBe(created.updatedAt);
  });

  it('refuse what can not be meant before anything is sent', async () => {
    const { showId, ids } = await someShow();
    const [card] = await cards('refused', ids.slice(0, 1));
    const args = {
      clientMutationId: randomUUID(),
      expectedUpdatedAt: null,
      entryTargetKind: 'show',
      entryTargetId: showId,
      titleBase: 'Never made',
      languageCode: 'en',
      finalised: false,
    };
    const twice = errorOf(await server.call('create_media_set', { ...args, declaredFiles: [card, card] }));
    expect(twice.error).toMatchObject({ category: 'invalid_arguments' });
    expect(JSON.stringify(twice)).toContain('declaredFiles');
    const gone = { ...card, file: path.join(pictures.path, 'nowhere.png') };
    const other = { ...card, targetId: ids[1] };
    const missing = errorOf(await server.call('create_media_set', { ...args, declaredFiles: [other, gone] }));
    expect(missing).toMatchObject({ error: { category: 'upload_refused' }, outcome: 'not_sent' });
    expect(JSON.stringify(missing)).toContain('nowhere.png');
  });
});

async function revisionOf(type: string, id: string | number): Promise<string> {
  const { structuredContent } = await server.call('get_owned', { type, id });
  return z.object({ updatedAt: z.string() }).parse(structuredContent).updatedAt;
}
