import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { hurried, registered, signInThrough } from '../support/connected.ts';
import { read } from '../support/follower.ts';
import { temporaryFolder } from '../support/temporary.ts';
import {
  countEffects,
  creationOf,
  type LongShow,
  plantLongShow,
  writeCards,
} from '../support/title-cards.ts';

const gibibyte = 1024 ** 3;
const slowDisk = pathToFileURL(path.join(import.meta.dirname, '../support/slow-disk.mjs')).href;

let household: FailingHousehold;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let app: Record<string, string>;
let show: LongShow;
let card: Awaited<ReturnType<typeof writeCards>>[number];

beforeAll(async () => {
  [household, pictures] = await Promise.all([
    startFailingHousehold(['--publication-lag', '0']),
    temporaryFolder(),
  ]);
  app = await registered(household);
  show = plantLongShow(household.home, 2);
  const [first] = await writeCards(pictures.path, show.episodes.slice(0, 1));
  if (first === undefined) throw new Error('There is no card.');
  card = first;
});

afterAll(async () => {
  await household.remove();
  await pictures.remove();
});

/** A server that reads no file whole before `release`; its calls have 4.5 s. */
async function start(home?: string): Promise<{ readonly server: StartedServer; release(): void }> {
  const gate = path.join(pictures.path, `read-on-${randomUUID()}`);
  const server = await startServer({
    ...app,
    ...(home === undefined ? {} : { ARTWORK_HOME: home }),
    ARTWORK_BASE_URL: household.baseUrl,
    ARTWORK_UPLOAD_ROOTS: pictures.path,
    NODE_OPTIONS: `${hurried.NODE_OPTIONS} --import=${slowDisk}`,
    SLOW_DISK_UNTIL: gate,
  });
  const release = () => writeFileSync(gate, '');
  onTestFinished(async () => {
    release();
    await server.stop();
  });
  await signInThrough(server, household);
  return { server, release };
}

/** A picture that is followed by so many bytes in all, which take no room. */
function sparse(name: string, bytes: number): string {
  const file = path.join(pictures.path, name);
  copyFileSync(card.file, file);
  truncateSync(file, bytes);
  return file;
}

function uploadOf(file: string) {
  const { targetKind, targetId, slot } = card;
  const meant = { operation: 'add', file, targetKind, targetId, slot, languageCode: 'en' };
  return { ...meant, clientMutationId: randomUUID(), expectedUpdatedAt: null };
}

const toldOf = (result: CallToolResult) => read({ tool: 'upload_asset', arguments: {} }, result);
const effectsOf = async (id: string) => countEffects(await household.control.effects(), id);

it('answers an upload in time while its file is read, and its status brings it to the end', async () => {
  const { server, release } = await start();
  const upload = uploadOf(card.file);
  const { clientMutationId } = upload;
  const status = async () => toldOf(await server.call('get_mutation_status', { clientMutationId }));
  const goesOn = { outcome: 'processing', next: { tool: 'get_mutation_status' } };
  const dry = await server.call('upload_asset', { ...upload, dryRun: true });
  expect(toldOf(dry)).toMatchObject(goesOn);
  expect(toldOf(await server.call('upload_asset', upload))).toMatchObject(goesOn);
  expect(await status()).toMatchObject(goesOn);
  expect(await effectsOf(clientMutationId)).toEqual({});
  release();
  await expect.poll(status).toMatchObject({ outcome: 'succeeded' });
  expect(await effectsOf(clientMutationId)).toMatchObject({ 'asset.add': 1 });
});

it('refuses a file that is too large for a picture without reading it, and uses up no id', async () => {
  const { server } = await start();
  const upload = uploadOf(sparse('huge.png', 4096 * gibibyte));
  const refused = {
    error: { category: 'upload_refused', details: { reason: 'too_large' } },
    outcome: 'not_sent',
  };
  for (const dryRun of [true, false]) {
    expect(toldOf(await server.call('upload_asset', { ...upload, dryRun }))).toMatchObject(refused);
  }
  const creation = creationOf(show, [{ ...card, file: upload.file }]);
  expect(toldOf(await server.call('create_media_set', creation))).toMatchObject({
    error: { category: 'upload_refused', message: expect.stringContaining('no picture has more') },
    outcome: 'not_sent',
  });
  for (const { clientMutationId } of [upload, creation]) {
    const known = await server.call('list_mutations', {});
    expect(JSON.stringify(known.structuredContent)).not.toContain(clientMutationId);
    expect(await effectsOf(clientMutationId)).toEqual({});
  }
});

it('refuses a Set whose copies have no room before it reads a file', async ({ skip }) => {
  const disk = path.join(pictures.path, 'disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,mode=0700', 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    return skip('a small file system can not be mounted here');
  }
  onTestFinished(() => {
    execFileSync('umount', ['-l', disk]);
  });
  const { server } = await start(disk);
  const cards = show.episodes.map((targetId, at) => ({
    ...card,
    itemId: randomUUID(),
    targetId,
    file: sparse(`large ${at}.png`, gibibyte + at),
  }));
  const creation = creationOf(show, cards);
  const answer = toldOf(await server.call('create_media_set', creation));
  expect(answer).toMatchObject({
    error: { category: 'internal', code: 'store_full', message: expect.stringContaining(disk) },
    outcome: 'not_sent',
    next: { why: expect.stringMatching(/person .*space/) },
  });
  expect(await effectsOf(creation.clientMutationId)).toEqual({});
});
